// What every format gives: keys with their values and lines.

export interface Entry {
  key: string;
  value: unknown;
  /**
   * The line of the key, or of a part of its value, counted from 1; undefined when it cannot be told.
   * Asked for only when something is wrong.
   */
  line(part?: Part): number | undefined;
}

/** The way to a part of a value: `[2, 'id']` is the id of the third item. */
export type Part = readonly (string | number)[];

/** The part, or the nearest around it that was found; the last is the value as a whole. */
export function* around(part: Part): Generator<Part> {
  for (let length = part.length; length > 0; length--) yield part.slice(0, length);
}

export type Parse = (text: string) => Entry[];

/** Text that its format does not allow. */
export class Broken extends Error {
  constructor(
    message: string,
    readonly line?: number | undefined,
  ) {
    super(message);
  }
}

export const NO_KEYS = 'expected keys with values';
