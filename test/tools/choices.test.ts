// Choices: check, uncheck, select and focus, with every parameter.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, show } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

describe('S1-38 check, S1-39 uncheck, S1-42 focus', () => {
  it('check and uncheck are idempotent, by label, ref and text', async () => {
    await kit.open('/inputs.html');
    const news = () => js(kit, 'document.getElementsByName("news")[0].checked');
    await kit.ok('check', { selector: 'label:News' });
    expect(await news()).toBe('true');
    await kit.ok('uncheck', { selector: await kit.ref('checkbox "News"') });
    await kit.ok('uncheck', { selector: 'label:News' });
    expect(await news()).toBe('false');
    expect(await kit.ok('check', { selector: 'role:radio[name="Small"]' })).toMatch(/^Checked/);
  });

  it('a radio cannot be unchecked; a button cannot be checked', async () => {
    await kit.open('/inputs.html');
    expect((await kit.fails('uncheck', { selector: 'label:Medium' })).text).toMatch(
      /radio button: it cannot be unchecked/,
    );
    expect((await kit.fails('check', { selector: 'text:Plain button' })).text).toMatch(/not a checkbox/);
  });

  it.each(['role:switch[name="Night mode"]', 'role:switch[name="Wi-Fi"]', 'role:checkbox[name="Partly"]'])(
    'check %s',
    async selector => {
      await kit.open('/switch.html');
      await kit.ok('check', { selector });
      expect(await kit.ref(`"${/"(.*)"/.exec(selector)?.[1]}"`, '[checked]')).toMatch(/@e/);
    },
  );

  it('a box that is drawn by its label is checked', async () => {
    await kit.open('/custom-checkbox.html');
    await kit.ok('check', { selector: await kit.ref('checkbox "Sleeping bag"') });
    expect(await kit.ref('checkbox "Sleeping bag"', '[checked]')).toMatch(/@e/);
  });

  it('focus puts the focus there, or says that the element does not take it', async () => {
    await kit.open('/signup.html');
    expect(await kit.ok('focus', { selector: '#email' })).toMatch(/^Focused @e\d+ textbox "Email"\.$/);
    expect(await js(kit, 'document.activeElement.id')).toBe('email');
    expect((await kit.fails('focus', { selector: 'h1' })).text).toContain('does not take the focus');
  });
});

describe('S1-40 select', () => {
  const select = (args: Record<string, unknown>) => kit.ok('select', { selector: 'select', ...args });
  const chosen = () =>
    js(kit, '[...document.querySelector("select").selectedOptions].map(option => option.value).join()');
  const MANY =
    '<select multiple aria-label="Colours"><option value="r">Red</option><option value="g">Green</option><option value="b">Blue</option></select>';

  it.each([
    [{ value: 'g' }, 'g'],
    [{ value: ['r', 'b'] }, 'r,b'],
    [{ label: 'Blue' }, 'b'],
    [{ label: ['Green', 'Red'] }, 'r,g'],
    [{ index: 2 }, 'b'],
    [{ index: [0, 1] }, 'r,g'],
  ])('%j', async (args, values) => {
    await show(kit, MANY);
    expect(await select(args)).toMatch(/^Selected "/);
    expect(await chosen()).toBe(values);
  });

  it('what is not there lists what is; a disabled option and a second value say why', async () => {
    await kit.open('/select.html');
    const missing = await kit.fails('select', { selector: '#car', label: 'Tesla' });
    expect(missing).toMatchObject({ code: 'not_found' });
    expect(missing.text).toMatch(/no option "Tesla". Options: "Leaf", "Zoe"/);
    expect((await kit.fails('select', { selector: '#car', label: 'Rocket' })).text).toContain('"Rocket" of');
    expect((await kit.fails('select', { selector: '#car', label: ['Leaf', 'Zoe'] })).text).toContain(
      'takes one option only',
    );
    expect((await kit.fails('select', { selector: '#car', label: 'Golf' })).code).toBe('not_actionable');
  });

  it('exactly one of value, label, index; and only on a list', async () => {
    await show(kit, `${MANY}<button>Open</button>`);
    expect((await kit.fails('select', { selector: 'select' })).text).toContain(
      'exactly one of value or label or index',
    );
    expect((await kit.fails('select', { selector: 'select', value: 'r', index: 1 })).code).toBe('bad_input');
    expect((await kit.fails('select', { selector: 'button', value: 'r' })).text).toContain(
      'is not a list, and opens none',
    );
  });
});
