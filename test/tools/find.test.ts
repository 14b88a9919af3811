// Find: matching lines of the whole page with refs, and a little of what stands around them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, show, textOf } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const find = (text: string, more: Record<string, unknown> = {}) => kit.ok('find', { text, ...more });
const refIn = (text: string, words: string): string => {
  const line = text.split('\n').find(one => one.includes(words));
  return /\[ref=(@e\d+)\]/.exec(line ?? '')?.[1] ?? '';
};

describe('find: what is told', () => {
  it('lines as a snapshot prints them, in their nearest named container', async () => {
    await show(
      kit,
      `<nav aria-label="Main"><a href="#a">Prices</a> <a href="#b">Help</a></nav>
       <form aria-label="Order"><label>Top price <input value="12"></label><button>Order</button></form>`,
    );
    expect(await find('price')).toMatch(
      /^2 lines with "price":\n- navigation "Main" \[ref=@e\d+\]\n {2}- link "Prices" \[ref=@e\d+\]\n- form "Order" \[ref=@e\d+\]\n {2}- textbox "Top price" \[ref=@e\d+\] \[value="12"\]$/,
    );
  });

  it('without a container, the heading before it', async () => {
    await kit.open('/article.html');
    const text = await find('map --offline');
    expect(text).toMatch(
      /^1 line with .*\n- heading "Evening" \[ref=@e\d+\] \[level=2\]\n {2}- paragraph \[ref=@e\d+\]: "Use map/,
    );
  });

  it('a small item of many is told whole, so that what belongs to a text can be used', async () => {
    await show(
      kit,
      `<table><tr><td>Invoice 41</td><td><button onclick="log.textContent = 41">Pay</button></td></tr>
       <tr><td>Invoice 42</td><td><button onclick="log.textContent = 42">Pay</button></td></tr></table>
       <ul><li>Milk <button>Remove</button></li><li>Bread <button onclick="log.textContent = 'no bread'">Remove</button></li></ul><p id="log"></p>`,
    );
    await kit.ok('click', { selector: refIn(await find('invoice 42'), 'button "Pay"') });
    expect(await textOf(kit, '#log')).toBe('42');
    const bread = await find('bread');
    expect(bread).not.toContain('Milk');
    await kit.ok('click', { selector: refIn(bread, 'button "Remove"') });
    expect(await textOf(kit, '#log')).toBe('no bread');
  });

  it('a plain text has a ref too, and the refs are those of a snapshot', async () => {
    await show(
      kit,
      `<div>Just <b>words</b> here</div><div onclick="this.textContent = 'hit'">Other words</div><button>Words</button>`,
    );
    const button = await kit.ref('button "Words"');
    const text = await find('words');
    expect(refIn(text, 'button "Words"')).toBe(button);
    const plain = refIn(text, 'Just words here');
    expect(plain).toMatch(/^@e\d+$/);
    await kit.ok('hover', { selector: plain });
  });

  it('a long text is cut to what stands around the match', async () => {
    await show(kit, `<p>${'before '.repeat(500)}needle ${'after '.repeat(500)}</p>`);
    const text = await find('needle');
    expect(text).toContain('before needle after');
    expect(text.length).toBeLessThan(500);
  });

  it('values, placeholders, options and names, but never a password', async () => {
    await show(
      kit,
      `<input aria-label="A" value="xyzzy one"><input aria-label="B" placeholder="xyzzy two"><img alt="xyzzy three" src="data:,">
       <select aria-label="C"><option>other</option><option>xyzzy four</option></select><input type="password" aria-label="D" value="xyzzy five">
       <textarea aria-label="E">xyzzy six</textarea><p hidden>xyzzy seven</p>`,
    );
    const text = await find('xyzzy');
    for (const word of ['one', 'two', 'three', 'four', 'six']) expect(text).toContain(`xyzzy ${word}`);
    expect(text).toMatch(/^5 lines/);
    expect(await find('xyzzy five')).toBe('Nothing shown on the page has "xyzzy five".');
  });
});

