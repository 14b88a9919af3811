// Paths that callers name, on a real disk: links, missing folders, things that are no files.
import { mkdir, readFile, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readablePath, saveFile, writablePath } from '../../src/engine/files.ts';
import { folder } from '../call/stand-in.ts';

async function roots() {
  const all = await realpath(await folder());
  const [out, work, secret] = ['out', 'work', 'secret'].map(name => join(all, name)) as [string, string, string];
  for (const dir of [out, work, secret]) await mkdir(dir);
  await writeFile(join(secret, 'key.txt'), 'secret');
  await writeFile(join(work, 'cv.pdf'), 'cv');
  return { all, out, work, secret };
}
const fails = (code: string, message = /./) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

describe('readablePath', () => {
  it('finds files below the roots: relative to the first, absolute, by url', async () => {
    const { out, work } = await roots();
    await writeFile(join(out, 'a.txt'), 'a');
    expect(await readablePath('a.txt', [out, work])).toBe(join(out, 'a.txt'));
    expect(await readablePath(join(work, 'cv.pdf'), [out, work])).toBe(join(work, 'cv.pdf'));
    expect(await readablePath(pathToFileURL(join(work, 'cv.pdf')).href, [out, work])).toBe(join(work, 'cv.pdf'));
  });

  it('refuses what is outside, also through links and dots', async () => {
    const { out, work, secret } = await roots();
    await symlink(join(secret, 'key.txt'), join(out, 'link'));
    await symlink(secret, join(out, 'dir'));
    const ways = [join(secret, 'key.txt'), '../secret/key.txt', 'link', 'dir/key.txt', '~/x', '/etc/passwd'];
    for (const way of ways) await expect(readablePath(way, [out, work]), way).rejects.toEqual(fails('refused'));
  });

  it('does not tell what exists outside', async () => {
    const { out, secret } = await roots();
    for (const way of [join(secret, 'missing'), join(secret, 'key.txt', 'x'), join(secret, 'key.txt')])
      await expect(readablePath(way, [out]), way).rejects.toEqual(fails('refused', /allowed folders/));
  });

  it('says what is wrong inside', async () => {
    const { out, work } = await roots();
    await expect(readablePath('missing.txt', [out])).rejects.toEqual(fails('file_error', /no such file/));
    await expect(readablePath(work, [out, work])).rejects.toEqual(fails('file_error', /not a file/));
    await expect(readablePath(join(work, 'cv.pdf', 'x'), [work])).rejects.toEqual(fails('file_error', /not a folder/));
    await expect(readablePath('', [out])).rejects.toEqual(fails('bad_input', /empty/));
    await expect(readablePath('a\0b', [out])).rejects.toEqual(fails('bad_input', /NUL/));
    await expect(readablePath('file://host/x', [out])).rejects.toEqual(fails('bad_input'));
    await expect(readablePath('file:///a%00b', [out])).rejects.toEqual(fails('bad_input', /NUL/));
    await expect(readablePath('x'.repeat(5_000), [out])).rejects.toEqual(fails('file_error', /^.{0,250}too long/));
  });
});

describe('writablePath', () => {
  it('makes the folders on its way, also a root that is not there yet', async () => {
    const { all } = await roots();
    const root = join(all, 'new', 'output');
    const file = await writablePath('shots/a.png', [root]);
    await writeFile(file, 'png');
    expect(await readFile(join(root, 'shots', 'a.png'), 'utf8')).toBe('png');
  });

  it('takes a root that is a link for where it leads', async () => {
    const { all, out } = await roots();
    await symlink(out, join(all, 'alias'));
    expect(await writablePath('a.png', [join(all, 'alias')])).toBe(join(out, 'a.png'));
    expect(await writablePath(join(out, 'b.png'), [join(all, 'alias')])).toBe(join(out, 'b.png'));
  });

  it('refuses what is outside and makes nothing there', async () => {
    const { out, secret } = await roots();
    await symlink(secret, join(out, 'dir'));
    await symlink(join(secret, 'new.txt'), join(out, 'dangling'));
    for (const way of ['../a.png', join(secret, 'x', 'a.png'), 'dir/x/a.png', 'dangling'])
      await expect(writablePath(way, [out]), way).rejects.toEqual(fails('refused'));
    await expect(stat(join(secret, 'x'))).rejects.toThrow('ENOENT');
  });

  it('takes a file that is made while it looks for what it is, not for a link that leads nowhere', async () => {
    const { out } = await roots();
    for (let number = 0; number < 300; number++) {
      const file = join(out, `${number}.txt`);
      const looks = Array.from({ length: 4 }, () => writablePath(file, [out]));
      await Promise.all([writeFile(file, ''), ...looks]);
      expect(await Promise.all(looks)).toEqual(Array(4).fill(file));
    }
  });

  it('writes to no folder', async () => {
    const { out } = await roots();
    await mkdir(join(out, 'dir'));
    for (const way of ['dir', 'new/', out])
      await expect(writablePath(way, [out]), way).rejects.toEqual(fails('file_error', /not a file/));
  });
});

it('15 a file that cannot be written is told as such, not as a fault of the server', async () => {
  const { out } = await roots();
  await expect(saveFile(join(out, 'a'.repeat(300)), '')).rejects.toEqual(fails('file_error', /: it is too long\.$/));
});
