// Files of the machine: callers try to send those of the owner to a page, by every way there is to read one.
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';

let kit: Kit;
let work: string;
let stateDir: string;

/** A server that was started in a folder with files of the owner, and may be told that callers read everywhere. */
async function start(...flags: string[]): Promise<void> {
  work = mkdtempSync(join(tmpdir(), 'tabwright-home-'));
  writeFileSync(join(work, 'id_ed25519'), 'a key');
  kit = await startKit(...flags);
  stateDir = kit.server.options.stateDir;
  mkdirSync(join(stateDir, 'auth'), { recursive: true });
  for (const file of ['token', 'tokens.yaml', 'auth/bank.json']) writeFileSync(join(stateDir, file), 'a secret');
  for (const caller of ['local', 'guest'])
    await kit.call('navigate', { url: `${kit.site.url}/upload.html` }, { caller });
}
const end = async () => {
  await kit.close();
  rmSync(work, { recursive: true });
};

/** By upload as a path and as an object, and by request. */
async function readings(caller: string, path: string): Promise<(string | undefined)[]> {
  const url = `${kit.site.url}/api/echo`;
  const calls = [
    kit.call('upload', { selector: '#one', files: [path] }, { caller }),
    kit.call('upload', { selector: '#one', files: [{ path, name: 'x' }] }, { caller }),
    kit.call('request', { url, method: 'POST', form_data: { file: { path } } }, { caller }),
  ];
  return (await Promise.all(calls)).map(({ failure }) => failure?.code);
}
const REFUSED = ['refused', 'refused', 'refused'];

const secrets = (): string[] => ['token', 'tokens.yaml', 'auth/bank.json'].map(name => join(stateDir, name));

describe('15.1 by default', () => {
  beforeAll(() => start());
  afterAll(end);

  it.each(['local', 'guest'])('%s reads no file outside of its output folder, however it is named', async caller => {
    const paths = [join(work, 'id_ed25519'), '/etc/passwd', join(homedir(), '.ssh', 'id_rsa'), '~/.ssh/id_rsa'];
    const names = paths.flatMap(path => [path, path.startsWith('~') ? path : `file://${path}`]);
    for (const path of [...names, join(process.cwd(), 'package.json'), '../state/token', ...secrets()])
      expect([path, await readings(caller, path)]).toEqual([path, REFUSED]);
  });
});

describe('15.1 in a folder around that of the state, such as the home folder', () => {
  const before = process.cwd();
  beforeAll(() => {
    process.chdir(tmpdir());
    return start();
  });
  afterAll(async () => {
    process.chdir(before);
    await end();
  });

  it.each(['local', 'guest'])('%s reads neither a secret of the server nor a key of the owner', async caller => {
    for (const path of [...secrets(), join(work, 'id_ed25519')])
      expect([path, await readings(caller, path)]).toEqual([path, REFUSED]);
  });
});

describe('15.1 with --upload-dirs /', () => {
  beforeAll(() => start('--upload-dirs', '/'));
  afterAll(end);

  it.each(['local', 'guest'])(
    '%s reads no secret of the server by links, other names and folders of the system',
    async caller => {
      symlinkSync(stateDir, join(work, `link-${caller}`));
      linkSync(join(stateDir, 'token'), join(work, `hard-${caller}`));
      for (const path of [
        ...secrets(),
        join(work, `link-${caller}`, 'token'),
        join(work, `hard-${caller}`),
        `/proc/self/root${stateDir}/token`,
        '/proc/self/environ',
        '/proc/self/mem',
        '/dev/stdin',
      ])
        expect([path, await readings(caller, path)]).toEqual([path, REFUSED]);
    },
  );

  it('what the owner names is read', async () => {
    expect(await readings('guest', join(work, 'id_ed25519'))).toEqual([undefined, undefined, undefined]);
  });
});
