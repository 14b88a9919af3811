// The keys of a Clawtopus config file below mcp.browser, and the options of ours that they set.
import {
  choice,
  expressions,
  type OptionKind,
  path,
  patterns,
  secretWord,
  text,
  toggle,
  url,
  whole,
} from '../../config/kinds.ts';
import { type Layer, type OptionKey, type Options, optionOf } from '../../config/options.ts';

export interface Setting {
  kind: OptionKind<unknown>;
  /** Set to the value, or to what `convert` makes of it. */
  option?: OptionKey;
  convert?(value: unknown): unknown;
  /** The option that it sets together with other keys. */
  partOf?: OptionKey;
  /** Why a value cannot be honoured. */
  refuse?(value: unknown): string | undefined;
}

const port = whole('number', 0, 65_535);
const count = whole('count', 1, 10_000);
const percent = whole('percent', 1, 100);
const pixels = whole('pixels', 16, 16_000);
/** A version such as 1.0 is a number to YAML. */
const words: OptionKind<string> = {
  ...text,
  native: value => (typeof value === 'number' ? [String(value)] : undefined),
};
const scheme = choice(['none', 'token', 'bearer']);
const domain: OptionKind<string[]> = {
  expected: 'a list of domains such as [example.com]',
  read: given => (/^(?:\*\.)?[a-z0-9.-]+$/i.test(given) ? [given] : undefined),
  native: patterns.native as NonNullable<OptionKind<string[]>['native']>,
};

const transport: Setting = { kind: choice(['stdio', 'http']), option: 'transport' };
const auth: Setting = { kind: scheme, option: 'auth', convert: value => value !== 'none' };

export const SETTINGS: Readonly<Record<string, Setting>> = {
  name: { kind: words, option: 'serverName' },
  version: { kind: words, option: 'serverVersion' },
  transport,
  'transport.type': transport,
  httpPort: { kind: port, option: 'port' },
  'transport.port': { kind: port, option: 'port' },
  'transport.httpPort': { kind: port, option: 'port' },
  'transport.host': { kind: text, option: 'host' },
  'transport.pathPrefix': {
    kind: text,
    refuse: value => (/^\/mcp\/?$/.test(String(value)) ? undefined : 'MCP is served at /mcp, and nowhere else'),
  },
  'auth.type': auth,
  'auth.mode': auth,
  'auth.token': { kind: secretWord, option: 'token' },
  'auth.tokenFile': { kind: path, option: 'tokenFile' },
  'auth.useGatewayAuth': {
    kind: toggle,
    refuse: value => (value === true ? 'there is no gateway here; give auth.tokenFile or auth.token' : undefined),
  },
  'sessions.maxConcurrent': { kind: count, option: 'maxSessions' },
  'sessions.maxPerClient': { kind: count, option: 'maxSessionsPerCaller' },
  'sessions.timeoutMinutes': {
    kind: whole('minutes', 1, 35_000),
    option: 'sessionIdle',
    convert: value => Number(value) * 60_000,
  },
  'sessions.allowSharedSessions': {
    kind: toggle,
    option: 'sharedSessions',
    convert: value => (value === true ? ['*'] : []),
  },
  'security.requireHttps': { kind: toggle, partOf: 'allowUrls' },
  'security.allowedUrlPatterns': { kind: expressions, partOf: 'allowUrls' },
  'security.urlAllowlist': { kind: patterns, partOf: 'allowUrls' },
  'security.allowedDomains': { kind: domain, partOf: 'allowUrls' },
  'security.blockPrivateIps': { kind: toggle, option: 'blockPrivate' },
  'security.blockEval': { kind: toggle, partOf: 'blockScripts' },
  'security.blockedJsPatterns': { kind: expressions, partOf: 'blockScripts' },
  'security.auditLogging': {
    kind: toggle,
    refuse: value => (value === false ? 'every call is recorded; no secrets are' : undefined),
  },
  'security.auditLogPath': { kind: path, option: 'journalFile' },
  'screenshot.maxWidth': { kind: pixels, partOf: 'pictureSize' },
  'screenshot.maxHeight': { kind: pixels, partOf: 'pictureSize' },
  'screenshot.maxBytes': { kind: whole('bytes', 10_000, 100_000_000), option: 'pictureBytes' },
  'screenshot.quality': { kind: percent, option: 'pictureQuality' },
  'screenshot.fallbackQuality': { kind: percent, option: 'pictureLeastQuality' },
  defaultCdpUrl: { kind: url(['http', 'https', 'ws', 'wss'], 'http://127.0.0.1:9222'), option: 'cdpEndpoint' },
  browserProfile: { kind: path, option: 'userDataDir' },
};

/** Its environment variables, which go before the file. */
export const VARIABLES: Readonly<Record<string, OptionKey>> = {
  MCP_AUTH_TOKEN: 'token',
  CHROME_PATH: 'executablePath',
  CLAWTOPUS_BROWSER_PROFILE: 'userDataDir',
};

/** Options that several keys make together; `usual` are the defaults of the dialect. */
export function combined(given: ReadonlyMap<string, unknown>, usual: Layer): Layer {
  const has = (option: OptionKey) => [...given.keys()].some(key => SETTINGS[key]?.partOf === option);
  return {
    ...(has('allowUrls') && { allowUrls: urlsOf(given) }),
    ...(has('blockScripts') && { blockScripts: blockedOf(given, usual) }),
    ...(has('pictureSize') && { pictureSize: sizeOf(given) }),
  };
}

const listIn = (given: ReadonlyMap<string, unknown>, key: string): string[] =>
  (given.get(`security.${key}`) as string[] | undefined) ?? [];

/** The usual patterns unless they are switched off, and further ones. */
const blockedOf = (given: ReadonlyMap<string, unknown>, { blockScripts = [] }: Layer): string[] => [
  ...(given.get('security.blockEval') === false ? [] : blockScripts),
  ...listIn(given, 'blockedJsPatterns'),
];

function sizeOf(given: ReadonlyMap<string, unknown>): Options['pictureSize'] {
  const { width, height } = optionOf('pictureSize').default as Options['pictureSize'];
  const side = (key: string, usual: number) => Number(given.get(`screenshot.${key}`) ?? usual);
  return { width: side('maxWidth', width), height: side('maxHeight', height) };
}

/** Patterns add to https; a list of urls or domains is the whole of what is allowed. */
function urlsOf(given: ReadonlyMap<string, unknown>): string[] {
  const https = given.get('security.requireHttps') !== false;
  const list = (key: string) => listIn(given, key);
  const allowed = [...list('urlAllowlist'), ...list('allowedDomains').map(name => atDomain(name, https))];
  const first = allowed.length > 0 ? [] : [https ? '^https://' : '^https?://'];
  return [...new Set([...first, ...list('allowedUrlPatterns').map(anywhere), ...allowed])];
}

/** The domain and what is below it. */
const atDomain = (name: string, https: boolean): string => {
  const host = `*.${name.replace(/^\*\./, '')}`;
  return https ? `https://${host}:*` : host;
};

/** Its patterns may match anywhere in a url, ours begin at its start. */
const anywhere = (pattern: string): string => (pattern.startsWith('^') ? pattern : `^.*(?:${pattern})`);
