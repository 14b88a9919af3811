// The eight tools of the vision dialect in one journey, by a client of 2024-11-05: over stdio, Streamable HTTP and HTTP+SSE.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Answer, agent } from '../surfaces/agents.ts';
import { Served } from '../surfaces/http/served.ts';
import { BUNDLE, cleanEnv, temporaryFolder } from '../surfaces/process.ts';
import { configure, startVisionSite, type VisionSite } from './vision-site.ts';
import { SEED_NAMES, safe } from './vision-tools.ts';

const folder = temporaryFolder();
const VERSION = '2024-11-05';
let site: VisionSite;
let served: Served;
let native: Served;
/** Beside the holder of the server's own token. */
const CALLERS = ['ann', 'bob'].map(id => ({ id, token: `${id}-and-a-long-token` }));

beforeAll(async () => {
  configure(folder.path);
  // The servers read the home folder of the test, not that of whoever runs it.
  vi.stubEnv('HOME', folder.path);
  site = await startVisionSite();
  const tokens = join(folder.path, 'tokens.json');
  writeFileSync(tokens, JSON.stringify({ tokens: CALLERS }), { mode: 0o600 });
  const flags = ['--dialect', 'vision', '--allow-urls', `${site.url}/**`, '--tokens-file', tokens];
  served = await new Served(`${folder.path}/served`, ...flags).ready();
  native = await new Served(`${folder.path}/native`).ready();
});
afterAll(async () => {
  await Promise.all([served, native].map(server => server.kill('SIGTERM')));
  vi.unstubAllEnvs();
  await site.close();
  folder.remove();
});

/** The transport of a client that knows no later revision. */
function old(transport: Transport): Transport {
  const { send } = transport;
  transport.send = (message, options) => {
    const isHello = 'method' in message && message.method === 'initialize';
    const said = isHello ? { ...message, params: { ...message.params, protocolVersion: VERSION } } : message;
    return send.call(transport, said, options);
  };
  return transport;
}

const requestInit = ({ token }: Served) => ({ headers: { authorization: `Bearer ${token}` } });
const at = (path: string) => new URL(served.url.replace('/mcp', path));

const WAYS: Record<string, () => Transport> = {
  stdio: () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [BUNDLE, '--dialect', 'vision'],
      env: cleanEnv(`${folder.path}/stdio`),
      stderr: 'ignore',
    }),
  // Their types do not know exact optional properties.
  'Streamable HTTP': () => new StreamableHTTPClientTransport(at('/mcp'), { requestInit: requestInit(served) }) as never,
  'HTTP+SSE at /sse': () => new SSEClientTransport(at('/sse'), { requestInit: requestInit(served) }) as never,
  'HTTP+SSE at /mcp': () => new SSEClientTransport(at('/mcp'), { requestInit: requestInit(served) }) as never,
};

/** What the client calls itself, and how the tools are listed for it. */
const CLIENTS: Record<string, (name: string) => string> = { Cline: name => name, 'claude-ai': safe };

async function connect(way: string, name: string) {
  const client = new Client({ name, version: '1' });
  await client.connect(old(WAYS[way]!()));
  expect(client.getServerVersion()).toEqual({ name: 'clawtopus-browser-mcp', version: '1.0.0' });
  return agent(client);
}

describe.each(Object.keys(WAYS))('S3-26 %s', way => {
  it.each(Object.keys(CLIENTS))('S3-39 %s: the tools are listed as it can call them', async name => {
    const { names, close } = await connect(way, name);
    expect(await names()).toEqual(SEED_NAMES.map(CLIENTS[name]!));
    await close();
  });

  // How tools are spelled does not depend on the way: that the other spelling works is seen once.
  it.each(way === 'Streamable HTTP' ? Object.keys(CLIENTS) : ['Cline'])(
    'S3-39 %s: all eight tools, one after the other',
    async name => {
      const { ok, call, names, close } = await connect(way, name);
      const spelled = CLIENTS[name]!;
      const own = (tool: string) => spelled(`browser.${tool}`);
      const sessionId = `journey-${name}`;
      const done = new Set<string>();
      const step = (tool: string, args: Record<string, unknown> = {}) => {
        done.add(own(tool));
        return ok(own(tool), { sessionId, ...args });
      };
      expect(await step('navigate', { url: `${site.url}/controls` })).toBe(
        `Navigated to ${site.url}/controls (200 OK)`,
      );
      const page = await step('snapshot');
      const refOf = (words: string) => new RegExp(`(@e\\d+): ${words}`).exec(page)?.[1];
      await step('fill', { selector: refOf('textbox "Name"'), value: 'Grace' });
      expect(await step('evaluate', { script: 'document.querySelector("#name").value' })).toBe('Grace');
      await step('scroll', { pixels: 120 });
      expect(await step('evaluate', { script: 'scrollY' })).toBe('120');
      expect(await step('click', { selector: refOf('link "Next"'), waitForNavigation: true })).toMatch(
        /now at .*\/example/,
      );
      done.add(own('screenshot'));
      const { content } = (await call(own('screenshot'), { sessionId, fullPage: true })) as Answer;
      expect(content).toMatchObject([
        { type: 'image', mimeType: 'image/jpeg' },
        {
          type: 'text',
          text: expect.stringMatching(
            /^\[Snapshot of 127\.0\.0\.1:\d+\]\n- @e\d+: heading "Example Domain" \(level: 1\)/,
          ),
        },
      ]);
      expect(await step('close')).toMatch(/^Closed journey-/);
      expect([...done].sort()).toEqual([...(await names())].sort());
      await close();
    },
  );
});

