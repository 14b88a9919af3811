// Keyboard: type and press send real key events, with every key name.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { fieldValue, js, show, textOf } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

/** A field that keeps a list of what came. */
const LISTENER = `<input id="field" autofocus><script>window.seen = []; addEventListener('keydown', event => {
  seen.push([event.ctrlKey && 'Control', event.altKey && 'Alt', event.shiftKey && 'Shift', event.metaKey && 'Meta', event.key].filter(Boolean).join('+') + (event.isTrusted ? '' : '?'));
  if (/^(F\\d|Tab|Alt|Meta)/.test(event.key) || event.ctrlKey) event.preventDefault(); }, true)</script>`;
const seen = () => js(kit, 'seen.splice(0).join(" ")');

const NAMES = [
  ...'abcdefghijklmnopqrstuvwxyz',
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  ...'0123456789',
  ...Array.from({ length: 12 }, (_, index) => `F${index + 1}`),
  ...[
    'Enter',
    'Tab',
    'Escape',
    'Backspace',
    'Delete',
    'ArrowUp',
    'ArrowDown',
    'ArrowLeft',
    'ArrowRight',
    'Home',
    'End',
    'PageUp',
    'PageDown',
    'Control',
    'Alt',
    'Shift',
    'Meta',
  ],
];
/** What the page sees where it is not the name itself. */
const shown = (key: string): string => (['Control', 'Alt', 'Shift', 'Meta'].includes(key) ? `${key}+${key}` : key);

describe('S1-11 S1-34 press', () => {
  it('every key name', async () => {
    await show(kit, LISTENER);
    await kit.ok('focus', { selector: '#field' });
    for (const key of NAMES) await kit.ok('press', { key });
    const keys = (await seen()).replaceAll(/Shift\+([A-Z])\b/g, '$1').split(' ');
    expect(keys).toEqual(NAMES.map(shown));
  });

  it('Space types a blank', async () => {
    await show(kit, LISTENER);
    await kit.ok('press', { selector: '#field', key: 'Space' });
    expect(await js(kit, 'seen.length === 1 && field.value === " "')).toBe('true');
  });

  it.each([
    ['Control+a', 'Control+Control Control+a'],
    ['Control+Shift+p', 'Control+Control Control+Shift+Shift Control+Shift+p'],
    ['Meta+Enter', 'Meta+Meta Meta+Enter'],
    ['Shift+Tab', 'Shift+Shift Shift+Tab'],
    ['Alt+ArrowUp', 'Alt+Alt Alt+ArrowUp'],
    ['ctrl+K', 'Control+Control Control+K'],
    ['+', '+'],
    ['Control++', 'Control+Control Control++'],
    ['enter', 'Enter'],
    ['esc', 'Escape'],
  ])('%s', async (key, keys) => {
    await show(kit, LISTENER);
    await kit.ok('press', { selector: '#field', key });
    expect((await seen()).toLowerCase()).toBe(keys.toLowerCase());
  });

  it('a combination does what it does in the browser: Control+a selects all, Backspace removes it', async () => {
    await show(kit, '<input id="field" value="all of this">');
    await kit.ok('press', { selector: '#field', key: 'Control+a' });
    await kit.ok('press', { key: 'Backspace' });
    expect(await fieldValue(kit, '#field')).toBe('');
  });

  it('without selector: into what has the focus; Tab moves on', async () => {
    await kit.open('/signup.html');
    await kit.ok('focus', { selector: '#name' });
    expect(await kit.ok('press', { key: 'Tab' })).toMatch(/^Pressed Tab\.\nFocus: @e\d+ textbox "Email"$/);
    await kit.ok('press', { key: 'x' });
    expect(await fieldValue(kit, '#email')).toBe('x');
  });

  it('repeat and delay', async () => {
    await show(kit, '<input id="field" type="number" value="5">');
    const result = await kit.call('press', { selector: '#field', key: 'ArrowUp', repeat: 4, delay: 60 });
    expect(result.text).toMatch(/^Pressed ArrowUp 4 times in @e\d+ spinbutton\.$/);
    expect(result.ms).toBeGreaterThanOrEqual(180);
    expect(await fieldValue(kit, '#field')).toBe('9');
  });

  it('a name that is no key: names it and lists keys', async () => {
    const { code, text } = await kit.fails('press', { key: 'Control+Banana' });
    expect(code).toBe('bad_input');
    expect(text).toMatch(/"Banana" is not a key\.\nKeys: a-z/);
  });

  it('in a frame of another site', async () => {
    await kit.open('/signup-in-cross-origin-iframe.html');
    const ref = await kit.ref('textbox "Full name"');
    await kit.ok('type', { selector: ref, text: 'Ada', delay: 0 });
    await kit.ok('press', { selector: ref, key: 'Backspace' });
    expect(await kit.ok('snapshot')).toContain('textbox "Full name"');
    expect(await kit.ref('textbox "Full name"', '[value="Ad"]')).toBe(ref);
  });
});

