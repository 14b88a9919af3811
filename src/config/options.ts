// The one table of options. The Options type, flags, environment variables, --help and docs derive from it.
import { join } from 'node:path';
import { type Environment, stateFolder } from './environment.ts';
import {
  choice,
  expressions,
  hosts,
  locale,
  ms,
  type OptionKind,
  path,
  paths,
  patterns,
  secretWord,
  size,
  switches,
  text,
  timezone,
  toggle,
  url,
  whole,
  words,
} from './kinds.ts';
import { LEVELS, LOG_FORMATS } from './log.ts';

export const SECTIONS = ['Browser', 'Page', 'Folders', 'Limits', 'Server', 'Sessions', 'Rules', 'HTTP'] as const;

export interface Option<T = unknown> {
  section: (typeof SECTIONS)[number];
  kind: OptionKind<T>;
  help: string;
  /** The value when nothing is given; a function sees the options above it in the table. */
  default: T | ((environment: Environment, above: Readonly<Record<string, unknown>>) => T);
  /** What the docs print instead of a default that depends on the machine. */
  defaultText?: string;
  /** Chooses what runs on this machine or who may reach it: a config file that lies in a working folder may not say it. */
  trusted?: true;
  /** Names the config file, so it cannot stand in one. */
  notInFile?: true;
  /** Options that make no sense together with this one. */
  without?: readonly string[];
}

type Row<T> = Pick<Option<T>, 'section' | 'help'> & Partial<Option<T>>;

/** An option with a default value. */
const withDefault = <T>(kind: OptionKind<T>, value: Option<T>['default'], row: Row<T>): Option<T> => ({
  kind,
  default: value,
  ...row,
});
/** An option that may stay unset. */
const optional = <T>(kind: OptionKind<T>, row: Row<T | undefined>): Option<T | undefined> => ({
  kind,
  default: undefined,
  ...row,
});
/** A switch that is off by default. */
const switchedOff = (row: Row<boolean>): Option<boolean> => withDefault(toggle, false, row);

/** Whose tool names a client is shown. */
export const DIALECTS = ['native', 'chrome', 'vision', 'devtools', 'browsion'] as const;

/** Those, and the agent-browser CLI behind tools of its own. */
const TOOLSETS = [...DIALECTS, 'agent-browser'] as const;

/** How the command `mcp` is reached. */
const TRANSPORTS = ['stdio', 'http'] as const;

