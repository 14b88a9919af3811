// What programs ask for rather than models: answers as data, Chrome's own names, waits that miss nothing, fingers and wheels.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, show, textOf } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

/** The data of a call that must succeed. */
async function data<T = Record<string, unknown>>(name: string, args: Record<string, unknown> = {}): Promise<T> {
  const result = await kit.call(name, args);
  if (!result.ok) throw new Error(`${name} ${JSON.stringify(args)}: ${result.text}`);
  return result.data as T;
}

interface Row {
  tabId: number;
  targetId: string;
  url: string;
  active: boolean;
}
const tabs = async (): Promise<Row[]> => (await data<{ tabs: Row[] }>('tab_list')).tabs;
const closeOthers = async (): Promise<void> => {
  const others = (await tabs()).filter(({ active }) => !active).map(({ tabId }) => tabId);
  if (others.length > 0) await kit.ok('tab_close', { tabId: others });
};

describe('tabs by the names of Chrome', () => {
  it('S4-73 S4-75 S4-76 each tab tells its target, which switches and closes it', async () => {
    await kit.open('/signup.html');
    const opened = await data<Row>('tab_new', { url: `${kit.site.url}/article.html` });
    const [first, second] = await tabs();
    expect(second?.targetId).toBe(opened.targetId);
    expect(first?.targetId).toMatch(/^[0-9A-F]{32}$/);
    await kit.ok('tab_switch', { target_id: first?.targetId });
    expect((await tabs())[0]?.active).toBe(true);
    expect((await kit.fails('tab_switch', { target_id: 'nowhere' })).text).toContain(String(first?.targetId));
    await kit.ok('tab_close', { target_id: opened.targetId });
    expect(await tabs()).toHaveLength(1);
  });
});

const OPENER = '<a id="a" href="about:blank" target="_blank">New</a><button id="b">Here</button>';

describe('waits that miss nothing', () => {
  it('S4-77 a new tab, waited for before the click and after it', async () => {
    await show(kit, OPENER);
    const before = data<{ tab: Row }>('wait', { for: 'new_tab', timeout: 20_000 });
    await kit.ok('click', { selector: '#a' });
    const first = (await before).tab;
    const clicked = await data<{ opened: Row }>('click', { selector: '#a' });
    const { tab: second } = await data<{ tab: Row }>('wait', { for: 'new_tab', timeout: 20_000 });
    expect(second.targetId).toBe(clicked.opened.targetId);
    expect(new Set([first.targetId, second.targetId]).size).toBe(2);
    await closeOthers();
  });

  it('each is told once, and one of an earlier action is no news', async () => {
    await show(kit, OPENER);
    await kit.ok('click', { selector: '#a' });
    await kit.ok('wait', { for: 'new_tab', timeout: 20_000 });
    expect((await kit.fails('wait', { for: 'new_tab', timeout: 500 })).code).toBe('timeout');
    await kit.ok('click', { selector: '#a' });
    await kit.ok('click', { selector: '#b' });
    expect((await kit.fails('wait', { for: 'new_tab', timeout: 500 })).code).toBe('timeout');
    await closeOthers();
  });

  it('two waits get two tabs', async () => {
    await show(kit, OPENER);
    const waits = [1, 2].map(() => data<{ tab: Row }>('wait', { for: 'new_tab', timeout: 20_000 }));
    await kit.ok('click', { selector: '#a' });
    await kit.ok('click', { selector: '#a' });
    const [one, other] = await Promise.all(waits);
    expect(one?.tab.tabId).not.toBe(other?.tab.tabId);
    await closeOthers();
  });

  it('S4-42 a navigation: by the last action, or still to come', async () => {
    await kit.open('/signup.html');
    await js(kit, 'void setTimeout(() => { location.href = "/article.html" }, 300)');
    const come = await data<{ page: { url: string; title: string } }>('wait', { for: 'navigation', timeout: 20_000 });
    expect(come.page.url).toBe(`${kit.site.url}/article.html`);
    await kit.open('/spa.html');
    await kit.ok('click', { selector: 'text:About' });
    const done = await data<{ page: { url: string } }>('wait', { for: 'navigation', timeout: 20_000 });
    expect(done.page.url).toMatch(/view=about$/);
    expect((await kit.fails('wait', { for: 'navigation', timeout: 500 })).code).toBe('timeout');
  });

  it('S4-16 wait_until none answers before the page does', async () => {
    const url = `${kit.site.url}/slow?ms=20000`;
    const sent = await data<{ navigating: string }>('navigate', { url, wait_until: 'none' });
    expect(sent.navigating).toBe(url);
    await kit.open('/signup.html');
  });

  it('the time alone needs no browser, and has no name that is called', async () => {
    expect((await kit.fails('pause', { duration: 1 })).code).toBe('unknown_tool');
  });
});

