// Which files may be touched, decided without looking at any.
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInside, malformedPath, outsideFolders } from '../../src/policy/paths.ts';

describe('paths', () => {
  it.each([
    ['/out', true],
    ['/out/a/b.png', true],
    ['/out/..a', true],
    ['/output/a', false],
    ['/', false],
    ['/etc/passwd', false],
    ['/work/x', true],
  ])('%s inside of /out or /work: %s', (real, inside) =>
    expect(isInside(real, ['/out', '/work'], path.posix)).toBe(inside),
  );

  it.each([
    ['C:\\out\\a.png', true],
    ['c:\\OUT\\a.png', true],
    ['D:\\out\\a.png', false],
    ['C:\\outer\\a.png', false],
    ['\\\\host\\share\\a', false],
  ])('%s inside of C:\\out: %s', (real, inside) => expect(isInside(real, ['C:\\out'], path.win32)).toBe(inside));

  it('has nothing inside of no folder', () => expect(isInside('/x', [])).toBe(false));

  it('finds every path below a folder inside, and none beside it', () => {
    const part = fc.string({ minLength: 1, maxLength: 8 }).filter(text => !/[/\0]/.test(text) && !/^\.\.?$/.test(text));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1 }), fc.array(part), part, (base, rest, other) => {
        const folder = `/${base.join('/')}`;
        expect(isInside([folder, ...rest].join('/'), [folder], path.posix)).toBe(true);
        expect(isInside(`${folder}${other}`, [folder], path.posix)).toBe(false);
      }),
    );
  });

  it.each([
    ['', 'linux', /empty/],
    ['  ', 'linux', /empty/],
    ['a\0b', 'linux', /NUL/],
    ['C:\\x.png', 'linux', /Windows/],
    ['\\\\host\\x', 'darwin', /Windows/],
    ['\\\\?\\C:\\x', 'win32', /device/],
    ['//./pipe/x', 'win32', /device/],
    ['C:x.png', 'win32', /drive/],
    ['x.png:stream', 'win32', /colon/],
    ['C:\\x.png', 'win32', /^$/],
    ['shots/x: y.png', 'linux', /^$/],
  ] as const)('%j on %s', (given, platform, why) => expect(malformedPath(given, platform) ?? '').toMatch(why));

  it('names the rule and the folders', () => {
    const { code, message, hint } = outsideFolders('/etc/passwd', 'read', ['/out', '/work']);
    expect({ code, message, hint }).toEqual({
      code: 'refused',
      message: 'The path "/etc/passwd" is refused: rule "read only below the allowed folders".',
      hint: 'Use a path below /out or /work; a relative path counts from /out. The server is told of more folders by --upload-dirs.',
    });
    expect(outsideFolders('/etc/passwd', 'write', ['/out']).hint).toBe(
      'Use a path below /out; a relative path counts from /out.',
    );
  });
});
