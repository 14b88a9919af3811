// The kinds of option value: how each is read from text, checked and named in --help.
import { resolve } from 'node:path';

/** Where the process runs; given to whatever depends on it, so that tests can choose. */
export interface Place {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  home: string;
  cwd: string;
}

export interface Kind<T> {
  /** How the value is shown in --help; absent for a switch, which takes none. */
  value?: string;
  /** Throws an Error that says what a good value looks like. */
  read(text: string, place: Place): T;
  /** Given several times, the values add up; in the environment they stand in one text. */
  repeat?: { split(text: string): string[] };
}

const YES = ['1', 'true', 'yes', 'on'];
const NO = ['0', 'false', 'no', 'off'];

export const toggle: Kind<boolean> = {
  read(text) {
    const word = text.toLowerCase();
    if (YES.includes(word)) return true;
    if (NO.includes(word)) return false;
    throw new Error('expected true or false');
  },
};

export const text: Kind<string> = { value: 'text', read: value => value };

/** A file or folder: `~` is the home folder, a relative path starts at the working folder. */
export const path: Kind<string> = {
  value: 'path',
  read: (value, place) => resolve(place.cwd, value.replace(/^~(?=$|[\\/])/, place.home)),
};

export function whole(value: string, least: number, most: number): Kind<number> {
  return {
    value,
    read(text) {
      const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
      if (number >= least && number <= most) return number;
      throw new Error(`expected a whole number from ${least} to ${most}`);
    },
  };
}

/** Milliseconds; the upper bound is the longest time a Node timer can wait. */
export const ms = whole('ms', 1, 2_147_483_647);

export function choice<const V extends string>(values: readonly V[]): Kind<V> {
  return {
    value: values.join('|'),
    read(text) {
      const found = values.find(value => value === text);
      if (found) return found;
      throw new Error(`expected one of ${values.join(', ')}`);
    },
  };
}

export const size: Kind<{ width: number; height: number }> = {
  value: 'WxH',
  read(text) {
    const [, width, height] = /^(\d{1,5})x(\d{1,5})$/i.exec(text) ?? [];
    if (Number(width) > 0 && Number(height) > 0) return { width: Number(width), height: Number(height) };
    throw new Error('expected a width and a height in pixels such as 1280x720');
  },
};

export function url(schemes: readonly string[], example: string): Kind<string> {
  return {
    value: 'url',
    read(text) {
      const scheme = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : '';
      if (schemes.includes(scheme)) return text;
      throw new Error(`expected a url that starts with ${schemes.join(', ')}, such as ${example}`);
    },
  };
}

export const locale: Kind<string> = {
  value: 'tag',
  read(text) {
    if (accepts(() => Intl.getCanonicalLocales(text))) return text;
    throw new Error('expected a language tag such as de-DE');
  },
};

export const timezone: Kind<string> = {
  value: 'zone',
  read(text) {
    if (accepts(() => new Intl.DateTimeFormat('en', { timeZone: text }))) return text;
    throw new Error('expected a time zone such as Europe/Berlin');
  },
};

export const words: Kind<string[]> = {
  value: 'a,b,…',
  read(text) {
    const list = text.split(',').map(word => word.trim().toLowerCase());
    if (list.every(word => /^[a-z][a-z0-9_-]*$/.test(word))) return list;
    throw new Error('expected names separated by commas');
  },
};

/** Command line switches of Chrome. In the environment, each new one starts at a space and two dashes. */
export const switches: Kind<string[]> = {
  value: 'switch',
  read(text) {
    if (/^--[a-z]/.test(text)) return [text];
    throw new Error('expected a Chrome switch that starts with two dashes, such as --mute-audio');
  },
  repeat: { split: text => text.trim().split(/\s+(?=--)/) },
};

function accepts(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}
