// Screenshot: every parameter, and the bounds that keep a chat whole.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { show } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit('--timeout-action', '1000');
});
afterAll(() => kit.close());

const PAGE =
  '<style>body{margin:0;background:#00f}</style><div id="red" style="width:300px;height:200px;background:#f00"></div><div style="height:1500px"></div><i id="low" style="display:block;width:50px;height:40px;background:#0f0"></i>';

/** Width and height as the PNG itself says. */
const sizeOf = (png: Buffer): string => `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;

async function shot(args: Record<string, unknown> = {}) {
  const result = await kit.call('screenshot', args);
  const picture = result.pictures[0];
  if (!picture) throw new Error(result.text);
  return { ...picture, text: result.text };
}

/** Colours at points, as the browser decodes the picture. */
async function colours(picture: { mimeType: string; bytes: Buffer }, ...points: [number, number][]): Promise<string> {
  const { data } = await kit.call('tab_new');
  const { tabId } = data as { tabId: number };
  const body = `async (url, points) => { const image = await createImageBitmap(await (await fetch(url)).blob()); const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d'); canvas.drawImage(image, 0, 0); return points.map(([x, y]) => [...canvas.getImageData(x, y, 1, 1).data].map(n => n > 200 ? 1 : 0).join('')).join(' ') }`;
  const text = await kit.ok('evaluate', {
    tabId,
    expression: body,
    args: [`data:${picture.mimeType};base64,${picture.bytes.toString('base64')}`, points],
  });
  await kit.ok('tab_close', { tabId });
  return text;
}

describe('S1-55 screenshot: what it shows', () => {
  it('the viewport by default', async () => {
    await show(kit, PAGE);
    const picture = await shot();
    expect(picture.text).toBe('1280x720');
    expect(sizeOf(picture.bytes)).toBe('1280x720');
    expect(await colours(picture, [10, 10], [600, 10])).toBe('1001 0011');
  });

  it.each([
    ['png', [0x89, 0x50]],
    ['jpeg', [0xff, 0xd8]],
    ['webp', [0x52, 0x49]],
  ])('format %s', async (format, head) => {
    await show(kit, PAGE);
    const { mimeType, bytes } = await shot({ format });
    expect(mimeType).toBe(`image/${format}`);
    expect([...bytes.subarray(0, 2)]).toEqual(head);
  });

  it.each(['jpeg', 'webp'])('quality of %s', async format => {
    await kit.open('/cards.html');
    expect((await shot({ format, quality: 10 })).bytes.length).toBeLessThan(
      (await shot({ format, quality: 95 })).bytes.length,
    );
  });

  it('selector: an element, also by ref and below the fold', async () => {
    await show(kit, PAGE);
    expect(sizeOf((await shot({ selector: '#red' })).bytes)).toBe('300x200');
    const low = await shot({ selector: '#low' });
    expect(sizeOf(low.bytes)).toBe('50x40');
    expect(await colours(low, [5, 5], [45, 35])).toBe('0101 0101');
    await kit.open('/signup.html');
    expect((await shot({ selector: await kit.ref('button "Sign up"') })).width).toBeLessThan(200);
  });

  it('an element in a frame of another site', async () => {
    await kit.open('/signup-in-cross-origin-iframe.html');
    const { width, height } = await shot({ selector: await kit.ref('button "Sign up"') });
    expect(width).toBeGreaterThan(30);
    expect(height).toBeLessThan(60);
  });

  it('clip: a region of the viewport', async () => {
    await show(kit, PAGE);
    const picture = await shot({ clip: { x: 250, y: 150, width: 100, height: 100 } });
    expect(sizeOf(picture.bytes)).toBe('100x100');
    expect(await colours(picture, [10, 10], [90, 90])).toBe('1001 0011');
  });

  it('clip with full_page: a region of the page', async () => {
    await show(kit, PAGE);
    await kit.ok('scroll', { position: { y: 400 } });
    const picture = await shot({ full_page: true, clip: { x: 0, y: 1690, width: 60, height: 50 } });
    expect(sizeOf(picture.bytes)).toBe('60x50');
    expect(await colours(picture, [10, 5], [10, 20])).toBe('0011 0101');
  });

  it.each([
    [0.5, '640x360'],
    [1.5, '1920x1080'],
  ])('scale %d', async (scale, size) => {
    await show(kit, PAGE);
    expect(sizeOf((await shot({ scale })).bytes)).toBe(size);
  });

  it('full_page', async () => {
    await show(kit, PAGE);
    const picture = await shot({ full_page: true });
    expect(sizeOf(picture.bytes)).toBe('1280x1740');
    expect(await colours(picture, [10, 1730])).toBe('0101');
  });

  it('omit_background: transparent in png and webp', async () => {
    await show(
      kit,
      '<style>html,body{background:transparent}</style><div style="position:absolute;left:0;top:0;width:100px;height:100px;background:red"></div>',
    );
    for (const format of ['png', 'webp'])
      expect(await colours(await shot({ format, omit_background: true }), [10, 10], [600, 600])).toBe('1001 0000');
    expect(await colours(await shot(), [600, 600])).toBe('1111');
  });

  it('tabId: a tab behind', async () => {
    await show(kit, PAGE);
    const { tabs } = (await kit.call('tab_list')).data as { tabs: { tabId: number; active: boolean }[] };
    const tabId = tabs.find(tab => tab.active)?.tabId;
    await kit.ok('tab_new');
    expect(await colours(await shot({ tabId }), [10, 10])).toBe('1001');
    await kit.ok('tab_close');
  });
});