describe('S3-26 one server, several clients', () => {
  it('S3-16 S3-17 another caller’s session is denied, and has its own state', async () => {
    const [ann, bob] = await Promise.all(
      CALLERS.map(async ({ token }) => {
        const client = new Client({ name: 'Cline', version: '1' });
        const headers = { authorization: `Bearer ${token}` };
        await client.connect(
          old(new StreamableHTTPClientTransport(new URL(served.url), { requestInit: { headers } }) as never),
        );
        return agent(client);
      }),
    );
    await ann!.ok('browser.navigate', { url: `${site.url}/controls`, sessionId: 'desk' });
    for (const name of ['browser.snapshot', 'browser.close'])
      expect((await bob!.call(name, { sessionId: 'desk' })).content[0]?.text).toMatch(
        /^Access denied to session: desk\n/,
      );
    await bob!.ok('browser.navigate', { url: `${site.url}/example`, sessionId: 'desk' });
    await bob!.ok('browser.close', { sessionId: 'desk' });
    expect(await ann!.ok('browser.evaluate', { script: 'location.pathname', sessionId: 'desk' })).toBe('/controls');
    await Promise.all([ann!.close(), bob!.close()]);
  });

  it('serves at 8081 unless told otherwise', async () => {
    const { load } = await import('../../src/config/load.ts');
    const place = { env: {}, platform: 'linux' as const, home: folder.path, cwd: folder.path };
    expect((await load(['serve', '--dialect', 'vision'], place)).options.port).toBe(8081);
  });

  it('S3-24 S3-25 /mcp/vision of a native server keeps to the rules of the dialect', async () => {
    const url = new URL(`${native.url}/vision`);
    const client = new Client({ name: 'Cline', version: '1' });
    await client.connect(old(new StreamableHTTPClientTransport(url, { requestInit: requestInit(native) }) as never));
    expect(client.getServerVersion()).toEqual({ name: 'clawtopus-browser-mcp', version: '1.0.0' });
    const theirs = agent(client);
    expect(await theirs.names()).toEqual(SEED_NAMES);
    const said = async (name: string, args: Record<string, unknown>) =>
      (await theirs.call(name, args)).content[0]?.text;
    expect(await said('browser.navigate', { url: `${site.url}/example` })).toMatch(
      `URL not allowed: ${site.url}/example`,
    );
    expect(await said('browser.evaluate', { script: 'eval("1")' })).toMatch(/^Script contains blocked patterns/);
    await expect(theirs.call('upload', {})).rejects.toMatchObject({ code: -32_001 });

    // A page that the same caller has opened by our own names is not for its eyes either.
    const own = new Client({ name: 'Cline', version: '1' });
    await own.connect(
      new StreamableHTTPClientTransport(new URL(native.url), { requestInit: requestInit(native) }) as never,
    );
    const shared = { sessionId: 'both' };
    await agent(own).ok('navigate', { url: `${site.url}/example`, session: shared.sessionId });
    for (const name of ['browser.snapshot', 'browser.screenshot', 'browser.evaluate'])
      expect(await said(name, name === 'browser.evaluate' ? { script: '1', ...shared } : shared)).toMatch(
        `URL not allowed: ${site.url}/example`,
      );
    await Promise.all([own.close(), client.close()]);
  });
});
