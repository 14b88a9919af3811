// Upload: files from paths, urls and base64, into fields and choosers; nothing from outside the allowed folders.
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, show, textOf } from './page.ts';

let kit: Kit;
let inside: string;
let shared: string;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabwright-shared-'));
  shared = join(folder, 'shared');
  mkdirSync(shared);
  writeFileSync(join(shared, 'report.csv'), 'a,b');
  kit = await startKit('--upload-dirs', folder);
  inside = join(kit.folder, 'output');
  mkdirSync(inside, { recursive: true });
  writeFileSync(join(inside, 'notes.txt'), 'twelve bytes');
  writeFileSync(join(kit.folder, 'secret.txt'), 'secret');
  symlinkSync(join(kit.folder, 'secret.txt'), join(inside, 'link.txt'));
});
afterAll(async () => {
  await kit.close();
  rmSync(dirname(shared), { recursive: true, force: true });
});

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

  it('14.3 name and mime_type are honoured with a path, a url and base64; where they cannot be, they are refused', async () => {
    const type = () => js(kit, 'document.querySelector("#one").files[0].type');
    const given = { name: 'table.dat', mime_type: 'text/x-own' };
    for (const source of [{ path: 'notes.txt' }, { url: `${kit.site.url}/article.html` }, { base64: 'aGk=' }]) {
      expect(await upload('#one', { ...source, ...given })).toMatch(/^one: table\.dat \(\d+\)$/);
      expect(await type()).toBe('text/x-own');
    }
    expect(await upload('#one', { path: 'notes.txt', name: 'other.md' })).toBe('one: other.md (12)');
    expect(await upload('#one', { path: 'notes.txt', mime_type: 'application/json' })).toBe('one: notes.txt (12)');
    expect(await type()).toBe('application/json');
    const refused = await kit.fails('upload', { selector: '#choose', files: [{ base64: 'aGk=', ...given }] });
    expect(refused.text).toMatch(/^mime_type needs the file field itself/);
  });

  it('14.11 a relative path counts from the output folder, where a screenshot was saved to', async () => {
    await kit.open('/upload.html');
    await kit.ok('screenshot', { save_path: 'shots/page.png' });
    expect(await upload('#one', 'shots/page.png')).toMatch(/^one: page\.png/);
  });

  it('15.1 below --upload-dirs too; never in the working folder, nor in the state folder, whatever is configured', async () => {
    expect(await upload('#one', join(shared, 'report.csv'))).toBe('one: report.csv (3)');
    const refused = async (files: string[], own: Kit) => {
      await own.open('/upload.html');
      const { code, text } = await own.fails('upload', { selector: '#one', files });
      expect([code, text], files[0]).toEqual(['refused', expect.stringContaining('--upload-dirs')]);
      const sent = { url: `${own.site.url}/echo`, method: 'POST', form_data: { f: { path: files[0] } } };
      expect((await own.fails('request', sent)).code).toBe('refused');
    };
    await refused([join(process.cwd(), 'package.json')], kit);
    const careless = await startKit('--upload-dirs', '/');
    mkdirSync(join(careless.folder, 'state'), { recursive: true });
    writeFileSync(join(careless.folder, 'state', 'token'), 'secret');
    await refused([join(careless.folder, 'state', 'token')], careless);
    await refused([join(careless.folder, 'state', 'journal', 'journal.jsonl')], careless);
    await careless.close();
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
    expect((await kit.fails('upload', { selector: 'h1', files: ['notes.txt'] })).text).toMatch(
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
    expect(result.ms).toBeLessThan(4_000);
  });

  it('several files into a chooser that takes one are refused', async () => {
    await show(kit, '<input type="file" id="f" hidden><button onclick="f.click()">Choose</button>');
    const two = [
      { base64: 'aGk=', name: 'a' },
      { base64: 'aGk=', name: 'b' },
    ];
    const { code, text } = await kit.fails('upload', { selector: 'text:Choose', files: two });
    expect(code).toBe('bad_input');
    expect(text).toMatch(/takes one file, not 2/);
  });
});

