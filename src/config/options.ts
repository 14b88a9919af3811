// The one table of options. The Options type, flags, environment variables, --help and docs derive from it.
import { join } from 'node:path';
import {
  choice,
  type Kind,
  locale,
  ms,
  type Place,
  path,
  size,
  switches,
  text,
  timezone,
  toggle,
  url,
  whole,
  words,
} from './kinds.ts';
import { LEVELS } from './log.ts';

export const SECTIONS = ['Browser', 'Page', 'Folders', 'Limits', 'Server'] as const;

export interface Option<T = unknown> {
  section: (typeof SECTIONS)[number];
  kind: Kind<T>;
  help: string;
  /** The value when nothing is given; a function sees the options above it in the table. */
  default: T | ((place: Place, above: Readonly<Record<string, unknown>>) => T);
  /** What the docs print instead of a default that depends on the machine. */
  defaultText?: string;
  /** Options that make no sense together with this one. */
  without?: readonly string[];
}

type Row<T> = Pick<Option<T>, 'section' | 'help'> & Partial<Option<T>>;

/** An option with a default value. */
const set = <T>(kind: Kind<T>, value: Option<T>['default'], row: Row<T>): Option<T> => ({
  kind,
  default: value,
  ...row,
});
/** An option that may stay unset. */
const maybe = <T>(kind: Kind<T>, row: Row<T | undefined>): Option<T | undefined> => ({
  kind,
  default: undefined,
  ...row,
});
/** A switch that is off by default. */
const off = (row: Row<boolean>): Option<boolean> => set(toggle, false, row);

/** Adding an option is adding one row here: `maxChars` is `--max-chars` and `TABWRIGHT_MAX_CHARS`. */
export const OPTIONS = {
  headed: off({ section: 'Browser', help: 'Show the browser window.' }),
  executablePath: maybe(path, {
    section: 'Browser',
    help: 'The Chrome or Chromium to start, instead of the one found.',
  }),
  userDataDir: maybe(path, {
    section: 'Browser',
    help: 'Keep the browser profile in this folder.',
    without: ['cdpEndpoint'],
  }),
  cdpEndpoint: maybe(url(['http', 'https', 'ws', 'wss'], 'http://127.0.0.1:9222'), {
    section: 'Browser',
    help: 'Attach to a running browser; it is never closed.',
  }),
  proxy: maybe(url(['http', 'https', 'socks4', 'socks5'], 'http://127.0.0.1:3128'), {
    section: 'Browser',
    help: 'Send the browser through this proxy.',
  }),
  chromeArg: set<string[]>(switches, [], {
    section: 'Browser',
    help: 'One more switch for Chrome; may be given several times.',
  }),
  noSandbox: off({
    section: 'Browser',
    help: 'Start Chrome without its sandbox; implied for root.',
  }),
  viewport: set(size, { width: 1280, height: 720 }, { section: 'Page', help: 'Size of the page.' }),
  userAgent: maybe(text, { section: 'Page', help: 'User agent that pages see.' }),
  locale: maybe(locale, { section: 'Page', help: 'Language that pages see, such as de-DE.' }),
  timezone: maybe(timezone, { section: 'Page', help: 'Time zone that pages see, such as Europe/Berlin.' }),
  stateDir: set(path, stateFolder, {
    section: 'Folders',
    help: 'Where Tabwright keeps its journal and sessions.',
    defaultText: "`tabwright` in the user's state folder",
  }),
  outputDir: set(path, (_place, above) => join(String(above.stateDir), 'output'), {
    section: 'Folders',
    help: 'Where screenshots, downloads and long answers are saved.',
    defaultText: '`output` in the state folder',
  }),
  timeoutAction: set(ms, 5_000, { section: 'Limits', help: 'Time for an action such as a click.' }),
  timeoutNavigation: set(ms, 30_000, { section: 'Limits', help: 'Time for loading a page.' }),
  timeoutCall: set(ms, 120_000, { section: 'Limits', help: 'Most time for any call, whatever it asks for.' }),
  maxChars: set(whole('count', 1_000, 10_000_000), 25_000, {
    section: 'Limits',
    help: 'Longest answer, in characters.',
  }),
  tools: set(words, ['all'], { section: 'Server', help: 'Groups of tools to offer: all, core, or groups by name.' }),
  structured: off({
    section: 'Server',
    help: 'Also answer in structured form; some clients then hide the text from the model.',
  }),
  logLevel: set(choice(LEVELS), 'warn', {
    section: 'Server',
    help: 'How much is logged to stderr.',
  }),
} as const satisfies Record<string, Option>;

export type OptionKey = keyof typeof OPTIONS;

/** The settings of one process: every option with its value. */
export type Options = { readonly [K in OptionKey]: (typeof OPTIONS)[K] extends Option<infer T> ? T : never };

export const optionKeys = Object.keys(OPTIONS) as OptionKey[];

export const flagOf = (key: string): string => `--${key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;

export const envOf = (key: string): string => `TABWRIGHT_${flagOf(key).slice(2).replaceAll('-', '_').toUpperCase()}`;

function stateFolder({ env, platform, home }: Place): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'tabwright');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'tabwright');
  return join(env.XDG_STATE_HOME || join(home, '.local', 'state'), 'tabwright');
}
