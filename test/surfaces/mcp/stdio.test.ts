// The built command over stdio: every revision, clean ends, nothing but protocol on stdout.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { BUNDLE, besideDriver, cleanEnv, isAlive, type Message, MODERN, Process, temporaryFolder } from '../process.ts';

const folder = temporaryFolder();
const started: Process[] = [];

const start = (...args: string[]): Process => startWith({}, ...args);

function startWith(env: Record<string, string>, ...args: string[]): Process {
  const server = new Process(args, join(folder.path, String(started.length)), env);
  started.push(server);
  return server;
}

beforeAll(() => {
  if (!existsSync(BUNDLE)) throw new Error('dist/tabwright.js is missing. Run: npm run build');
});

afterAll(async () => {
  await Promise.all(started.map(server => server.kill('SIGKILL')));
  folder.remove();
});

/** A run of the command that ends by itself. */
const command = (...args: string[]) =>
  spawnSync(process.execPath, [BUNDLE, ...args], { env: cleanEnv(folder.path), encoding: 'utf8', input: '' });

const toolsOf = (answer: Message) => answer.result?.tools as { name: string }[];

describe('revisions', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('%s is spoken', async version => {
    const server = start();
    const { result } = await server.initialize(version);
    expect(result).toMatchObject({
      protocolVersion: version,
      serverInfo: { name: 'tabwright', version: packageJson.version },
      capabilities: { tools: {} },
    });
    expect(result?.instructions).toMatch(/snapshot/);
    expect(toolsOf(await server.request('tools/list')).length).toBeGreaterThan(0);
    expect(await server.endInput()).toEqual({ code: 0, signal: null });
  });

  it('2026-07-28 is spoken without a handshake', async () => {
    const server = start();
    const { result } = await server.request('server/discover', { _meta: MODERN });
    expect(result).toMatchObject({ supportedVersions: ['2026-07-28'], ttlMs: 3_600_000, cacheScope: 'public' });
    const list = await server.request('tools/list', { _meta: MODERN });
    expect(list.result).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' });
    expect(toolsOf(list).length).toBeGreaterThan(0);
    expect(await server.endInput()).toEqual({ code: 0, signal: null });
  });

  it('an unknown revision is offered the newest that a handshake can choose', async () => {
    expect((await start().initialize('2030-01-01')).result).toMatchObject({ protocolVersion: '2025-11-25' });
  });
});

describe('the end', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('%s ends the process cleanly', async signal => {
    const server = start();
    await server.initialize();
    expect(await server.kill(signal)).toEqual({ code: 0, signal: null });
  });

  it.each(['SIGTERM', 'end of input'] as const)('%s ends the browser too', async how => {
    const server = start();
    await server.initialize();
    const { result } = await server.request('tools/call', { name: 'tab_new', arguments: {} });
    expect(result?.isError).toBeUndefined();
    const browser = server.descendants();
    expect(browser.length).toBeGreaterThan(0);
    expect(await (how === 'SIGTERM' ? server.kill(how) : server.endInput())).toEqual({ code: 0, signal: null });
    await expect.poll(() => browser.filter(isAlive), { timeout: 5_000 }).toEqual([]);
  });

  it('end of input before any message ends the process cleanly', async () => {
    expect(await start().endInput()).toEqual({ code: 0, signal: null });
  });
});

describe('a start', () => {
  it('writes nothing to disk and nothing to stderr', async () => {
    const server = start();
    await server.initialize();
    await server.request('tools/list');
    expect(existsSync(server.stateDir)).toBe(false);
    await server.endInput();
    expect(existsSync(server.stateDir)).toBe(false);
    expect(server.stderr).toBe('');
  });

  it('answers tools/list soon', async () => {
    const { best, driver } = await besideDriver(async () => {
      const server = start();
      await server.initialize();
      await server.request('tools/list');
      void server.endInput();
    });
    console.log(`start to tools/list: ${Math.round(best)} ms; to load a browser driver: ${Math.round(driver)} ms`);
    expect(best).toBeLessThan(driver);
  });

  it('offers only the chosen groups', async () => {
    const server = start('mcp', '--tools', 'navigation');
    await server.initialize();
    const names = toolsOf(await server.request('tools/list')).map(tool => tool.name);
    expect(names).toContain('navigate');
    expect(names).not.toContain('snapshot');
    const { result } = await server.request('tools/call', { name: 'snapshot', arguments: {} });
    expect(result?.isError).toBe(true);
  });
});

describe('calls', () => {
  it('of an unknown tool answer with the nearest names', async () => {
    const server = start();
    await server.initialize();
    const { result, error } = await server.request('tools/call', { name: 'snapshto', arguments: {} });
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result?.content)).toContain('snapshot');
    expect(result).not.toHaveProperty('structuredContent');
  });

  it('answer in structured form when asked to', async () => {
    const server = start('--structured');
    await server.initialize();
    const { result } = await server.request('tools/call', { name: 'snapshto', arguments: {} });
    expect(result?.structuredContent).toMatchObject({ success: false, code: 'unknown_tool' });
  });

  it('leave nothing but protocol on stdout, however much is logged', async () => {
    const server = start('--log-level', 'debug');
    await server.initialize();
    await server.request('tools/call', { name: 'nothing' });
    await server.request('no/such/method');
    server.send({ method: 'notifications/unknown' });
    await server.endInput();
    expect(server.lines.length).toBe(3);
    for (const line of server.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });
});

it('sends what others print with console.log to stderr', async () => {
  // NODE_OPTIONS does not keep quotes.
  const noise = `data:text/javascript,${encodeURIComponent(`process.once('SIGUSR2', () => console.log('noise'))`)}`;
  const server = startWith({ NODE_OPTIONS: `--import=${noise}` });
  await server.initialize();
  server.signal('SIGUSR2');
  await expect.poll(() => server.stderr).toBe('noise\n');
  await server.endInput();
  expect(server.lines.length).toBe(1);
});

describe('the command line', () => {
  it('prints help and version to stdout', () => {
    expect(command('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--executable-path') });
    expect(command('--version')).toMatchObject({ status: 0, stdout: `${packageJson.version}\n` });
  });

  it.each([
    [['--headles'], 'tabwright: Unknown option --headles. Did you mean --headed? All options: tabwright --help\n'],
    [['--viewport', 'big'], 'tabwright: --viewport "big": expected a width and a height in pixels such as 1280x720.\n'],
    [['mpc'], 'tabwright: Unknown command mpc. Did you mean mcp? See tabwright --help\n'],
    [['mcp', 'now'], 'tabwright: Unexpected word now after mcp.'],
    [['--tools', 'cor'], 'tabwright: --tools: there is no group "cor". Did you mean core? Groups: all, core'],
  ])('%j stops the start with one line', (args, line) => {
    const { status, stdout, stderr } = command(...args);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.startsWith(line)).toBe(true);
    expect(stderr.trimEnd()).not.toContain('\n');
  });
});
