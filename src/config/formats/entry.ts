// What every format gives: keys with their values and lines.

export interface Entry {
  key: string;
  value: unknown;
  /** The line of the key, counted from 1; undefined when it cannot be told. Asked for only when something is wrong. */
  line(): number | undefined;
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
