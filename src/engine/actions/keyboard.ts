// Keyboard: types text and presses keys with real key events, into an element or into what has the focus.
import { Failure } from '../../errors.ts';
import { type Handle, splitHandles } from '../../policy/secrets/handles.ts';
import { advice, argumentName, type Phrase, phrase, toolName } from '../../text.ts';
import { Element } from '../elements/element.ts';
import type { ElementTarget } from '../elements/parse-target.ts';
import { keyNamed } from '../input/keys.ts';
import { press, typeCharacters } from '../input/press-keys.ts';
import { type Limits, pause, remaining, seconds } from '../limits.ts';
import { partsOf } from '../secrets.ts';
import type { Tab } from '../tab/tab.ts';
import { type ActionResult, actOn, actOnElement, resolveNamed, waitUntilActionable } from './actionability.ts';
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

/** Keys that are known in any case, with other spellings that people and models use. */
const SPELLINGS: Record<string, string[]> = {
  Enter: ['return'],
  Tab: [],
  Escape: ['esc'],
  Backspace: [],
  Delete: ['del'],
  Insert: ['ins'],
  Space: [' '],
  ArrowUp: ['up'],
  ArrowDown: ['down'],
  ArrowLeft: ['left'],
  ArrowRight: ['right'],
  Home: [],
  End: [],
  PageUp: ['pgup'],
  PageDown: ['pgdn'],
  Control: ['ctrl'],
  Alt: ['option'],
  Shift: [],
  Meta: ['cmd', 'command', 'win'],
};

const BY_SPELLING = new Map(
  Object.entries(SPELLINGS).flatMap(([key, others]) => [key.toLowerCase(), ...others].map(name => [name, key])),
);

/** `Control+Shift+p` with the names of the key table; fails with the known names. */
function keyOf(input: string): string {
  const parts = input === '+' ? ['+'] : input.replace(/\+\+$/, '+Plus').split('+');
  const keys = parts.map(part => {
    const name = part.length === 1 ? part : part.trim();
    const functionKey = /^f\d+$/i.test(name) ? name.toUpperCase() : name;
    const key = name === 'Plus' ? '+' : (BY_SPELLING.get(name.toLowerCase()) ?? functionKey);
    if (keyNamed(key) || /^\P{C}$/u.test(key)) return key;
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
      await press(tab, limits, key);
    }
  });
}

export async function typeText(
  tab: Tab,
  input: KeysInput & { text: string; delay?: number },
  limits: Limits,
): Promise<KeysResult> {
  checkTime([...input.text].length, input.delay ?? 0, limits);
  const focused = input.selector !== undefined || (await tab.race(limits, tab.main.focused())) !== undefined;
  const done = await keysInto(tab, input, limits, async () => {
    for (const part of splitHandles(input.text))
      if (typeof part === 'string') await typeCharacters(tab, limits, part, input.delay);
      else await insertSecret(tab, part, limits);
  });
  return { ...done, focused };
}

/** The least that a key takes, in ms. */
const KEY_MS = 1;

/** What cannot be typed to its end is not begun. */
function checkTime(keys: number, delay: number, limits: Limits): void {
  const needed = keys * (delay + KEY_MS);
  const time = remaining(limits);
  if (needed <= time) return;
  const pace = delay > 0 ? `, ${delay} ms after each,` : '';
  throw new Failure(
    'bad_input',
    `To type ${keys} characters${pace} takes ${seconds(needed)}; this call has ${seconds(time)}. Nothing was typed.`,
    phrase`Use ${toolName('fill')}, which sets the text at once${delay > 0 ? advice(phrase`, or give a smaller ${argumentName('delay')}`) : ''}.`,
  );
}

/**
 * Into what has the focus, without keys, which any frame can draw to itself. A secret at once: a page that repeats its
 * fields at every key would show all but the last letter. A code digit by digit: it often has a field for each.
 */
async function insertSecret(tab: Tab, handle: Handle, limits: Limits): Promise<void> {
  const element = await focusedElement(tab, limits);
  if (!element)
    throw new Failure('not_actionable', 'No field has the focus, so the secret was not typed.', 'Name the field.');
  const parts = await partsOf(`{{${handle.kind}:${handle.name}}}`, () => element.call('originOf'), limits);
  for (const { text, kind } of parts)
    if (!(await element.call('insertText', { text, each: kind === 'totp' })))
      throw new Failure('not_actionable', 'What has the focus takes no text.', 'Name the field.');
}

/** The element that has the focus, in whichever frame. */
async function focusedElement(tab: Tab, limits: Limits): Promise<Element | undefined> {
  let { main: cdp } = tab;
  for (let frame = cdp.root; ; ) {
    const [id] = (await tab.race(limits, cdp.focused(frame))) ?? [];
    if (id === undefined) return undefined;
    const { node } = await tab.send(limits, cdp, 'DOM.describeNode', { backendNodeId: id });
    if (node.frameId === undefined) return new Element(tab, limits, { cdp, id, frame });
    frame = node.frameId;
    cdp = tab.frames.sessions().find(child => child.cdp.root === frame)?.cdp ?? cdp;
  }
}

async function keysInto(tab: Tab, input: KeysInput, limits: Limits, send: () => Promise<void>): Promise<KeysResult> {
  const { selector, frameId } = input;
  const element = selector === undefined ? undefined : await resolveNamed(tab, { selector, frameId }, limits);
  if (!element) return (await act(tab, limits, send)).effects;
  return actOnElement(element, async () => {
    await focusOn(element, ', so keys would go elsewhere. Nothing was typed.', 'Give the field itself.');
    await send();
  });
}

export const focus = (tab: Tab, input: ElementTarget, limits: Limits): Promise<ActionResult> =>
  actOn(tab, input, limits, element =>
    focusOn(element, '.', 'Only fields, links, buttons and elements with a tabindex do.'),
  );

async function focusOn(element: Element, consequence: string, hint: string): Promise<void> {
  await waitUntilActionable(element, { enabled: true });
  if (await element.call('focusOn')) return;
  throw new Failure('not_actionable', phrase`${element.label} does not take the focus${consequence}`, hint);
}
