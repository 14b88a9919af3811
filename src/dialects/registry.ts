// The registry of dialects: a new one is a folder beside this file and one line in DIALECTS. Options, listing, build and docs loop over it.
import { DEFAULTS as browsion } from './browsion/defaults.ts';
import { DEFAULTS as devtools } from './devtools/defaults.ts';
import { DEFAULTS as vision } from './vision/defaults.ts';

/** Defaults of options on a server that is started for the dialect; every config file goes before them. */
export interface DialectDefaults {
  readonly [option: string]: unknown;
  /** On other servers these four hold for the calls of the dialect. */
  readonly allowUrls?: readonly string[];
  readonly blockScripts?: readonly string[];
  readonly timeoutAction?: number;
  readonly timeoutNavigation?: number;
}

/** The code of a dialect is `definition.ts` in the folder of its name, loaded when a call needs it. */
interface DialectEntry {
  defaults?: DialectDefaults;
  /** `config-file.ts` in its folder reads the config file and the variables of the server that the dialect replaces. */
  hasConfigFile?: true;
}

/** In the order of --help. */
export const DIALECTS = {
  chrome: {},
  vision: { defaults: vision, hasConfigFile: true },
  devtools: { defaults: devtools },
  browsion: { defaults: browsion, hasConfigFile: true },
} as const satisfies Record<string, DialectEntry>;

export type DialectName = keyof typeof DIALECTS;

export const dialectNames = Object.keys(DIALECTS) as DialectName[];

/** The dialect whose tools are accepted from native callers too. */
export const OLD_NAMES: DialectName = 'chrome';

export const entryOf = (name: unknown): DialectEntry | undefined =>
  dialectNames.includes(name as DialectName) ? DIALECTS[name as DialectName] : undefined;

/** The default of an option in a dialect; undefined when it has none of its own. */
export const defaultIn = (dialect: unknown, option: string): unknown => entryOf(dialect)?.defaults?.[option];
