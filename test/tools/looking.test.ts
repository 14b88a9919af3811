// Looking: every parameter of snapshot, query and locator.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { fieldValue, js, show, textOf } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const PAGE = `<h1>Shop</h1><div><div><p>Welcome to the shop</p></div></div>
<nav aria-label="Main"><ul><li><a href="#a">Home</a></li><li><a href="#b">About</a></li></ul></nav>
<form aria-label="Search"><label>Query <input placeholder="Type here"></label><button type="button">Go</button></form>`;
const snapshot = (args = {}) => kit.ok('snapshot', args);
/** The snapshot without its head. */
const tree = async (args = {}) => (await snapshot(args)).split('\n').slice(3).join('\n');

describe('S1-13 S1-20 snapshot', () => {
  const PRINTED = `Page: Made (url)
Viewport: 1280x720

- document "Made"
  - heading "Shop" [ref=@eN] [level=1]
  - paragraph: "Welcome to the shop"
  - navigation "Main" [ref=@eN]
    - list
      - link "Home" [ref=@eN]
      - link "About" [ref=@eN]
  - form "Search" [ref=@eN]
    - textbox "Query" [ref=@eN] [placeholder="Type here"]
    - button "Go" [ref=@eN]`;

  it('the printed form', async () => {
    await show(kit, PAGE);
    const text = await snapshot({ mode: 'full' });
    expect(text.replaceAll(/@e\d+/g, '@eN').replace(/\(data:.*\)/, '(url)')).toBe(PRINTED);
  });

  it('mode interactive: only what can be acted on', async () => {
    await show(kit, PAGE);
    const text = await tree({ mode: 'interactive' });
    for (const line of ['link "Home" [ref=', 'link "About" [ref=', 'textbox "Query" [ref=', 'button "Go" [ref='])
      expect(text).toContain(line);
    expect(text).not.toMatch(/paragraph|- list|document/);
  });

  it('mode focused: from the focused element; says so when there is none', async () => {
    await show(kit, PAGE);
    expect((await kit.fails('snapshot', { mode: 'focused' })).text).toMatch(/No element has the focus/);
    await kit.ok('focus', { selector: 'input' });
    const text = await tree({ mode: 'focused' });
    expect(text).toContain('textbox "Query"');
    expect(text).not.toContain('Home');
  });

  it('depth', async () => {
    await show(kit, PAGE);
    expect(await tree({ depth: 2 })).toMatch(/navigation "Main"/);
    expect(await tree({ depth: 2 })).not.toMatch(/link "Home"/);
    expect((await snapshot({ depth: 1 })).split('\n').length).toBeLessThan(
      (await snapshot({ depth: 2 })).split('\n').length,
    );
  });

  it.each(['nav', 'role:navigation', 'xpath=//nav', 'ref'])('selector %s: only what is inside', async selector => {
    await show(kit, PAGE);
    const text = await tree({ selector: selector === 'ref' ? await kit.ref('navigation') : selector });
    expect(text).toContain('link "Home"');
    expect(text).not.toMatch(/Shop"|button/);
  });

  it('compact leaves unnamed containers out; include_text: false leaves text out', async () => {
    await show(kit, PAGE);
    expect(await tree({ compact: true })).not.toMatch(/- list|- listitem|- document/);
    expect(await tree({ compact: true })).toContain('link "Home"');
    const bare = await tree({ include_text: false });
    expect(bare).not.toContain('Welcome');
    expect(bare).toContain('button "Go"');
  });

  it('include_bounds', async () => {
    await show(kit, '<button style="position:absolute;left:30px;top:40px;width:100px;height:50px">Box</button>');
    expect(await snapshot({ include_bounds: true })).toMatch(/button "Box" \[ref=@e\d+\].*30,40,100,50/);
  });

  it('max_chars: cut at an element, says how much is missing; never past the budget', async () => {
    await kit.open('/rows?n=500');
    const text = await snapshot({ max_chars: 1500 });
    expect(text.length).toBeLessThanOrEqual(1500);
    expect(text).toMatch(/\d+ of \d+ elements not shown/);
    expect((await snapshot()).length).toBeLessThanOrEqual(25_000);
  });

  it('a very long url does not eat the budget', async () => {
    await show(kit, `<button>Seen</button><!--${'x'.repeat(40_000)}-->`);
    const text = await snapshot();
    expect(text.length).toBeLessThan(3000);
    expect(text).toContain('button "Seen"');
  });

  it('save_path: the whole of it in a file', async () => {
    await kit.open('/rows?n=500');
    expect(await snapshot({ save_path: 'long.txt' })).toMatch(/Saved a snapshot of \d+ elements/);
    expect(readFileSync(join(kit.folder, 'output', 'long.txt'), 'utf8')).toContain('link "Details 500"');
    expect((await kit.fails('snapshot', { save_path: '/tmp/x/outside.txt' })).code).toBe('refused');
  });

  it('S1-14 tabId and frameId', async () => {
    await kit.open('/signup-in-cross-origin-iframe.html');
    const frameId = Number(/\[frame=(\d+)\]/.exec(await snapshot())?.[1]);
    const inner = await snapshot({ frameId });
    expect(inner).toContain('textbox "Full name"');
    expect(inner).not.toContain('Join us');
    expect((await kit.fails('snapshot', { frameId: 77 })).code).toBe('no_frame');
    expect((await kit.fails('snapshot', { tabId: 77 })).code).toBe('no_tab');
  });
});

const THINGS = `<button aria-pressed="true">Bold</button><button aria-expanded="false">Menu</button><button aria-expanded="true">Open menu</button><button>Save</button><button>Save as</button>
<h2>One</h2><h3>Two</h3><label>Email <input placeholder="you@example.com" type="email"></label><label><input type="checkbox" checked> Terms</label><label><input type="checkbox"> News</label>
<img alt="Logo" title="Our logo" width="10" height="10"><span data-testid="total" class="sum">42</span><button hidden>Hidden</button>`;
const query = (by: string, value: string, more = {}) => kit.ok('query', { by, value, ...more });

describe('S1-21 query', () => {
  it.each([
    ['role', 'heading', /^@e\d+ heading "One"\n@e\d+ heading "Two"$/],
    ['text', '42', /^@e\d+ \w+ "[^"]*"$/],
    ['label', 'Email', /^@e\d+ textbox "Email"$/],
    ['placeholder', 'you@', /textbox "Email"/],
    ['alt', 'Logo', /(img|image) "Logo"/],
    ['title', 'Our logo', /"Logo"/],
    ['testid', 'total', /^@e\d+ /],
  ])('by %s', async (by, value, said) => {
    await show(kit, THINGS);
    expect(await query(by, value)).toMatch(said);
  });

  it.each([
    [{ exact: true, name: 'Save' }, ['Save']],
    [{ exact: false, name: 'Save' }, ['Save', 'Save as']],
    [{ name: 'save' }, ['Save', 'Save as']],
    [{ pressed: true }, ['Bold']],
    [{ expanded: false }, ['Menu']],
    [{ expanded: true }, ['Open menu']],
    [{ include_hidden: true, name: 'Hidden' }, ['Hidden']],
  ])('options %j', async (options, names) => {
    await show(kit, THINGS);
    const found = [...(await query('role', 'button', { options })).matchAll(/button "(.*)"/g)].map(match => match[1]);
    expect(found).toEqual(names);
  });

  it('options level and checked', async () => {
    await show(kit, THINGS);
    expect(await query('role', 'heading', { options: { level: 3 } })).toMatch(/^@e\d+ heading "Two"$/);
    expect(await query('role', 'checkbox', { options: { checked: true } })).toMatch(/^@e\d+ checkbox "Terms"$/);
    expect(await query('role', 'checkbox', { options: { checked: false } })).toMatch(/^@e\d+ checkbox "News"$/);
  });

  it.each([
    [0, 'One'],
    [1, 'Two'],
    [-1, 'Two'],
  ])('nth %d', async (nth, name) => {
    await show(kit, THINGS);
    expect(await query('role', 'heading', { nth })).toContain(`"${name}"`);
    expect((await kit.fails('query', { by: 'role', value: 'heading', nth: 5 })).text).toMatch(/there is no number 5/);
  });

  it.each([
    ['ref', /^@e\d+ textbox "Email"$/],
    ['count', /^1$/],
    ['text', /^@e\d+ textbox "Email": ""$/],
    ['bounds', /\[box=\d+,\d+,\d+,\d+\]$/],
    ['all', /@e\d+ textbox "Email".*\[box=/],
  ])('return %s', async (returns, said) => {
    await show(kit, THINGS);
    expect(await query('label', 'Email', { return: returns })).toMatch(said);
  });

  it('return attribute, with a name; count of nothing is 0; nothing is not_found', async () => {
    await show(kit, THINGS);
    expect(await query('label', 'Email', { return: 'attribute', attribute: 'type' })).toMatch(/= "email"$/);
    expect(await query('testid', 'total', { return: 'attribute', attribute: 'nope' })).toMatch(/= \(none\)$/);
    expect((await kit.fails('query', { by: 'label', value: 'Email', return: 'attribute' })).text).toContain(
      '"attribute"',
    );
    expect(await query('text', 'nowhere', { return: 'count' })).toBe('0');
    expect((await kit.fails('query', { by: 'text', value: 'nowhere' })).code).toBe('not_found');
  });

  it('14.5 text that is hidden does not count, unless include_hidden is given', async () => {
    await show(
      kit,
      '<p>Note</p><p style="display:none">Note</p><p style="visibility:hidden">Note</p><label style="display:none">Key <input></label><img alt="Key"><img alt="Key" hidden>',
    );
    expect(await query('text', 'Note', { return: 'count' })).toBe('1');
    expect(await query('text', 'Note', { return: 'count', options: { include_hidden: true } })).toBe('3');
    expect(await query('label', 'Key', { return: 'count' })).toBe('0');
    expect(await query('alt', 'Key', { return: 'count', options: { include_hidden: true } })).toBe('2');
    expect(await query('alt', 'Key')).toMatch(/^@e\d+ \S+ "Key"$/);
    expect(await kit.ok('locator', { chain: [{ method: 'text', value: 'Note' }] })).toMatch(/^@e\d+ /);
  });

  it('14.5 what is in frames is found too', async () => {
    await kit.open('/signup-in-cross-origin-iframe.html');
    const ref = (await query('label', 'Email')).split(' ')[0];
    await kit.ok('fill', { selector: ref, value: 'x@y.z' });
    expect(await kit.ref('textbox "Email"', 'x@y.z')).toBe(ref);
    await show(kit, '<button>Save</button><iframe srcdoc="<button>Save</button><button>Only here</button>"></iframe>');
    expect(await query('role', 'button', { return: 'count' })).toBe('3');
    expect(await query('text', 'Save', { nth: 1 })).toMatch(/^@e\d+ button "Save"$/);
    expect(await query('text', 'Save', { frameId: 0, return: 'count' })).toBe('1');
    expect(await kit.ok('locator', { chain: [{ method: 'text', value: 'Only here' }] })).toMatch(/button "Only here"/);
  });

  it('S1-14 frameId; the refs can be used', async () => {
    await kit.open('/signup-in-cross-origin-iframe.html');
    const frameId = Number(/\[frame=(\d+)\]/.exec(await snapshot())?.[1]);
    const ref = (await query('label', 'Email', { frameId })).split(' ')[0];
    await kit.ok('fill', { selector: ref, value: 'x@y.z' });
    expect(await kit.ref('textbox "Email"', 'x@y.z')).toBe(ref);
  });
});

describe('S1-22 locator', () => {
  const LIST = `<ul aria-label="Shop"><li>Pot <button onclick="log.textContent='pot'">Buy</button></li><li data-testid="pan">Pan <button onclick="log.textContent='pan'">Buy</button><label>Note <input placeholder="note"></label></li></ul><label><input type="checkbox"> Gift</label><p id="log"></p>`;
  const find = (chain: unknown[], more = {}) => kit.ok('locator', { chain, ...more });
  const step = (method: string, value?: string, options?: object) => ({
    method,
    ...(value === undefined ? {} : { value }),
    ...(options ? { options } : {}),
  });

  it.each([
    [[step('role', 'list', { name: 'Shop' })], /list "Shop"/],
    [[step('text', 'Gift')], /"/],
    [[step('label', 'Gift')], /checkbox "Gift"/],
    [[step('placeholder', 'note')], /textbox "Note"/],
    [[step('testid', 'pan'), step('within'), step('role', 'button')], /button "Buy"/],
    [[step('css', 'li'), step('first')], /listitem/],
    [[step('xpath', '//li'), step('last'), step('css', 'button')], /button "Buy"/],
    [[step('role', 'button'), step('nth', '1')], /button "Buy"/],
    [[step('role', 'button'), step('nth', '-1')], /button "Buy"/],
    [[step('role', 'listitem'), step('filter', undefined, { hasText: 'Pan' }), step('role', 'button')], /button "Buy"/],
    [[step('role', 'listitem'), step('filter', 'Pot')], /listitem/],
  ])('%j', async (chain, said) => {
    await show(kit, LIST);
    expect(await find(chain)).toMatch(said);
    expect(await find(chain, { action: 'get_ref' })).toMatch(/^@e\d+ /);
  });

  it('action click, fill, check, hover', async () => {
    await show(kit, LIST);
    expect(await find([step('testid', 'pan'), step('role', 'button')], { action: 'click' })).toMatch(
      /^Clicked @e\d+ button "Buy"\.$/,
    );
    expect(await textOf(kit, '#log')).toBe('pan');
    await find([step('label', 'Note')], { action: 'fill', fill_value: 'two' });
    expect(await fieldValue(kit, '[placeholder]')).toBe('two');
    await find([step('label', 'Gift')], { action: 'check' });
    expect(await js(kit, 'document.querySelector("[type=checkbox]").checked')).toBe('true');
    expect(await find([step('css', 'ul')], { action: 'hover' })).toMatch(/^Hovered/);
  });

  it.each([
    [[step('role', 'button')], 'ambiguous', /matches 2 elements: @e\d+ button "Buy", @e\d+/],
    [[step('css', '#nowhere')], 'not_found', /#nowhere/],
    [[step('first')], 'bad_input', /needs a step before it/],
    [[step('within')], 'bad_input', /names no element/],
    [[step('role', 'button'), step('nth', 'two')], 'bad_input', /whole number/],
    [[step('css', 'li[')], 'bad_input', /cannot be read as a selector/],
    [[step('role')], 'bad_input', /role/],
    [[step('css')], 'bad_input', /css/],
  ])('%j fails as %s', async (chain, code, said) => {
    await show(kit, LIST);
    const failed = await kit.fails('locator', { chain });
    expect(failed.code).toBe(code);
    expect(failed.text).toMatch(said);
  });

  it('action fill without a value says so', async () => {
    await show(kit, LIST);
    expect((await kit.fails('locator', { chain: [step('label', 'Note')], action: 'fill' })).text).toContain(
      '"fill_value"',
    );
  });
});
