// Agents with a person behind them, who answers what the server asks; each generation of the SDK, over any transport.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as FirstSse } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Agent, agent } from '../agents.ts';
import { BUNDLE, CLIENT_INFO, cleanEnv } from '../process.ts';

export type Said = 'accept' | 'decline' | 'cancel';

/** What the person says to a question; without one the client cannot be asked. */
export type Person = (question: string) => Said | Promise<Said>;

/** Where the server is: a command to start, or one that listens. */
export type Where = { stateDir: string; flags: string[] } | { url: string; token: string };

const command = ({ stateDir, flags }: { stateDir: string; flags: string[] }) => ({
  command: process.execPath,
  args: [BUNDLE, ...flags],
  env: cleanEnv(stateDir),
  stderr: 'ignore' as const,
});

const bearer = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });

const answered = (action: Said) => ({ action, ...(action === 'accept' && { content: {} }) });

async function first(where: Where, person?: Person, overSse = false): Promise<Agent> {
  const client = new FirstClient(CLIENT_INFO, { capabilities: person ? { elicitation: {} } : {} });
  if (person)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => answered(await person(params.message)));
  const transport = !('url' in where)
    ? new FirstStdio(command(where))
    : overSse
      ? new FirstSse(new URL('/sse', where.url), bearer(where.token))
      : new FirstHttp(new URL(where.url), bearer(where.token));
  // Their types do not know exact optional properties.
  await client.connect(transport as never);
  return agent(client);
}

async function second(where: Where, person?: Person, mode?: 'auto'): Promise<Agent> {
  const client = new Client(CLIENT_INFO, {
    capabilities: person ? { elicitation: { form: {} } } : {},
    ...(mode && { versionNegotiation: { mode } }),
  });
  if (person)
    client.setRequestHandler('elicitation/create', async ({ params }) => answered(await person(params.message)));
  await client.connect(
    'url' in where
      ? new StreamableHTTPClientTransport(new URL(where.url), bearer(where.token))
      : new StdioClientTransport(command(where)),
  );
  return agent(client);
}

export type Asker = (where: Where, person?: Person) => Promise<Agent>;

export const ASKERS: Record<string, Asker> = {
  'first generation': first,
  'second generation, older revisions': second,
  'second generation, newest revision': (where, person) => second(where, person, 'auto'),
};

export const overSse: Asker = (where, person) => first(where, person, true);