describe('find: where and how it looks', () => {
  it.each([
    ['/signup-in-iframe.html', 'textbox "Email"'],
    ['/signup-in-cross-origin-iframe.html', 'textbox "Email"'],
    ['/signup-open-shadow.html', 'textbox "Email"'],
    ['/signup-closed-shadow.html', 'textbox "Email"'],
  ])('in all of %s', async (path, line) => {
    await kit.open(path);
    const text = await find('email');
    expect(text).toContain(line);
    await kit.ok('fill', { selector: refIn(text, line), value: 'a@b.c' });
    expect(await find('a@b.c')).toContain('[value="a@b.c"]');
  });

  it('frameId narrows to one frame', async () => {
    await kit.open('/signup-in-cross-origin-iframe.html');
    const frameId = Number(/\[frame=(\d+)\]/.exec(await kit.ok('snapshot'))?.[1]);
    expect(await find('sign', { frameId })).toContain('button "Sign up"');
    expect(await find('frame of another site', { frameId })).toMatch(/^Nothing/);
    expect((await kit.fails('find', { text: 'x', frameId: 99 })).code).toBe('no_frame');
  });

  it('tabId names another tab', async () => {
    await show(kit, '<p>First tab</p>');
    const tabId = Number(/\* (\d+):/.exec(await kit.ok('tab_list'))?.[1]);
    await kit.ok('tab_new');
    expect(await find('first tab', { tabId })).toContain('First tab');
    await kit.ok('tab_close');
  });

  it('case, blanks and signs of plain text', async () => {
    await show(kit, '<p>Alpha   Beta</p><p>alpha beta</p><p>f(x) = [a.b]*c</p>');
    expect(await find('ALPHA beta')).toMatch(/^2 lines/);
    expect(await find('Alpha Beta', { case_sensitive: true })).toMatch(/^1 line/);
    expect(await find('(x) = [a.b]*')).toMatch(/^1 line/);
    expect(await find('a.b]*C', { case_sensitive: true })).toMatch(/^Nothing/);
  });

  it('regular expressions', async () => {
    await show(kit, '<p>Order 1234 of May</p><p>order 99</p><p>ORDER 777-1</p>');
    expect(await find('/order \\d{3,}/')).toMatch(/^2 lines/);
    expect(await find('/^order \\d+$/')).toMatch(/^1 line/);
    expect(await find('/Order \\d+/', { case_sensitive: true })).toMatch(/^1 line/);
    expect(await find('/\\d+\\-\\d/')).toContain('777-1');
    expect(await kit.fails('find', { text: '/(/' })).toMatchObject({
      code: 'bad_input',
      text: expect.stringContaining('not a regular expression'),
    });
  });

  it('a regular expression that never ends is stopped, and the server lives', async () => {
    await show(kit, `<p>${'a'.repeat(60)}!</p>`);
    const result = await kit.call('find', { text: '/^(a+)+$/' });
    expect(result.failure?.code).toBe('bad_input');
    expect(result.text).toContain('takes too long');
    expect(result.ms).toBeLessThan(5_000);
    expect(await find('aaa')).toMatch(/^1 line/);
  });

  it('max_results bounds the lines, the count tells all; the answer fits the budget', async () => {
    await kit.open('/rows?n=300');
    const first = await kit.call('find', { text: 'details', max_results: 3 });
    expect(first.text).toMatch(/^300 lines with "details", the first 3 of them:\n/);
    expect(first.text.match(/link "Details/g)).toHaveLength(3);
    expect(first.data).toMatchObject({
      count: 300,
      refs: [expect.any(String), expect.any(String), expect.any(String)],
    });
    expect((await find('details', { max_results: 500 })).length).toBeLessThanOrEqual(25_000);
  });

  it.each([
    [{}, /text is missing/],
    [{ text: ' ' }, /text/],
    [{ text: 'x', max_results: 0 }, /at least 1/],
  ])('%j is bad_input', async (args, said) => {
    const { code, text } = await kit.fails('find', args);
    expect(code).toBe('bad_input');
    expect(text).toMatch(said);
  });

  it('a dialog that is open is told', async () => {
    await show(kit, '<p>Here</p>');
    await js(kit, 'void setTimeout(() => alert("hey"), 0)');
    await expect.poll(() => kit.ok('tab_list')).toContain('alert dialog open');
    expect((await kit.fails('find', { text: 'here' })).code).toBe('dialog_open');
    await kit.ok('dialog', { action: 'accept' });
  });
});
