// The kinds of option value: how each is read from text or from a config file, and named in --help and in errors.
import { delimiter, resolve } from 'node:path';
import type { Environment } from './environment.ts';

export interface OptionKind<T> {
  /** How the value is shown in --help; absent for a switch, which takes none. */
  value?: string;
  /** What a valid value looks like; errors print it after "expected". */
  expected: string;
  /** Undefined when the text is invalid. */
  read(text: string, environment: Environment): T | undefined;
  /** Turns a value of a config file that is not text into texts for `read`; undefined when it is invalid. */
  native?(value: unknown): string[] | undefined;
  /** Must not be shown, not even in a message about a mistake. */
  secret?: true;
  /** Given several times, the values add up; in the environment they stand in one text. */
  repeat?: { split(text: string): string[] };
}

/** A value as a person would type it. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  if (typeof value === 'object' && value !== null) return Object.values(value).join('x');
  return value === undefined ? '' : String(value);
}

/** Reads a value of a config file: text as on the command line, or a value of the format itself. Undefined when it is invalid. */
export function readNative<T>(kind: OptionKind<T>, value: unknown, environment: Environment): T | undefined {
  const texts = typeof value === 'string' ? (kind.repeat?.split(value) ?? [value]) : kind.native?.(value);
  const values = texts?.map(text => kind.read(text, environment));
  if (!values || values.includes(undefined)) return undefined;
  // Only kinds whose value is a list take one, or are given several times.
  return (Array.isArray(value) || kind.repeat ? values.flat() : values[0]) as T;
}

const listed = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.every(item => typeof item === 'string') ? value : undefined;

const YES = ['1', 'true', 'yes', 'on'];
const NO = ['0', 'false', 'no', 'off'];

export const toggle: OptionKind<boolean> = {
  expected: 'true or false',
  read(text) {
    const word = text.toLowerCase();
    if (YES.includes(word)) return true;
    return NO.includes(word) ? false : undefined;
  },
  native: value => (typeof value === 'boolean' ? [String(value)] : undefined),
};

export const text: OptionKind<string> = { value: 'text', expected: 'text', read: value => value || undefined };

/** A token: long enough not to be guessed. */
export const secretWord: OptionKind<string> = {
  value: 'word',
  secret: true,
  expected: 'one word of at least 16 characters',
  read: given => (/^[\x21-\x7e]{16,}$/.test(given) ? given : undefined),
};

/** A file or folder: `~` is the home folder, a relative path starts at the working folder. */
export const path: OptionKind<string> = {
  value: 'path',
  expected: 'a path',
  read: (value, environment) =>
    value && !value.includes('\0')
      ? resolve(environment.cwd, value.replace(/^~(?=$|[\\/])/, environment.home))
      : undefined,
};

/** Several of them: each behind a flag of its own, or in one text as in PATH. */
export const paths: OptionKind<string[]> = {
  value: 'folder',
  expected: 'a path',
  read(text, environment) {
    const one = path.read(text, environment);
    return one === undefined ? undefined : [one];
  },
  native: listed,
  repeat: { split: text => text.split(delimiter) },
};

export function whole(value: string, least: number, most: number): OptionKind<number> {
  return {
    value,
    expected: `a whole number from ${least} to ${most}`,
    read(text) {
      const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
      return number >= least && number <= most ? number : undefined;
    },
    native: value => (typeof value === 'number' ? [String(value)] : undefined),
  };
}

/** Milliseconds; the upper bound is the longest time a Node timer can wait. */
export const ms = whole('ms', 1, 2_147_483_647);

export function choice<const V extends string>(values: readonly V[]): OptionKind<V> {
  return {
    value: values.join('|'),
    expected: `one of ${values.join(', ')}`,
    read: text => values.find(value => value === text),
  };
}

export const size: OptionKind<{ width: number; height: number }> = {
  value: 'WxH',
  expected: 'a width and a height in pixels such as 1280x720',
  read(text) {
    const [, width, height] = /^(\d{1,5})x(\d{1,5})$/i.exec(text) ?? [];
    return Number(width) > 0 && Number(height) > 0 ? { width: Number(width), height: Number(height) } : undefined;
  },
  native(value) {
    const isSize = typeof value === 'object' && value !== null && Object.keys(value).sort().join() === 'height,width';
    if (!isSize) return undefined;
    const { width, height } = value as { width: unknown; height: unknown };
    return [`${width}x${height}`];
  },
};

