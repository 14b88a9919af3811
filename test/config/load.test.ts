// Options from flags and environment: order of the layers, forms of a flag, and one clear line for each mistake.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { load, merge } from '../../src/config/load.ts';
import { envOf, flagOf, OPTIONS, optionKeys } from '../../src/config/options.ts';
import { Failure } from '../../src/errors.ts';

// Folders that are not there: no config file reaches these tests.
const place = { env: {}, platform: 'linux' as const, home: '/home/ann', cwd: '/home/ann/work' };
const read = async (argv: string[], env: Record<string, string> = {}) => (await load(argv, { ...place, env })).options;

async function mistake(argv: string[], env: Record<string, string> = {}): Promise<string> {
  try {
    await read(argv, env);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error.code).toBe('bad_input');
    const line = [error.message, error.hint].filter(Boolean).join(' ');
    expect(line).not.toContain('\n');
    return line;
  }
  throw new Error(`${argv.join(' ')} was accepted`);
}

describe('layers', () => {
  it('give every option its default', async () => {
    expect(await read([])).toEqual({
      headed: false,
      eagerBrowser: false,
      browsers: [],
      browserHeaders: [],
      shareBrowser: false,
      noSandbox: false,
      structured: undefined,
      outputSchema: false,
      chromeArg: [],
      tools: ['all'],
      dialect: 'native',
      viewport: { width: 1280, height: 720 },
      snapshotStyle: 'tree',
      receipt: 'short',
      stateDir: '/home/ann/.local/state/tabwright',
      outputDir: '/home/ann/.local/state/tabwright/output',
      journalFile: '/home/ann/.local/state/tabwright/journal/journal.jsonl',
      profilesFile: '/home/ann/.local/state/tabwright/profiles.json',
      uploadDirs: [],
      profileDirs: ['/home/ann'],
      timeoutAction: 5_000,
      timeoutNavigation: 30_000,
      timeoutCall: 120_000,
      maxChars: 25_000,
      pictureSize: { width: 2_000, height: 2_000 },
      pictureBytes: 5_000_000,
      pictureQuality: 85,
      pictureLeastQuality: 35,
      safeNames: false,
      transport: 'stdio',
      logLevel: 'warn',
      logFormat: 'text',
      maxSessions: 10,
      maxSessionsPerCaller: 3,
      maxDownloadMb: 4_000,
      serverIdle: 1_800_000,
      sessionIdle: 1_800_000,
      keepSessions: true,
      sharedSessions: [],
      sessionSharing: true,
      allowUrls: [],
      blockUrls: [],
      scripts: true,
      blockScripts: [],
      rateLimit: 3_000,
      allowCommands: [],
      allowExecutables: [],
      host: '127.0.0.1',
      port: 9_223,
      auth: true,
      tokenFile: '/home/ann/.local/state/tabwright/token',
      tokensFile: '/home/ann/.local/state/tabwright/tokens.yaml',
      allowedHosts: [],
      allowedOrigins: [],
    });
  });

  it('let flags win over the environment, and the environment over defaults', async () => {
    const env = { TABWRIGHT_TIMEOUT_ACTION: '100', TABWRIGHT_MAX_CHARS: '5000', TABWRIGHT_HEADED: 'true' };
    const options = await read(['--max-chars', '6000', '--no-headed'], env);
    expect(options).toMatchObject({ timeoutAction: 100, maxChars: 6_000, headed: false, timeoutCall: 120_000 });
  });

  it('merge as many as there are, the last one first', () => {
    const options = merge([{ maxChars: 1_000, locale: 'de' }, { maxChars: 2_000 }, { maxChars: 3_000 }], place);
    expect(options).toMatchObject({ maxChars: 3_000, locale: 'de' });
  });

  it('take an empty variable as an unset one', async () => {
    expect(await read([], { TABWRIGHT_PROXY: '', TABWRIGHT_MAX_CHARS: '' })).toMatchObject({ maxChars: 25_000 });
  });
});

describe('flags', () => {
  it('take their value after a space or an equals sign', async () => {
    expect(await read(['--viewport', '800x600', '--user-agent=a=b c'])).toMatchObject({
      viewport: { width: 800, height: 600 },
      userAgent: 'a=b c',
    });
  });

  it('leave the command and its words among them', async () => {
    expect(await load(['--headed', 'tools', '--max-chars', '2000', 'click', '--json'], place)).toMatchObject({
      command: 'tools',
      words: ['click'],
      flags: { '--json': true },
      options: { headed: true, maxChars: 2_000 },
    });
    expect(await load([], place)).toMatchObject({ command: 'mcp', words: [], flags: {}, files: [] });
  });

  it('turn a switch on and off', async () => {
    expect((await read(['--headed'])).headed).toBe(true);
    expect((await read(['--headed', '--no-headed'])).headed).toBe(false);
    expect((await read(['--headed=false'])).headed).toBe(false);
    expect((await read(['--no-sandbox'])).noSandbox).toBe(true);
    expect((await read(['--no-sandbox=no'])).noSandbox).toBe(false);
  });

  it('add up where they may be repeated, and replace what the environment says', async () => {
    const env = { TABWRIGHT_CHROME_ARG: '--mute-audio --lang=de --window-name=a b' };
    expect((await read([], env)).chromeArg).toEqual(['--mute-audio', '--lang=de', '--window-name=a b']);
    expect((await read(['--chrome-arg', '--x', '--chrome-arg=--headed'], env)).chromeArg).toEqual(['--x', '--headed']);
  });

  it('of remote browsers name variables of the environment, and hide what they hold', async () => {
    const env = { KEY: 'hunter2' };
    const named = ['--browsers', 'wss://a.test/cdp?token=$' + '{KEY}', '--browser-headers', 'X-Key: $' + '{KEY}'];
    const { browsers, browserHeaders } = await read(named, env);
    expect([...browsers, ...browserHeaders]).toEqual(['wss://a.test/cdp?token=hunter2', 'X-Key: hunter2']);
    await expect(read(named)).rejects.toThrow(/^--browsers\b.*variables that it names must be set/);
    await expect(read(['--browsers', 'ftp://user:hunter2@a.test'])).rejects.not.toThrow(/hunter2/);
  });

  it('resolve paths from the working folder and the home folder', async () => {
    const options = await read(['--state-dir', 'state', '--user-data-dir', '~/p', '--executable-path', '/opt/chrome']);
    expect(options).toMatchObject({
      stateDir: '/home/ann/work/state',
      outputDir: '/home/ann/work/state/output',
      userDataDir: '/home/ann/p',
      executablePath: '/opt/chrome',
    });
  });
});

