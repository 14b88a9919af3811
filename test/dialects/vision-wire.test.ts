// The vision dialect on the wire: who the server says it is, what it lists and for whom, its log, and its errors.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ToolEntry } from '../../src/surfaces/listing/listing.ts';
import { DOTLESS, toolsetFor } from '../../src/surfaces/listing/toolset.ts';
import { protocolServer } from '../../src/surfaces/mcp/server.ts';
import { type Message, MODERN, Process, temporaryFolder } from '../surfaces/process.ts';
import { bare, SEED_NAMES, SEED_TOOLS, safe } from './vision-tools.ts';

const folder = temporaryFolder();
const started: Process[] = [];

function start(...args: string[]): Process {
  const server = new Process(['--dialect', 'vision', ...args], folder.path, { HOME: folder.path });
  started.push(server);
  return server;
}
afterAll(async () => {
  await Promise.all(started.map(server => server.kill('SIGKILL')));
  folder.remove();
});

const toolsIn = ({ result }: Message): ToolEntry[] => result?.tools as ToolEntry[];
const namesIn = (message: Message): string[] => toolsIn(message).map(({ name }) => name);
const SAFE_NAMES = SEED_NAMES.map(safe);
const CAPABILITIES = { tools: { listChanged: true }, logging: {} };
const SERVER_INFO = { name: 'clawtopus-browser-mcp', version: '1.0.0' };

describe('S3-02 the handshake', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('%s is answered as asked', async version => {
    const { result } = await start().initialize(version);
    expect(result).toMatchObject({ protocolVersion: version });
    expect(result?.serverInfo).toEqual(SERVER_INFO);
    expect(result?.capabilities).toEqual(CAPABILITIES);
  });

  it('2026-07-28 needs none', async () => {
    const { result } = await start().request('server/discover', { _meta: MODERN });
    expect(result).toMatchObject({ supportedVersions: ['2026-07-28'], capabilities: CAPABILITIES });
    expect(result?._meta).toMatchObject({ 'io.modelcontextprotocol/serverInfo': SERVER_INFO });
  });

  it('S3-28 tells the name and version that the options give', async () => {
    const { result } = await start('--server-name', 'mine', '--server-version', '2').initialize('2024-11-05');
    expect(result?.serverInfo).toEqual({ name: 'mine', version: '2' });
  });
});

describe('the list', () => {
  let server: Process;
  let tools: ToolEntry[];
  beforeAll(async () => {
    server = start();
    await server.initialize('2024-11-05');
    tools = toolsIn(await server.request('tools/list'));
  });

  it('S3-01 S3-03 has the eight tools, in order', () => {
    expect(tools.map(({ name }) => name)).toEqual(SEED_NAMES);
    for (const { description } of tools) expect(description).toMatch(/^[A-Z].*\.$/);
  });

  it.each(Object.entries(SEED_TOOLS))('$1.id %s has the schema of its document', (name, { properties, required }) => {
    const { inputSchema } = tools.find(tool => tool.name === name)!;
    expect({ ...inputSchema, properties: bare(inputSchema.properties as never) }).toEqual({
      type: 'object',
      properties,
      ...(required && { required }),
    });
  });

  it('S3-33 has nothing for files, PDF or video', () => {
    expect(JSON.stringify(tools)).not.toMatch(/upload|download|pdf|video|save/i);
  });
});

/** What clients call themselves, as they were met. */
const CLIENTS: Record<string, boolean> = {
  'claude-ai': true,
  'claude-ai (via mcp-remote 0.1.37)': true,
  'Claude Desktop': true,
  'claude-code': true,
  'cursor-vscode': true,
  Cursor: true,
  'codex-mcp-client': true,
  'openai-mcp': true,
  ChatGPT: true,
  'github-copilot-developer': true,
  'copilot-cli': true,
  'GitHub Copilot': true,
  'Visual Studio Code': true,
  'Visual Studio Code - Insiders': true,
  Cline: false,
  'gemini-cli-mcp-client': false,
  'mcp-inspector': false,
  'precursor-client': false,
  test: false,
};