export function url(schemes: readonly string[], example: string): OptionKind<string> {
  return {
    value: 'url',
    expected: `a url that starts with ${schemes.join(', ')}, such as ${example}`,
    read: text => (URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1)) ? text : undefined),
  };
}

/** An address of a remote browser. It may hold a token. */
export const remoteBrowsers: OptionKind<string[]> = {
  value: 'address',
  secret: true,
  expected: 'an address such as ws://10.0.0.5:9222/… or http://10.0.0.5:9222; variables that it names must be set',
  read(text, { env }) {
    const whole = fromEnvironment(text, env);
    return whole !== undefined && /^(?:\w+\+)?(?:https?|wss?):\/\/[^/\s]+/.test(whole) ? [whole] : undefined;
  },
  native: listed,
  repeat: { split: text => text.trim().split(/\s+/) },
};

/** Headers of HTTP, such as `Authorization: Bearer ${KEY}`. */
export const httpHeaders: OptionKind<string[]> = {
  value: 'header',
  secret: true,
  expected: 'a header such as "X-Key: value"; variables that it names must be set',
  read(text, { env }) {
    const whole = fromEnvironment(text, env);
    return whole !== undefined && /^[!#$%&'*+.^_`|~\w-]+:[\x20-\x7e]*$/.test(whole) ? [whole] : undefined;
  },
  native: listed,
  repeat: { split: text => text.split('\n') },
};

/** With the value of the variable for each `${NAME}`; undefined when one is not set. */
function fromEnvironment(text: string, env: Environment['env']): string | undefined {
  let isWhole = true;
  const whole = text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    isWhole &&= Boolean(env[name]);
    return env[name] ?? '';
  });
  return isWhole ? whole : undefined;
}

export const locale: OptionKind<string> = {
  value: 'tag',
  expected: 'a language tag such as de-DE',
  read: text => (accepts(() => Intl.getCanonicalLocales(text)) ? text : undefined),
};

export const timezone: OptionKind<string> = {
  value: 'zone',
  expected: 'a time zone such as Europe/Berlin',
  read: text => (accepts(() => new Intl.DateTimeFormat('en', { timeZone: text })) ? text : undefined),
};

export const words: OptionKind<string[]> = {
  value: 'a,b,…',
  expected: 'names separated by commas',
  read(text) {
    const list = text.split(',').map(word => word.trim().toLowerCase());
    return list.every(word => /^[a-z][a-z0-9_-]*$/.test(word)) ? list : undefined;
  },
  native: value => (listed(value)?.length ? listed(value) : undefined),
};

export const sessionNames: OptionKind<string[]> = {
  value: 'a,b,…',
  expected: 'names of sessions separated by commas, or *',
  read(text) {
    const list = text.split(',').map(name => name.trim());
    return list.every(name => /^(?:\*|(?:profile@)?[A-Za-z0-9_-][\w.-]*)$/.test(name)) ? list : undefined;
  },
  native: value => (listed(value)?.length ? listed(value) : undefined),
};

export const hosts: OptionKind<string[]> = {
  value: 'host,…',
  expected: 'host names separated by commas, without scheme and port',
  read(text) {
    const list = text.split(',').map(host => host.trim().toLowerCase());
    return list.every(host => /^(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?)$/.test(host)) ? list : undefined;
  },
  native: listed,
};

/** Patterns of urls: globs such as *.example.com or https://example.com/app/**, or a regular expression that starts with ^. */
export const patterns: OptionKind<string[]> = {
  value: 'pattern',
  expected: 'a pattern such as *.example.com, https://example.com/app/** or ^https://',
  read: text =>
    text.trim() === '' || /\s/.test(text) || (text.startsWith('^') && !isExpression(text)) ? undefined : [text],
  native: listed,
  repeat: { split: text => text.trim().split(/\s+/) },
};

export const expressions: OptionKind<string[]> = {
  value: 'regex',
  expected: 'a regular expression',
  read: text => (text !== '' && isExpression(text) ? [text] : undefined),
  native: listed,
  repeat: { split: text => text.trim().split(/\s+/) },
};

const isExpression = (text: string): boolean => accepts(() => new RegExp(text));

/** Command line switches of Chrome. In one text, each new one starts at a space and two dashes. */
export const switches: OptionKind<string[]> = {
  value: 'switch',
  expected: 'a Chrome switch that starts with two dashes, such as --mute-audio',
  read: text => (/^--[a-z]/.test(text) ? [text] : undefined),
  native: listed,
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
