// The end of a server: new calls are refused, running ones finish within a bound, then all is closed.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../../site/serve.ts';
import { isAlive, temporaryFolder } from '../process.ts';
import { type Answered, ask, begin, HELLO, handshake, legacy, listenTo, messagesIn, modern, withToken } from './ask.ts';
import { BEARER, type Here, listenHere, TOKEN, waiting } from './here.ts';
import { Served } from './served.ts';

const call = (id = 1) => legacy({ id, method: 'tools/call', params: { name: 'echo' } });

describe('a server that is to end', () => {
  const open: Here[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map(here => here.end()));
  });

  async function start() {
    const work = waiting();
    const here = await listenHere(work.run);
    open.push(here);
    return { here, health: here.url.replace('/mcp', '/health'), ...work };
  }

  function expectEnding({ status, headers, text }: Answered): void {
    expect({ status, again: headers['retry-after'] }).toEqual({ status: 503, again: '10' });
    expect(JSON.parse(text).error).toMatchObject({
      message: 'The server is ending and takes no new calls.',
      data: { rule: 'ending' },
    });
  }

  it('says so, refuses what is new, and answers what runs', async () => {
    const { here, health, calls, release } = await start();
    const session = await handshake(here.url, BEARER);
    const stream = await listenTo(here.url.replace('/mcp', '/sse'), BEARER);
    await expect.poll(() => stream.text()).toContain('sessionId=');
    const messages = new URL(/data: (\S+)/.exec(stream.text())?.[1] ?? '', here.url).href;
    const post = (url: string, asked: ReturnType<typeof call>, headers: Record<string, string>) =>
      ask(url, { ...asked, headers: { ...asked.headers, ...headers } });
    await post(messages, legacy(HELLO), BEARER);
    const running = [
      ask(here.url, withToken(modern('tools/call', { name: 'echo' }), TOKEN)),
      post(here.url, call(5), session),
    ];
    await post(messages, call(6), BEARER);
    await expect.poll(() => calls.length).toBe(3);

    here.stop();
    expect(await ask(health)).toMatchObject({ status: 503, text: '{"status":"ending","name":"tabwright"}\n' });
    expectEnding(await ask(here.url, withToken(modern('tools/call', { name: 'echo' }), TOKEN)));
    expectEnding(await ask(here.url, withToken(modern('tools/list'), TOKEN)));
    expectEnding(await post(here.url, call(7), session));
    expectEnding(await post(messages, call(8), BEARER));
    expectEnding(await ask(here.url, legacy(HELLO, BEARER)));
    expectEnding(await ask(here.url.replace('/mcp', '/sse'), { headers: { ...BEARER, accept: 'text/event-stream' } }));
    // What concerns running calls goes on.
    const notice = legacy({ method: 'notifications/cancelled', params: { requestId: 99 } });
    expect((await post(here.url, notice, session)).status).toBe(202);
    expect((await post(messages, notice, BEARER)).status).toBe(202);

    const quiet = here.quiet(20_000);
    release();
    await quiet;
    for (const answer of await Promise.all(running))
      expect(messagesIn(answer).at(-1)?.result).toMatchObject({ content: [{ text: 'released' }] });
    await expect.poll(() => stream.text()).toContain('"id":6');
    await here.end();
    await stream.closed;
    await expect(ask(health)).rejects.toThrow(/ECONNREFUSED/);
    expect(here.refusals).toContainEqual(
      expect.objectContaining({ caller: 'http', what: 'POST /mcp', rule: 'ending' }),
    );
  });

  it('waits no longer than it was told', async () => {
    const { here, calls } = await start();
    const { answered } = await begin(here.url, withToken(modern('tools/call', { name: 'echo' }), TOKEN));
    await answered;
    await expect.poll(() => calls.length).toBe(1);
    here.stop();
    const began = performance.now();
    await here.quiet(300);
    expect(performance.now() - began).toBeGreaterThan(290);
    expect(calls[0]?.signal?.aborted).toBe(false);
    await here.end();
    await expect.poll(() => calls[0]?.signal?.aborted).toBe(true);
  });

  it('is quiet at once when nothing runs, also with streams open', async () => {
    const { here } = await start();
    const session = await handshake(here.url, BEARER);
    const streams = [await listenTo(here.url, session), await listenTo(here.url, BEARER)];
    here.stop();
    await here.quiet(60_000);
    await here.end();
    await Promise.all(streams.map(({ closed }) => closed));
  });

  it('lets a large answer out before it closes the connection', async () => {
    const text = 'x'.repeat(5_000_000);
    const { run, calls, release } = waiting();
    const here = await listenHere(async call => ({ ...(await run(call)), text }));
    const answer = ask(here.url, withToken(modern('tools/call', { name: 'echo' }), TOKEN));
    await expect.poll(() => calls.length).toBe(1);
    here.stop();
    const quiet = here.quiet(10_000);
    release();
    await quiet;
    await here.end();
    expect((await answer).text.length).toBeGreaterThan(text.length);
  });
});

describe('tabwright serve', () => {
  const folder = temporaryFolder();
  const started: Served[] = [];
  /** Answers the page when the test lets it. */
  const gate = createServer();
  let gateUrl: string;
  let site: Site;

  beforeAll(async () => {
    site = await startSite();
    await once(gate.listen(0, '127.0.0.1'), 'listening');
    gateUrl = `http://127.0.0.1:${(gate.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    gate.close();
    await Promise.all(started.map(served => served.kill('SIGKILL')));
    await site.close();
    folder.remove();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'after %s lets a call finish, refuses another, and ends with 0',
    async signal => {
      const served = await new Served(join(folder.path, signal)).ready();
      started.push(served);
      const tool = (name: string, args: Record<string, unknown>) =>
        withToken(modern('tools/call', { name, arguments: args }), served.token);
      const health = served.url.replace('/mcp', '/health');
      await ask(served.url, tool('navigate', { url: `${site.url}/signup.html` }));
      const asked = once(gate, 'request');
      const expression = `fetch("${gateUrl}").then(answer => answer.text())`;
      const { answered } = await begin(served.url, tool('evaluate', { expression }));
      const answer = await answered;
      const [, opens] = (await asked) as [IncomingMessage, ServerResponse];
      const browser = served.browser();
      served.signal(signal);
      await expect.poll(async () => (await ask(health)).text, { timeout: 2_000 }).toContain('ending');
      expect(await ask(served.url, tool('title', {}))).toMatchObject({ status: 503, headers: { 'retry-after': '10' } });
      opens.setHeader('access-control-allow-origin', '*').end('finished');
      let text = '';
      for await (const piece of answer.setEncoding('utf8')) text += piece;
      expect(messagesIn({ text }).at(-1)?.result).toMatchObject({ content: [{ text: 'finished' }] });
      expect(await served.ended).toEqual({ code: 0, signal: null });
      await expect.poll(() => browser.filter(isAlive), { timeout: 5_000 }).toEqual([]);
      expect(served.stderr).not.toMatch(/\[error\]/);
    },
  );
});
