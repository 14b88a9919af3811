// Paths: relative ones below the folder only (S0-18, S0-64), whatever system they are written for, links followed.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, posix, win32 } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { OutputFile } from '../../src/bridge/cli/output.ts';
import { filesBelow, relativePath, relativePathProblem } from '../../src/bridge/files.ts';
import { stubKit } from './kit.ts';

const kit = stubKit();
afterAll(() => kit.remove());

/** Words that paths are made of, with all that is dangerous about them. */
const step = fc.oneof(
  fc.constantFrom('a', 'b.json', '..', '.', '.ssh', '~', 'C:', '', ' ', '...', '\0', 'NUL', '%2e%2e', '\\'),
  fc.string({ maxLength: 5 }),
);
const anyPath = fc
  .tuple(
    fc.constantFrom('', '/', '\\', '//', '\\\\', '\\\\?\\', 'C:', 'c:\\', 'file://', './'),
    fc.array(step, { maxLength: 5 }),
    fc.constantFrom('/', '\\'),
  )
  .map(([start, steps, between]) => start + steps.join(between));

describe('a path to save to', () => {
  it.each(['a.json', 'a/b.json', 'a/b/c', './a.json', 'a b.txt', 'ä/ö.txt', 'a..b', '...a/x'.slice(3), 'x.part'])(
    'S0-18 may be %j',
    given => expect(relativePathProblem(given)).toBeUndefined(),
  );

  it.each([
    ['/etc/passwd', 'absolute'],
    ['//etc/passwd', 'absolute'],
    ['C:\\a', 'absolute'],
    ['c:/a', 'absolute'],
    ['c:a', 'absolute'],
    ['\\\\server\\share\\a', 'absolute'],
    ['\\\\?\\C:\\a', 'absolute'],
    ['\\a', 'absolute'],
    ['~/a', 'absolute'],
    ['..', 'leaves'],
    ['../a', 'leaves'],
    ['a/../../b', 'leaves'],
    ['a/../b', 'leaves'],
    ['a\\..\\b', 'leaves'],
    ['a\0b', 'NUL'],
    ['', 'empty'],
    ['  ', 'empty'],
    ['.bashrc', 'hidden'],
    ['.git/hooks/x', 'hidden'],
    ['a/', 'folder'],
    ['a/.', 'folder'],
    ['.', 'folder'],
  ])('S0-18 may not be %j: %s', (given, why) => expect(relativePathProblem(given)).toContain(why));

  it('S0-64 stays below the folder on every system', () => {
    fc.assert(
      fc.property(anyPath, given => {
        if (relativePathProblem(given) !== undefined) return;
        expect(given).not.toContain('\0');
        for (const { style, root } of [
          { style: posix, root: '/srv/out' },
          { style: win32, root: 'D:\\srv\\out' },
        ]) {
          const full = style.resolve(root, given);
          expect(full.startsWith(root + style.sep)).toBe(true);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('S0-64 is a real file below the folder, whatever is asked for', async () => {
    await fc.assert(
      fc.asyncProperty(anyPath, async given => {
        const real = await relativePath(given, [kit.folder]).catch(() => undefined);
        if (real !== undefined) expect(real.startsWith(`${kit.folder}/`)).toBe(true);
      }),
      { numRuns: 300 },
    );
    expect(readdirSync(join(kit.folder, '..')).sort()).toEqual(['agent-browser', 'work']);
  });

  it('S0-64 does not follow a link that leads outside', async () => {
    const folder = mkdtempSync(join(kit.folder, 'links-'));
    symlinkSync('/', join(folder, 'out'));
    symlinkSync('/etc/nothing-here', join(folder, 'nowhere.json'));
    mkdirSync(join(folder, 'inside'));
    symlinkSync(join(folder, 'inside'), join(folder, 'alias'));
    await expect(relativePath('out/tmp/x.json', [folder])).rejects.toThrow(/refused/);
    await expect(relativePath('nowhere.json', [folder])).rejects.toThrow(/lead nowhere/);
    expect(await relativePath('alias/x.json', [folder])).toBe(join(folder, 'inside', 'x.json'));
  });

  it('S0-18 tells the rule and what to do', async () => {
    await expect(relativePath('../x', [kit.folder])).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/leaves the folder.*Rule/),
      hint: expect.stringContaining(kit.folder),
    });
  });
});

describe('a file to read', () => {
  it('S0-55 lies below one of the folders', async () => {
    const other = join(kit.folder, 'inside');
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, 'a.txt'), 'a');
    const { readable } = filesBelow([join(kit.folder, 'elsewhere'), other]);
    expect(await readable(join(other, 'a.txt'))).toBe(join(other, 'a.txt'));
    await expect(readable('/etc/hostname')).rejects.toThrow(/refused/);
    await expect(readable('missing.txt')).rejects.toThrow(/no such file/);
  });
});

describe('saving', () => {
  it('S0-18 makes the file when it is whole, for its owner alone', () => {
    const path = join(kit.folder, 'saved.json');
    const saving = new OutputFile(path);
    saving.write(Buffer.from('{"a"'));
    expect(existsSync(path)).toBe(false);
    saving.write(Buffer.from(':1}'));
    expect(saving.end()).toBeUndefined();
    expect(readFileSync(path, 'utf8')).toBe('{"a":1}');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('S0-18 leaves nothing behind when there is nothing to save', () => {
    const saving = new OutputFile(join(kit.folder, 'dropped.json'));
    saving.write(Buffer.from('x'));
    saving.drop();
    expect(readdirSync(kit.folder).filter(name => name.startsWith('dropped'))).toEqual([]);
  });

  it('S0-18 says why it could not be done', () => {
    const saving = new OutputFile(join(kit.folder, 'no-such-folder', 'a.json'));
    saving.write(Buffer.from('x'));
    expect(saving.end()?.message).toMatch(/could not be saved.*ENOENT/);
  });
});
