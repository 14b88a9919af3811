// Agents: real clients of both generations of the SDK, connected to the built command.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { BUNDLE, CLIENT_INFO, cleanEnv } from './process.ts';

export interface Answer {
  content: { type: string; text?: string; mimeType?: string }[];
  isError?: boolean;
  structuredContent?: unknown;
}

export interface Agent {
  names(): Promise<string[]>;
  call(name: string, args?: Record<string, unknown>): Promise<Answer>;
  /** Calls a tool that must succeed; gives its text. */
  ok(name: string, args?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** The part of a client that both generations have. */
interface EitherClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

export function agent(client: EitherClient): Agent {
  const call: Agent['call'] = async (name, args = {}) => (await client.callTool({ name, arguments: args })) as Answer;
  return {
    call,
    names: async () => (await client.listTools()).tools.map(tool => tool.name),
    async ok(name, args) {
      const { content, isError } = await call(name, args);
      const text = content[0]?.text ?? '';
      if (isError) throw new Error(`${name} ${JSON.stringify(args)} failed: ${text}`);
      return text;
    },
    close: () => client.close(),
  };
}

const command = (stateDir: string) => ({
  command: process.execPath,
  args: [BUNDLE],
  env: cleanEnv(stateDir),
  stderr: 'ignore' as const,
});

async function first(stateDir: string): Promise<Agent> {
  const client = new FirstClient(CLIENT_INFO);
  await client.connect(new FirstTransport(command(stateDir)));
  return agent(client);
}

async function second(stateDir: string, mode?: 'auto' | { pin: string }): Promise<Agent> {
  const client = new Client(CLIENT_INFO, mode ? { versionNegotiation: { mode } } : {});
  await client.connect(new StdioClientTransport(command(stateDir)));
  return agent(client);
}

export const AGENTS: Record<string, (stateDir: string) => Promise<Agent>> = {
  'first generation': first,
  'second generation, older revisions': stateDir => second(stateDir),
  'second generation, choosing by itself': stateDir => second(stateDir, 'auto'),
  'second generation, newest revision only': stateDir => second(stateDir, { pin: '2026-07-28' }),
};
