// The one table of options. The Options type, flags, environment variables, --help and docs derive from it.
import { join } from 'node:path';
import { dialectNames } from '../dialects/registry.ts';
import { type Environment, stateFolder } from './environment.ts';
import {
  choice,
  expressions,
  hosts,
  httpHeaders,
  locale,
  ms,
  type OptionKind,
  path,
  paths,
  patterns,
  remoteBrowsers,
  secretWord,
  sessionNames,
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
  /** Chooses what runs on this machine or who may reach it: a config file in a working folder may not set it. */
  trusted?: true;
  /** Names the config file, so it cannot stand in one. */
  notInFile?: true;
  /** Options that make no sense together with this one. */
  without?: readonly string[];
}

type Extras = Pick<Option, 'defaultText' | 'trusted' | 'notInFile' | 'without'>;

const TRUSTED: Extras = { trusted: true };
/** Only a browser that the server starts itself can be held to this, not one that it attaches to. */
const LAUNCHED: Extras = { trusted: true, without: ['cdpEndpoint', 'browsers'] };

/** A row of the table, before it is put into its section. */
type Row<T> = Omit<Option<T>, 'section'>;

/** An option with a default value. */
const withDefault = <T>(
  kind: OptionKind<T>,
  value: Option<T>['default'],
  help: string,
  extras: Extras = {},
): Row<T> => ({ kind, default: value, help, ...extras });
/** An option that may stay unset. */
const optional = <T>(kind: OptionKind<T>, help: string, extras: Extras = {}): Row<T | undefined> =>
  withDefault<T | undefined>(kind, undefined, help, extras);
/** A list that is empty by default. */
const list = (kind: OptionKind<string[]>, help: string, extras: Extras = {}): Row<string[]> =>
  withDefault(kind, [], help, extras);
/** A switch that is off by default. */
const switchedOff = (help: string, extras: Extras = {}): Row<boolean> => withDefault(toggle, false, help, extras);
/** A file or folder that is in the state folder by default. */
const inStateFolder = (name: string, help: string): Row<string> =>
  withDefault(path, (_environment, above) => join(String(above.stateDir), ...name.split('/')), help, {
    defaultText: `\`${name}\` in the state folder`,
    ...TRUSTED,
  });

type Section<R> = { [K in keyof R]: R[K] extends Row<infer T> ? Option<T> : never };

const section = <R extends Record<string, Row<never> | Row<unknown>>>(name: Option['section'], rows: R): Section<R> =>
  Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, { section: name, ...row }])) as Section<R>;

/** Whose tool names a client is shown: ours, those of a dialect, or those of the agent-browser CLI. */
const TOOLSETS = ['native', ...dialectNames, 'agent-browser'] as const;

/** How much an action tells of what it changed on the page. */
export const RECEIPTS = ['none', 'short', 'full'] as const;

/** How the command `mcp` is reached. */
const TRANSPORTS = ['stdio', 'http'] as const;

