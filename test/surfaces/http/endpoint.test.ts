// One address for every revision: answers, progress, what a lost connection means, sessions and their bounds.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { Call, Result } from '../../../src/call/call.ts';
import type { ServedApi } from '../../../src/surfaces/http/front.ts';
import type { HttpLimits } from '../../../src/surfaces/http/limits.ts';
import { type Asked, ask, begin, handshake, legacy, messagesIn, modern, withToken } from './ask.ts';
import { BEARER, good, type Here, listenHere, TOKEN, waiting } from './here.ts';

const open: Here[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(here => here.end()));
});

async function start(
  run?: (call: Call) => Promise<Result>,
  limits?: Partial<HttpLimits>,
  more?: Partial<ServedApi>,
): Promise<Here> {
  const here = await listenHere(run, limits, more);
  open.push(here);
  return here;
}

type Ask = (meta?: Record<string, unknown>) => Asked;

/** How the clients of each era call the tool; a session is begun where there are sessions. */
const ERAS: Record<string, (here: Here) => Promise<Ask>> = {
  'from 2026-07-28': async () => meta =>
    withToken(modern('tools/call', { name: 'echo', arguments: { a: 1 } }, meta), TOKEN),
  before: async ({ url }) => {
    const headers = await handshake(url, BEARER);
    return _meta =>
      legacy({ id: 1, method: 'tools/call', params: { name: 'echo', arguments: { a: 1 }, _meta } }, headers);
  },
};

describe.each(Object.entries(ERAS))('revisions %s', (era, connect) => {
  it('are answered, as one caller', async () => {
    const calls: Call[] = [];
    const here = await start(async call => {
      calls.push(call);
      return good('yes');
    });
    const call = await connect(here);
    const answer = await ask(here.url, call());
    expect(answer.status).toBe(200);
    expect(messagesIn(answer)).toMatchObject([{ id: 1, result: { content: [{ type: 'text', text: 'yes' }] } }]);
    expect(messagesIn(answer)[0]?.result).not.toHaveProperty('structuredContent');
    expect(calls).toMatchObject([{ name: 'echo', args: { a: 1 }, caller: { id: 'http' } }]);
  });

  it('get the structured form when one call asks for it', async () => {
    const here = await start();
    const call = await connect(here);
    const [message] = messagesIn(await ask(here.url, call({ 'tabwright/structured': true })));
    expect(message?.result?.structuredContent).toEqual({ success: true, data: { text: '{"a":1}' } });
    const [other] = messagesIn(await ask(here.url, call({ 'tabwright/structured': 'yes' })));
    expect(other?.result).not.toHaveProperty('structuredContent');
  });

  it('hear of progress before the answer, when they ask', async () => {
    const here = await start(async ({ progress }) => {
      progress?.({ done: 1, total: 2, message: 'half' });
      return good('done');
    });
    const call = await connect(here);
    const [first, last] = messagesIn(await ask(here.url, call({ progressToken: 'p' })));
    expect(first).toMatchObject({
      method: 'notifications/progress',
      params: { progressToken: 'p', progress: 1, total: 2, message: 'half' },
    });
    expect(last?.result).toMatchObject({ content: [{ text: 'done' }] });
    expect(messagesIn(await ask(here.url, call()))).toHaveLength(1);
  });

  it('see the head of a long answer at once', async () => {
    const { run, release } = waiting();
    const here = await start(run);
    const { answered } = await begin(here.url, (await connect(here))());
    expect((await answered).headers['content-type']).toBe('text/event-stream');
    release();
  });

  it('may send many calls at once', async () => {
    const here = await start();
    const call = await connect(here);
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(here.url, uniqueId(call()))));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.flatMap(messagesIn).map(({ id }) => id)).size).toBe(50);
  });

  it('are told to come again when there are too many', async () => {
    const { run, calls, release } = waiting();
    const here = await start(run, { messages: 2 });
    const call = await connect(here);
    const first = [ask(here.url, uniqueId(call())), ask(here.url, uniqueId(call()))];
    await expect.poll(() => calls.length).toBe(2);
    expect(await ask(here.url, call())).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    release();
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await ask(here.url, call())).status).toBe(200);
  });

  it(`${era === 'before' ? 'do not cancel' : 'cancel'} a call by going away`, async () => {
    const { run, calls, release } = waiting();
    const here = await start(run);
    const { sent, answered } = await begin(here.url, (await connect(here))());
    await answered;
    sent.destroy();
    if (era !== 'before') return expect.poll(() => calls[0]?.signal?.aborted).toBe(true);
    // By the time a later connection is answered, the server knows that the earlier one is gone.
    await ask(here.url.replace('/mcp', '/health'));
    expect(calls[0]?.signal?.aborted).toBe(false);
    release();
    await expect.poll(() => here.lines.some(line => line.includes('undeliverable'))).toBe(true);
  });
});