describe('16 a text that cannot be typed within the time of the call', () => {
  it.each([
    [
      { timeout: 1_000 },
      /^To type 100 characters, 50 ms after each, takes 5\.1 s; this call has \d+ m?s\. Nothing was typed\.\nUse fill/,
    ],
    [
      { delay: 0, timeout: 50 },
      /^To type 100 characters takes 100 ms; this call has \d+ ms\. Nothing was typed\.\nUse fill/,
    ],
  ])('%j: says so at once', async (more, said) => {
    await show(kit, '<label>Text <input></label>');
    const { text, failure, ms } = await kit.call('type', { selector: 'input', text: 'x'.repeat(100), ...more });
    expect([failure?.code, text]).toEqual(['bad_input', expect.stringMatching(said)]);
    expect(ms).toBeLessThan(900);
    expect(await fieldValue(kit, 'input')).toBe('');
  });
});

describe('S1-33 type', () => {
  it('sends a key event for each character, and keeps what is there', async () => {
    await show(kit, LISTENER);
    await kit.ok('fill', { selector: '#field', value: 'x' });
    await kit.ok('press', { key: 'End' });
    await seen();
    expect(await kit.ok('type', { selector: '#field', text: 'aB1', delay: 0 })).toMatch(
      /^Typed 3 characters into @e\d+ textbox\.$/,
    );
    expect((await seen()).replace('Shift+B', 'B')).toBe('a B 1');
    expect(await fieldValue(kit, '#field')).toBe('xaB1');
  });

  it('special characters, other scripts, emoji, line breaks', async () => {
    await show(kit, '<textarea></textarea>');
    const text = 'a@b.c {[(]}) ~^°§ "quoted" äöü ñ 漢字 😀👩‍💻\nsecond line\ttab'.replace('\ttab', '');
    await kit.ok('type', { selector: 'textarea', text, delay: 0 });
    expect(await fieldValue(kit, 'textarea')).toBe(text);
  });

  it('delay: ms between keys', async () => {
    await show(kit, '<input>');
    const { ms } = await kit.call('type', { selector: 'input', text: 'abcd', delay: 100 });
    expect(ms).toBeGreaterThanOrEqual(300);
    expect(ms).toBeLessThan(4_000);
  });

  it('into what has the focus; the default delay is 50', async () => {
    await show(kit, '<input autofocus><p id="log"></p>');
    await kit.ok('focus', { selector: 'input' });
    const result = await kit.call('type', { text: 'abcde' });
    expect(result.text).toBe('Typed 5 characters into what has the focus.');
    expect(result.ms).toBeGreaterThanOrEqual(200);
    expect(await fieldValue(kit, 'input')).toBe('abcde');
  });

  it('when nothing has the focus: says that no field did', async () => {
    await show(kit, '<p>Only text</p>');
    const { text } = await kit.call('type', { text: 'lost', delay: 0 });
    expect(text).toMatch(/nothing ha[ds] the focus|no field/i);
  });

  it('into something that takes no keys: not a success', async () => {
    await show(kit, '<p>Only text</p>');
    const { code, text } = await kit.fails('type', { selector: 'p', text: 'lost', delay: 0 });
    expect(code).toBe('not_actionable');
    expect(text).toContain('does not take the focus');
  });

  it('line breaks in a one-line field submit, as keys do', async () => {
    await show(kit, '<form onsubmit="log.textContent=\'sent\';return false"><input name="q"></form><p id="log"></p>');
    await kit.ok('type', { selector: 'input', text: 'find\n', delay: 0 });
    expect(await textOf(kit, '#log')).toBe('sent');
  });
});
