// browseros-mcp as its parent sees it, on each runtime: the lines it prints in their order, and the code it ends with.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { type OtherBrowser, otherBrowser } from '../../other-browser.ts';
import { temporaryFolder } from '../process.ts';
import { Bin, freePort, RUNTIMES, type Runtime, startBin, streamableAgent } from './bin.ts';

// Each start loads all of Playwright, which a busy machine takes its time for.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const folder = temporaryFolder();
const setting = { home: folder.path };
const HELLO = `BrowserOS MCP Server v${packageJson.version}`;
const bins: Bin[] = [];
const servers: Server[] = [];
let browser: OtherBrowser;
let cdpPort: number;

beforeAll(async () => {
  browser = await otherBrowser();
  cdpPort = Number(new URL(browser.endpoint).port);
});

afterAll(async () => {
  await Promise.all(bins.map(bin => bin.kill('SIGKILL')));
  for (const server of servers) server.close();
  await browser.end();
  folder.remove();
});

function launch(runtime: Runtime, ...args: string[]): Bin {
  const bin = new Bin(runtime, args, setting);
  bins.push(bin);
  return bin;
}

async function start(runtime: Runtime, port = cdpPort, more: Partial<ConstructorParameters<typeof Bin>[2]> = {}) {
  const started = await startBin(runtime, port, { ...setting, ...more });
  bins.push(started.bin);
  return started;
}

