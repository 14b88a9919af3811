// Questions to clients before 2026-07-28: a request of its own, while the call waits.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Call, Result } from '../../../src/call/call.ts';
import { protocolServer } from '../../../src/surfaces/mcp/server.ts';

const tools = [{ name: 'pay', description: 'Pays.', inputSchema: { type: 'object' as const } }];
const done: Result = { ok: true, tool: 'pay', text: 'Paid.', pictures: [], ms: 1 };
const asked = (id: string): Result => ({
  ok: false,
  tool: 'pay',
  text: 'pay waits for a person.',
  failure: { code: 'not_approved', message: 'pay waits for a person.' },
  pictures: [],
  ms: 1,
  ask: { id, rule: 'r', question: `Pay (${id})?` },
});

const { ask: _, ...refused } = asked('1');

type Said = 'accept' | 'decline' | 'cancel';

/** A client whose person answers so, and a server that runs calls so. */
async function connect(run: (call: Call) => Promise<Result>, person: (question: string) => Promise<Said>) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const calls: Call[] = [];
  const noted = (call: Call) => {
    calls.push(call);
    return run(call);
  };
  const server = protocolServer({ version: '1', tools, structured: false, run: noted }, { id: 'me' });
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler('elicitation/create', async ({ params }) => ({ action: await person(params.message) }));
  await Promise.all([server.connect(far), client.connect(near)]);
  const answers = () => calls.map(({ approval }) => approval);
  return { client, calls, answers };
}

const later = <T>(ms: number, value: T) => new Promise<T>(resolve => setTimeout(resolve, ms, value));

it('the call hears every second that it waits', async () => {
  const steps: string[] = [];
  const { client } = await connect(
    async ({ approval }) => (approval ? done : asked('1')),
    async () => {
      await expect.poll(() => steps, { timeout: 20_000 }).toHaveLength(2);
      return 'accept';
    },
  );
  const result = await client.callTool({ name: 'pay' }, { onprogress: ({ message = '' }) => void steps.push(message) });
  expect(result.content).toEqual([{ type: 'text', text: 'Paid.' }]);
  expect(steps.slice(0, 2)).toEqual(['waits for approval: 1 s', 'waits for approval: 2 s']);
  await client.close();
});

it('a client that fails to ask has not agreed', async () => {
  const { client, answers } = await connect(
    async ({ approval }) => (approval ? refused : asked('1')),
    () => Promise.reject(new Error('no window')),
  );
  await client.callTool({ name: 'pay' });
  expect(answers()[1]).toEqual({ id: '1', answer: 'cancel' });
  await client.close();
});

it('nobody waits longer than five minutes for a person', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { client, answers } = await connect(
    async ({ approval }) => (approval ? refused : asked('1')),
    () => new Promise(() => undefined),
  );
  const called = client.callTool({ name: 'pay' }, { timeout: 3_600_000 });
  await vi.advanceTimersByTimeAsync(5 * 60_000 - 1_000);
  expect(answers()).toEqual([undefined]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await called).isError).toBe(true);
  expect(answers()).toEqual([undefined, { id: '1', answer: 'cancel' }]);
  await client.close();
});

it('another question may follow, but not for ever', async () => {
  let count = 0;
  const questions: string[] = [];
  const { client, answers } = await connect(
    async () => asked(String(++count)),
    async question => {
      questions.push(question);
      return 'accept';
    },
  );
  const result = await client.callTool({ name: 'pay' });
  expect(result.isError).toBe(true);
  expect(questions).toEqual(['Pay (1)?', 'Pay (2)?', 'Pay (3)?']);
  expect(answers().slice(1)).toEqual(['1', '2', '3'].map(id => ({ id, answer: 'accept' })));
  await client.close();
});

it('a call that is cancelled while a person thinks is not run', async () => {
  const cancel = new AbortController();
  const { client, calls, answers } = await connect(
    async ({ approval }) => (approval?.answer === 'accept' ? done : asked('1')),
    async () => {
      cancel.abort();
      return later(500, 'accept');
    },
  );
  await expect(client.callTool({ name: 'pay' }, { signal: cancel.signal })).rejects.toThrow();
  await expect.poll(() => calls.length, { timeout: 5_000 }).toBeGreaterThan(1);
  expect(answers()).not.toContainEqual({ id: '1', answer: 'accept' });
  expect(calls.at(-1)?.signal?.aborted).toBe(true);
  await client.close();
});
