// The config file of Clawtopus under the vision dialect (S3-27, S3-28): what each key sets, and one clear line for each mistake.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Environment } from '../../src/config/environment.ts';
import { load as loadOptions } from '../../src/config/load.ts';
import type { Options } from '../../src/config/options.ts';
import { readForeignConfig } from '../../src/dialects/config-files.ts';
import { SETTINGS } from '../../src/dialects/vision/config-keys.ts';
import { Failure } from '../../src/errors.ts';
import { type Folders, makeFolders } from '../config/folders.ts';

const load = (argv: readonly string[], place: Environment) => loadOptions(argv, place, readForeignConfig);

const VISION = ['--dialect', 'vision'];

/** Values by their dotted keys, as a file would hold them. */
function nested(values: Record<string, unknown>): object {
  const root: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    const parts = key.split('.');
    const last = parts.pop()!;
    let place = root;
    for (const part of parts) {
      place[part] ??= {};
      place = place[part] as Record<string, unknown>;
    }
    place[last] = value;
  }
  return root;
}

function written(content: string, env: Record<string, string> = {}): Folders {
  const folders = makeFolders(env);
  folders.put(join(folders.place.home, '.clawtopus'), 'config.yaml', content);
  return folders;
}

const inSection = (values: Record<string, unknown>): string => stringify({ mcp: { browser: nested(values) } });

async function optionsOf(values: Record<string, unknown>, argv: string[] = [], env: Record<string, string> = {}) {
  const { place } = written(inSection(values), env);
  return (await load([...argv, ...VISION], place)).options;
}

async function stopped(content: string, env: Record<string, string> = {}): Promise<string> {
  const { place } = written(content, env);
  const error = await load(VISION, place).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Failure)) throw new Error(`no Failure, but ${error}`);
  expect(error.code).toBe('bad_input');
  const line = [error.message, error.hint].filter(Boolean).join(' ');
  expect(line).not.toContain('\n');
  return line.replace(place.home, '~');
}

const HTTPS = ['^https://'];
const BLOCKED = ['eval\\s*\\(', 'Function\\s*\\(', 'document\\.cookie', 'localStorage', 'sessionStorage'];

type Expected = Partial<Options>;
const CASES: [id: string, values: Record<string, unknown>, expected: Expected][] = [
  ['S3-26', {}, { transport: 'stdio', port: 8081, allowUrls: HTTPS, blockScripts: BLOCKED, auth: true }],
  ['S3-27', { transport: 'http' }, { transport: 'http', port: 8081 }],
  ['S3-27', { transport: 'http', httpPort: 9000 }, { transport: 'http', port: 9000 }],
  ['S3-27', { 'auth.type': 'token', 'auth.tokenFile': '~/.clawtopus/mcp-token' }, { auth: true }],
  ['S3-27', { 'sessions.maxConcurrent': 4, 'sessions.timeoutMinutes': 5 }, { maxSessions: 4, sessionIdle: 300_000 }],
  [
    'S3-27',
    { 'security.allowedUrlPatterns': HTTPS, 'security.blockEval': true },
    { allowUrls: HTTPS, blockScripts: BLOCKED },
  ],
  ['S3-27', { 'security.allowedUrlPatterns': ['^http://127'] }, { allowUrls: ['^https://', '^http://127'] }],
  ['S3-27', { 'security.allowedUrlPatterns': ['intra\\.test'] }, { allowUrls: ['^https://', '^.*(?:intra\\.test)'] }],
  ['S3-27', { 'security.blockEval': false }, { blockScripts: [] }],
  ['S3-28', { name: 'mine', version: 2.5 }, { serverName: 'mine', serverVersion: '2.5' }],
  [
    ...([
      'S3-28',
      { 'transport.type': 'http', 'transport.port': 0, 'transport.host': 'localhost', 'transport.pathPrefix': '/mcp' },
    ] as const),
    { transport: 'http', port: 0, host: 'localhost' },
  ],
  ['S3-28', { 'auth.mode': 'none' }, { auth: false }],
  [
    'S3-28',
    { 'auth.mode': 'bearer', 'auth.token': 'a-token-of-the-tests' },
    { auth: true, token: 'a-token-of-the-tests' },
  ],
  ['S3-28', { 'auth.useGatewayAuth': false }, {}],
  [
    'S3-28',
    { 'sessions.maxPerClient': 2, 'sessions.allowSharedSessions': false },
    { maxSessionsPerCaller: 2, sharedSessions: [] },
  ],
  ['S3-28', { 'sessions.allowSharedSessions': true }, { sharedSessions: ['*'] }],
  ['S3-28', { 'security.requireHttps': false }, { allowUrls: ['^https?://'] }],
  ['S3-28', { 'security.requireHttps': true }, { allowUrls: HTTPS }],
  ['S3-28', { 'security.urlAllowlist': ['https://a.test/app/**'] }, { allowUrls: ['https://a.test/app/**'] }],
  [
    'S3-28',
    { 'security.allowedDomains': ['a.test', '*.b.test'] },
    { allowUrls: ['https://*.a.test:*', 'https://*.b.test:*'] },
  ],
  ['S3-28', { 'security.allowedDomains': ['a.test'], 'security.requireHttps': false }, { allowUrls: ['*.a.test'] }],
  ['S3-28', { 'security.blockPrivateIps': true }, { blockPrivate: true }],
  ['S3-28', { 'security.blockedJsPatterns': ['fetch\\('] }, { blockScripts: [...BLOCKED, 'fetch\\('] }],
  [
    'S3-28',
    { 'security.blockEval': false, 'security.blockedJsPatterns': ['fetch\\('] },
    { blockScripts: ['fetch\\('] },
  ],
  [
    'S3-28',
    { 'security.auditLogging': true, 'security.auditLogPath': '/var/log/calls.jsonl' },
    { journalFile: '/var/log/calls.jsonl' },
  ],
  ['S3-28', { 'screenshot.maxWidth': 800 }, { pictureSize: { width: 800, height: 2_000 } }],
  ['S3-28', { 'screenshot.maxWidth': 800, 'screenshot.maxHeight': 600 }, { pictureSize: { width: 800, height: 600 } }],
  [
    ...([
      'S3-28',
      { 'screenshot.maxBytes': 5_242_880, 'screenshot.quality': 80, 'screenshot.fallbackQuality': 20 },
    ] as const),
    { pictureBytes: 5_242_880, pictureQuality: 80, pictureLeastQuality: 20 },
  ],
  ['S3-28', { defaultCdpUrl: 'http://127.0.0.1:9222' }, { cdpEndpoint: 'http://127.0.0.1:9222' }],
  ['S3-28', { browserProfile: '/data/profile' }, { userDataDir: '/data/profile' }],
];