describe('the state folder', () => {
  const at = async (platform: NodeJS.Platform, env: Record<string, string>) =>
    (await load([], { ...place, platform, env })).options.stateDir.replaceAll('\\', '/');

  it('is where each system keeps such things', async () => {
    expect(await at('linux', { XDG_STATE_HOME: '/state' })).toBe('/state/tabwright');
    expect(await at('darwin', {})).toBe('/home/ann/Library/Application Support/tabwright');
    expect(await at('win32', { LOCALAPPDATA: 'C:/Users/ann/Local' })).toBe('C:/Users/ann/Local/tabwright');
  });
});

describe('a mistake', () => {
  it.each([
    [['--headles'], 'Unknown option --headles. Did you mean --headed? All options: tabwright --help'],
    [['--quite-other'], 'Unknown option --quite-other. All options: tabwright --help'],
    [['--no-viewport'], 'Unknown option --no-viewport.'],
    [['-x'], 'Unknown option -x.'],
    [['--state-dir='], '--state-dir needs a value: --state-dir <path>.'],
    [['--state-dir', ''], '--state-dir needs a value'],
    [['--viewport'], '--viewport needs a value: --viewport <WxH>.'],
    [
      ['--proxy', '--headed'],
      '--proxy needs a value: --proxy <url> (a value that starts with dashes: --proxy=--headed).',
    ],
    [['--viewport', '1280'], '--viewport "1280": expected a width and a height in pixels such as 1280x720.'],
    [['--viewport=0x5'], '--viewport "0x5": expected'],
    [['--timeout-action', '-5'], '--timeout-action "-5": expected a whole number from 1 to 2147483647.'],
    [['--timeout-action', '1e3'], '--timeout-action "1e3": expected a whole number'],
    [['--max-chars', '10'], '--max-chars "10": expected a whole number from 1000 to 10000000.'],
    [['--log-level', 'loud'], '--log-level "loud": expected one of error, warn, info, debug.'],
    [['--headed=maybe'], '--headed "maybe": expected true or false.'],
    [['--cdp-endpoint', 'localhost:9222'], '--cdp-endpoint "localhost:9222": expected a url that starts with http'],
    [['--proxy', 'ftp://x'], '--proxy "ftp://x": expected a url that starts with http, https, socks4, socks5'],
    [['--locale', 'x'], '--locale "x": expected a language tag such as de-DE.'],
    [['--timezone', 'Mars/Base'], '--timezone "Mars/Base": expected a time zone such as Europe/Berlin.'],
    [['--tools', 'core,,x'], '--tools "core,,x": expected names separated by commas.'],
    [['--chrome-arg', 'mute'], '--chrome-arg "mute": expected a Chrome switch'],
    [['--user-data-dir=/p', '--cdp-endpoint=ws://h'], '--user-data-dir and --cdp-endpoint exclude each other'],
    [['--config', 'x.ini'], 'x.ini is no config file. Its name must end in .yaml, .yml, .toml, .json.'],
    [['--config', 'x.toml'], 'There is no config file x.toml.'],
    [['serv'], 'Unknown command serv. Did you mean serve? See tabwright --help'],
    [['call'], 'call needs TOOL. Usage: tabwright call TOOL [ARGUMENT…] [--json]'],
    [['mcp', 'x'], 'Unexpected word x after mcp. Usage: tabwright mcp'],
    [['mcp', '--json'], '--json does not belong to mcp.'],
    [['tools', '--json=1'], '--json takes no value.'],
    [['config', '--write'], '--write needs a value: --write <client>.'],
  ])('%j is told in one line', async (argv, line) => {
    expect(await mistake(argv)).toContain(line);
  });

  it('in the environment names the variable', async () => {
    expect(await mistake([], { TABWRIGHT_VIEWPORT: 'big' })).toContain('TABWRIGHT_VIEWPORT "big": expected a width');
  });
});

describe('every option', () => {
  it('has a flag and a variable of its own, made from its key', () => {
    expect(flagOf('timeoutAction')).toBe('--timeout-action');
    expect(envOf('timeoutAction')).toBe('TABWRIGHT_TIMEOUT_ACTION');
    expect(new Set(optionKeys.map(flagOf)).size).toBe(optionKeys.length);
    for (const key of optionKeys) expect(OPTIONS[key].help, key).toMatch(/\.$/);
  });

  it('answers any text with a value or one clear line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...optionKeys), fc.string(), async (key, text) => {
        try {
          await read([`${flagOf(key)}=${text}`]);
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
        }
      }),
    );
  });
});
