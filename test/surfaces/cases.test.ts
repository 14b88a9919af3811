// The one list of cases over stdio, HTTP, REST and the command line: the same calls come to the same outcomes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STATUS } from '../../src/surfaces/rest/contract.ts';
import { type Site, startSite } from '../site/serve.ts';
import { CASES, type Case, SITE } from './cases.ts';
import { runCommand, startServe } from './cli/command.ts';
import { BUNDLE, CLIENT_INFO, cleanEnv, temporaryFolder } from './process.ts';

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

async function stdio(stateDir: string): Promise<Surface> {
  const client = new Client(CLIENT_INFO);
  const args = [BUNDLE, 'mcp', '--structured'];
  const env = cleanEnv(stateDir);
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  return { call: overMcp(client), close: () => client.close() };
}

async function http(stateDir: string): Promise<Surface> {
  const { running, stop } = await startServe(stateDir, '--structured');
  const authorization = `Bearer ${readFileSync(running.tokenFile ?? '', 'utf8').trim()}`;
  const client = new Client(CLIENT_INFO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(running.url), { requestInit: { headers: { authorization } } }),
  );
  return { call: overMcp(client), close: () => client.close().then(stop) };
}

interface Rest extends Structured {
  text?: string;
  error?: string;
  hint?: string;
  pictures?: unknown[];
}

async function rest(stateDir: string): Promise<Surface> {
  const { running, stop } = await startServe(stateDir);
  const headers = {
    'x-api-key': readFileSync(running.tokenFile ?? '', 'utf8').trim(),
    'content-type': 'application/json',
  };
  return {
    async call({ tool }, args) {
      const url = new URL(`/api/v1/sessions/default/tools/${tool}`, running.url);
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
    close: stop,
  };
}

/** Good calls in plain words, so that both ways of writing are tried; what is wrong can only be said in JSON. */
async function commandLine(stateDir: string): Promise<Surface> {
  const { stop } = await startServe(stateDir);
  return {
    async call({ tool, outcome }, args) {
      const plain = Object.entries(args).map(([name, value]) => `${name}=${value}`);
      const words = outcome === 'ok' ? plain : [JSON.stringify(args)];
      const { code, stdout } = await runCommand(stateDir, ['call', '--json', tool, ...words]);
      const { text, files = [], ...structured } = JSON.parse(stdout);
      const seen = outcomeOf(structured);
      expect(code).toBe(seen === 'ok' ? 0 : ['bad_input', 'unknown_tool'].includes(seen) ? 2 : 1);
      return { outcome: seen, text, pictures: files.length };
    },
    close: stop,
  };
}

const SURFACES = { stdio, http, rest, 'command line': commandLine };

const folder = temporaryFolder();
const said: Record<string, string[]> = {};
let site: Site;

beforeAll(async () => {
  site = await startSite();
});

afterAll(async () => {
  await site.close();
  folder.remove();
});

const nameOf = ({ tool, args = {}, outcome }: Case, number: number): string =>
  `${number} ${tool} ${typeof args === 'function' ? 'by ref' : JSON.stringify(args)} → ${outcome}`;

describe.each(Object.entries(SURFACES))('over %s', (name, start) => {
  const stateDir = join(folder.path, name.replace(' ', '-'));
  let surface: Surface;
  let snapshot = '';

  beforeAll(async () => {
    surface = await start(stateDir);
  });
  afterAll(() => surface?.close());

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