describe('a key', () => {
  it.each(CASES)('%s %j', async (_id, values, expected) => {
    expect(await optionsOf(values)).toMatchObject(expected);
  });

  it('S3-28 has a case here, each of them', () => {
    const used = new Set(CASES.flatMap(([, values]) => Object.keys(values)));
    expect(Object.keys(SETTINGS).filter(key => !used.has(key) && key !== 'transport.httpPort')).toEqual([]);
  });

  it('S3-27 of the document itself is taken, comments and all', async () => {
    const { place } = written(`# ~/.clawtopus/config.yaml
mcp:
  browser:
    transport: stdio # or http
    httpPort: 8081 # if transport = http
    auth:
      type: token
      tokenFile: ~/.clawtopus/mcp-token
    sessions:
      maxConcurrent: 10
      timeoutMinutes: 30
    security:
      allowedUrlPatterns:
        - "^https://"
      blockEval: true
`);
    const { options, files, origins } = await load(VISION, place);
    expect(options).toMatchObject({
      ...{ transport: 'stdio', port: 8081, auth: true, maxSessions: 10, sessionIdle: 1_800_000, allowUrls: HTTPS },
      tokenFile: join(place.home, '.clawtopus', 'mcp-token'),
    });
    expect(files).toEqual([join(place.home, '.clawtopus', 'config.yaml')]);
    expect(origins.maxSessions).toBe(files[0]);
  });

  it('with a relative path starts at the folder of the file', async () => {
    const { place } = written(inSection({ browserProfile: 'profiles/work' }));
    expect((await load(VISION, place)).options.userDataDir).toBe(join(place.home, '.clawtopus', 'profiles', 'work'));
  });
});