/** Adding an option is adding one row here: `maxChars` is `--max-chars` and `TABWRIGHT_MAX_CHARS`. */
export const OPTIONS = {
  headed: switchedOff({ section: 'Browser', help: 'Show the browser window.' }),
  executablePath: optional(path, {
    trusted: true,
    section: 'Browser',
    help: 'The Chrome or Chromium to start, instead of the one found.',
  }),
  userDataDir: optional(path, {
    trusted: true,
    section: 'Browser',
    help: 'Keep the browser profile in this folder.',
    without: ['cdpEndpoint'],
  }),
  cdpEndpoint: optional(url(['http', 'https', 'ws', 'wss'], 'http://127.0.0.1:9222'), {
    trusted: true,
    section: 'Browser',
    help: 'Attach to a running browser; it is never closed.',
  }),
  shareBrowser: switchedOff({
    trusted: true,
    section: 'Browser',
    help: 'With --cdp-endpoint: every caller sees the own tabs of the browser, each with an active tab of its own; writes take turns.',
  }),
  proxy: optional(url(['http', 'https', 'socks4', 'socks5'], 'http://127.0.0.1:3128'), {
    trusted: true,
    section: 'Browser',
    help: 'Send the browser through this proxy.',
  }),
  chromeArg: withDefault<string[]>(switches, [], {
    trusted: true,
    section: 'Browser',
    help: 'One more switch for Chrome; may be given several times.',
  }),
  noSandbox: switchedOff({
    trusted: true,
    section: 'Browser',
    help: 'Start Chrome without its sandbox; implied for root.',
  }),
  viewport: withDefault(size, { width: 1280, height: 720 }, { section: 'Page', help: 'Size of the page.' }),
  userAgent: optional(text, { section: 'Page', help: 'User agent that pages see.' }),
  locale: optional(locale, { section: 'Page', help: 'Language that pages see, such as de-DE.' }),
  timezone: optional(timezone, { section: 'Page', help: 'Time zone that pages see, such as Europe/Berlin.' }),
  stateDir: withDefault(path, stateFolder, {
    trusted: true,
    section: 'Folders',
    help: 'Where Tabwright keeps its journal and sessions.',
    defaultText: "`tabwright` in the user's state folder",
  }),
  outputDir: withDefault(path, (_environment, above) => join(String(above.stateDir), 'output'), {
    trusted: true,
    section: 'Folders',
    help: 'Where screenshots, downloads and long answers are saved.',
    defaultText: '`output` in the state folder',
  }),
  journalFile: withDefault(path, (_environment, above) => join(String(above.stateDir), 'journal', 'journal.jsonl'), {
    trusted: true,
    section: 'Folders',
    help: 'Where every call is recorded; older records stand beside it.',
    defaultText: '`journal/journal.jsonl` in the state folder',
  }),
  profilesFile: withDefault(path, (_environment, above) => join(String(above.stateDir), 'profiles.json'), {
    trusted: true,
    section: 'Folders',
    help: 'Where profiles are kept: JSON, or TOML with [[profiles]] and keys of other programs.',
    defaultText: '`profiles.json` in the state folder',
  }),
  profileDirs: withDefault<string[]>(paths, ({ home }) => [home], {
    trusted: true,
    section: 'Folders',
    help: 'Callers may put the data of profiles below these folders, beside `profiles` in the state folder; may be given several times.',
    defaultText: 'the home folder',
  }),
  timeoutAction: withDefault(ms, 5_000, { section: 'Limits', help: 'Time for an action such as a click.' }),
  timeoutNavigation: withDefault(ms, 30_000, { section: 'Limits', help: 'Time for loading a page.' }),
  timeoutCall: withDefault(ms, 120_000, {
    section: 'Limits',
    help: 'Most time for any call, whatever it asks for; only a wait for a person or a download may ask for more.',
  }),
  maxChars: withDefault(whole('count', 1_000, 10_000_000), 25_000, {
    section: 'Limits',
    help: 'Longest answer, in characters.',
  }),
  pictureSize: withDefault(
    size,
    { width: 2_000, height: 2_000 },
    { section: 'Limits', help: 'Largest picture to show.' },
  ),
  pictureBytes: withDefault(whole('bytes', 10_000, 100_000_000), 5_000_000, {
    section: 'Limits',
    help: 'Largest picture to show, in bytes: quality is lowered first, then its size.',
  }),
  pictureQuality: withDefault(whole('percent', 1, 100), 85, {
    section: 'Limits',
    help: 'Quality of JPEG and WebP pictures.',
  }),
  pictureLeastQuality: withDefault(whole('percent', 1, 100), 35, {
    section: 'Limits',
    help: 'How far that quality may be lowered to make a picture small enough.',
  }),
  config: optional(path, {
    section: 'Server',
    help: 'Config file to read, instead of those in the working folder and the config folder of the user.',
    notInFile: true,
  }),
  tools: withDefault(words, ['all'], {
    section: 'Server',
    help: 'Groups of tools to offer: all, core, or groups by name.',
  }),
  dialect: withDefault(choice(TOOLSETS), 'native', {
    section: 'Server',
    help: 'Whose tool names to list: our own, the older chrome_ names, which are accepted either way, the eight browser. tools, those of chrome-devtools-mcp, those of Browsion, or the agent-browser CLI instead of our browser.',
  }),
  safeNames: switchedOff({
    section: 'Server',
    help: 'List tool names with underscores instead of dots, as clients that are known to refuse dots see them anyway.',
  }),
  transport: withDefault(choice(TRANSPORTS), 'stdio', {
    section: 'Server',
    help: 'How the command mcp is reached: on stdin and stdout, or over HTTP as serve is.',
    trusted: true,
  }),
  serverName: optional(text, { section: 'Server', help: 'Name by which the server presents itself to clients.' }),
  serverVersion: optional(text, { section: 'Server', help: 'Version that it tells them.' }),
  structured: switchedOff({
    section: 'Server',
    help: 'Also answer in structured form; some clients then hide the text from the model.',
  }),
  outputSchema: switchedOff({
    section: 'Server',
    help: 'List the schema of that structured form with every tool; implies --structured.',
  }),
  logLevel: withDefault(choice(LEVELS), 'warn', {
    section: 'Server',
    help: 'How much is logged to stderr.',
  }),
  logFormat: withDefault(choice(LOG_FORMATS), 'text', {
    section: 'Server',
    help: 'Lines for people, or one JSON object per line.',
  }),
  maxSessions: withDefault(whole('count', 1, 10_000), 10, { section: 'Sessions', help: 'Most sessions at once.' }),
  maxSessionsPerCaller: withDefault(whole('count', 1, 10_000), 3, {
    section: 'Sessions',
    help: 'Most sessions at once of one caller.',
  }),
  sessionIdle: withDefault(ms, 30 * 60_000, {
    section: 'Sessions',
    help: 'A session without a call for so long is ended; a named one comes back when it is next used.',
  }),
  keepSessions: withDefault(toggle, true, {
    section: 'Sessions',
    help: 'Keep the cookies, storage and tabs of named sessions for the next start.',
  }),
  sharedSessions: withDefault(words, [], {
    section: 'Sessions',
    help: 'Names of sessions that all callers use together.',
    trusted: true,
  }),
  sessionSharing: withDefault(toggle, true, {
    section: 'Sessions',
    help: 'Callers may share sessions of theirs with all others.',
    trusted: true,
  }),
  policy: optional(path, {
    section: 'Rules',
    help: 'File with rules: which calls are allowed, refused, or asked about.',
    trusted: true,
  }),
  allowUrls: withDefault<string[]>(patterns, [], {
    section: 'Rules',
    help: 'The browser reaches only urls that match one of these patterns.',
    without: ['cdpEndpoint'],
    trusted: true,
  }),
  blockUrls: withDefault<string[]>(patterns, [], {
    section: 'Rules',
    help: 'The browser reaches no url that matches one of these patterns.',
    without: ['cdpEndpoint'],
    trusted: true,
  }),
  blockPrivate: switchedOff({
    section: 'Rules',
    help: 'The browser reaches no private, loopback or link-local address, by whatever name, unless --allow-urls writes that address out, or localhost.',
    without: ['cdpEndpoint'],
    trusted: true,
  }),
  scripts: withDefault(toggle, true, {
    section: 'Rules',
    help: 'Callers may run scripts of theirs in pages.',
    trusted: true,
  }),
  blockScripts: withDefault<string[]>(expressions, [], {
    section: 'Rules',
    help: 'Scripts that match one of these regular expressions are refused.',
    trusted: true,
  }),
  allowCommands: withDefault<string[]>(words, [], {
    section: 'Rules',
    help: 'Commands that agent_browser_command may pass on besides those that act on pages, such as auth or stream.',
    trusted: true,
  }),
  rateLimit: withDefault(whole('count', 0, 1_000_000), 3_000, {
    section: 'Rules',
    help: 'Most calls per minute of one caller over HTTP; 0 is no limit.',
    trusted: true,
  }),
  host: withDefault(text, '127.0.0.1', { section: 'HTTP', help: 'Address that serve listens on.', trusted: true }),
  port: withDefault(whole('number', 0, 65_535), 9223, {
    section: 'HTTP',
    help: 'Port that serve listens on; 0 takes a free one.',
    defaultText: '`9223`, or `8081` in the dialect vision, or `38472` in the dialect browsion',
  }),
  auth: withDefault(toggle, true, {
    section: 'HTTP',
    help: 'Ask every request for the token; --no-auth is for loopback addresses only.',
    defaultText: '`true`, but `false` in the dialect browsion while it has no key',
    trusted: true,
  }),
  tokenFile: withDefault(path, (_environment, above) => join(String(above.stateDir), 'token'), {
    section: 'HTTP',
    help: 'File with the token; made at the first start.',
    defaultText: '`token` in the state folder',
    trusted: true,
  }),
  token: optional(secretWord, {
    section: 'HTTP',
    help: 'The token itself, instead of a file with it. Others see a command line: better set it in the environment.',
    trusted: true,
  }),
  tokensFile: withDefault(path, (_environment, above) => join(String(above.stateDir), 'tokens.yaml'), {
    section: 'HTTP',
    help: 'File with further tokens, each with a name and what its holder may do; read again when it changes.',
    defaultText: '`tokens.yaml` in the state folder',
    trusted: true,
  }),
  allowedHosts: withDefault<string[]>(hosts, [], {
    section: 'HTTP',
    help: 'Further names by which clients may reach serve.',
    trusted: true,
  }),
  allowedOrigins: withDefault<string[]>(hosts, [], {
    section: 'HTTP',
    help: 'Further hosts whose pages may send requests.',
    trusted: true,
  }),
} as const satisfies Record<string, Option>;

export type OptionKey = keyof typeof OPTIONS;

/** The settings of one process: every option with its value. */
export type Options = { readonly [K in OptionKey]: (typeof OPTIONS)[K] extends Option<infer T> ? T : never };

/** The options that one source sets. */
export type Layer = Partial<Options>;

export const optionKeys = Object.keys(OPTIONS) as OptionKey[];

export const optionOf = (key: OptionKey): Option => OPTIONS[key];

export const flagOf = (key: string): string => `--${key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;

export const envOf = (key: string): string => `TABWRIGHT_${flagOf(key).slice(2).replaceAll('-', '_').toUpperCase()}`;
