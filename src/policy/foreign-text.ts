// Text that others wrote (pages, servers, files) as answers show it: in quotes on one line, and without characters that cannot be seen.
import { ellipsis } from '../ellipsis.ts';

/** In quotes and on one line, so that it cannot look like a further line or a further sentence of an answer. */
export const quoted = (text: string, most = Number.POSITIVE_INFINITY): string => JSON.stringify(ellipsis(text, most));

/** As it is when it cannot be taken for anything else of its line; else in quotes. */
export const onLine = (text: string): string =>
  /^"|[\n\r\u2028\u2029]| (?:\(\S*\)|×\d+)$/.test(text) ? quoted(text) : text;

/** A name of one word as it is, others in quotes. */
export const asWord = (name: string): string => (/^[^\s"]+$/.test(name) ? name : quoted(name));

/** Text without any of these is shown as it is: quick, for answers are long. */
const SUSPICIOUS =
  /[^\t\n -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u061b\u061d-\u180a\u1810-\u1fff\u2010-\u2027\u202f-\u205f\u2070-\udb3f\udb41-\ufdff\ufe10-\ufefe\uff00-\ufff8\ufffc-\uffff]/;

/** The flags of England, Scotland and Wales: the only emoji that are written with tag characters. */
const FLAGS = ['eng', 'sct', 'wls']
  .map(name => [...`gb${name}\x7f`].map(c => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join(''))
  .join('|');

const HIDDEN = new RegExp(
  [
    `\\u{1f3f4}(?:${FLAGS})`,
    '[\\0-\\x08\\v\\f\\x0e-\\x1f\\x7f-\\x9f]|\\r(?!\\n)',
    // Separators of lines, embeddings and overrides of the direction of writing, annotations.
    '[\\u2028-\\u202e\\u2066-\\u206f\\ufff9-\\ufffb]',
    // Tags, and selectors of variants where there are none.
    '[\\u{e0000}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}\\ufe03-\\ufe0d]|(?<!\\p{Script=Han})[\\u{e0100}-\\u{e01ef}]',
    '[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]{2,}',
    // One or two stand in ordinary text: in emoji, between letters, as marks of the direction.
    '[\\u00ad\\u034f\\u061c\\u180b-\\u180f\\u200b-\\u200f\\u2060-\\u2064\\ufe00-\\ufe0f\\ufeff]{4,}',
    '\\p{Surrogate}',
  ].join('|'),
  'gu',
);

/** Halves of a pair: no text in UTF-8 has any, so that it could not even be sent. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Characters that cannot be seen become escapes of JSON, so that JSON still means the same. */
export const visible = (text: string): string =>
  SUSPICIOUS.test(text) || LONE_SURROGATE.test(text)
    ? text.replace(HIDDEN, found => (found.startsWith('🏴') ? found : escaped(found)))
    : text;

const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