describe('S3-39 names without dots for clients that refuse them', () => {
  async function listedFor(name: string): Promise<string[]> {
    const toolset = await toolsetFor({ dialect: 'vision', tools: ['all'], structured: false, outputSchema: false });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const run = () => Promise.reject(new Error('not called'));
    const server = protocolServer({ version: '1', ...toolset, run }, { id: 'me' });
    const client = new Client({ name, version: '1' });
    await Promise.all([server.connect(far), client.connect(near)]);
    const { tools } = await client.listTools();
    await client.close();
    return tools.map(tool => tool.name);
  }

  it.each(Object.entries(CLIENTS))('%s: %s', async (client, isDotless) => {
    expect(await listedFor(client)).toEqual(isDotless ? SAFE_NAMES : SEED_NAMES);
  });

  it('each rule has a client here, and a reason', () => {
    const names = Object.keys(CLIENTS);
    for (const { name, why } of DOTLESS) {
      expect(
        names.some(client => name.test(client)),
        String(name),
      ).toBe(true);
      expect(why.length).toBeGreaterThan(20);
    }
  });

  it('2026-07-28: by what each request says, on one connection', async () => {
    const server = start();
    const listed = async (name: string) =>
      namesIn(
        await server.request('tools/list', {
          _meta: { ...MODERN, 'io.modelcontextprotocol/clientInfo': { name, version: '1' } },
        }),
      );
    expect(await listed('claude-ai')).toEqual(SAFE_NAMES);
    expect(await listed('Cline')).toEqual(SEED_NAMES);
    expect(await listed('cursor-vscode')).toEqual(SAFE_NAMES);
    const { 'io.modelcontextprotocol/clientInfo': _, ...nameless } = MODERN;
    const list = await server.request('tools/list', { _meta: nameless });
    expect(namesIn(list)).toEqual(SEED_NAMES);
    expect(list.result).toMatchObject({ cacheScope: 'private' });
  });

  it('--safe-names: for every client', async () => {
    const server = start('--safe-names');
    await server.initialize();
    expect(namesIn(await server.request('tools/list'))).toEqual(SAFE_NAMES);
  });

  it.each([
    ['2024-11-05', undefined],
    ['2026-07-28', MODERN],
  ])('%s: both spellings can be called', async (version, _meta) => {
    const server = start();
    if (!_meta) await server.initialize(version);
    for (const name of ['browser.click', 'browser_click']) {
      const { result } = await server.request('tools/call', { name, arguments: {}, ...(_meta && { _meta }) });
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(`^${name}: selector is missing`) }],
      });
    }
  });
});

describe('S3-02 its log', () => {
  const logged = (server: Process): unknown[] =>
    server.lines
      .map(line => JSON.parse(line) as Message)
      .filter(({ method }) => method === 'notifications/message')
      .map(({ params }) => params);

  it('tells of calls at the level that the client sets', async () => {
    const server = start();
    await server.initialize('2024-11-05');
    const close = () => server.request('tools/call', { name: 'browser.close', arguments: {} });
    const bad = () => server.request('tools/call', { name: 'browser.click', arguments: {} });
    expect((await server.request('logging/setLevel', { level: 'warning' })).result).toEqual({});
    await close();
    await bad();
    expect(logged(server)).toEqual([
      { level: 'warning', data: { tool: 'browser.click', ok: false, ms: expect.any(Number), code: 'bad_input' } },
    ]);
    expect((await server.request('logging/setLevel', { level: 'info' })).result).toEqual({});
    await close();
    expect(logged(server)[1]).toMatchObject({ level: 'info', data: { tool: 'browser.close', ok: true } });
    await server.request('logging/setLevel', { level: 'emergency' });
    await bad();
    expect(logged(server)).toHaveLength(2);
  });
});

describe('S3-29 errors of the protocol', () => {
  let met: Process;
  beforeAll(async () => {
    met = start();
    await met.initialize('2024-11-05');
  });

  it.each([
    ['nothing/here', {}, -32_601],
    ['resources/list', {}, -32_601],
    ['tools/call', {}, -32_602],
    ['tools/call', { name: 'browser.pdf', arguments: {} }, -32_001],
    ['tools/call', { name: 'snapshot', arguments: {} }, -32_001],
    ['tools/call', { name: 'chrome_navigate', arguments: {} }, -32_001],
  ])('%s %j: %d', async (method, params, code) => {
    const { error } = await met.request(method, params);
    expect(error).toMatchObject({ code, message: expect.stringMatching(/./) });
  });

  it.each(['tools/list', 'tools/call'])('%s before the handshake: -32000', async method => {
    const { error } = await start().request(method, { name: 'browser.snapshot', arguments: {} });
    expect(error).toEqual({ code: -32_000, message: 'The server is not initialized. Send initialize first.' });
  });

  it('2026-07-28 has a code of its own for a tool that is not there', async () => {
    const { error } = await start().request('tools/call', { name: 'browser.pdf', arguments: {}, _meta: MODERN });
    expect(error).toMatchObject({ code: -32_602, message: expect.stringMatching(/^There is no tool "browser\.pdf"/) });
  });
});