let lastId = 1;
/** Ids of one session must differ. */
const uniqueId = (asked: Asked): Asked => ({
  ...asked,
  body: JSON.stringify({ ...JSON.parse(String(asked.body)), id: ++lastId }),
});

describe('clients from 2026-07-28 that take only JSON', () => {
  const json = (meta = {}) => {
    const asked = withToken(modern('tools/call', { name: 'echo', arguments: { a: 1 } }, meta), TOKEN);
    return { ...asked, headers: { ...asked.headers, accept: 'application/json' } };
  };

  it('get JSON', async () => {
    const { headers, text } = await ask((await start()).url, json());
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(text)).toMatchObject({ result: { content: [{ text: '{"a":1}' }] } });
  });

  it('cancel a call by going away', async () => {
    const { run, calls } = waiting();
    const here = await start(run);
    const { sent } = await begin(here.url, json());
    await expect.poll(() => calls.length).toBe(1);
    sent.destroy();
    await expect.poll(() => calls[0]?.signal?.aborted).toBe(true);
  });
});

describe('sessions before 2026-07-28', () => {
  const list = (headers: Record<string, string>) => legacy({ id: 5, method: 'tools/list' }, headers);
  const statusOf = async (here: Here, headers: Record<string, string>) => (await ask(here.url, list(headers))).status;
  /** The open stream of a session, as clients keep one. */
  async function listenTo(here: Here, headers: Record<string, string>): Promise<IncomingMessage> {
    const { answered } = await begin(here.url, { method: 'GET', headers: { ...headers, accept: 'text/event-stream' } });
    const stream = await answered;
    expect(stream.statusCode).toBe(200);
    return stream.resume();
  }

  it('end when asked to', async () => {
    const here = await start();
    const headers = await handshake(here.url, BEARER);
    expect(await statusOf(here, headers)).toBe(200);
    expect((await ask(here.url, { method: 'DELETE', headers })).status).toBe(200);
    expect(await statusOf(here, headers)).toBe(404);
    expect((await ask(here.url, { method: 'DELETE', headers })).status).toBe(404);
  });

  it('cancel a running call when it is cancelled, or when they end', async () => {
    const { run, calls } = waiting();
    const here = await start(run);
    const headers = await handshake(here.url, BEARER);
    const call = (id: number) => legacy({ id, method: 'tools/call', params: { name: 'echo' } }, headers);
    await begin(here.url, call(7));
    await expect.poll(() => calls.length).toBe(1);
    await ask(here.url, legacy({ method: 'notifications/cancelled', params: { requestId: 7 } }, headers));
    await expect.poll(() => calls[0]?.signal?.aborted).toBe(true);
    await begin(here.url, call(8));
    await expect.poll(() => calls.length).toBe(2);
    await ask(here.url, { method: 'DELETE', headers });
    await expect.poll(() => calls[1]?.signal?.aborted).toBe(true);
  });

  it('end when unused for long, but not while they listen or wait for an answer', async () => {
    const { run, calls, release } = waiting();
    const here = await start(run, { idle: 1_500 });
    const busy = await handshake(here.url, BEARER);
    const { sent } = await begin(here.url, legacy({ id: 1, method: 'tools/call', params: { name: 'echo' } }, busy));
    await expect.poll(() => calls.length).toBe(1);
    const listening = await handshake(here.url, BEARER);
    const stream = await listenTo(here, listening);
    expect(await statusOf(here, listening)).toBe(200);
    // The last to come, so the others would have ended before it.
    const unused = await handshake(here.url, BEARER);
    await expect.poll(() => statusOf(here, unused), { interval: 3_000, timeout: 20_000 }).toBe(404);
    expect(await statusOf(here, listening)).toBe(200);
    expect(calls[0]?.signal?.aborted).toBe(false);
    release();
    stream.destroy();
    sent.destroy();
    await expect.poll(() => here.lines.filter(line => line.includes('session ends')).length).toBe(3);
  });

  it('may listen again at once after the connection is lost', async () => {
    const here = await start();
    const headers = await handshake(here.url, BEARER);
    for (let time = 0; time < 3; time++) {
      const stream = await listenTo(here, headers);
      stream.destroy();
      // The server hears of the end of a connection a moment later.
      await expect
        .poll(
          async () => {
            const { answered } = await begin(here.url, {
              method: 'GET',
              headers: { ...headers, accept: 'text/event-stream' },
            });
            const again = await answered;
            again.destroy();
            return again.statusCode;
          },
          { timeout: 2_000 },
        )
        .toBe(200);
      await expect.poll(() => statusOf(here, headers)).toBe(200);
    }
  });

  it('14.17 count as left by their client when their stream closes and nothing follows; they can still be used', async () => {
    const left: string[] = [];
    const disconnected = ({ id }: { id: string }) => void left.push(id);
    const here = await start(undefined, { returnMs: 1_000 }, { sessionHooks: { disconnected } });
    const [listening, returning, gone] = await Promise.all([1, 2, 3].map(() => handshake(here.url, BEARER)));
    await listenTo(here, listening!);
    (await listenTo(here, returning!)).destroy();
    await expect.poll(async () => (await listenTo(here, returning!).catch(() => undefined))?.statusCode).toBe(200);
    (await listenTo(here, gone!)).destroy();
    await expect.poll(() => left).toEqual([gone!['mcp-session-id']]);
    expect(await statusOf(here, gone!)).toBe(200);
  });

  it('make room: the longest unused goes first, a listening one later, a busy one never', async () => {
    const { run, calls, release } = waiting();
    const here = await start(run, { sessions: 3 });
    const [listening, busy, unused] = [
      await handshake(here.url, BEARER),
      await handshake(here.url, BEARER),
      await handshake(here.url, BEARER),
    ];
    await listenTo(here, listening);
    await begin(here.url, legacy({ id: 1, method: 'tools/call', params: { name: 'echo' } }, busy));
    await expect.poll(() => calls.length).toBe(1);
    const fourth = await handshake(here.url, BEARER);
    expect(await statusOf(here, unused)).toBe(404);
    expect(await statusOf(here, listening)).toBe(200);
    await begin(here.url, legacy({ id: 1, method: 'tools/call', params: { name: 'echo' } }, fourth));
    await expect.poll(() => calls.length).toBe(2);
    const fifth = await handshake(here.url, BEARER);
    expect(await statusOf(here, listening)).toBe(404);
    await begin(here.url, legacy({ id: 1, method: 'tools/call', params: { name: 'echo' } }, fifth));
    await expect.poll(() => calls.length).toBe(3);
    await expect(handshake(here.url, BEARER)).rejects.toThrow('503');
    expect(calls.map(({ signal }) => signal?.aborted)).toEqual([false, false, false]);
    release();
  });

  it('leave nothing behind when the handshake fails', async () => {
    const here = await start(undefined, { sessions: 1 });
    const hello = {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    };
    const kept = await handshake(here.url, BEARER);
    await ask(here.url, { method: 'DELETE', headers: kept });
    const bad = legacy(hello, BEARER);
    expect((await ask(here.url, { ...bad, headers: { ...bad.headers, accept: 'text/plain' } })).status).toBe(406);
    const headers = await handshake(here.url, BEARER);
    expect(await statusOf(here, headers)).toBe(200);
    expect(here.lines.filter(line => line.includes('to make room'))).toEqual([]);
  });
});

describe('a fault', () => {
  it('in one call ends that call only', async () => {
    let faults = 0;
    const here = await start(async () => {
      if (faults++ === 0) throw new Error('broken');
      return good('fine');
    });
    const call = withToken(modern('tools/call', { name: 'echo' }), TOKEN);
    expect(messagesIn(await ask(here.url, call))[0]).toHaveProperty('error');
    expect(messagesIn(await ask(here.url, call))[0]?.result).toMatchObject({ content: [{ text: 'fine' }] });
  });
});

describe('the end', () => {
  it('closes streams and connections', async () => {
    const here = await start();
    const headers = await handshake(here.url, BEARER);
    const { answered } = await begin(here.url, { method: 'GET', headers: { ...headers, accept: 'text/event-stream' } });
    const closed = once((await answered).resume(), 'close');
    here.stop();
    await here.end();
    await closed;
    await expect(ask(here.url)).rejects.toThrow(/ECONNREFUSED/);
  });
});