describe('S1-95 upload: what the server fetches or decodes', () => {
  const scratch = () => readdirSync(tmpdir()).filter(name => name.startsWith('tabwright-upload-'));
  const gone = async (before: string[]) => {
    const left = () => scratch().filter(name => !before.includes(name));
    await vi.waitFor(() => expect(left()).toEqual([]), 15_000);
  };

  it('is removed when the page is left, with the tab, and with the session', async () => {
    const before = scratch();
    await upload('#one', { base64: 'aGk=', name: 'a.txt' });
    expect(scratch().some(name => !before.includes(name))).toBe(true);
    await kit.open('/article.html');
    await gone(before);
    await kit.ok('tab_new', { url: `${kit.site.url}/upload.html` });
    await kit.ok('upload', { selector: '#one', files: [{ base64: 'aGk=', name: 'a.txt' }] });
    await kit.ok('tab_close');
    await gone(before);
    const own = await startKit();
    await own.open('/upload.html');
    await own.ok('upload', { selector: '#one', files: [{ base64: 'aGk=', name: 'a.txt' }] });
    await own.close();
    await gone(before);
  });

  it('is there when the form is sent', async () => {
    await show(
      kit,
      `<form method="post" enctype="multipart/form-data" action="${kit.site.url}/api/echo"><input type="file" name="f" id="f"><button>Send</button></form>`,
    );
    await kit.ok('upload', { selector: '#f', files: [{ base64: 'aGVsbG8gd29ybGQ=', name: 'hi.txt' }] });
    await kit.ok('click', { selector: 'text:Send' });
    expect(await js(kit, 'document.body.innerText')).toContain('hello world');
  });

  it.each(['content-length', 'chunked'])(
    'a file of more than 50 MB is refused and not read to its end: %s',
    async how => {
      let sent = 0;
      const server = createServer((_request, response) => {
        response.writeHead(200, how === 'chunked' ? {} : { 'content-length': 2_000_000_000 });
        const piece = Buffer.alloc(1_000_000);
        const more = () => {
          while (!response.destroyed && sent < 2_000) {
            sent++;
            if (!response.write(piece)) return void response.once('drain', more);
          }
        };
        more();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      await kit.open('/upload.html');
      const failed = await kit.fails('upload', {
        selector: '#one',
        files: [{ url: `http://127.0.0.1:${port}/big.bin` }],
      });
      server.closeAllConnections();
      server.close();
      expect(failed.code).toBe('bad_input');
      expect(failed.text).toMatch(/larger than 50 MB/);
      expect(sent).toBeLessThan(200);
      expect(await textOf(kit, '#log')).toBe('');
    },
  );

  it('base64 of more than 50 MB is refused', async () => {
    await kit.open('/upload.html');
    const base64 = Buffer.alloc(50_000_001).toString('base64');
    expect((await kit.fails('upload', { selector: '#one', files: [{ base64 }] })).text).toMatch(/larger than 50 MB/);
  });

  it('a redirect obeys the url rules, and is followed otherwise', async () => {
    const via = (to: string) => `${kit.site.url}/redirect?to=${encodeURIComponent(to)}`;
    expect(await upload('#one', { url: via('/article.html'), name: 'x.html' })).toMatch(/^one: x\.html/);
    const failed = await kit.fails('upload', { selector: '#one', files: [{ url: via('file:///etc/passwd') }] });
    expect(failed.code).toBe('refused');
    expect(failed.text).toMatch(/rule "no file:"/);
  });

  it('a url gets its name from its end, and an ending from its type', async () => {
    expect(await upload('#one', { url: `${kit.site.url}/api/echo` })).toMatch(/^one: echo\.json/);
    expect(await upload('#one', { url: `${kit.site.url}/download/report.csv?x=/y` })).toMatch(/^one: report\.csv/);
  });
});
