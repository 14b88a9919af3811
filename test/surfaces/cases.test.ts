// The one list of cases over stdio, HTTP, REST and the command line: the same calls come to the same outcomes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callRemote } from '../../src/surfaces/client/remote.ts';
import { STATUS } from '../../src/surfaces/rest/contract.ts';
import { type Site, startSite } from '../site/serve.ts';
import { CASES, type Case, SITE } from './cases.ts';
import { runCommand, type Serve, startServe } from './cli/command.ts';
import { BUNDLE, CLIENT_INFO, cleanEnv, temporaryFolder } from './process.ts';

const folder = temporaryFolder();
const servedDir = join(folder.path, 'served');
let site: Site;
/** For all surfaces but stdio: each leaves the session as it found it. */
let serve: Serve;
const token = (): string => readFileSync(serve.running.tokenFile ?? '', 'utf8').trim();

type Args = Record<string, unknown>;

/** What a caller sees of one call, in a form that all surfaces can give. */
interface Seen {
  outcome: string;
  text: string;
  pictures: number;
}

interface Surface {
  call(one: Case, args: Args): Promise<Seen>;
  close(): Promise<unknown>;
}

interface Structured {
  success: boolean;
  code?: string;
}

const outcomeOf = ({ success, code = '' }: Structured): string => (success ? 'ok' : code);

const overMcp =
  (client: Client): Surface['call'] =>
  async ({ tool }, args) => {
    const { content, structuredContent } = await client.callTool({ name: tool, arguments: args });
    return {
      outcome: outcomeOf(structuredContent as unknown as Structured),
      text: content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n'),
      pictures: content.filter(block => block.type === 'image').length,
    };
  };

async function stdio(): Promise<Surface> {
  const client = new Client(CLIENT_INFO);
  const args = [BUNDLE, 'mcp', '--structured'];
  const env = cleanEnv(join(folder.path, 'stdio'));
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  return { call: overMcp(client), close: () => client.close() };
}

async function http(): Promise<Surface> {
  const authorization = `Bearer ${token()}`;
  const client = new Client(CLIENT_INFO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(serve.running.url), { requestInit: { headers: { authorization } } }),
  );
  return { call: overMcp(client), close: () => client.close() };
}

interface Rest extends Structured {
  text?: string;
  error?: string;
  hint?: string;
  pictures?: unknown[];
}

async function rest(): Promise<Surface> {
  const headers = { 'x-api-key': token(), 'content-type': 'application/json' };
  return {
    async call({ tool }, args) {
      const url = new URL(`/api/v1/sessions/default/tools/${tool}`, serve.running.url);
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(args) });
      const {
        error,
        hint,
        text = [error, hint].filter(Boolean).join('\n'),
        pictures = [],
        ...structured
      }: Rest = await response.json();
      expect(response.status).toBe(structured.success ? 200 : STATUS[structured.code as keyof typeof STATUS]);
      return { outcome: outcomeOf(structured), text, pictures: pictures.length };
    },
    close: async () => undefined,
  };
}

/** The first case of each failure, and of each tool that succeeds: a process of the command line runs these. */
const BY_PROCESS = new Set(
  CASES.filter((one, at) => {
    const isSame = ({ tool, outcome }: Case) => outcome === one.outcome && (outcome !== 'ok' || tool === one.tool);
    return CASES.findIndex(isSame) === at;
  }),
);

/**
 * Good calls in plain words, so that both ways of writing are tried; what is wrong can only be said in JSON.
 * Where the process would prove nothing new, the client in it is called directly.
 */
async function commandLine(): Promise<Surface> {
  const { running } = serve;
  return {
    async call(one, args) {
      const { tool, outcome } = one;
      if (!BY_PROCESS.has(one)) {
        const call = { name: tool, args, version: '1', signal: new AbortController().signal, ms: 30_000 };
        const { text, structured, pictures } = await callRemote(running, call);
        return { outcome: outcomeOf(structured), text, pictures: pictures.length };
      }
      const plain = Object.entries(args).map(([name, value]) => `${name}=${value}`);
      const words = outcome === 'ok' ? plain : [JSON.stringify(args)];
      const { code, stdout } = await runCommand(servedDir, ['call', '--json', tool, ...words]);
      const { text, files = [], ...structured } = JSON.parse(stdout);
      const seen = outcomeOf(structured);
      expect(code).toBe(seen === 'ok' ? 0 : ['bad_input', 'unknown_tool'].includes(seen) ? 2 : 1);
      return { outcome: seen, text, pictures: files.length };
    },
    close: async () => undefined,
  };
}

const SURFACES = { stdio, http, rest, 'command line': commandLine };

const said: Record<string, string[]> = {};

beforeAll(async () => {
  site = await startSite();
  serve = await startServe(servedDir, '--structured');
});

afterAll(async () => {
  await serve.stop();
  await site.close();
  folder.remove();
});

const CLOSE: Case = { tool: 'session_close', outcome: 'ok', text: /./ };

const nameOf = ({ tool, args = {}, outcome }: Case, number: number): string =>
  `${number} ${tool} ${typeof args === 'function' ? 'by ref' : JSON.stringify(args)} → ${outcome}`;

describe.each(Object.entries(SURFACES))('over %s', (name, start) => {
  const stateDir = join(folder.path, name === 'stdio' ? 'stdio' : 'served');
  let surface: Surface;
  let snapshot = '';

  beforeAll(async () => {
    surface = await start();
  });
  afterAll(async () => {
    await surface.call(CLOSE, { session: 'default' });
    await surface.close();
  });

  const ref = (words: string): string => {
    const line = snapshot.split('\n').find(row => row.includes(words));
    return /\[ref=(@e\d+)\]/.exec(line ?? '')?.[1] ?? `no ref of ${words}`;
  };

  it.each(CASES.map((one, number) => [nameOf(one, number), one] as const))('%s', async (_, one) => {
    const { args = {}, outcome, text, within = Number.POSITIVE_INFINITY, pictures = 0 } = one;
    const given = JSON.stringify(typeof args === 'function' ? args(ref) : args).replaceAll(SITE, site.url);
    const seen = await surface.call(one, JSON.parse(given));
    expect(seen).toMatchObject({ outcome, text: expect.stringMatching(text), pictures });
    expect(seen.text.length).toBeLessThan(within);
    if (one.tool === 'snapshot' && outcome === 'ok') snapshot = seen.text;
    said[name] = [...(said[name] ?? []), seen.text.replaceAll(stateDir, 'FOLDER').replace(/\d+ ms/g, 'N ms')];
  });
});

it('the surfaces say the same, word for word', () => {
  expect(said.stdio?.length).toBe(CASES.length);
  expect(said.http).toEqual(said.stdio);
  expect(said.rest).toEqual(said.stdio);
  expect(said['command line']).toEqual(said.stdio);
});