/** Adding an option is adding one row here: `maxChars` is `--max-chars` and `TABWRIGHT_MAX_CHARS`. */
export const OPTIONS = {
  ...section('Browser', {
    headed: switchedOff('Show the browser window.'),
    executablePath: optional(path, 'The Chrome or Chromium to start, instead of the one found.', TRUSTED),
    eagerBrowser: switchedOff(
      'On stdio, start Chrome as soon as the client has introduced itself, not only with the first call.',
      LAUNCHED,
    ),
    userDataDir: optional(path, 'Keep the browser profile in this folder.', LAUNCHED),
    cdpEndpoint: optional(
      url(['http', 'https', 'ws', 'wss'], 'http://127.0.0.1:9222'),
      'Attach to a running browser; it is never closed.',
      TRUSTED,
    ),
    browsers: list(
      remoteBrowsers,
      'Use this browser on another machine instead of starting one; may be given several times: sessions are spread over them.',
      { trusted: true, without: ['cdpEndpoint'] },
    ),
    browserHeaders: list(
      httpHeaders,
      'With --browsers: a header for every request to such a browser or its service; may be given several times.',
      TRUSTED,
    ),
    shareBrowser: switchedOff(
      'With --cdp-endpoint: every caller sees the own tabs of the browser, each with an active tab of its own; writes take turns.',
      TRUSTED,
    ),
    proxy: optional(
      url(['http', 'https', 'socks4', 'socks5'], 'http://127.0.0.1:3128'),
      'Send the browser through this proxy.',
      TRUSTED,
    ),
    chromeArg: list(switches, 'One more switch for Chrome; may be given several times.', TRUSTED),
    noSandbox: switchedOff('Start Chrome without its sandbox; implied for root.', TRUSTED),
  }),
  ...section('Page', {
    viewport: withDefault(size, { width: 1280, height: 720 }, 'Size of the page.'),
    userAgent: optional(text, 'User agent that pages see.'),
    locale: optional(locale, 'Language that pages see, such as de-DE.'),
    timezone: optional(timezone, 'Time zone that pages see, such as Europe/Berlin.'),
    snapshotStyle: withDefault(
      choice(['tree', 'short'] as const),
      'tree',
      'How snapshots are written when a call names no style; short takes fewer characters.',
    ),
  }),
  ...section('Folders', {
    stateDir: withDefault(path, stateFolder, 'Where Tabwright keeps its journal and sessions.', {
      defaultText: "`tabwright` in the user's state folder",
      ...TRUSTED,
    }),
    outputDir: inStateFolder(
      'output',
      'Where screenshots, downloads and long answers are saved; relative paths of callers count from it. Holders of further tokens have folders of their own in it.',
    ),
    uploadDirs: withDefault<string[]>(
      paths,
      [],
      'Callers may also upload and send files below these folders, not only from the output folder; may be given several times. The state folder is never read.',
      TRUSTED,
    ),
    journalFile: inStateFolder('journal/journal.jsonl', 'Where every call is recorded; older records stand beside it.'),
    traceCdp: optional(
      path,
      'Write every message to and from Chrome into this file: its name, time and size, not its contents.',
      TRUSTED,
    ),
    profilesFile: inStateFolder(
      'profiles.json',
      'Where profiles are kept: JSON, or TOML with [[profiles]] and keys of other programs.',
    ),
    profileDirs: withDefault<string[]>(
      paths,
      ({ home }) => [home],
      'Callers may put the data of profiles below these folders, beside `profiles` in the state folder; may be given several times.',
      { defaultText: 'the home folder', ...TRUSTED },
    ),
  }),
  ...section('Limits', {
    timeoutAction: withDefault(ms, 5_000, 'Time for an action such as a click.'),
    timeoutNavigation: withDefault(
      ms,
      30_000,
      'Time for loading a page. A call without a timeout of its own gives half of it to the DOM, then at most 5 s to the rest.',
    ),
    timeoutCall: withDefault(
      ms,
      120_000,
      'Most time for any call, whatever it asks for; only a wait for a person or a download may ask for more.',
    ),
    maxChars: withDefault(whole('count', 1_000, 10_000_000), 25_000, 'Longest answer, in characters.'),
    receipt: withDefault(
      choice(RECEIPTS),
      'short',
      'What actions tell of what they changed on the page: nothing, up to 15 lines, or up to 60.',
    ),
    pictureSize: withDefault(size, { width: 2_000, height: 2_000 }, 'Largest picture to show.'),
    pictureBytes: withDefault(
      whole('bytes', 10_000, 100_000_000),
      5_000_000,
      'Largest picture to show, in bytes: quality is lowered first, then its size.',
    ),
    pictureQuality: withDefault(whole('percent', 1, 100), 85, 'Quality of JPEG and WebP pictures.'),
    pictureLeastQuality: withDefault(
      whole('percent', 1, 100),
      35,
      'How far that quality may be lowered to make a picture small enough.',
    ),
  }),
  ...section('Server', {
    config: optional(
      path,
      'Config file to read, instead of those in the working folder and the config folder of the user.',
      { notInFile: true },
    ),
    tools: withDefault(words, ['all'], 'Groups of tools to offer: all, core, or groups by name.'),
    dialect: withDefault(
      choice(TOOLSETS),
      'native',
      'Whose tool names to list: our own, the older chrome_ names, which are accepted either way, the eight browser. tools, those of chrome-devtools-mcp, those of Browsion, or the agent-browser CLI instead of our browser.',
    ),
    safeNames: switchedOff(
      'List tool names with underscores instead of dots, as clients that are known to refuse dots see them anyway.',
    ),
    transport: withDefault(
      choice(TRANSPORTS),
      'stdio',
      'How the command mcp is reached: on stdin and stdout, or over HTTP as serve is.',
      TRUSTED,
    ),
    serverName: optional(text, 'Name by which the server presents itself to clients.'),
    serverVersion: optional(text, 'Version that it tells them.'),
    structured: optional(
      toggle,
      'Also answer in structured form, or with --no-structured never; by default only to clients known to show their model the text beside it.',
    ),
    outputSchema: switchedOff('List the schema of that structured form with every tool; implies --structured.'),
    logLevel: withDefault(choice(LEVELS), 'warn', 'How much is logged to stderr.'),
    logFormat: withDefault(choice(LOG_FORMATS), 'text', 'Lines for people, or one JSON object per line.'),
  }),
  ...section('Sessions', {
    maxSessions: withDefault(whole('count', 1, 10_000), 10, 'Most sessions at once.'),
    maxSessionsPerCaller: withDefault(whole('count', 1, 10_000), 3, 'Most sessions at once of one caller.'),
    maxDownloadMb: withDefault(
      whole('count', 1, 10_000_000),
      4_000,
      'Most megabytes that the files take which one session downloads.',
    ),
    sessionIdle: withDefault(
      ms,
      30 * 60_000,
      'A session without a call for so long is ended; a named one comes back when it is next used.',
    ),
    keepSessions: withDefault(toggle, true, 'Keep the cookies, storage and tabs of named sessions for the next start.'),
    serverIdle: withDefault(
      ms,
      30 * 60_000,
      'The server that commands have started ends when no command came for so long.',
    ),
    sharedSessions: list(
      sessionNames,
      'Names of sessions that all callers use together, also profile@ID; * for all.',
      TRUSTED,
    ),
    sessionSharing: withDefault(toggle, true, 'Callers may share sessions of theirs with all others.', TRUSTED),
  }),
  ...section('Rules', {
    policy: optional(path, 'File with rules: which calls are allowed, refused, or asked about.', TRUSTED),
    allowUrls: list(patterns, 'The browser reaches only urls that match one of these patterns.', LAUNCHED),
    blockUrls: list(patterns, 'The browser reaches no url that matches one of these patterns.', LAUNCHED),
    blockPrivate: optional(
      toggle,
      'The browser reaches no private, loopback or link-local address, by whatever name, unless --allow-urls writes that address out, or localhost.',
      {
        trusted: true,
        without: ['cdpEndpoint'],
        defaultText: 'true for holders of further tokens, who then have a browser apart; false for the owner',
      },
    ),
    scripts: withDefault(toggle, true, 'Callers may run scripts of theirs in pages.', TRUSTED),
    blockScripts: list(expressions, 'Scripts that match one of these regular expressions are refused.', TRUSTED),
    allowCommands: list(
      words,
      'Commands that agent_browser_command may pass on besides those that act on pages, such as auth or stream.',
      TRUSTED,
    ),
    allowExecutables: list(
      paths,
      'Browsers that callers of agent-browser may choose with executable_path, beside that of --executable-path.',
      TRUSTED,
    ),
    rateLimit: withDefault(
      whole('count', 0, 1_000_000),
      3_000,
      'Most calls per minute of one caller over HTTP; 0 is no limit.',
      TRUSTED,
    ),
  }),
  ...section('HTTP', {
    host: withDefault(text, '127.0.0.1', 'Address that serve listens on.', TRUSTED),
    port: withDefault(whole('number', 0, 65_535), 9223, 'Port that serve listens on; 0 takes a free one.', {
      defaultText: '`9223`, or `8081` in the dialect vision, or `38472` in the dialect browsion',
    }),
    auth: withDefault(toggle, true, 'Ask every request for the token; --no-auth is for loopback addresses only.', {
      defaultText: '`true`, but `false` in the dialect browsion while it has no key',
      ...TRUSTED,
    }),
    tokenFile: inStateFolder('token', 'File with the token; made at the first start.'),
    token: optional(
      secretWord,
      'The token itself, instead of a file with it. Others see a command line: better set it in the environment.',
      TRUSTED,
    ),
    tokensFile: inStateFolder(
      'tokens.yaml',
      'File with further tokens, each with a name and what its holder may do; read again when it changes.',
    ),
    allowedHosts: list(hosts, 'Further names by which clients may reach serve.', TRUSTED),
    allowedOrigins: list(hosts, 'Further hosts whose pages may send requests.', TRUSTED),
  }),
} as const satisfies Record<string, Option>;

/** The server starts its browser itself. */
export const isLaunched = ({ cdpEndpoint, browsers }: Pick<Options, 'cdpEndpoint' | 'browsers'>): boolean =>
  cdpEndpoint === undefined && browsers.length === 0;

export type OptionKey = keyof typeof OPTIONS;

/** The settings of one process: every option with its value. */
export type Options = { readonly [K in OptionKey]: (typeof OPTIONS)[K] extends Option<infer T> ? T : never };

/** The options that one source sets. */
export type Layer = Partial<Options>;

export const optionKeys = Object.keys(OPTIONS) as OptionKey[];

export const optionOf = (key: OptionKey): Option => OPTIONS[key];

export const flagOf = (key: string): string => `--${key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;

export const envOf = (key: string): string => `TABWRIGHT_${flagOf(key).slice(2).replaceAll('-', '_').toUpperCase()}`;
