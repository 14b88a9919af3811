// The journal's file: its lines, its rights, its rotation, and what happens when it cannot be written.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { Journal, type JournalRecord } from '../../src/session/journal.ts';
import { folder, keptLog } from '../call/stand-in.ts';

const record = (tool: string): JournalRecord => ({
  time: '2030-01-01T00:00:00.000Z',
  caller: 'ann',
  session: 'default@ann',
  tool,
  args: {},
  ms: 1,
  ok: true,
  chars: 2,
});
const linesOf = async (file: string) =>
  (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));

describe('journal', () => {
  it('writes one line per record, readable for its owner only', async () => {
    const dir = join(await folder(), 'state', 'journal');
    const journal = new Journal(join(dir, 'journal.jsonl'), keptLog());
    const tools = Array.from({ length: 50 }, (_, index) => `t${index}`);
    for (const tool of tools) journal.write(record(tool));
    await journal.close();
    const file = join(dir, 'journal.jsonl');
    expect((await linesOf(file)).map(({ tool }) => tool)).toEqual(tools);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
  });

  it('makes no folder before the first record, and ignores records after its end', async () => {
    const dir = join(await folder(), 'journal');
    const journal = new Journal(join(dir, 'journal.jsonl'), keptLog());
    await journal.close();
    journal.write(record('late'));
    await expect(stat(dir)).rejects.toThrow('ENOENT');
  });

  it('puts a full file aside and keeps only so many', async () => {
    const dir = await folder();
    for (let round = 0; round < 6; round++) {
      const journal = new Journal(join(dir, 'journal.jsonl'), keptLog(), {
        fileBytes: 10,
        keep: 3,
        pendingChars: 10_000,
      });
      journal.write(record(`r${round}`));
      await journal.close();
    }
    const names = (await readdir(dir)).sort();
    expect(names).toEqual(['journal.1.jsonl', 'journal.2.jsonl', 'journal.3.jsonl', 'journal.jsonl']);
    const tools = await Promise.all(names.map(async name => (await linesOf(join(dir, name)))[0].tool));
    expect(tools).toEqual(['r4', 'r3', 'r2', 'r5']);
  });

  it('drops what the disk cannot take in time, and says how much', async () => {
    const dir = await folder();
    const journal = new Journal(join(dir, 'journal.jsonl'), keptLog(), {
      fileBytes: 1e6,
      keep: 3,
      pendingChars: 1_000,
    });
    for (let index = 0; index < 100; index++) journal.write(record('x'));
    await journal.close();
    const lines = await linesOf(join(dir, 'journal.jsonl'));
    const kept = lines.filter(({ tool }) => tool === 'x').length;
    expect(kept).toBeLessThan(10);
    expect(lines.at(-1)).toMatchObject({ dropped: 100 - kept });
  });

  it('is off after one warning when its folder cannot be made', async () => {
    const dir = await folder();
    await writeFile(join(dir, 'journal'), 'a file in the way');
    const log = keptLog();
    const journal = new Journal(join(dir, 'journal', 'journal.jsonl'), log);
    journal.write(record('a'));
    await vi.waitFor(() => expect(log.lines).toEqual([expect.stringMatching(/^warn: the journal is off: E/)]), 10_000);
    journal.write(record('b'));
    await journal.close();
    expect(log.lines).toHaveLength(1);
  });

  it('is off when its file cannot be written', async () => {
    const dir = await folder();
    await mkdir(join(dir, 'journal.jsonl'));
    const log = keptLog();
    const journal = new Journal(join(dir, 'journal.jsonl'), log);
    journal.write(record('a'));
    await journal.close();
    expect(log.lines).toHaveLength(1);
  });
});
