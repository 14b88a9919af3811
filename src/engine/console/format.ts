// Console messages as short text: what a page logged or threw, from what Chrome sends with the message, never by asking the page.
import type { Protocol } from 'devtools-protocol';
import { ellipsis } from '../../ellipsis.ts';
import { asWord } from '../../policy/foreign-text.ts';

type Value = Protocol.Runtime.RemoteObject;
type Property = Protocol.Runtime.PropertyPreview;
type Preview = Protocol.Runtime.ObjectPreview;

/** Longest text of one message, and most lines of a stack. */
export const LONGEST = 4_000;
const STACK_LINES = 10;
const LONGEST_URL = 150;

/** The arguments of a call of the console, in a row. */
export function argumentsText(args: readonly Value[]): string {
  const rest = [...args];
  const parts: string[] = [];
  if (typeof rest[0]?.value === 'string' && rest[0].value.includes('%')) parts.push(formatted(rest));
  for (let size = 0; rest.length > 0 && size < LONGEST; size += parts.at(-1)?.length ?? 0)
    parts.push(textOf(rest.shift() as Value));
  return ellipsis(parts.join(' '), LONGEST);
}

/** Puts values into a text with %s, %d, %i, %f, %o, %O and %c; removes the values that it used. */
function formatted(args: Value[]): string {
  const pattern = String(args.shift()?.value);
  return pattern.replace(/%([sdifoOc%])/g, (mark, kind: string) => {
    if (kind === '%') return '%';
    const value = args.shift();
    if (!value) return mark;
    return kind === 'c' ? '' : textOf(value);
  });
}

function textOf(value: Value): string {
  if (value.type === 'string') return String(value.value);
  if (value.subtype === 'error') return withoutLongStack(value.description ?? '');
  if (value.preview && value.subtype !== 'node' && value.subtype !== 'date' && value.subtype !== 'regexp')
    return previewText(value.preview, value.className ?? '');
  return ellipsis(value.unserializableValue ?? value.description ?? String(value.value), LONGEST);
}

function previewText({ subtype, properties, entries, overflow }: Preview, className: string): string {
  const more = overflow ? ['…'] : [];
  if (subtype === 'array' || subtype === 'typedarray')
    return `[${[...properties.map(propertyText), ...more].join(', ')}]`;
  const pairs = entries
    ? entries.map(({ key, value }) => `${key ? `${key.description ?? ''} => ` : ''}${value.description ?? ''}`)
    : properties.map(property => `${property.name}: ${propertyText(property)}`);
  const name = className === 'Object' ? '' : `${className} `;
  return `${name}{${[...pairs, ...more].join(', ')}}`;
}

const propertyText = ({ type, subtype, value = '', valuePreview }: Property): string => {
  if (valuePreview) return previewText(valuePreview, valuePreview.description ?? '');
  if (type === 'string') return JSON.stringify(value);
  if (type === 'function') return 'function';
  return type === 'object' && subtype === undefined ? '{…}' : value;
};

const STACK = /^\s+at /;

function withoutLongStack(description: string): string {
  const lines = description.split('\n');
  const frames = lines.filter(line => STACK.test(line)).slice(0, STACK_LINES);
  return [...lines.filter(line => !STACK.test(line)), ...frames].join('\n');
}

/** What was thrown: its text, and the lines of its stack. */
export function exceptionText(details: Protocol.Runtime.ExceptionDetails): { text: string; stack: string } {
  const { exception, text, stackTrace } = details;
  const whole = exception === undefined ? text : textOf(exception);
  const lines = whole.split('\n');
  const own = lines.filter(line => STACK.test(line));
  const frames = own.length > 0 ? own : (stackTrace?.callFrames.slice(0, STACK_LINES).map(frameText) ?? []);
  const head = text.includes('in promise') ? 'Uncaught (in promise) ' : '';
  return {
    text: ellipsis(head + lines.filter(line => !STACK.test(line)).join('\n'), LONGEST),
    stack: ellipsis(frames.join('\n'), LONGEST),
  };
}

const frameText = ({ functionName, url, lineNumber, columnNumber }: Protocol.Runtime.CallFrame): string =>
  `    at ${functionName ? asWord(functionName) : '<anonymous>'} (${placeText(url, lineNumber)}:${columnNumber + 1})`;

/** `url:line`; Chrome counts lines from 0. */
export const placeText = (url: string | undefined, line: number | undefined): string =>
  url ? `${ellipsis(url, LONGEST_URL)}${line === undefined ? '' : `:${line + 1}`}` : '';

const frameOf = (stack: Protocol.Runtime.StackTrace | undefined): Protocol.Runtime.CallFrame | undefined =>
  stack?.callFrames.find(({ url }) => url !== '');

export const calledAt = (stack: Protocol.Runtime.StackTrace | undefined): string => {
  const frame = frameOf(stack);
  return frame ? placeText(frame.url, frame.lineNumber) : '';
};

/** Chrome counts columns from 0, too. */
export const columnAt = (stack: Protocol.Runtime.StackTrace | undefined): { column?: number } => {
  const frame = frameOf(stack);
  return frame ? { column: frame.columnNumber + 1 } : {};
};
