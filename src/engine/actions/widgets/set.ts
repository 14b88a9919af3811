// Gives a value to what is no field of its own: sliders, boxes of a code, parts of a date, editors with an interface of their own.
import { Failure } from '../../../errors.ts';
import { phrase, toolName } from '../../../text.ts';
import type { Element } from '../../elements/element.ts';
import type { PartSeen } from '../../inpage/parts.ts';
import { press, typeCharacters } from '../../input/press-keys.ts';
import { waitUntilActionable } from '../actionability.ts';

/** Keys sent at once; then the value is read. */
const MOST_KEYS = 500;
const MOST_TRIES = 4;

async function pressIn(element: Element, key: string, times: number): Promise<void> {
  await press(element.tab, element.limits, key, times);
  await element.call('offers', 1);
}

/** With the arrow keys: the first one tells the size of a step. Gives the value that it has then. */
export async function setSlider(element: Element, value: string): Promise<string> {
  const wanted = Number(value);
  const { min, max, now } = await element.call('sliderOf');
  if (value.trim() === '' || Number.isNaN(wanted) || wanted < min || wanted > max)
    throw new Failure(
      'bad_input',
      phrase`${element.label} takes a number from ${min} to ${max}.`,
      'Give one of these.',
    );
  await waitUntilActionable(element, { enabled: true });
  await element.call('focusOn');
  let at = Number(now);
  let step = 0;
  for (let tries = 0; at !== wanted && tries < MOST_TRIES; tries++) {
    const times = step === 0 ? 1 : Math.round(Math.abs(wanted - at) / step);
    if (times === 0) break;
    await pressIn(element, wanted > at ? 'ArrowUp' : 'ArrowDown', Math.min(times, MOST_KEYS));
    const next = Number((await element.call('sliderOf')).now);
    if (next === at) break;
    step = Math.abs(next - at) / times;
    at = next;
  }
  if (at === Number(now) && at !== wanted)
    throw new Failure(
      'not_taken',
      phrase`${element.label} did not move with the arrow keys: it still is at ${now}.`,
      phrase`By hand: ${toolName('drag')} it, or ${toolName('click')} the place on its track.`,
    );
  return String(at);
}

const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})/;
const TIME = /(\d{1,2}):(\d{2})(?::(\d{2}))?\s*$/;

/** What each part of a date or a time is to hold; undefined when the value is none. */
function dateParts(value: string): Record<string, string> | undefined {
  const [, year, month, day] = DATE.exec(value) ?? [];
  const [, hour, minute, second] = TIME.exec(value) ?? [];
  if (year === undefined && hour === undefined) return undefined;
  const period = Number(hour) < 12 ? 'AM' : 'PM';
  const all = { year, month, day, hour, minute, second: second ?? '00', period };
  return Object.fromEntries(Object.entries(all).flatMap(([key, part]) => (part === undefined ? [] : [[key, part]])));
}

/** Twelve hours, where there is a part for the half of the day. */
function textFor({ is }: PartSeen, parts: Record<string, string>, hasPeriod: boolean): string | undefined {
  if (/period|am.?pm/.test(is)) return parts.period;
  if (is === 'hour' && hasPeriod && parts.hour !== undefined) return String(Number(parts.hour) % 12 || 12);
  return parts[is];
}

/** Fills each part: a character or two per box, a number per spin button. Gives what they hold together. */
export async function fillParts(element: Element, value: string): Promise<{ wanted: string; holds: string }> {
  const { tab, limits } = element;
  await waitUntilActionable(element, { enabled: true });
  const seen = await element.call('partsSeen');
  const isCode = seen.every(({ size }) => size > 0);
  const texts = isCode ? codeTexts(element, seen, value) : spinTexts(element, seen, value);
  for (const [index, text] of texts.entries()) {
    const part = await element.find('partAt', phrase`part ${index + 1} of ${element.label}`, index);
    if (!part) throw element.stale();
    // A code may be a secret: it goes into this very document, not to whatever has the focus.
    if (isCode) await part.call('insertOver', { text, all: true });
    else {
      await part.call('focusAndSelect', true);
      await typeCharacters(tab, limits, text);
    }
  }
  await element.call('offers', 1);
  const holds = (await element.call('partsSeen')).map(part => part.value);
  if (isCode) return { wanted: texts.join(''), holds: holds.join('') };
  const isTaken = holds.every((held, at) => Number.isNaN(Number(texts[at])) || Number(held) === Number(texts[at]));
  return { wanted: value, holds: isTaken ? value : holds.join(' ') };
}

function codeTexts(element: Element, seen: PartSeen[], value: string): string[] {
  const size = seen[0]!.size;
  const chars = value.length === seen.length * size ? value : value.replace(/[\s-]/g, '');
  if (chars.length !== seen.length * size)
    throw new Failure(
      'bad_input',
      phrase`${element.label} has ${seen.length} boxes: it takes ${seen.length * size} characters.`,
      'Give as many.',
    );
  return seen.map((_, at) => chars.slice(at * size, (at + 1) * size));
}

function spinTexts(element: Element, seen: PartSeen[], value: string): string[] {
  const parts = dateParts(value);
  const hasPeriod = seen.some(({ is }) => /period|am.?pm/.test(is));
  const texts = seen.map(part => parts && textFor(part, parts, hasPeriod));
  const missing = seen.filter((_, at) => texts[at] === undefined);
  if (missing.length === 0) return texts as string[];
  throw new Failure(
    'bad_input',
    phrase`${element.label} has parts of its own: ${seen.map(({ is }) => is).join(', ')}.`,
    'Give a date as YYYY-MM-DD, a time as HH:MM, or both with a blank between them.',
  );
}

/** In the page's own world, where the editor's interface is; undefined when the page does not give it away. */
export async function setEditor(element: Element, text: string, all: boolean): Promise<string | undefined> {
  const { result } = await element.send('Runtime.callFunctionOn', {
    objectId: await element.objectIn(undefined),
    functionDeclaration: `function(text, all) {
      const editors = globalThis.monaco?.editor?.getEditors?.() ?? [];
      const editor = editors.find(one => one.getDomNode()?.contains(this));
      const model = editor?.getModel();
      if (!model) return null;
      const whole = model.getFullModelRange();
      const range = all ? whole : whole.collapseToEnd();
      editor.focus();
      editor.executeEdits('fill', [{ range, text }]);
      return editor.getValue({ lineEnding: '\\n', preserveBOM: false });
    }`,
    arguments: [{ value: text }, { value: all }],
    returnByValue: true,
  });
  return typeof result.value === 'string' ? result.value : undefined;
}