async function listening(server: Server): Promise<number> {
  // Whoever gives up cuts the connection.
  server.on('connection', socket => socket.on('error', () => undefined));
  servers.push(server);
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

/** Ports at which there is no browser. */
const STRANGERS: Record<string, () => Promise<number>> = {
  'nobody listens': freePort,
  'another program answers': () => listening(createHttpServer((_req, res) => res.end('hello'))),
  'another program refuses': () => listening(createHttpServer((_req, res) => res.writeHead(404).end())),
  'somebody takes the connection and is silent': () => listening(createServer(() => undefined)),
  'somebody hangs up': () => listening(createServer(socket => socket.destroy())),
};

async function endsWithoutBrowser(runtime: Runtime, port: number): Promise<void> {
  const bin = launch(runtime, `--cdp-port=${port}`, `--mcp-port=${await freePort()}`);
  expect(await bin.ended).toEqual({ code: 2, signal: null });
  expect(bin.lines).toEqual([HELLO]);
  expect(bin.errors).toHaveLength(2);
  expect(bin.errors[0]).toBe(`Error: Failed to connect to CDP at http://127.0.0.1:${port}`);
  expect(bin.errors[1]).toMatch(/^Cause: \S/);
}

describe.each(Object.keys(RUNTIMES) as Runtime[])('on %s (S2-33, S2-38)', runtime => {
  // The source is the same program as the build: it need not be seen to fail in every way.
  const isBuilt = runtime !== 'Bun, from source';
  // What is made of an answer does not depend on the runtime; that nobody answers is told by it.
  const strangers = Object.values(STRANGERS).slice(0, runtime === 'Node' ? undefined : 1);

  it.each([
    [[], ['Error: Missing required argument --cdp-port', 'Error: Missing required argument --mcp-port']],
    [
      ['--cdp-port=0', '--mcp-port=abc', '--headless'],
      [
        'Error: Invalid port number for --cdp-port: 0',
        'Error: Invalid port number for --mcp-port: abc',
        'Error: Unknown argument --headless',
      ],
    ],
  ])('wrong arguments end it with 1: %j (S2-04, S2-06, S2-07, S2-08, S2-09, S2-32)', async (args, errors) => {
    const bin = launch(runtime, ...args);
    expect(await bin.ended).toEqual({ code: 1, signal: null });
    expect(bin.errors.slice(0, -1)).toEqual(errors);
    expect(bin.errors.at(-1)).toMatch(/^Usage: /);
    expect(bin.stdout).toBe('');
  });

  /** One who is silent is waited for 10 s: beside the other tests. */
  let ends: Promise<unknown>;
  beforeAll(() => {
    ends = Promise.all(strangers.map(async find => endsWithoutBrowser(runtime, await find())));
    ends.catch(() => undefined); // it is told where it is awaited
  });

  it.runIf(isBuilt)('a port that is taken ends it with 3 (S2-11)', async () => {
    const port = await listening(createServer(() => undefined));
    const bin = launch(runtime, `--cdp-port=${cdpPort}`, `--mcp-port=${port}`);
    expect(await bin.ended).toEqual({ code: 3, signal: null });
    expect(bin.errors).toEqual([
      `Error: Failed to bind HTTP server on port ${port}`,
      `Error: Port ${port} already in use`,
    ]);
    expect(bin.lines).toEqual([HELLO, `Connected to CDP at http://127.0.0.1:${cdpPort}`]);
  });

  it.each(isBuilt ? (['SIGINT', 'SIGTERM'] as const) : (['SIGINT'] as const))(
    '%s ends it with 0, and the lines are these (S2-12, S2-25, S2-26, S2-27, S2-31, S2-35, S2-36)',
    async signal => {
      const { bin, port, url } = await start(runtime);
      const { cpu, memory } = bin.usage();
      // Far more than it needs; how long that takes there, nobody knows (S2-35, S2-36).
      if (process.platform === 'linux')
        expect([cpu < 4_000, memory < 300], `${cpu} ms, ${memory} MB`).toEqual([true, true]);
      const health = await fetch(url.replace('/mcp', '/health'));
      expect(await health.json()).toMatchObject({ status: 'ok' });
      expect(await bin.kill(signal)).toEqual({ code: 0, signal: null });
      expect(bin.lines).toEqual([
        HELLO,
        `Connected to CDP at http://127.0.0.1:${cdpPort}`,
        `MCP Server ready at http://127.0.0.1:${port}/mcp`,
        `Ready at http://127.0.0.1:${port}/mcp`,
        'Shutting down server...',
        'Closing 0 active sessions',
        'Server shutdown complete',
      ]);
      expect(bin.stderr).toBe('');
      await expect(fetch(url)).rejects.toThrow();
    },
  );

  it.runIf(isBuilt)('the end of the browser ends it with 2 and says so', async () => {
    const other = await otherBrowser();
    const endpoint = new URL(other.endpoint);
    const { bin, url } = await start(runtime, Number(endpoint.port));
    const stream = await fetch(url, { headers: { accept: 'text/event-stream' } });
    const text = stream.text().catch(() => 'cut');
    await other.end();
    expect(await bin.ended).toEqual({ code: 2, signal: null });
    expect(bin.errors).toEqual([expect.stringMatching(`^Error: Lost the browser at ${endpoint.origin}: `)]);
    await text;
  });

  it('no browser ends it with 2, whoever has the port (S2-01, S2-10, S2-13, S2-45)', async () => {
    await ends;
  });
});

describe('on Node', () => {
  it('is asked to end before it has begun, and ends with 0', async () => {
    const silent = await listening(createServer(() => undefined));
    const bin = await launch('Node', `--cdp-port=${silent}`, `--mcp-port=${await freePort()}`).says(HELLO);
    // The connection is its own sign that it has begun to wait.
    await new Promise<void>(done => servers.at(-1)?.once('connection', () => done()));
    expect(await bin.kill('SIGINT')).toEqual({ code: 0, signal: null });
    expect(bin.lines.slice(1)).toEqual([
      'Shutting down server...',
      'Closing 0 active sessions',
      'Server shutdown complete',
    ]);
  });

  it('14.20 takes nothing from config files and variables of Tabwright but its folders', async () => {
    const cwd = join(folder.path, 'project');
    mkdirSync(join(folder.path, 'tabwright'), { recursive: true });
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(folder.path, 'tabwright', 'config.yaml'), 'no: [such');
    writeFileSync(join(cwd, 'tabwright.yaml'), 'no: [such');
    const env = {
      TABWRIGHT_PORT: 'x',
      TABWRIGHT_DIALECT: 'native',
      TABWRIGHT_CONFIG: join(cwd, 'none.yaml'),
      TABWRIGHT_AUTH: 'true',
      TABWRIGHT_ALLOW_URLS: 'nowhere',
      TABWRIGHT_LOG_LEVEL: 'debug',
      TABWRIGHT_STATE_DIR: join(folder.path, 'own-state'),
    };
    const { bin, url } = await start('Node', cdpPort, { env, cwd });
    const { tools } = await toolsAt(url);
    expect(tools).toContain('take_snapshot');
    expect(await bin.kill('SIGINT')).toEqual({ code: 0, signal: null });
    expect(bin.stderr).toBe('');
  });

  it('14.20 has errors only on stderr: a warning is told with DEBUG alone (S2-32)', async () => {
    // The journal cannot be written below a file, which is worth a warning.
    const file = join(folder.path, 'no-folder');
    writeFileSync(file, '');
    const stderrOf = async (env: Record<string, string>) => {
      const { bin, url } = await start('Node', cdpPort, { env: { TABWRIGHT_STATE_DIR: join(file, 'state'), ...env } });
      const agent = await streamableAgent(url);
      await agent.ok('list_pages');
      expect(await agent.call('click', { uid: '99_99' })).toMatchObject({ isError: true });
      await agent.close();
      expect(await bin.kill('SIGINT')).toEqual({ code: 0, signal: null });
      return bin.errors;
    };
    expect(await stderrOf({ DEBUG: 'mcp:*' })).toContainEqual(expect.stringMatching(/^\[warn\] the journal is off/));
    expect(await stderrOf({})).toEqual([expect.stringMatching(/^click error: \S/)]);
  });

  it('tells more with DEBUG=mcp:*, on stderr (S2-30)', async () => {
    const { bin, url } = await start('Node', cdpPort, { env: { DEBUG: 'mcp:*' } });
    await toolsAt(url);
    await bin.kill('SIGINT');
    expect(bin.stderr).toContain('[info] http: POST /mcp 200');
    expect(bin.stdout).not.toContain('[info]');
  });

  it('goes on when nobody reads what it says', async () => {
    const { bin, url } = await start('Node');
    bin.child.stdout?.destroy();
    bin.child.stderr?.destroy();
    expect((await toolsAt(url)).tools).toContain('list_pages');
    expect((await toolsAt(url)).tools).toContain('list_pages');
    expect(await bin.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});

async function toolsAt(url: string): Promise<{ tools: string[] }> {
  const agent = await streamableAgent(url);
  const tools = await agent.names();
  await agent.close();
  return { tools };
}