/** Tells each event of a finger or the wheel that it hears. */
const TOUCHED = `<body style="height:3000px;margin:0"><div id="t" style="height:400px;background:#eee">Here</div><p id="log"></p>
<script>const seen = new Set(); for (const type of ['touchstart', 'touchmove', 'touchend', 'wheel', 'click'])
  t.addEventListener(type, event => { seen.add(type); log.textContent = [...seen].join(' ') }, { passive: true })</script>`;
const seen = () => textOf(kit, '#log');

describe('a finger and a wheel', () => {
  it('S4-94 a tap is a touch, and then a click', async () => {
    await show(kit, TOUCHED);
    await kit.ok('click', { selector: '#t', touch: true });
    await expect.poll(seen).toBe('touchstart touchend click');
    await kit.ok('click', { coordinates: { x: 20, y: 20 }, touch: true });
  });

  it('S4-95 a swipe moves over the page, which follows', async () => {
    await show(kit, TOUCHED);
    const said = await kit.ok('drag', { source: '#t', offset: { x: 0, y: -150 }, touch: true });
    expect(said).toMatch(/^Dragged @e\d+ clickable "Here" to 0, -150 from there/);
    await expect.poll(seen).toBe('touchstart touchmove touchend');
    await expect.poll(async () => Number(await js(kit, 'scrollY'))).toBeGreaterThan(50);
  });

  it('a mouse drags so far and no further', async () => {
    await show(kit, '<input id="r" type="range" min="0" max="100" value="0" style="width:220px;margin:0">');
    await kit.ok('drag', { source_coordinates: { x: 16, y: 17 }, offset: { x: 110, y: 0 } });
    const value = Number(await js(kit, 'r.value'));
    expect(value).toBeGreaterThan(40);
    expect(value).toBeLessThan(60);
  });

  it('S4-57 the wheel over an element, and over the page', async () => {
    await show(kit, TOUCHED);
    const moved = await data<{ moved: boolean; y: number }>('scroll', { selector: '#t', wheel: { x: 0, y: 120 } });
    expect(moved).toMatchObject({ moved: true });
    expect(moved.y).toBeGreaterThan(0);
    expect(await seen()).toBe('wheel');
    await kit.ok('scroll', { wheel: { x: 0, y: 200 } });
    expect(Number(await js(kit, 'scrollY'))).toBeGreaterThan(moved.y);
  });
});

describe('frames', () => {
  it('S4-97 S4-98 S4-99 are listed, and one of them is meant until another is, or the page goes', async () => {
    await show(kit, `<p id="out">Outside</p><iframe name="inner" srcdoc="<p>Inside</p>"></iframe>`);
    const { frames } = await data<{ frames: { id: string; name: string; parentId?: string }[] }>('tab_list', {
      frames: true,
    });
    expect(frames.map(({ name }) => name)).toEqual(['', 'inner']);
    expect(frames[1]?.parentId).toBe(frames[0]?.id);
    await kit.ok('tab_switch', { frame: frames[1]?.id });
    expect(await js(kit, 'document.body.innerText')).toContain('Inside');
    expect(await kit.ok('snapshot')).not.toContain('paragraph: "Outside"');
    expect(await kit.ok('tab_list', { frames: true })).toContain('[selected]');
    await kit.ok('tab_switch', { frame: '0' });
    expect(await js(kit, 'document.body.innerText')).toContain('Outside');
    await kit.ok('tab_switch', { frame: '1' });
    await kit.open('/signup.html');
    expect(await js(kit, 'document.title')).toBe('Sign up');
    expect((await kit.fails('tab_switch', { frame: 'nowhere' })).code).toBe('no_frame');
  });
});

interface Node {
  ref: string;
  role: string;
  name: string;
  value?: string;
  checked?: boolean;
  disabled?: true;
  focused?: true;
  description?: string;
}

