// `tabwright config`: settings for clients, printed and written, and the options with their origins.
import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'jsonc-parser';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { optionKeys } from '../../../src/config/options.ts';
import { BUNDLE, CLIENT_INFO } from '../process.ts';
import { runIn } from './run.ts';

let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tabwright-test-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

const config = (...args: string[]) => runIn(home, ['config', ...args]);

function ok(...args: string[]): string {
  const { status, stdout, stderr } = config(...args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** The file of each client on Linux, the key of its servers, and whether it wants a type. */
const CLIENTS = [
  { client: 'claude-desktop', file: '.config/Claude/claude_desktop_config.json', servers: 'mcpServers', type: {} },
  { client: 'claude-code', file: '.claude.json', servers: 'mcpServers', type: { type: 'stdio' } },
  { client: 'cursor', file: '.cursor/mcp.json', servers: 'mcpServers', type: {} },
  { client: 'vscode', file: '.config/Code/User/mcp.json', servers: 'servers', type: { type: 'stdio' } },
  { client: 'windsurf', file: '.codeium/windsurf/mcp_config.json', servers: 'mcpServers', type: {} },
];

describe('settings', () => {
  it('are printed for every client', () => {
    const text = ok();
    for (const { file } of CLIENTS) expect(text).toContain(join(home, file));
    expect(text).toContain('"url": "http://127.0.0.1:9223/mcp"');
    expect(text).toContain(`Authorization: Bearer $(cat ${home}/.local/state/tabwright/token)`);
    const all = JSON.parse(ok('--json'));
    expect(Object.keys(all)).toEqual([...CLIENTS.map(({ client }) => client), 'http']);
    for (const { client, file, servers, type } of CLIENTS)
      expect(all[client]).toMatchObject({
        file: join(home, file),
        settings: { [servers]: { tabwright: { ...type, command: 'node', args: [BUNDLE] } } },
      });
  });

  it('are printed for one client', () => {
    const text = ok('cursor');
    expect(text).toContain('.cursor/mcp.json');
    expect(text).not.toContain('Windsurf');
    expect(JSON.parse(text.slice(text.indexOf('{')))).toEqual(JSON.parse(ok('cursor', '--json')).settings);
  });

  it('carry the flags that were given, with whole paths; the HTTP address follows its own', () => {
    const flags = [
      '--headed',
      '--user-data-dir=p',
      '--chrome-arg=--mute-audio',
      '--chrome-arg=--lang=de',
      '--port=8000',
    ];
    const all = JSON.parse(ok('--json', '--no-structured', '--viewport', '800x600', '--tools=core,tabs', ...flags));
    expect(all.cursor.settings.mcpServers.tabwright.args.slice(1)).toEqual([
      '--headed',
      `--user-data-dir=${home}/p`,
      '--chrome-arg=--mute-audio',
      '--chrome-arg=--lang=de',
      '--viewport=800x600',
      '--tools=core,tabs',
      '--structured=false',
    ]);
    expect(all.http.settings.mcpServers.tabwright.url).toBe('http://127.0.0.1:8000/mcp');
  });

  it.each([
    ['::', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['::1', '[::1]'],
    ['localhost', 'localhost'],
  ])('reach a server that listens on %s at %s', (host, reached) => {
    const { settings } = JSON.parse(ok('http', '--json', '--host', host));
    expect(settings.mcpServers.tabwright.url).toBe(`http://${reached}:9223/mcp`);
  });

  it('without a token say nothing of one', () => {
    expect(ok('http', '--no-auth')).not.toMatch(/token|Bearer/);
  });

  it('never show the token', () => {
    mkdirSync(join(home, '.local/state/tabwright'), { recursive: true });
    writeFileSync(join(home, '.local/state/tabwright/token'), 'very-secret');
    expect(ok() + ok('--json') + ok('--show')).not.toContain('very-secret');
  });

  it('start a server that answers', async () => {
    const { command, args } = JSON.parse(ok('vscode', '--json')).settings.servers.tabwright;
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill());
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT_INFO };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    for await (const line of createInterface({ input: child.stdout })) {
      expect(JSON.parse(line).result.serverInfo.name).toBe('tabwright');
      break;
    }
  });
});

describe('--write', () => {
  it.each(CLIENTS)('makes the file of $client, and says so', ({ client, file, servers, type }) => {
    const path = join(home, file);
    expect(ok('--write', client, '--headed')).toContain(`wrote ${path}`);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      [servers]: { tabwright: { ...type, command: 'node', args: [BUNDLE, '--headed'] } },
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each(CLIENTS)('keeps all else in the file of $client, comments too, and a backup', ({ client, file, servers }) => {
    const path = join(home, file);
    const old = `// mine\n{\n    "theme": "dark", // always\n    "${servers}": {\n        "other": { "command": "x" }\n    }\n}\n`;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, old, { mode: 0o640 });
    const said = ok('--write', client);
    expect(said).toContain(`The file as it was: ${path}.bak`);
    expect(readFileSync(`${path}.bak`, 'utf8')).toBe(old);
    const text = readFileSync(path, 'utf8');
    expect(text).toMatch(/^\/\/ mine\n\{\n {4}"theme": "dark", \/\/ always\n/);
    expect(text).toContain(`\n        "tabwright": {\n            `);
    expect(parse(text)).toMatchObject({
      theme: 'dark',
      [servers]: { other: { command: 'x' }, tabwright: { command: 'node', args: [BUNDLE] } },
    });
    expect(statSync(path).mode & 0o777).toBe(0o640);

    expect(ok('--write', client)).toContain('nothing to change');
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(JSON.parse(ok('--write', client, '--headed', '--json'))).toEqual({
      client,
      file: path,
      changed: true,
      backup: `${path}.bak.1`,
    });
    expect(readFileSync(`${path}.bak`, 'utf8')).toBe(old);
    expect(readFileSync(`${path}.bak.1`, 'utf8')).toBe(text);
  });

  it('refuses a broken file and leaves it alone', () => {
    const path = join(home, '.cursor', 'mcp.json');
    mkdirSync(dirname(path));
    writeFileSync(path, '{ "mcpServers": {\n oops');
    expect(config('--write', 'cursor')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining(`${path}:2 is not valid JSON`),
    });
    expect(readFileSync(path, 'utf8')).toBe('{ "mcpServers": {\n oops');
  });
});

describe('wrong usage', () => {
  it.each([
    [['crusor'], 'Unknown client crusor. Did you mean cursor?'],
    [['--write', 'vscod'], 'Unknown client vscod. Did you mean vscode?'],
    [['--write', 'emacs'], 'Unknown client emacs. Clients: claude-desktop, claude-code, cursor, vscode, windsurf.'],
    [['--write', 'http'], 'http has no file of its own. See the settings: tabwright config http'],
    [['--write', 'cursor', '--show'], 'exclude each other'],
    [['cursor', '--show'], 'exclude each other'],
    [['cursor', 'vscode'], 'Unexpected word vscode after config.'],
  ])('%j ends with code 2', (args, said) => {
    expect(config(...args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(said) });
  });
});

describe('--show', () => {
  it('prints every option with its value and where it comes from', () => {
    const cwd = join(home, 'work');
    const user = join(home, '.config', 'tabwright', 'tabwright.config.toml');
    for (const folder of [cwd, dirname(user)]) mkdirSync(folder, { recursive: true });
    writeFileSync(user, 'locale = "de"\nproxy = "http://ann:hunter2@proxy.test:8080"\n');
    writeFileSync(join(cwd, 'tabwright.config.yaml'), 'maxChars: 2000\nheaded: true\n');
    const env = { TABWRIGHT_TIMEOUT_CALL: '9000', TABWRIGHT_CDP_ENDPOINT: 'wss://grid.test/?token=abc123def' };
    const show = (...args: string[]) => runIn(home, ['config', '--show', ...args], env, cwd).stdout;

    const text = show('--viewport', '800x600', '--no-headed');
    const rows = Object.fromEntries(text.split('\n').map(line => [line.split(' ')[0], line.split(/\s+/).slice(1)]));
    expect(rows).toMatchObject({
      maxChars: ['2000', join(cwd, 'tabwright.config.yaml')],
      locale: ['de', user],
      timeoutCall: ['9000', 'TABWRIGHT_TIMEOUT_CALL'],
      viewport: ['800x600', '--viewport'],
      headed: ['false', '--headed'],
      timezone: ['-', 'default'],
      port: ['9223', 'default'],
      tools: ['all', 'default'],
    });
    expect(text).toContain(`Config files: ${user}, ${join(cwd, 'tabwright.config.yaml')}`);
    // Aligned: every origin begins in the same column.
    const columns = optionKeys.map(key =>
      text
        .split('\n')
        .find(line => line.startsWith(`${key} `))
        ?.lastIndexOf('  '),
    );
    expect(new Set(columns).size).toBe(1);

    const { options, files } = JSON.parse(show('--json'));
    expect(Object.keys(options)).toEqual(optionKeys);
    expect(files).toEqual([user, join(cwd, 'tabwright.config.yaml')]);
    expect(options.viewport).toEqual({ value: { width: 1280, height: 720 }, origin: 'default' });
    expect(options.timezone).toEqual({ value: null, origin: 'default' });
    for (const shown of [text, show('--json')]) {
      expect(shown).toContain('http://[redacted]@proxy.test:8080');
      expect(shown).not.toMatch(/hunter2|ann:|abc123def/);
    }
  });

  it('has colours only where they are wanted', () => {
    expect(ok('--show')).not.toContain('\u001b');
    expect(runIn(home, ['config', '--show'], { FORCE_COLOR: '1' }).stdout).toContain('\u001b[2mdefault');
  });
});

it.each([['config', '--show'], ['mcp'], ['tools']])(
  'a mistake in the config file stops %s with one line and code 2',
  (...args) => {
    writeFileSync(join(home, 'tabwright.config.yaml'), 'headed: true\nmaxChar: 5\n');
    expect(runIn(home, args)).toEqual({
      status: 2,
      stdout: '',
      stderr: 'tabwright: tabwright.config.yaml:2: unknown key "maxChar". Did you mean maxChars?\n',
    });
  },
);

it('a parser is loaded only for a file of its format', () => {
  /** The formats whose part of the bundle was run. */
  const loaded = (cwd: string): string[] => {
    const coverage = join(cwd, 'coverage');
    expect(runIn(home, ['completion', 'bash'], { NODE_V8_COVERAGE: coverage }, cwd).status).toBe(0);
    const [report = ''] = readdirSync(coverage);
    const { result } = JSON.parse(readFileSync(join(coverage, report), 'utf8')) as { result: { url: string }[] };
    return result.flatMap(({ url }) => /\/parts\/(yaml|toml|json)-\w+\.js$/.exec(url)?.[1] ?? []);
  };
  mkdirSync(join(home, 'none'));
  expect(loaded(join(home, 'none'))).toEqual([]);
  for (const format of ['yaml', 'toml', 'json']) {
    mkdirSync(join(home, format));
    writeFileSync(join(home, format, `tabwright.config.${format}`), '');
    expect(loaded(join(home, format))).toEqual([format]);
  }
});

it.each(['yaml', 'toml', 'json'])('the built command reads %s', format => {
  const text = { yaml: 'maxChars: 2000', toml: 'maxChars = 2000', json: '{"maxChars": 2000}' }[format] ?? '';
  writeFileSync(join(home, `tabwright.config.${format}`), text);
  expect(JSON.parse(ok('--show', '--json')).options.maxChars.value).toBe(2_000);
});
