// Profile: what a browser of its own is started with. Its form in the file, and what a caller may set.
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { locale, timezone as zone } from '../../config/kinds.ts';
import { Failure } from '../../errors.ts';
import { checkSwitches } from '../../policy/switches.ts';

const text = z.string().max(4_096);
/** Unset in some files as '' or null. */
const maybe = <S extends z.ZodType>(schema: S) =>
  z.preprocess(value => (value === '' || value === null ? undefined : value), schema.optional());

/** An id is the name of a folder too, so only letters that every file system takes. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const LANG = 'en-US';

const FIELDS = {
  id: z.string().regex(ID),
  name: text,
  description: text.default(''),
  user_data_dir: text.min(1),
  proxy_server: maybe(text),
  lang: maybe(text).transform(lang => lang ?? LANG),
  timezone: maybe(text),
  headless: maybe(z.boolean()),
  fingerprint: maybe(text),
  color: maybe(text),
  tags: z.array(text).default([]),
  custom_args: z.array(text).default([]),
};

export type Profile = z.output<z.ZodObject<typeof FIELDS>>;

/** A profile in the file; fields of other programs stay in it. */
export const PROFILE_SCHEMA = z.looseObject(FIELDS);

/** The profile without the fields of other programs. */
export const knownFields = (profile: Profile): Profile =>
  Object.fromEntries(
    Object.keys(FIELDS).flatMap(key => (key in profile ? [[key, Object(profile)[key]]] : [])),
  ) as Profile;

/** What a caller sets: a field that is left out stays as it is, '' unsets an optional one. */
export type ProfileDraft = { [K in keyof Profile]?: Profile[K] | undefined };

export const isId = (given: string): boolean => ID.test(given);

interface Check {
  holds(value: string): boolean;
  expected: string;
}

const line = (most: number): Check => ({
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it must not hold.
  holds: value => value.length <= most && !/[\0-\x1f\x7f]/.test(value),
  expected: `at most ${most} characters in one line`,
});

const CHECKS: Readonly<Record<string, Check>> = {
  id: { holds: isId, expected: '1 to 64 letters, digits, dots, dashes or underscores' },
  name: { holds: value => value.trim() !== '' && line(200).holds(value), expected: `a name of ${line(200).expected}` },
  description: { holds: value => value.length <= 4_000, expected: 'at most 4000 characters' },
  user_data_dir: {
    holds: value => isAbsolute(value) || /^~[\\/]/.test(value),
    expected: 'an absolute path, or one that starts with ~/',
  },
  lang: { holds: value => locale.read(value, ENVIRONMENT) !== undefined, expected: locale.expected },
  // TZ would take an offset the other way round.
  timezone: {
    holds: value => /^[A-Za-z]/.test(value) && zone.read(value, ENVIRONMENT) !== undefined,
    expected: zone.expected,
  },
  proxy_server: {
    holds: isProxy,
    expected:
      'a proxy such as http://host:3128 or socks5://host:1080, without user and password, which Chrome does not take',
  },
  fingerprint: { holds: value => /^[\w.-]{1,100}$/.test(value), expected: 'a word' },
  color: line(50),
};

/** Languages and time zones do not depend on the environment. */
const ENVIRONMENT = { env: {}, platform: process.platform, home: '', cwd: '' };

const LISTS = { tags: { most: 50, check: line(100) }, custom_args: { most: 50, check: line(1_000) } } as const;

function isProxy(value: string): boolean {
  const url = /^[a-z][a-z0-9+.-]*:\/\//.test(value) ? value : `http://${value}`;
  if (!URL.canParse(url) || /[\s;,=]/.test(value)) return false;
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(url);
  const isPlain = username + password + search + hash === '' && /^\/?$/.test(pathname);
  return /^(?:https?|socks[45]?):$/.test(protocol) && hostname !== '' && isPlain;
}

/** Throws when a caller may not, or cannot, set that. Fields that are '' have been unset before. */
export function checkDraft(draft: ProfileDraft): void {
  for (const [key, { holds, expected }] of Object.entries(CHECKS)) {
    const value: unknown = Object(draft)[key];
    if (typeof value === 'string' && !holds(value)) throw wrong(key, value, expected);
  }
  for (const key of ['tags', 'custom_args'] as const) {
    const { most, check } = LISTS[key];
    const values = draft[key] ?? [];
    if (values.length > most) throw wrong(key, `${values.length} of them`, `at most ${most}`);
    for (const value of values) if (!check.holds(value)) throw wrong(key, value, check.expected);
  }
  checkSwitches(draft.custom_args ?? []);
}

const wrong = (key: string, value: string, expected: string): Failure =>
  new Failure('bad_input', `${key} ${JSON.stringify(value.slice(0, 100))}: expected ${expected}.`);

const UNSET = ['proxy_server', 'timezone', 'fingerprint', 'color'] as const;

/** The profile as the draft changes it. */
export function applyDraft<P extends object>(before: P, draft: ProfileDraft): P & Profile {
  const given = Object.entries(draft).filter(([, value]) => value !== undefined);
  const after = { ...before, ...Object.fromEntries(given) } as P & Profile;
  for (const key of UNSET) if (after[key] === '') delete after[key];
  if (after.lang === '') after.lang = LANG;
  return after;
}

/** A new profile with the defaults of its fields. */
export const newProfile = (id: string): Omit<Profile, 'name' | 'user_data_dir'> => ({
  id,
  description: '',
  lang: LANG,
  tags: [],
  custom_args: [],
});
