// Kept sessions as files: the rules of every directory, and what only files can suffer.
import { chmod, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SessionDirectory } from '../../../src/session/saved/directory.ts';
import { folder, keptLog } from '../../call/stand-in.ts';
import { directorySuite, kept } from './directory-suite.ts';

const byName = ({ name }: { name: string }): string => name;

directorySuite('disk', async () => {
  const path = join(await folder(), 'sessions');
  return () => new SessionDirectory(path, keptLog(), byName);
});

const SMALL = { fileBytes: 5_000, files: 4 };

async function disk() {
  const path = join(await folder(), 'sessions');
  const log = keptLog();
  return { path, log, disk: new SessionDirectory(path, log, byName, SMALL) };
}

describe('files of kept sessions', () => {
  it('are for their owner only, also in a folder that was open before', async () => {
    const { path, disk: own } = await disk();
    await own.write(kept('work'));
    await chmod(path, 0o755);
    await own.write(kept('work'));
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect((await stat(join(path, 's-work.json'))).mode & 0o777).toBe(0o600);
    expect(await readdir(path)).toEqual(['s-work.json']);
  });

  it.each([
    ['{"version":1', 'it is no JSON'],
    ['{}', 'it has another form'],
    [JSON.stringify({ version: 2, ...kept('work') }), 'it has another form'],
    [JSON.stringify({ version: 1, ...kept('other') }), 'it is of another session'],
    ['x'.repeat(6_000), 'its file has more than 5000 bytes'],
    [JSON.stringify({ version: 1, ...kept('work', { lastActivity: 'now' as never }) }), 'it has another form'],
  ])('%s is put aside with a reason, and the name is free again', async (text, why) => {
    const { path, log, disk: own } = await disk();
    await own.write(kept('work'));
    await writeFile(join(path, 's-work.json'), text);
    expect(await own.list()).toEqual([]);
    await expect(own.read('work')).rejects.toMatchObject({
      code: 'file_error',
      message: `What was kept of session "work" cannot be read (${why}); it was put aside as s-work.json.broken.`,
    });
    expect(log.lines.filter(line => line.startsWith('warn'))).toHaveLength(1);
    expect(await readFile(join(path, 's-work.json.broken'), 'utf8')).toBe(text);
    expect(await own.read('work')).toBeUndefined();
    await own.write(kept('work'));
    expect(await own.read('work')).toEqual(kept('work'));
  });

  it('others in the folder are left alone', async () => {
    const { path, disk: own } = await disk();
    await own.write(kept('work'));
    for (const name of ['notes.txt', 's-UPPER.json', 's-~zz.json', 's-.json']) await writeFile(join(path, name), '{}');
    expect((await own.list()).map(({ name }) => name)).toEqual(['work']);
    expect(await readdir(path)).toHaveLength(5);
  });

  it('are bounded in size', async () => {
    const { path, disk: own } = await disk();
    await own.write(kept('work'));
    const large = kept('work', { owner: 'x'.repeat(5_000) });
    await expect(own.write(large)).rejects.toThrow('holds more than 5000 bytes');
    expect(await own.read('work')).toEqual(kept('work'));
    expect(await readdir(path)).toEqual(['s-work.json']);
  });

  it('are bounded in number: whoever keeps most gives up the oldest', async () => {
    const { disk: own } = await disk();
    await own.write(kept('of-bob', { owner: 'bob', lastActivity: 1 }));
    for (const at of [5, 2, 3, 4, 6]) await own.write(kept(`ann-${at}`, { lastActivity: at }));
    expect((await own.list()).map(({ name }) => name).sort()).toEqual(['ann-4', 'ann-5', 'ann-6', 'of-bob']);
  });

  it('half written by a server that was killed go away in time, those being written do not', async () => {
    const { path, disk: own } = await disk();
    await own.write(kept('work'));
    for (const name of ['s-old.json.1.part', 's-new.json.2.part']) await writeFile(join(path, name), '');
    const before = Date.now() / 1_000 - 3_600;
    await utimes(join(path, 's-old.json.1.part'), before, before);
    await own.write(kept('work'));
    expect((await readdir(path)).sort()).toEqual(['s-new.json.2.part', 's-work.json']);
  });
});
