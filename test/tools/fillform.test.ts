// fill_form: every kind of field in one call, told field by field; one that fails does not keep the others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, show } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const state = async (): Promise<Record<string, unknown>> =>
  JSON.parse(
    await kit.ok('evaluate', {
      expression: 'JSON.stringify(Object.fromEntries([...new FormData(document.forms[0])]))',
      sanitize: false,
    }),
  );

describe('fill_form', () => {
  it('fills every kind of field, and says what was set', async () => {
    await kit.open('/inputs.html');
    const text = await kit.ok('fill_form', {
      fields: [
        { selector: '[name=text]', value: 'new' },
        { selector: 'label:Search', value: '' },
        { selector: 'label:Password', value: 'swordfish 7' },
        { selector: '[name=number]', value: 9 },
        { selector: 'label:Range', value: 45 },
        { selector: 'label:Date', value: '2025-12-24' },
        { selector: 'label:Colour', value: '#00ff00' },
        { selector: 'label:News', value: false },
        { selector: 'label:Ads', value: true },
        { selector: 'label:Small', value: true },
        { selector: 'label:Story', value: 'Two\nlines' },
        { selector: 'label:Fruit', value: 'Apple' },
      ],
    });
    const set = await state();
    expect(set).toMatchObject({
      text: 'new',
      q: '',
      secret: 'swordfish 7',
      number: '9',
      range: '45',
      date: '2025-12-24',
      color: '#00ff00',
      ads: 'on',
      size: 's',
      story: 'Two\nlines',
      fruit: 'Apple',
    });
    expect(set).not.toHaveProperty('news');
    expect(text).toBe(`Filled 12 of 12 fields:
- "[name=text]": filled
- "label:Search": emptied
- "label:Password": filled
- "[name=number]": filled
- "label:Range": filled
- "label:Date": filled
- "label:Colour": filled
- "label:News": unchecked
- "label:Ads": checked
- "label:Small": checked
- "label:Story": filled
- "label:Fruit": Apple`);
  });

  it('by refs; a list that takes several; a rich editor; a switch; what the page makes of a value', async () => {
    await show(
      kit,
      `<form><select name="s" aria-label="Days" multiple><option value="1">Mon</option><option value="2">Tue</option><option value="3">Wed</option></select>
      <div contenteditable aria-label="Note" role="textbox">old</div>
      <div role="switch" aria-checked="false" aria-label="Dark" tabindex="0" onclick="this.setAttribute('aria-checked', this.getAttribute('aria-checked') !== 'true')">Dark</div>
      <input aria-label="Shout" oninput="this.value = this.value.toUpperCase()"></form>`,
    );
    const text = await kit.ok('fill_form', {
      fields: [
        { selector: await kit.ref('"Days"'), value: ['Mon', '3'] },
        { selector: await kit.ref('"Note"'), value: 'new' },
        { selector: await kit.ref('switch'), value: true },
        { selector: 'label:Shout', value: 'hey' },
      ],
    });
    expect(text).toMatch(/: Mon, Wed\n.*: filled\n.*: checked\n.*: filled; the page made it "HEY"$/);
    expect(await js(kit, 'document.querySelector("[contenteditable]").innerText')).toBe('new');
    expect(await js(kit, '[...document.querySelector("select").selectedOptions].map(one => one.label).join()')).toBe(
      'Mon,Wed',
    );
  });

  it('goes on after a field that failed, tells each, and is a failure', async () => {
    await show(
      kit,
      '<form><input name="a" aria-label="A"><input name="b" aria-label="B" disabled><select name="c" aria-label="C"><option>x</option></select><input name="d" aria-label="D"><input type="checkbox" name="e" aria-label="E"></form>',
    );
    const { code, text } = await kit.fails('fill_form', {
      fields: [
        { selector: 'label:A', value: 'one' },
        { selector: 'label:C', value: 'y' },
        { selector: 'label:B', value: 'two' },
        { selector: 'label:Nowhere', value: 'three' },
        { selector: 'label:D', value: true },
        { selector: 'label:E', value: 'perhaps' },
        { selector: 'label:D', value: 'four' },
      ],
    });
    expect(code).toBe('not_found');
    const lines = text.split('\n');
    expect(lines[0]).toBe('5 of 7 fields were not filled.');
    expect(lines[1]).toBe('- "label:A": filled');
    expect(lines[2]).toMatch(/failed: .*has no option "y"/);
    expect(lines[3]).toMatch(/failed: .*is disabled/);
    expect(lines[4]).toMatch(/failed: Nothing on the page matches/);
    expect(lines[5]).toMatch(/failed: .*is not a checkbox/);
    expect(lines[6]).toMatch(/failed: .*takes "true" or "false"/);
    expect(lines[7]).toBe('- "label:D": filled');
    expect(await state()).toMatchObject({ a: 'one', d: 'four' });
  });

  it('in a frame of another site, by frameId and without', async () => {
    await kit.open('/signup-in-cross-origin-iframe.html');
    const frameId = Number(/\[frame=(\d+)\]/.exec(await kit.ok('snapshot'))?.[1]);
    await kit.ok('fill_form', { fields: [{ selector: '#name', value: 'Ada' }], frameId });
    await kit.ok('fill_form', { fields: [{ selector: 'label:Email', value: 'a@b.c' }] });
    expect(await kit.ok('snapshot')).toMatch(/value="Ada".*value="a@b.c"/s);
  });

  it('a dialog that a field raises ends it, and is told', async () => {
    await show(kit, '<input aria-label="A" oninput="alert(\'stop\')"><input aria-label="B">');
    const { text } = await kit.fails('fill_form', {
      fields: [
        { selector: 'label:A', value: 'one' },
        { selector: 'label:B', value: 'two' },
      ],
    });
    expect(text).toMatch(/label:B": failed: An alert dialog blocks tab \d+: "stop"/);
    await kit.ok('dialog', { action: 'accept' });
  });

  it('a value that leads elsewhere is told', async () => {
    await show(
      kit,
      `<select aria-label="Go" onchange="location = '${kit.site.url}/article.html'"><option>-</option><option>there</option></select>`,
    );
    expect(await kit.ok('fill_form', { fields: [{ selector: 'label:Go', value: 'there' }] })).toMatch(
      /^Filled 1 of 1 fields; now at .*article\.html/,
    );
  });

  it.each([
    [{ fields: [] }, /fields must be a list with at least 1 items/],
    [{ fields: [{ selector: '#a' }] }, /fields\[0\]\.value is missing/],
    [
      { fields: [{ selector: '#a', value: {} }] },
      /fields\[0\]\.value must be text or a number or true or false or a list/,
    ],
  ])('%j is bad_input', async (args, said) => {
    const { code, text } = await kit.fails('fill_form', args);
    expect(code).toBe('bad_input');
    expect(text).toMatch(said);
  });
});
