// Upload: files from paths, urls and base64, into fields and choosers; nothing from outside the allowed folders.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, textOf } from './page.ts';

let kit: Kit;
let inside: string;
beforeAll(async () => {
  kit = await startKit();
  inside = join(kit.folder, 'output');
  mkdirSync(inside, { recursive: true });
  writeFileSync(join(inside, 'notes.txt'), 'twelve bytes');
  writeFileSync(join(kit.folder, 'secret.txt'), 'secret');
  symlinkSync(join(kit.folder, 'secret.txt'), join(inside, 'link.txt'));
});
afterAll(() => kit.close());

async function upload(selector: string, ...files: unknown[]): Promise<string> {
  await kit.open('/upload.html');
  await kit.ok('upload', { selector, files });
  return textOf(kit, '#log');
}

describe('S1-37 upload', () => {
  it('a path, as text and as an object', async () => {
    expect(await upload('#one', join(inside, 'notes.txt'))).toBe('one: notes.txt (12)');
    expect(await upload('#one', { path: join(inside, 'notes.txt') })).toBe('one: notes.txt (12)');
  });

  it('a url, with the name of its end or a given one', async () => {
    expect(await upload('#one', { url: `${kit.site.url}/article.html` })).toMatch(/^one: article\.html \(\d+\)$/);
    expect(await upload('#one', { url: `${kit.site.url}/article.html`, name: 'mine.html' })).toMatch(
      /^one: mine\.html/,
    );
  });

  it('base64 with name and mime_type; a data url too', async () => {
    expect(await upload('#one', { base64: 'aGVsbG8=', name: 'hi.txt' })).toBe('one: hi.txt (5)');
    expect(await upload('#one', { base64: 'aGVsbG8=', name: 'picture', mime_type: 'image/png' })).toBe(
      'one: picture.png (5)',
    );
    expect(await upload('#one', { base64: 'data:text/plain;base64,aGVsbG8=', name: 'd.txt' })).toBe('one: d.txt (5)');
    expect(await js(kit, 'document.querySelector("#one").files[0].type')).toBe('text/plain');
  });

  it('several files at once', async () => {
    expect(await upload('#many', join(inside, 'notes.txt'), { base64: 'aGk=', name: 'b.csv' })).toBe(
      'many: notes.txt (12), b.csv (2)',
    );
  });

  it('by ref, by label, by the button that opens a chooser, by a label around a hidden field', async () => {
    await kit.open('/upload.html');
    const ref = await kit.ref('"One file"');
    expect(await kit.ok('upload', { selector: ref, files: [{ base64: 'aGk=', name: 'a.txt' }] })).toContain(
      'Put a.txt into ',
    );
    expect(await upload('label:One file', { base64: 'aGk=', name: 'a.txt' })).toBe('one: a.txt (2)');
    expect(await upload('#choose', { base64: 'aGk=', name: 'p.png' })).toBe('behind: p.png (2)');
    expect(await upload('.zone', { base64: 'aGk=', name: 'z.txt' })).toBe('dropped: z.txt (2)');
    expect(await upload('#behind', { base64: 'aGk=', name: 'h.txt' })).toBe('behind: h.txt (2)');
  });

  it.each(['/etc/passwd', '{output}/../secret.txt', '{output}/link.txt', 'file:///etc/passwd', '~/.ssh/id_rsa'])(
    '%s, which is outside, is refused with the rule',
    async path => {
      await kit.open('/upload.html');
      const { code, text } = await kit.fails('upload', { selector: '#one', files: [path.replace('{output}', inside)] });
      expect(code).toBe('refused');
      expect(text).toMatch(/rule "read only below the allowed folders"/);
      expect(await textOf(kit, '#log')).toBe('');
    },
  );

  it.each([
    ['no such file', join('does', 'not', 'exist.txt'), 'file_error', /no such file/],
    ['none of the three', { name: 'x' }, 'bad_input', /exactly one of path, url and base64/],
    ['two of the three', { base64: 'aGk=', url: 'http://x/' }, 'bad_input', /exactly one of path, url and base64/],
    ['bad base64', { base64: '***' }, 'bad_input', /base64/],
    ['a file: url', { url: 'file:///etc/passwd' }, 'refused', /rule "no file:"/],
  ])('%s', async (_what, file, code, said) => {
    await kit.open('/upload.html');
    const failed = await kit.fails('upload', { selector: '#one', files: [file] });
    expect(failed.code).toBe(code);
    expect(failed.text).toMatch(said);
  });

  it('a url that answers 404; several files into a field for one; a button that opens no chooser', async () => {
    await kit.open('/upload.html');
    expect(
      await kit.fails('upload', { selector: '#one', files: [{ url: `${kit.site.url}/status/404` }] }),
    ).toMatchObject({ code: 'file_error', text: expect.stringContaining('404') });
    const two = [
      { base64: 'aGk=', name: 'a' },
      { base64: 'aGk=', name: 'b' },
    ];
    expect((await kit.fails('upload', { selector: '#one', files: two })).text).toMatch(/one file/);
    expect((await kit.fails('upload', { selector: 'h1', files: ['package.json'] })).text).toMatch(
      /no file (field|chooser)|not a file field/,
    );
  });

  it('timeout bounds a slow url', async () => {
    await kit.open('/upload.html');
    const result = await kit.call('upload', {
      selector: '#one',
      files: [{ url: `${kit.site.url}/never-answers` }],
      timeout: 500,
    });
    expect(result.ok).toBe(false);
    expect(result.ms).toBeLessThan(1500);
  });
});
