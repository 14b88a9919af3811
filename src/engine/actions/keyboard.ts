// Keyboard: types text and presses keys with real key events, into an element or into what has the focus.
import { Failure } from '../../errors.ts';
import { type Phrase, phrase } from '../../text.ts';
import type { Element } from '../elements/element.ts';
import { resolve } from '../elements/resolve.ts';
import { type Limits, pause } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import { type ActionResult, actOn, type ElementTarget, waitUntilActionable } from './actionability.ts';
import { act, type Effects } from './effects.ts';

export interface KeysInput {
  selector?: string | undefined;
  frameId?: number | undefined;
}

export interface KeysResult extends Effects {
  /** False when nothing on the page had the focus. */
  focused?: boolean;
  /** Where the keys went; absent when they went to what had the focus. */
  element?: string | Phrase;
}

/** Spellings that people and models use for the names of keys. */
const ALIASES: Record<string, string> = {
  esc: 'Escape',
  return: 'Enter',
  del: 'Delete',
  ins: 'Insert',
  ctrl: 'Control',
  control: 'Control',
  cmd: 'Meta',
  command: 'Meta',
  win: 'Meta',
  meta: 'Meta',
  option: 'Alt',
  alt: 'Alt',
  shift: 'Shift',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  pgup: 'PageUp',
  pgdn: 'PageDown',
  space: 'Space',
  ' ': 'Space',
};

const NAMED =
  /^(?:F(?:[1-9]|1\d|2[0-4])|Enter|Tab|Escape|Backspace|Delete|Insert|Space|Arrow(?:Up|Down|Left|Right)|Home|End|Page(?:Up|Down)|Control|Alt|Shift|Meta|CapsLock|ContextMenu|PrintScreen|Pause|ScrollLock|NumLock|Numpad\w+|Key[A-Z]|Digit\d|Control(?:Left|Right)|Shift(?:Left|Right)|Alt(?:Left|Right)|Meta(?:Left|Right)|ControlOrMeta)$/;

/** `Control+Shift+p` in Playwright's spelling; fails with the known names. */
function keyOf(input: string): string {
  const parts = input === '+' ? ['+'] : input.replace(/\+\+$/, '+Plus').split('+');
  const keys = parts.map(part => {
    const name = part.length === 1 ? part : part.trim();
    const key = name === 'Plus' ? '+' : (ALIASES[name.toLowerCase()] ?? capitalised(name));
    if ([...key].length === 1 || NAMED.test(key)) return key;
    throw new Failure(
      'bad_input',
      `${JSON.stringify(part.slice(0, 40))} is not a key.`,
      'Keys: a-z, 0-9, F1-F12, Enter, Tab, Escape, Backspace, Delete, Space, ArrowUp/Down/Left/Right, Home, End, PageUp, PageDown; with Control+, Alt+, Shift+, Meta+.',
    );
  });
  return keys.join('+');
}

/** One key or combination, or several with spaces between them: `Control+a Delete`. */
export function keysOf(input: string): string[] {
  const text = input.replace(/\s*\+\s+|\s+\+\s*(?=\S)/g, '+');
  return text.trim() === '' ? [keyOf(input)] : text.trim().split(/\s+/).map(keyOf);
}

/** `enter` and `ENTER` are `Enter`; names such as `pageDown` keep their inner capitals. */
function capitalised(name: string): string {
  if ([...name].length === 1 || NAMED.test(name)) return name;
  const found = [
    'Enter',
    'Tab',
    'Escape',
    'Backspace',
    'Delete',
    'Insert',
    'ArrowUp',
    'ArrowDown',
    'ArrowLeft',
    'ArrowRight',
    'Home',
    'End',
    'PageUp',
    'PageDown',
  ].find(known => known.toLowerCase() === name.toLowerCase());
  return found ?? (/^f\d+$/i.test(name) ? name.toUpperCase() : name);
}

export async function pressKey(
  tab: Tab,
  input: KeysInput & { key: string; repeat?: number; delay?: number },
  limits: Limits,
): Promise<KeysResult> {
  const keys = keysOf(input.key);
  const presses = Array.from({ length: input.repeat ?? 1 }, () => keys).flat();
  return keysInto(tab, input, limits, async () => {
    for (const [at, key] of presses.entries()) {
      if (at > 0 && input.delay) await pause(limits.signal, input.delay);
      await tab.race(limits, tab.page.keyboard.press(key));
    }
  });
}

export async function typeText(
  tab: Tab,
  input: KeysInput & { text: string; delay?: number },
  limits: Limits,
): Promise<KeysResult> {
  const focused = input.selector !== undefined || (await hasFocus(tab, limits));
  const done = await keysInto(tab, input, limits, async () => {
    for (const char of input.text) {
      await tab.race(limits, tab.page.keyboard.type(char));
      if (input.delay) await pause(limits.signal, input.delay);
    }
  });
  return { ...done, focused };
}

async function hasFocus(tab: Tab, limits: Limits): Promise<boolean> {
  const expression =
    'document.activeElement !== null && document.activeElement !== document.body && document.activeElement !== document.documentElement';
  const { result } = await tab.send(limits, tab.main, 'Runtime.evaluate', { expression, returnByValue: true });
  return result.value === true;
}

async function keysInto(tab: Tab, input: KeysInput, limits: Limits, send: () => Promise<void>): Promise<KeysResult> {
  const element = input.selector === undefined ? undefined : await resolve(tab, input.selector, input.frameId, limits);
  const { effects } = await act(tab, limits, async () => {
    if (element)
      await focusOn(element, limits, ', so keys would go elsewhere. Nothing was typed.', 'Give the field itself.');
    await send();
  });
  return { ...(element ? { element: element.label } : {}), ...effects };
}

export const focus = (tab: Tab, input: ElementTarget, limits: Limits): Promise<ActionResult> =>
  actOn(tab, input, limits, element =>
    focusOn(element, limits, '.', 'Only fields, links, buttons and elements with a tabindex do.'),
  );

async function focusOn(element: Element, limits: Limits, consequence: string, hint: string): Promise<void> {
  await waitUntilActionable(element, { enabled: true }, limits);
  if (await element.call(limits, 'focusOn')) return;
  throw new Failure('not_actionable', phrase`${element.label} does not take the focus${consequence}`, hint);
}
