// MCP: a request as a Call, a Result as content, progress and cancellation.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import type { Call, Result } from '../../../src/call/call.ts';
import { Picture } from '../../../src/engine/picture.ts';
import { protocolServer } from '../../../src/surfaces/mcp/server.ts';
import type { McpServerConfig } from '../../../src/surfaces/mcp/server-config.ts';
import { toolResult } from '../../../src/surfaces/mcp/tool-calls.ts';

const good: Result = { ok: true, tool: 'title', text: 'Home', data: { title: 'Home' }, pictures: [], ms: 1 };
const bad: Result = {
  ok: false,
  tool: 'click',
  text: 'Gone.\nTake a snapshot.',
  failure: { code: 'stale_ref', message: 'Gone.', hint: 'Take a snapshot.' },
  pictures: [],
  ms: 1,
};

it('is one text by default', () => {
  expect(toolResult(good, false)).toEqual({ content: [{ type: 'text', text: 'Home' }] });
});

it('marks a failure', () => {
  expect(toolResult(bad, false)).toEqual({ content: [{ type: 'text', text: bad.text }], isError: true });
});

it('carries pictures as image blocks', () => {
  const picture = new Picture('image/png', Buffer.from('abc'), 1, 1);
  expect(toolResult({ ...good, pictures: [picture] }, false).content[1]).toEqual({
    type: 'image',
    data: 'YWJj',
    mimeType: 'image/png',
  });
});

it('adds the structured form when asked to', () => {
  expect(toolResult(good, true).structuredContent).toEqual({ success: true, data: { title: 'Home' } });
  expect(toolResult({ ...good, data: undefined }, true).structuredContent).toEqual({ success: true, data: null });
  expect(toolResult(bad, true).structuredContent).toEqual({
    success: false,
    error: 'Gone.',
    code: 'stale_ref',
    hint: 'Take a snapshot.',
  });
});

describe('a call over the protocol', () => {
  const tools = [{ name: 'count', description: 'Counts.', inputSchema: { type: 'object' as const } }];

  async function connect(run: McpServerConfig['run']): Promise<Client> {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = protocolServer({ version: '1', tools, structured: false, run }, { id: 'me' });
    const client = new Client({ name: 'test', version: '1' });
    await Promise.all([server.connect(far), client.connect(near)]);
    return client;
  }

  it('has the name, the arguments and the caller', async () => {
    const calls: Call[] = [];
    const client = await connect(async call => {
      calls.push(call);
      return good;
    });
    await client.callTool({ name: 'count', arguments: { to: 3 } });
    await client.callTool({ name: 'count' });
    expect(calls).toMatchObject([
      { name: 'count', args: { to: 3 }, caller: { id: 'me' } },
      { name: 'count', caller: { id: 'me' } },
    ]);
    expect(calls[0]).not.toHaveProperty('progress');
    await client.close();
  });

  it('reports progress to a caller that asked for it', async () => {
    const client = await connect(async ({ progress }) => {
      progress?.({ done: 1, total: 2, message: 'half' });
      progress?.({ done: 2 });
      return good;
    });
    const steps: unknown[] = [];
    await client.callTool({ name: 'count' }, { onprogress: step => steps.push(step) });
    expect(steps).toEqual([{ progress: 1, total: 2, message: 'half' }, { progress: 2 }]);
    await client.close();
  });

  it('is aborted when the caller cancels it', async () => {
    const cancel = new AbortController();
    let ended: Promise<unknown> | undefined;
    const client = await connect(async ({ signal }) => {
      ended = new Promise(resolve => signal?.addEventListener('abort', resolve, { once: true }));
      cancel.abort();
      await ended;
      return good;
    });
    await expect(client.callTool({ name: 'count' }, { signal: cancel.signal })).rejects.toThrow();
    expect(ended).toBeDefined();
    await ended;
    await client.close();
  });
});
