// PDF: every parameter, judged by pdftotext and pdfinfo.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { show } from './page.ts';
import { program } from './programs.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const PAGE = `<h1>Annual report</h1><p>Grüße, 42 €</p>
  <div id="band" style="height:80px;background:#f00"></div>`;

async function print(args: Record<string, unknown> = {}) {
  const text = await kit.ok('pdf', { save_path: 'made.pdf', ...args });
  const path = join(kit.folder, 'output', 'made.pdf');
  const info = String(program('pdfinfo', path));
  const [, width = 0, height = 0] = /Page size:\s+([\d.]+) x ([\d.]+)/.exec(info) ?? [];
  return {
    text,
    path,
    words: String(program('pdftotext', '-layout', path, '-')),
    size: [Math.round(Number(width)), Math.round(Number(height))],
    pages: Number(/Pages:\s+(\d+)/.exec(info)?.[1]),
  };
}

/** Where a word stands on its page, in points from the top left. */
function placeOf(path: string, word: string): { x: number; y: number; height: number } {
  const boxes = String(program('pdftotext', '-bbox', path, '-'));
  const [, x, y, bottom] =
    new RegExp(`xMin="([-\\d.]+)" yMin="([-\\d.]+)" xMax="[\\d.]+" yMax="([\\d.]+)">${word}<`).exec(boxes) ?? [];
  return { x: Number(x), y: Number(y), height: Number(bottom) - Number(y) };
}

describe('S1-56 pdf', () => {
  it("a file with the page's text, in Letter size", async () => {
    await show(kit, PAGE);
    const { text, words, size, pages } = await print();
    expect(text).toBe(`Saved 1 page to ${join(kit.folder, 'output', 'made.pdf')}`);
    expect(words).toContain('Annual report');
    expect(words).toContain('Grüße, 42 €');
    expect(size).toEqual([612, 792]);
    expect(pages).toBe(1);
  });

  it.each([
    ['Letter', 612, 792],
    ['Legal', 612, 1008],
    ['Tabloid', 792, 1224],
    ['Ledger', 1224, 792],
    ['A0', 2384, 3370],
    ['A1', 1684, 2384],
    ['A2', 1191, 1684],
    ['A3', 842, 1191],
    ['A4', 595, 842],
    ['A5', 420, 595],
    ['A6', 298, 420],
  ])('format %s: %d x %d points', async (format, width, height) => {
    await show(kit, PAGE);
    const { size } = await print({ format });
    expect(Math.abs((size[0] ?? 0) - width)).toBeLessThanOrEqual(1);
    expect(Math.abs((size[1] ?? 0) - height)).toBeLessThanOrEqual(1);
  });

  it('landscape', async () => {
    await show(kit, PAGE);
    expect((await print({ landscape: true })).size).toEqual([792, 612]);
  });

  it('scale', async () => {
    await show(kit, PAGE);
    const normal = placeOf((await print()).path, 'Annual').height;
    expect(placeOf((await print({ scale: 2 })).path, 'Annual').height / normal).toBeCloseTo(2, 1);
    expect(placeOf((await print({ scale: 0.5 })).path, 'Annual').height / normal).toBeCloseTo(0.5, 1);
  });

  it('margin, in any unit', async () => {
    await show(kit, '<style>body { margin: 0 }</style><p style="margin:0">Corner</p>');
    const at = async (margin: Record<string, string>) => placeOf((await print({ margin })).path, 'Corner');
    const none = await at({ top: '0', left: '0px' });
    for (const [length, points] of [
      ['1in', 72],
      ['2.54cm', 72],
      ['25.4 mm', 72],
      ['96px', 72],
      ['72pt', 72],
      ['0.5in', 36],
    ] as const) {
      const place = await at({ top: length, left: length });
      expect(Math.round(place.x - none.x), length).toBe(points);
      expect(Math.round(place.y - none.y), length).toBe(points);
    }
  });

  it('margin: bottom and right make the page smaller', async () => {
    await show(
      kit,
      Array.from({ length: 40 }, (_, i) => `<p>Line ${i} with words to fill it up to the end of it</p>`).join(''),
    );
    const { pages } = await print();
    expect((await print({ margin: { bottom: '5in', right: '5in' } })).pages).toBeGreaterThan(pages);
  });

  it('pages: as many as pdfinfo counts', async () => {
    await show(kit, '<p style="break-after:page">One</p><p style="break-after:page">Two</p><p>Three</p>');
    const { text, pages, words } = await print();
    expect(pages).toBe(3);
    expect(text).toMatch(/^Saved 3 pages to /);
    expect(words.split('\f').map(page => page.trim())).toEqual(['One', 'Two', 'Three', '']);
  });

  it('display_header_footer, header_template and footer_template', async () => {
    await show(kit, PAGE);
    const style = 'style="font-size:10px"';
    const templates = {
      header_template: `<span ${style}>Top of it: <span class="title"></span></span>`,
      footer_template: `<span ${style}>Page <span class="pageNumber"></span> of <span class="totalPages"></span></span>`,
      margin: { top: '1in', bottom: '1in' },
    };
    const { words } = await print({ display_header_footer: true, ...templates });
    expect(words).toMatch(/Top of it: Made/);
    expect(words).toMatch(/Page 1 of 1/);
    const hidden = await print(templates);
    expect(hidden.words).not.toMatch(/Top of it|Page 1/);
    const onlyFooter = await print({ display_header_footer: true, ...templates, header_template: undefined });
    expect(onlyFooter.words).toMatch(/Page 1 of 1/);
    expect(onlyFooter.words).not.toContain('Made');
    expect((await print({ display_header_footer: true })).words).toContain('Made');
  });

  it('print_background', async () => {
    await show(kit, PAGE);
    const red = async (args: Record<string, unknown>) => {
      const { path } = await print(args);
      const pixels = program('pdftoppm', '-r', '20', path).subarray(-220 * 170 * 3);
      for (let at = 0; at < pixels.length; at += 3)
        if ((pixels[at] ?? 0) > 200 && (pixels[at + 1] ?? 255) < 60) return true;
      return false;
    };
    expect(await red({})).toBe(true);
    expect(await red({ print_background: false })).toBe(false);
  });

  it('prefer_css_page_size', async () => {
    await show(kit, '<style>@page { size: 3in 5in }</style><p>Card</p>');
    expect((await print({ prefer_css_page_size: true })).size).toEqual([216, 360]);
    expect((await print()).size).toEqual([612, 792]);
  });

  it('tabId: a tab behind', async () => {
    await show(kit, '<p>Behind</p>');
    const { tabId } = (await kit.call('tab_new')).data as { tabId: number };
    const { tabs } = (await kit.call('tab_list')).data as { tabs: { tabId: number }[] };
    const behind = tabs.find(tab => tab.tabId !== tabId)?.tabId;
    expect((await print({ tabId: behind })).words).toContain('Behind');
    await kit.ok('tab_close', { tabId });
  });
});

describe('S1-56 pdf: faults', () => {
  it('needs a save_path', async () => {
    expect((await kit.fails('pdf')).code).toBe('bad_input');
  });

  it.each(['/tmp/outside.pdf', '../outside.pdf'])('save_path %s is refused', async save_path => {
    expect((await kit.fails('pdf', { save_path })).code).toBe('refused');
    expect(existsSync('/tmp/outside.pdf')).toBe(false);
  });

  it.each([
    [{ scale: 3 }, 'bad_input'],
    [{ scale: 0 }, 'bad_input'],
    [{ format: 'B5' }, 'bad_input'],
    [{ margin: { top: '3 miles' } }, 'bad_input'],
    [{ margin: { top: '-1cm' } }, 'bad_input'],
    [{ margin: { middle: '1cm' } }, 'bad_input'],
    [{ margin: { top: '20in', bottom: '20in' } }, 'refused'],
  ])('%j', async (args, code) => {
    await show(kit, PAGE);
    const result = await kit.fails('pdf', { save_path: 'faulty.pdf', ...args });
    expect(result.code).toBe(code);
    expect(existsSync(join(kit.folder, 'output', 'faulty.pdf'))).toBe(false);
  });

  it('a dialog is open', async () => {
    await show(kit, '<button onclick="alert(1)">Ask</button>');
    await kit.ok('click', { selector: 'button' });
    expect((await kit.fails('pdf', { save_path: 'x.pdf' })).code).toBe('dialog_open');
    await kit.ok('dialog', { action: 'accept' });
    expect((await print()).words).toContain('Ask');
  });

  it('a closed tab', async () => {
    expect((await kit.fails('pdf', { save_path: 'x.pdf', tabId: 999 })).code).toBe('no_tab');
  });

  it('a cancelled call ends at once, and the next works', async () => {
    await show(kit, PAGE);
    const stop = new AbortController();
    const running = kit.call('pdf', { save_path: 'cancelled.pdf' }, { signal: stop.signal });
    stop.abort();
    expect((await running).failure?.code).toBe('cancelled');
    expect((await print()).pages).toBe(1);
  });
});
