// Real clients of both generations of the SDK drive a page through the built command.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../site/serve.ts';
import { BUNDLE, CLIENT_INFO, cleanEnv, temporaryFolder } from './process.ts';

const folder = temporaryFolder();
const command = { command: process.execPath, args: [BUNDLE], env: cleanEnv(folder.path), stderr: 'ignore' as const };

/** The part of a client that both generations have. */
interface Agent {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

async function second(mode?: 'auto' | { pin: string }): Promise<Agent> {
  const client = new Client(CLIENT_INFO, mode ? { versionNegotiation: { mode } } : {});
  await client.connect(new StdioClientTransport(command));
  return client;
}

async function first(): Promise<Agent> {
  const client = new FirstClient(CLIENT_INFO);
  await client.connect(new FirstTransport(command));
  return client;
}

const CLIENTS: Record<string, () => Promise<Agent>> = {
  'first generation': first,
  'second generation, older revisions': () => second(),
  'second generation, choosing by itself': () => second('auto'),
  'second generation, newest revision only': () => second({ pin: '2026-07-28' }),
};

interface Answer {
  content: { type: string; text?: string; mimeType?: string }[];
  isError?: boolean;
}

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(async () => {
  await site.close();
  folder.remove();
});

describe.each(Object.entries(CLIENTS))('%s', (_name, connect) => {
  it('opens a page, reads it, acts by ref and reads it again', async () => {
    const agent = await connect();
    const call = async (name: string, args: Record<string, unknown> = {}) =>
      (await agent.callTool({ name, arguments: args })) as Answer;
    const text = async (name: string, args?: Record<string, unknown>) =>
      (await call(name, args)).content[0]?.text ?? '';
    try {
      expect((await agent.listTools()).tools.map(tool => tool.name)).toContain('snapshot');
      await call('navigate', { url: `${site.url}/signup.html` });
      const [, ref] = /textbox "Full name"[^\n]*\[ref=(@e\d+)\]/.exec(await text('snapshot')) ?? [];
      expect(ref).toBeDefined();
      expect((await call('fill', { selector: ref, value: 'Ada Lovelace' })).isError).toBeFalsy();
      expect(await text('snapshot')).toContain('Ada Lovelace');
      expect((await call('screenshot')).content).toContainEqual(expect.objectContaining({ type: 'image' }));
      expect(await call('click', { selector: '@e9999' })).toMatchObject({ isError: true });
    } finally {
      await agent.close();
    }
  });
});
