// Fields of every kind: fill and clear do the right thing, or say which tool does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { fieldValue, js, show, textOf } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit('--receipt', 'none');
});
afterAll(() => kit.close());

const fill = (selector: string, value: string, more = {}) => kit.ok('fill', { selector, value, ...more });

describe('S1-32 fill: plain fields', () => {
  it.each([
    ['text', 'Ada & "Co" <b> — Ünï 😀'],
    ['q', 'caves'],
    ['email', 'grace@example.com'],
    ['tel', '+1 555 0100'],
    ['url', 'https://example.org/x?y=1#z'],
    ['secret', 'a b c'],
    ['number', '9'],
    ['empty-number', '3.5'],
    ['story', 'Two\nlines\n\nand a gap'],
    ['browser', 'Mosaic'],
  ])('%s', async (name, value) => {
    await kit.open('/inputs.html');
    expect(await fill(`[name=${name}]`, value)).toMatch(/^Filled @e\d+ [^:;]*\.$/);
    expect(await fieldValue(kit, `[name=${name}]`)).toBe(value);
  });

  it('by ref replaces the value with input and change events that a page trusts', async () => {
    await show(
      kit,
      `<input aria-label="Name" value="old"><p id="log"></p><script>
      const seen = []; for (const type of ['input', 'change', 'focus']) document.querySelector('input').addEventListener(type, event => { seen.push(type + event.isTrusted); log.textContent = seen })</script>`,
    );
    await fill(await kit.ref('textbox "Name"'), 'new');
    await kit.ok('press', { key: 'Tab' });
    expect(await textOf(kit, '#log')).toBe('focustrue,inputtrue,changetrue');
    expect(await fieldValue(kit, 'input')).toBe('new');
  });

  it('clear: false adds to what is there', async () => {
    await show(kit, '<input id="name" value="Ada "><textarea>One </textarea><input type="number" value="1">');
    await fill('#name', 'Lovelace', { clear: false });
    await fill('textarea', 'two', { clear: false });
    await fill('[type=number]', '2', { clear: false });
    expect(await js(kit, '[...document.querySelectorAll("input,textarea")].map(field => field.value).join("|")')).toBe(
      'Ada Lovelace|One two|12',
    );
  });

  it('an empty value empties the field; clear does the same', async () => {
    await kit.open('/inputs.html');
    await fill('label:Text', '');
    expect(await kit.ok('clear', { selector: 'label:Story' })).toMatch(/^Cleared @e\d+ textbox "Story"\.$/);
    await kit.ok('clear', { selector: 'label:Date' });
    expect(await js(kit, '["text","story","date"].map(name => document.getElementsByName(name)[0].value).join()')).toBe(
      ',,',
    );
  });

  it('100 000 characters', async () => {
    await show(kit, '<textarea></textarea>');
    await fill('textarea', 'x'.repeat(100_000));
    expect(await js(kit, 'document.querySelector("textarea").value.length')).toBe('100000');
  });

  it('a field inside its label, its wrapper or its custom element is found', async () => {
    await show(
      kit,
      '<div class="field"><label>City <input></label></div><script>customElements.define("x-field", class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: "open" }).innerHTML = "<input>" } })</script><x-field></x-field>',
    );
    await fill('.field', 'Wien');
    await fill('x-field', 'Graz');
    expect(
      await js(
        kit,
        'document.querySelector("input").value + document.querySelector("x-field").shadowRoot.querySelector("input").value',
      ),
    ).toBe('WienGraz');
  });
});

