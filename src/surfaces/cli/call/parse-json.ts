// JSON that a person typed: what is wrong with it, and where.
import { Failure } from '../../../errors.ts';

/** How much of the text before the fault is shown. */
const NEAR = 20;

/** The arguments of a call as one object. */
export function readObject(text: string, hint?: string): Record<string, unknown> {
  const value = parseJson(text, 'The JSON', hint);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Failure('bad_input', 'The arguments must be a JSON object.', `Write '{"argument": value, …}'.`);
}

export function parseJson(text: string, what: string, hint?: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Failure('bad_input', `${what} is broken: ${describeFault(text)}.`, hint, { cause });
  }
}

function describeFault(text: string): string {
  if (mayGoOn(text)) return 'it ends too early';
  const position = faultIn(text);
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  const column = position - before.lastIndexOf('\n');
  const where = line > 1 ? `line ${line}, column ${column}` : `column ${column}`;
  const near = before.slice(-NEAR).split('\n').at(-1)?.trim();
  const found = JSON.stringify(String.fromCodePoint(text.codePointAt(position) ?? 0));
  return `unexpected ${found} at ${where}${near && `, after ${near}`}`;
}

/** Where the text stops being JSON. The engine names the place only in some of its messages. */
function faultIn(text: string): number {
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (mayGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

/** True for the beginning of some JSON: what is wrong with it, if anything, is its end. */
function mayGoOn(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    return position === undefined ? /end of JSON/.test(String(error)) : Number(position) >= text.length;
  }
}