describe('pages as data', () => {
  it('S4-12 S4-63 elements with role, name, value and states', async () => {
    await show(
      kit,
      `<h1>Form</h1><div><div><input aria-label="Name" value="Ada" autofocus title="As on the card"></div></div>
       <label><input type="checkbox" checked> Terms</label><button disabled>Send</button><p>Read this.</p>`,
    );
    const { nodes, total } = await data<{ nodes: Node[]; total: number }>('snapshot', { nodes: 100 });
    expect(nodes.map(({ role, name }) => [role, name])).toEqual([
      ['heading', 'Form'],
      ['textbox', 'Name'],
      ['checkbox', 'Terms'],
      ['button', 'Send'],
      ['paragraph', 'Read this.'],
    ]);
    expect(total).toBe(5);
    expect(nodes[1]).toMatchObject({ value: 'Ada', description: 'As on the card', focused: true });
    expect(nodes[2]).toMatchObject({ checked: true });
    expect(nodes[3]).toMatchObject({ disabled: true });
    await kit.ok('fill', { selector: nodes[1]?.ref, value: 'Bo' });
  });

  it('S4-12 of a large page what is in view, and what can be used', async () => {
    const links = Array.from({ length: 400 }, (_, at) => `<p>Text ${at} <a href="#${at}">Link ${at}</a></p>`).join('');
    await show(kit, `<h1>Many</h1>${links}`);
    const look = () => data<{ nodes: Node[]; total: number }>('snapshot', { nodes: 50 });
    const top = await look();
    expect(top.nodes).toHaveLength(50);
    expect(top.total).toBeGreaterThan(400);
    expect(top.nodes[0]).toMatchObject({ role: 'heading', name: 'Many' });
    expect(top.nodes.map(({ name }) => name)).toContain('Link 3');
    await kit.ok('scroll', { position: { y: 9_000 } });
    const below = await look();
    const shown = below.nodes.map(({ name }) => Number(/^Link (\d+)$/.exec(name)?.[1] ?? 0));
    expect(Math.max(...shown)).toBeGreaterThan(200);
  });

  it('S4-68 plain text, cut where it is asked for', async () => {
    await show(kit, `<p>One</p><p hidden>Two</p><p>${'x'.repeat(1_000)}</p>`);
    const all = await data<{ text: string; total: number }>('read', { plain: true });
    expect(all.text).toMatch(/^One\s+x{1000}\s*$/);
    const some = await data<{ text: string; total: number }>('read', { plain: true, max_chars: 200 });
    expect(some).toMatchObject({ text: all.text.slice(0, 200), total: all.total });
  });

  it('S4-67 several elements by name', async () => {
    await show(
      kit,
      '<h1>Title</h1><input id="n" value="5"><input id="s" type="password" value="hush"><p class="x">a</p><p class="x">b</p>',
    );
    const { values } = await data<{ values: object }>('query', {
      selectors: { title: 'h1', count: '#n', secret: '#s', first: '.x', none: '.y' },
    });
    expect(values).toEqual({ title: 'Title', count: '5', secret: '••••', first: 'a', none: null });
    expect(await kit.ok('query', { selectors: { title: 'h1', none: '.y' } })).toBe(
      'title: "Title"\nnone: (nothing matches)',
    );
  });

  it('S4-96 a PDF in the answer', async () => {
    await show(kit, '<p>Print me</p>');
    const { base64, pages } = await data<{ base64: string; pages: number }>('pdf', { save_path: '-' });
    expect(Buffer.from(base64, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
    expect(pages).toBe(1);
  });
});

describe('what sites keep', () => {
  it.each(['json', 'netscape'])('C-19 cookies as %s, secrets included, and back again', async format => {
    await kit.open('/signup.html');
    await kit.ok('cookies', { action: 'clear' });
    const expires = Math.round(Date.now() / 1_000) + 86_400;
    await kit.ok('cookies', { action: 'set', name: 'sid', value: 'a b', http_only: true, expires });
    await kit.ok('cookies', { action: 'set', name: 'plain', value: 'x', path: '/deep' });
    const { exported, count } = await data<{ exported: string; count: number }>('cookies', {
      action: 'export',
      format,
    });
    expect(count).toBe(2);
    await kit.ok('cookies', { action: 'clear' });
    expect(await kit.ok('cookies', { action: 'import', format, data: exported })).toBe('Imported 2 cookies.');
    const { cookies } = await data<{ cookies: { name: string; http_only: boolean; path: string; expires?: number }[] }>(
      'cookies',
      { action: 'get_all' },
    );
    expect(cookies.sort((a, b) => a.name.localeCompare(b.name))).toMatchObject([
      { name: 'plain', path: '/deep' },
      { name: 'sid', http_only: true, expires },
    ]);
    expect(await data('cookies', { action: 'export', format })).toMatchObject({ exported });
  });

  it('says what is wrong with a file of cookies', async () => {
    const wrong = (format: string, text: string) => kit.fails('cookies', { action: 'import', format, data: text });
    expect((await wrong('json', '{')).text).toContain('not valid JSON');
    expect((await wrong('json', '{}')).text).toContain('must be a list');
    expect((await wrong('netscape', 'nonsense')).text).toContain('Line 1 has no name');
    expect((await kit.fails('cookies', { action: 'import' })).text).toContain('needs data');
  });

  it('S4-91 whole values of the storage', async () => {
    await kit.open('/signup.html');
    const long = 'v'.repeat(5_000);
    await kit.ok('storage', { action: 'set', key: 'long', value: long });
    const { entries } = await data<{ entries: [string, string][] }>('storage', { action: 'entries', whole: true });
    expect(Object.fromEntries(entries).long).toBe(long);
    await kit.ok('storage', { action: 'clear' });
  });

  it('S4-85 forgets the requests so far', async () => {
    await kit.open('/signup.html');
    const log = () => data<{ rows: { id: string; url: string }[] }>('network_log');
    expect((await log()).rows).toContainEqual(
      expect.objectContaining({ id: expect.any(String), url: `${kit.site.url}/signup.html` }),
    );
    expect(await kit.ok('network_log', { forget: true })).toMatch(/^Forgot \d+ requests\.$/);
    expect((await log()).rows).toEqual([]);
  });
});