describe('the layers', () => {
  it('S3-28 put the file below our own config, the environment and the flags', async () => {
    const values = { 'sessions.maxConcurrent': 4, 'sessions.maxPerClient': 4, httpPort: 4 };
    const { place, user, put } = written(inSection(values), { TABWRIGHT_MAX_SESSIONS_PER_CALLER: '6' });
    put(user, 'tabwright.config.yaml', 'maxSessions: 5\nmaxSessionsPerCaller: 5\nport: 5\ndialect: vision\n');
    const { options, files } = await load(['--port', '7'], place);
    expect(options).toMatchObject({ maxSessions: 5, maxSessionsPerCaller: 6, port: 7 });
    expect(files).toHaveLength(2);
  });

  it('S3-28 know the variables MCP_AUTH_TOKEN, CHROME_PATH and CLAWTOPUS_BROWSER_PROFILE', async () => {
    const env = {
      MCP_AUTH_TOKEN: 'a-token-of-the-tests',
      CHROME_PATH: '/opt/chrome',
      CLAWTOPUS_BROWSER_PROFILE: 'work',
    };
    const { place } = written(inSection({ 'auth.token': 'another-token-of-them', browserProfile: 'home' }), env);
    const { options, origins } = await load(VISION, place);
    expect(options).toMatchObject({
      token: 'a-token-of-the-tests',
      executablePath: '/opt/chrome',
      userDataDir: join(place.home, '.clawtopus', 'work'),
    });
    expect(origins.token).toBe('MCP_AUTH_TOKEN');
  });

  it('S3-28 take the file that CLAWTOPUS_MCP_CONFIG names, in any format, with or without its section', async () => {
    const { place, working, put } = written('mcp: { browser: { httpPort: 1 } }');
    const named = (name: string) => ({ ...place, env: { CLAWTOPUS_MCP_CONFIG: name } });
    put(working, 'a.yaml', 'mcp: { browser: { httpPort: 2 } }');
    put(working, 'b.json', '{ "httpPort": 3, "sessions": { "maxConcurrent": 2 } }');
    put(working, 'c.toml', '[mcp.browser]\nhttpPort = 4\n');
    expect((await load(VISION, named('a.yaml'))).options.port).toBe(2);
    expect((await load(VISION, named('b.json'))).options).toMatchObject({ port: 3, maxSessions: 2 });
    expect((await load(VISION, named(join(working, 'c.toml')))).options.port).toBe(4);
    await expect(load(VISION, named('none.yaml'))).rejects.toThrow(/There is no Clawtopus config file .*none\.yaml/);
  });

  it('leave it alone in any other dialect, and when there is none', async () => {
    const { place } = written('mcp: [', { MCP_AUTH_TOKEN: 'x', CHROME_PATH: '/opt/chrome' });
    for (const argv of [[], ['--dialect', 'chrome']])
      expect((await load(argv, place)).options).toMatchObject({ allowUrls: [], blockScripts: [], port: 9223 });
    expect((await load([], place)).options.executablePath).toBeUndefined();
    const { place: empty } = makeFolders();
    expect((await load(VISION, empty)).options).toMatchObject({ allowUrls: HTTPS, port: 8081 });
  });

  it('leave other sections of the file to whom they belong', async () => {
    const { place } = written(
      'gateway: { port: 1 }\nmcp:\n  other: { x: 1 }\n  browser:\n    auth:\n    httpPort: 5\n',
    );
    expect((await load(VISION, place)).options.port).toBe(5);
    for (const content of ['', 'gateway: {}\n', 'mcp:\n', 'mcp:\n  browser:\n'])
      expect((await load(VISION, written(content).place)).options.port).toBe(8081);
  });
});

describe('S3-28 a mistake stops the start with file, line and key', () => {
  const AT = '~/.clawtopus/config.yaml';
  it.each([
    [
      'mcp:\n  browser:\n    httpPorts: 1\n',
      `${AT}:3: unknown key "mcp.browser.httpPorts". Did you mean mcp.browser.httpPort?`,
    ],
    [
      'mcp:\n  browser:\n    security:\n      blockEvil: true\n',
      `${AT}:4: unknown key "mcp.browser.security.blockEvil". Did you mean mcp.browser.security.blockEval?`,
    ],
    [
      'mcp:\n  browser:\n    security:\n      constructor: true\n',
      `${AT}:4: unknown key "mcp.browser.security.constructor".`,
    ],
    ['mcp:\n  browser:\n    httpPort: many\n', `${AT}:3: httpPort "many": expected a whole number from 0 to 65535.`],
    ['mcp:\n  browser:\n    transport: pigeon\n', `${AT}:3: transport "pigeon": expected one of stdio, http.`],
    [
      'mcp:\n  browser:\n    security:\n      allowedUrlPatterns:\n        - "["\n',
      `${AT}:5: security.allowedUrlPatterns ["["]: expected a regular expression.`,
    ],
    ['mcp:\n  browser:\n    sessions: 5\n', `${AT}:3: unknown key "mcp.browser.sessions".`],
    [
      'mcp:\n  browser:\n    transport:\n      pathPrefix: /api\n',
      `${AT}:4: transport.pathPrefix "/api" cannot be honoured: MCP is served at /mcp, and nowhere else.`,
    ],
    [
      'mcp:\n  browser:\n    auth:\n      useGatewayAuth: true\n',
      `${AT}:4: auth.useGatewayAuth true cannot be honoured: there is no gateway here; give auth.tokenFile or auth.token.`,
    ],
    [
      'mcp:\n  browser:\n    security:\n      auditLogging: false\n',
      `${AT}:4: security.auditLogging false cannot be honoured: every call is recorded; no secrets are.`,
    ],
    [
      'mcp:\n  browser:\n    httpPort: 1\n    transport: { port: 2 }\n',
      `${AT}:4: transport.port says again what httpPort says. Keep one of them.`,
    ],
    [
      'mcp:\n  browser:\n    auth: { token: short }\n',
      `${AT}:3: auth.token: expected one word of at least 16 characters.`,
    ],
    ['mcp:\n  browser:\n   - [\n', `${AT}:`],
  ])('%j', async (content, line) => {
    expect(await stopped(content)).toContain(line);
  });

  it('shows no secret', async () => {
    expect(await stopped(inSection({ 'auth.token': 'secret word' }))).not.toContain('secret');
    expect(await stopped('', { MCP_AUTH_TOKEN: 'secret' })).toBe(
      'MCP_AUTH_TOKEN: expected one word of at least 16 characters.',
    );
  });

  it('tells of what excludes each other where it stands', async () => {
    const values = { defaultCdpUrl: 'http://127.0.0.1:1', browserProfile: '/a' };
    expect(await stopped(inSection(values))).toMatch(
      /^userDataDir in ~\/\.clawtopus\/config\.yaml and cdpEndpoint in .* exclude each other/,
    );
  });
});
