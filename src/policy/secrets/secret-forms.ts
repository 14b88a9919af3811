// Finds the value of a secret in text: as it is, in part, and in the encodings of urls, JSON, HTML and base64.

/** Begin and end. */
export type Place = readonly [number, number];
export type FindPlaces = (text: string) => Place[];

/** A value of fewer characters is found only where it stands as a word of its own. */
const WORD_BELOW = 8;
/** Of a longer one, half of it is found too, but no fewer characters than that. */
const LEAST_PART = 8;
/** How many characters are looked for before the rest is compared: few, so that a search is quick however long the value is. */
const MOST_SOUGHT = 24;
/** The longest form of one character, in characters. */
const LONGEST_FORM = 60;

/** Whatever the case of its letters. */
export function finderOf(value: string): FindPlaces {
  const letters = [...value].map(formOf);
  if (letters.length < WORD_BELOW) {
    const base64 = signsOf(Buffer.from(value).toString('base64').replace(/=+$/, '')).join('');
    return byPattern(
      new RegExp(`(?<![\\p{L}\\p{N}])${letters.join('')}(?![\\p{L}\\p{N}])|(?<![\\w+/-])${base64}(?![\\w+/-])`, 'giu'),
    );
  }
  const forms = [new Form(letters, ''), ...base64Of(value).map(sure => new Form(signsOf(sure), '[\\w+/-]?=*'))];
  return text => forms.flatMap(form => form.places(text));
}

/** Codes are found as whole numbers. */
export const finderOfCode = (code: string): FindPlaces => byPattern(new RegExp(`(?<!\\d)${code}(?!\\d)`, 'gu'));

const byPattern =
  (pattern: RegExp): FindPlaces =>
  text =>
    [...text.matchAll(pattern)].map(({ index, 0: { length } }) => [index, index + length]);

/** A text as patterns, one for each character of it. */
class Form {
  /** What is looked for: the characters before the middle, or those behind it. */
  readonly #sought: RegExp;
  readonly #first: Place;
  readonly #second: Place;
  readonly #after: readonly RegExp[];
  readonly #before: readonly RegExp[];
  readonly #beside: RegExp;

  constructor(letters: readonly string[], beside: string) {
    const { length } = letters;
    const part = Math.max(LEAST_PART, Math.ceil(length / 2));
    this.#first = [Math.max(0, part - MOST_SOUGHT), part];
    this.#second = [length - part, Math.min(length, length - part + MOST_SOUGHT)];
    const [one, other] = [this.#first, this.#second].map(place => letters.slice(...place).join(''));
    this.#sought = new RegExp(`(${one})|${other}`, 'giu');
    const patterns = new Map(
      [...new Set(letters)].map(form => [
        form,
        { after: new RegExp(form, 'yiu'), before: new RegExp(`(?:${form})$`, 'iu') },
      ]),
    );
    this.#after = letters.map(form => patterns.get(form)?.after as RegExp);
    this.#before = letters.map(form => patterns.get(form)?.before as RegExp);
    this.#beside = new RegExp(`^${beside}`, 'u');
  }

  places(text: string): Place[] {
    const found: Place[] = [];
    for (const { index, 0: sought, 1: first } of text.matchAll(this.#sought)) {
      // The second half of a value whose first was found.
      if (index < (found.at(-1)?.[1] ?? 0)) continue;
      const [from, to] = first === undefined ? this.#second : this.#first;
      found.push([this.#backFrom(text, index, from), this.#onFrom(text, index + sought.length, to)]);
    }
    return found;
  }

  #backFrom(text: string, begin: number, letter: number): number {
    let at = begin;
    for (let next = letter - 1; next >= 0; next--) {
      const found = this.#before[next]?.exec(text.slice(Math.max(0, at - LONGEST_FORM), at));
      if (!found) return at;
      at -= found[0].length;
    }
    return at - (this.#beside.exec(text.slice(at - 1, at))?.[0].length ?? 0);
  }

  #onFrom(text: string, end: number, letter: number): number {
    let at = end;
    for (const pattern of this.#after.slice(letter)) {
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (!found) return at;
      at += found[0].length;
    }
    return at + (this.#beside.exec(text.slice(at, at + 3))?.[0].length ?? 0);
  }
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const NAMED: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };
const ESCAPED: Readonly<Record<string, string>> = { '\n': 'n', '\t': 't', '\r': 'r' };

/** One character: plain, %22, \", \u0022, &quot;, &#34;, also when it was encoded more than once. */
function formOf(letter: string): string {
  if (/^[a-z0-9]$/i.test(letter)) return letter;
  const code = letter.codePointAt(0) ?? 0;
  const bytes = [...Buffer.from(letter)].map(byte => `%(?:25){0,4}${byte.toString(16).padStart(2, '0')}`).join('');
  const units = Array.from({ length: letter.length }, (_, at) => letter.charCodeAt(at));
  const escapes = units.map(unit => `\\\\{1,8}u${unit.toString(16).padStart(4, '0')}`).join('');
  const named = NAMED[letter] === undefined ? [] : [`&(?:amp;){0,4}${NAMED[letter]};`];
  const entity = `&(?:amp;){0,4}#(?:0{0,4}${code}|x0{0,4}${code.toString(16)});`;
  const short = ESCAPED[letter] === undefined ? [] : [`\\\\{1,8}${ESCAPED[letter]}`];
  const space = ['\\s{1,8}', '\\+', '&nbsp;'];
  const plain = /\s/.test(letter) ? space : [letter === '\\' ? '\\\\{1,8}' : `\\\\{0,8}${literal(letter)}`];
  return `(?:${[...named, entity, bytes, escapes, ...short, ...plain].join('|')})`;
}

/** Inside of other bytes, such as `user:password`, a value has one of three forms; by itself it has the first. */
function base64Of(value: string): string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].map(shift => {
    const all = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    // Without the signs that also hold bits of what stands before or behind.
    return all.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  });
}

/** In urls two signs of base64 are others. */
const signsOf = (base64: string): string[] =>
  [...base64].map(sign => (sign === '+' ? '[+-]' : sign === '/' ? '[/_]' : sign));
