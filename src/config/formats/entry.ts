// The result of every format's parser: keys with their values and lines.

export interface FileEntry {
  key: string;
  value: unknown;
  /**
   * The line of the key, or of a part of its value, counted from 1; undefined when it cannot be told.
   * Asked for only when something is wrong.
   */
  line(part?: ValuePath): number | undefined;
}

/** The path to a part of a value: `[2, 'id']` is the id of the third item. */
export type ValuePath = readonly (string | number)[];

/** The path itself, then every shorter one. */
export function* prefixes(part: ValuePath): Generator<ValuePath> {
  for (let length = part.length; length > 0; length--) yield part.slice(0, length);
}

export type Parse = (text: string) => FileEntry[];

/** Text that its format does not allow. */
export class FormatError extends Error {
  constructor(
    message: string,
    readonly line?: number | undefined,
  ) {
    super(message);
  }
}

export const NO_KEYS = 'expected keys with values';