it('a page that is exchanged for one of another site meanwhile is pictured, before or after', {
  timeout: 90_000,
}, async () => {
  const sites = [kit.site.url, kit.site.url.replace('127.0.0.1', 'localhost')];
  await kit.open('/signup.html');
  for (let time = 0; time < 40; time++) {
    const to = `${sites[time % 2]}/article.html?${time}`;
    await kit.ok('evaluate', {
      expression: `void setTimeout(() => location.href = ${JSON.stringify(to)}, ${time % 7})`,
    });
    for (let shots = 3; shots > 0; shots--) await kit.ok('screenshot', { format: 'jpeg' });
  }
});

describe('S1-55 screenshot: bounds and files', () => {
  const LONG = `<style>body{margin:0}</style>${Array.from({ length: 60 }, (_, i) => `<div style="height:200px;background:hsl(${i * 6} 90% 50%)">${i}</div>`).join('')}`;

  it.each([
    [{ full_page: true }, LONG],
    [{ full_page: true }, '<div style="width:6000px;height:300px;background:red"></div>'],
    [{ scale: 4 }, PAGE],
    [{ full_page: true, format: 'jpeg' }, LONG],
    [{ clip: { x: 0, y: 0, width: 5000, height: 5000 } }, LONG],
  ])('%j: at most 2000 px and 5 MB, and says what is less', async (args, html) => {
    await show(kit, html);
    const { width, height, bytes, text } = await shot(args);
    expect(Math.max(width, height)).toBeLessThanOrEqual(2000);
    expect(bytes.length).toBeLessThanOrEqual(5_000_000);
    expect(text).toMatch(/shrunk to/);
  });

  it('14.4 full_page shows a long page down to its end, and says how to see it larger', async () => {
    await show(
      kit,
      '<style>body{margin:0;background:#00f}</style><p style="margin:0;height:8960px"></p><i style="display:block;height:40px;background:#0f0"></i>',
    );
    const { width, height, text, ...picture } = await shot({ full_page: true });
    expect([width, height]).toEqual([284, 2000]);
    expect(await colours(picture, [10, 1980], [10, 1995])).toBe('0011 0101');
    expect(text).toMatch(/^284x2000, shrunk to 0\.22; to read it, take parts \(clip\) or save it \(save_path\)$/);
    const part = await shot({ full_page: true, clip: { x: 0, y: 8_000, width: 1_280, height: 1_000 } });
    expect([part.text, await colours(part, [10, 990])]).toEqual(['1280x1000', '0101']);
  });

  it('a picture of noise stays below 5 MB', async () => {
    await show(
      kit,
      '<canvas width="2000" height="1900"></canvas><script>const c = document.querySelector("canvas").getContext("2d"), d = c.createImageData(2000, 1900); for (let i = 0; i < d.data.length; i += 65536) crypto.getRandomValues(new Uint8Array(d.data.buffer, i, Math.min(65536, d.data.length - i))); for (let i = 3; i < d.data.length; i += 4) d.data[i] = 255; c.putImageData(d, 0, 0)</script>',
    );
    const { bytes, mimeType, text } = await shot({ full_page: true });
    expect(bytes.length).toBeLessThanOrEqual(5_000_000);
    expect(mimeType).toBe('image/jpeg');
    expect(text).toMatch(/as JPEG because it was too large/);
  });

  it('save_path keeps the original, in full size, and answers with the path', async () => {
    await show(kit, LONG);
    const result = await kit.call('screenshot', { full_page: true, save_path: 'shots/long.png' });
    const path = join(kit.folder, 'output', 'shots', 'long.png');
    expect(result.text).toBe(`Saved 1280x12000 to ${path}`);
    expect(result.pictures).toHaveLength(0);
    expect(sizeOf(readFileSync(path))).toBe('1280x12000');
  });

  it.each([
    [{ selector: '#red', full_page: true }, /either an element/],
    [{ selector: '#red', clip: { x: 0, y: 0, width: 5, height: 5 } }, /either an element/],
    [{ format: 'jpeg', omit_background: true }, /cannot be transparent/],
    [{ full_page: true, format: 'webp', save_path: 'too-long.webp' }, /at most 16383 pixels .* 1280x24000/],
    [{ full_page: true, format: 'jpeg', scale: 4, save_path: 'too-long.jpg' }, /at most 65500 pixels .* 5120x96000/],
  ])('%j, which cannot be, is refused', async (args, why) => {
    await show(kit, `<i id="red" style="position:absolute;width:9px;height:9px"></i>${LONG}${LONG}`);
    const { code, text } = await kit.fails('screenshot', args);
    expect(code).toBe('bad_input');
    expect(text).toMatch(why);
    expect(existsSync(join(kit.folder, 'output', 'too-long.webp'))).toBe(false);
  });

  it.each(['/tmp/outside.png', '../../outside.png', '/etc/cron.d/x'])('save_path %s is refused', async save_path => {
    const { code, text } = await kit.fails('screenshot', { save_path });
    expect(code).toBe('refused');
    expect(text).toMatch(/rule "write only below the allowed folders"/);
    expect(existsSync('/tmp/outside.png')).toBe(false);
  });

  it.each([
    ['#x', 'not_actionable'],
    ['#h', 'not_actionable'],
    ['#none', 'not_found'],
  ])(
    '%s, which cannot be seen, is waited for no longer than an action waits',
    async (selector, code) => {
      await show(kit, '<span id="x"></span><p hidden id="h">x</p>');
      const result = await kit.call('screenshot', { selector });
      expect(result.failure?.code).toBe(code);
      expect(result.ms).toBeLessThan(4_000);
    },
    20_000,
  );
});