describe('S1-32 fill: fields without text', () => {
  it.each([
    ['#date', '2024-12-24'],
    ['#time', '23:59'],
    ['#local', '2025-01-02T03:04'],
    ['#month', '2026-11'],
    ['#week', '2024-W52'],
    ['#color', '#00ff7f'],
    ['#range', '22.5'],
  ])('%s takes %s and the page hears of it', async (selector, value) => {
    await kit.open('/date-time.html');
    await fill(selector, value);
    expect(await fieldValue(kit, selector)).toBe(value);
    expect(await textOf(kit, '#booked')).toContain(`${selector.slice(1)}=${value}`);
  });

  it.each([
    ['#date', 'tomorrow', 'YYYY-MM-DD'],
    ['#time', '9 pm', 'HH:MM'],
    ['#local', '2024-05-06', 'YYYY-MM-DDTHH:MM'],
    ['#month', 'May', 'YYYY-MM'],
    ['#week', '52', 'YYYY-Www'],
    ['#color', 'reddish', '#rrggbb'],
  ])('%s does not take %s and says the format', async (selector, value, format) => {
    await kit.open('/date-time.html');
    const before = await fieldValue(kit, selector);
    const { code, text } = await kit.fails('fill', { selector, value });
    expect(code).toBe('not_taken');
    expect(text).toContain(format);
    expect(await fieldValue(kit, selector)).toBe(before);
  });

  it('a range past its end says what it became', async () => {
    await kit.open('/date-time.html');
    expect(await fill('#range', '99')).toContain('the page made it "25"');
  });

  it.each([
    ['label:Ads', 'true', true],
    ['label:News', 'false', false],
    ['label:Small', 'on', true],
  ])('checkbox or radio %s: %s', async (selector, value, isOn) => {
    await kit.open('/inputs.html');
    expect(await fill(selector, value)).toContain(isOn ? ': checked.' : ': unchecked.');
    const name = { 'label:Ads': 'ads', 'label:News': 'news' }[selector];
    expect(
      await js(
        kit,
        name ? `document.getElementsByName('${name}')[0].checked` : 'document.querySelector("[value=s]").checked',
      ),
    ).toBe(String(isOn));
  });

  it('a switch made of a span; a box that is told something odd', async () => {
    await kit.open('/switch.html');
    await fill('role:switch[name="Night mode"]', 'true');
    expect(await js(kit, 'document.querySelector(".track").getAttribute("aria-checked")')).toBe('true');
    expect((await kit.fails('fill', { selector: 'role:switch[name="Wi-Fi"]', value: 'maybe' })).text).toContain(
      'it takes "true" or "false"',
    );
  });

  it.each([
    ['#car', 'Leaf', 'Leaf', 'car: Leaf'],
    ['#labelled', 'Other', 'Other', 'labelled: Other'],
    ['#none', '— please choose —', '— please choose —', ''],
    ['#spaces', 'c', 'c', 'spaces: c'],
  ])('a list %s by label or value: %s', async (selector, value, said, heard) => {
    await kit.open('/select.html');
    expect(await fill(selector, value)).toMatch(new RegExp(`^Filled @e\\d+ .*: ${said}\\.$`));
    expect(await textOf(kit, '#log')).toBe(heard);
  });

  it.each([
    ['[type=file]', /is a file field.*\n.*upload/],
    ['[type=submit]', /is a button.*\n.*click/],
    ['button', /is a button.*\n.*click/],
    ['h1', /is no field that takes text/],
  ])('%s: says which tool does', async (selector, said) => {
    await show(kit, '<h1>Title</h1><input type="file"><input type="submit"><button>B</button>');
    const { code, text } = await kit.fails('fill', { selector, value: 'x' });
    expect(code).toMatch(/bad_input|not_actionable/);
    expect(text).toMatch(said);
  });
});

describe('S1-32 fill: editors', () => {
  it.each(['#post', '#plain', '#bare', '#heading'])(
    '%s of a rich editor: replaced, and read back by a snapshot',
    async selector => {
      await kit.open('/editor.html');
      await fill(selector, 'A new beginning');
      expect(await js(kit, `document.querySelector('${selector}').innerText.trim()`)).toBe('A new beginning');
      expect(await kit.ok('snapshot')).toContain('A new beginning');
    },
  );

  it('several lines, and adding to what is there', async () => {
    await kit.open('/editor.html');
    await fill('#post', 'First\nSecond');
    await fill('#post', ' and more', { clear: false });
    expect(await js(kit, 'document.querySelector("#post").innerText.replace(/\\n+/g, "|")')).toBe(
      'First|Second and more',
    );
    await kit.ok('clear', { selector: '#post' });
    expect(await js(kit, 'document.querySelector("#post").innerText.trim()')).toBe('');
  });

  it('the page of the editor hears of it', async () => {
    await kit.open('/editor.html');
    await fill('#post', 'Heard');
    expect(await textOf(kit, '#html')).toContain('Heard');
  });

  it('a code editor with a hidden textarea: what was typed arrives', async () => {
    await kit.open('/code-editor.html');
    await kit.ok('type', { selector: '#capture', text: '; 7', delay: 0 });
    await kit.ok('click', { selector: '#run' });
    expect(await textOf(kit, '#log')).toBe('7');
  });

  it('a code editor: fill is never a success without its text', async () => {
    await kit.open('/code-editor.html');
    const result = await kit.call('fill', { selector: '#editor', value: '; 8' });
    await kit.ok('click', { selector: '#run' });
    if (result.ok) expect(await textOf(kit, '#log')).toBe('8');
    else expect(result.failure?.code).toBe('not_taken');
  });
});
