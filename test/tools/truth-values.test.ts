// Truth about values: a field that did not take its value says so, one that changed it tells the value, a password is never told.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { fieldValue, js, show } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

describe('S1-32 a field that refuses', () => {
  it.each([
    ['#reset', 'new', 'still holds "fixed"'],
    ['#digits', 'abc', 'is empty'],
    ['#number', 'abc', 'is empty'],
    ['#keys', 'abc', 'is empty'],
  ])('%s: not_taken', async (selector, value, why) => {
    await kit.open('/refuses.html');
    const { code, text } = await kit.fails('fill', { selector, value });
    expect(code).toBe('not_taken');
    expect(text).toContain(`did not take the value: it ${why}`);
  });

  it.each([
    ['#upper', 'hello', '"HELLO"'],
    ['#digits', '12 34', '"1234"'],
    ['#short', 'abcdefgh', '"abcde"'],
  ])('%s reformats: a success that tells the value', async (selector, value, holds) => {
    await kit.open('/refuses.html');
    expect(await kit.ok('fill', { selector, value })).toContain(`the page made it ${holds}`);
    expect(`"${await fieldValue(kit, selector)}"`).toBe(holds);
  });

  it('the same value again is a success', async () => {
    await kit.open('/refuses.html');
    await kit.ok('fill', { selector: '#reset', value: 'fixed' });
  });

  it('S1-38 a box that springs back: not_taken', async () => {
    await show(kit, '<input type="checkbox" onclick="return false" aria-label="No">');
    const { code, text } = await kit.fails('check', { selector: 'role:checkbox' });
    expect(code).toBe('not_taken');
    expect(text).toContain('stayed unchecked');
  });

  it('S1-40 a list whose script chooses another option: not a success with the wrong one', async () => {
    await show(kit, `<select aria-label="Size" onchange="this.value='S'"><option>S<option>M</select>`);
    const result = await kit.call('select', { selector: 'select', value: 'M' });
    expect(result.ok ? result.text : 'refused').not.toContain('"M"');
    expect(await fieldValue(kit, 'select')).toBe('S');
  });

  it('S1-41 clear on a field that keeps its value: not_taken', async () => {
    await kit.open('/refuses.html');
    expect((await kit.fails('clear', { selector: '#reset' })).code).toBe('not_taken');
  });

  it('S1-33 type into a field that is not there any more says so', async () => {
    await show(kit, '<input aria-label="A"><p tabindex="-1" id="p">x</p>');
    const ref = await kit.ref('textbox "A"');
    await js(kit, 'document.querySelector("input").remove()');
    expect((await kit.fails('type', { selector: ref, text: 'abc' })).code).toBe('stale_ref');
  });
});

describe('S1-13 a password is never printed', () => {
  const SECRET = 'Tr0ub4dor-and-3';

  function everyFile(folder: string): string {
    if (!existsSync(folder)) return '';
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(file => file.isFile())
      .map(file => readFileSync(join(file.parentPath, file.name), 'utf8'))
      .join('\n');
  }

  it.each([
    ['fill', { selector: '#pass', value: SECRET }],
    ['type', { selector: '#pin', text: '4711', delay: 0 }],
    ['locator', { chain: [{ method: 'css', value: '#pass' }], action: 'fill', fill_value: SECRET }],
    ['snapshot', {}],
    ['snapshot', { mode: 'interactive', compact: true }],
    ['query', { by: 'label', value: 'Password', options: { exact: true }, return: 'text' }],
    ['query', { by: 'label', value: 'Password', options: { exact: true }, return: 'all' }],
    ['query', { by: 'label', value: 'PIN', return: 'attribute', attribute: 'value' }],
    ['evaluate', { expression: 'document.querySelector("form").outerHTML' }],
  ])('by %s %j', async (tool, args) => {
    await kit.open('/password.html');
    await kit.ok('fill', { selector: '#pass', value: SECRET });
    expect(await kit.ok(tool, args)).not.toMatch(/Tr0ub4dor|correct horse|4711/);
  });

  it('by the structured form beside the text', async () => {
    await kit.open('/password.html');
    const results = [
      await kit.call('fill', { selector: '#pass', value: SECRET }),
      await kit.call('snapshot'),
      await kit.call('query', { by: 'label', value: 'PIN', return: 'all', attribute: 'value' }),
    ];
    expect(JSON.stringify(results)).not.toMatch(/Tr0ub4dor|correct horse|4711/);
  });

  it('by a fill that was cut or refused: only its length', async () => {
    await show(
      kit,
      '<input type="password" maxlength="4" id="a"><input type="password" id="b" value="Old-one-7" oninput="this.value=this.defaultValue">',
    );
    expect(await kit.ok('fill', { selector: '#a', value: SECRET })).toMatch(/the page made it 4 characters/);
    const { text } = await kit.fails('fill', { selector: '#b', value: SECRET });
    expect(text).toContain('still holds 9 characters');
    expect(text).not.toMatch(/Old-one|Tr0ub/);
  });

  it('by the journal, nor by any other file of the state folder', async () => {
    await kit.open('/password.html');
    await kit.ok('fill', { selector: '#pass', value: SECRET });
    await kit.ok('type', { selector: '#pin', text: SECRET, delay: 0 });
    await kit.fails('fill', { selector: '#pass', value: SECRET, values: SECRET });
    await kit.ok('title');
    await vi.waitFor(() => expect(everyFile(kit.folder).trimEnd()).toMatch(/"tool":"title"[^\n]*$/), 10_000);
    expect(everyFile(kit.folder)).toContain('"tool":"fill"');
    expect(everyFile(kit.folder)).not.toContain(SECRET);
  });
});