describe('screenshot: annotate', () => {
  const CONTROLS = `<style>body{margin:0;background:#fff}button,a,input{position:absolute;width:200px;height:50px;padding:0;border:0}</style>
    <button style="left:100px;top:100px;background:#fff">Save</button><a href="#x" style="left:100px;top:300px">More</a>
    <button style="left:500px;top:100px">Behind</button><div style="position:absolute;left:480px;top:80px;width:300px;height:100px;background:#0f0"></div>
    <button style="left:100px;top:2000px">Below</button><button hidden>Hidden</button>`;

  it('draws the number of each ref that can be seen, and lists them: the numbers of the snapshot', async () => {
    await show(kit, CONTROLS);
    const refs = [await kit.ref('"Save"'), await kit.ref('"More"')];
    const picture = await shot({ annotate: true });
    expect(picture.text).toBe(`1280x720\n${refs[0]} button "Save"\n${refs[1]} link "More"`);
    const plain = await shot();
    // The label stands above the button, on a strong colour; without it all is white.
    expect(await colours(plain, [102, 92])).toBe('1111');
    expect(await colours(picture, [102, 92])).not.toBe('1111');
    // Its frame goes round the element; what is covered has none.
    expect(await colours(picture, [100, 125])).not.toBe('1111');
    expect(await colours(picture, [500, 125])).toBe('0101');
  });

  it('before any snapshot too: the refs work at once', async () => {
    const page = await kit.call('tab_new');
    const { tabId } = page.data as { tabId: number };
    await show(kit, CONTROLS, { tabId });
    const [, first = ''] = (await shot({ annotate: true, tabId })).text.split('\n');
    expect(first).toMatch(/^@e\d+ button "Save"$/);
    expect(await kit.ok('click', { selector: first.split(' ')[0], tabId })).toContain('Clicked');
    await kit.ok('tab_close', { tabId });
  });

  it('of the whole page, an element, a clip; in every format; to a file', async () => {
    await show(kit, CONTROLS);
    expect((await shot({ annotate: true, full_page: true })).text).toMatch(/"Below"/);
    expect((await shot({ annotate: true, clip: { x: 0, y: 250, width: 400, height: 200 } })).text).toMatch(
      /^400x200\n@e\d+ link "More"$/,
    );
    expect((await shot({ annotate: true, selector: 'text:Save' })).text).toMatch(/^200x50\n@e\d+ button "Save"$/);
    for (const [format, head] of [
      ['jpeg', 0xff],
      ['webp', 0x52],
      ['png', 0x89],
    ] as const)
      expect((await shot({ annotate: true, format })).bytes[0]).toBe(head);
    const saved = await kit.call('screenshot', { annotate: true, save_path: 'noted.png', scale: 2 });
    expect(saved.text).toMatch(/^Saved 2560x1440 to .*noted\.png\n@e\d+ button "Save"\n/);
    expect(sizeOf(readFileSync(join(kit.folder, 'output', 'noted.png')))).toBe('2560x1440');
  });

  it('after scrolling, the numbers stand where the elements are', async () => {
    await show(kit, CONTROLS);
    await kit.ok('scroll', { position: { y: 1900 } });
    const { text } = await shot({ annotate: true });
    expect(text).toMatch(/"Below"/);
    expect(text).not.toMatch(/"Save"/);
    const y = 2000 - Number(await kit.ok('evaluate', { expression: 'scrollY' }));
    expect(await colours(await shot({ annotate: true }), [102, y - 8])).not.toBe('1111');
  });

  it('in frames of other sites and closed shadow roots', async () => {
    for (const page of ['/signup-in-cross-origin-iframe.html', '/signup-closed-shadow.html']) {
      await kit.open(page);
      const ref = await kit.ref('button "Sign up"');
      expect((await shot({ annotate: true })).text).toContain(`${ref} button "Sign up"`);
    }
  });

  it('does not touch the page', async () => {
    await show(kit, CONTROLS);
    await kit.ok('evaluate', {
      expression:
        'window.changes = 0; new MutationObserver(list => { changes += list.length }).observe(document, { subtree: true, childList: true, attributes: true }); 0',
    });
    await shot({ annotate: true });
    expect(await kit.ok('evaluate', { expression: 'changes' })).toBe('0');
  });

  it('many elements: at most 250 numbers, and says how many more there are', async () => {
    const cells = Array.from(
      { length: 600 },
      (_, i) => `<button style="width:30px;height:20px;font-size:9px">${i}</button>`,
    );
    await show(kit, cells.join(''));
    const { text } = await shot({ annotate: true });
    expect(text.match(/@e\d+ button/g)).toHaveLength(250);
    expect(text).toMatch(/\n350 more have no number/);
  });
});
