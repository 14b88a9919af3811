// Files that callers save: one caller tries to read or replace those of another, a local user to read them at all.
import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { AGENTS } from '../surfaces/agents.ts';
import { temporaryFolder } from '../surfaces/process.ts';

let kit: Kit;
let output: string;
const GUESTS = ['guest', 'other', 'Other', '../..'];

/** Callers, each with a page that takes files. */
async function start(...flags: string[]): Promise<void> {
  kit = await startKit(...flags);
  output = kit.server.options.outputDir;
  for (const caller of ['local', ...GUESTS]) await as(caller, 'navigate', { url: `${kit.site.url}/upload.html` });
}
const as = (caller: string, name: string, args: Record<string, unknown>) => kit.call(name, args, { caller });

async function save(caller: string, save_path: string): Promise<string> {
  const { data, text, ok } = await as(caller, 'snapshot', { save_path });
  if (!ok) throw new Error(text);
  return (data as { file: { path: string } }).file.path;
}

/** What reading the file gives by each way there is. */
async function readings(caller: string, path: string): Promise<(string | undefined)[]> {
  const upload = await as(caller, 'upload', { selector: '#one', files: [path] });
  const url = `${kit.site.url}/echo`;
  const sent = await as(caller, 'request', { url, method: 'POST', form_data: { file: { path } } });
  return [upload, sent].map(({ failure }) => failure?.code);
}
const DENIED = ['refused', 'refused'];
const MISSING = ['file_error', 'file_error'];

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe.each([
  ['by default', []],
  ['with --upload-dirs around the output folder', ['--upload-dirs', '/tmp']],
])('15.13 files of callers %s', (_, flags) => {
  beforeAll(() => start(...flags));
  afterAll(() => kit.close());

  it('guests read neither the files of the owner nor of each other, and each reads its own', async () => {
    const owners = await save('local', 'report.txt');
    expect(owners).toBe(join(output, 'report.txt'));
    for (const guest of GUESTS) {
      for (const path of [owners, `file://${owners}`, '../../report.txt', '../report.txt'])
        expect([guest, path, await readings(guest, path)]).toEqual([guest, path, DENIED]);
      expect(await readings(guest, 'report.txt')).toEqual(MISSING);
    }
    const files = await Promise.all(GUESTS.map(guest => save(guest, 'own.txt')));
    expect(new Set(files).size).toBe(GUESTS.length);
    for (const [at, guest] of GUESTS.entries()) {
      expect(await readings(guest, 'own.txt')).toEqual([undefined, undefined]);
      const foreign = files.filter((_, other) => other !== at);
      for (const path of foreign) expect(await readings(guest, path)).toEqual(DENIED);
    }
  });

  it('guests write nowhere else, also through links', async () => {
    const owners = await save('local', 'kept.txt');
    const before = readFileSync(owners, 'utf8');
    const own = dirname(await save('guest', 'x.txt'));
    symlinkSync(output, join(own, 'up'));
    for (const save_path of [owners, '../../kept.txt', 'up/kept.txt'])
      for (const tool of ['snapshot', 'screenshot', 'pdf'])
        expect((await as('guest', tool, { save_path })).failure?.code).toBe('refused');
    expect(readFileSync(owners, 'utf8')).toBe(before);
    expect(await save('guest', 'kept.txt')).not.toBe(owners);
  });

  it('downloads go to the folder of the caller whose session it is, and nobody else on the machine reads any file', async () => {
    for (const caller of ['local', 'guest']) {
      await as(caller, 'navigate', { url: `${kit.site.url}/download/report.csv` });
      await vi.waitFor(async () => expect((await as(caller, 'downloads', {})).text).toMatch(/downloads.report.csv/));
      await as(caller, 'screenshot', { save_path: 'a/b.png' });
      await as(caller, 'pdf', { save_path: 'c.pdf' });
      await as(caller, 'capture', { action: 'start' });
      await as(caller, 'capture', { action: 'stop', save_path: 'd.har' });
      await as(caller, 'request', { url: kit.site.url, save_path: 'e.html' });
    }
    const files = ['downloads/report.csv', 'a/b.png', 'c.pdf', 'd.har', 'e.html'];
    const folders = [output, join(output, 'callers', 'guest')];
    for (const folder of folders)
      for (const file of files) {
        expect([file, modeOf(join(folder, file)).toString(8)]).toEqual([file, '600']);
        expect(modeOf(dirname(join(folder, file)))).toBe(0o700);
      }
    expect(readdirSync(join(output, 'downloads'))).toEqual(['report.csv']);
  });
});

it('15.13 the first file that is saved on a new machine makes a state folder that only the user may enter', async () => {
  const folder = temporaryFolder();
  const stateDir = join(folder.path, 'state');
  const connect = AGENTS['first generation'];
  if (!connect) throw new Error('no such agent');
  const agent = await connect(stateDir);
  try {
    await agent.ok('snapshot', { save_path: 'first.txt' });
    expect([stateDir, join(stateDir, 'output')].map(modeOf)).toEqual([0o700, 0o700]);
    expect(modeOf(join(stateDir, 'output', 'first.txt'))).toBe(0o600);
  } finally {
    await agent.close();
    folder.remove();
  }
});
