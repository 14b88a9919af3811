// Calls per second over HTTP: one legacy session of a server, one call at a time and four.

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { endFamily, startChild } from './children.ts';
import { INITIALIZE, type Message, type Result, resultOf, WAIT_MS } from './client.ts';
import type { Ground } from './driver.ts';
import type { Figures } from './metrics.ts';
import type { Pages } from './pages.ts';
import { makeScratch } from './scratch.ts';
import type { Call, Server } from './servers.ts';

const MEASURE_MS = 2_000;
const START_MS = 20_000;
const POLL_MS = 50;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

/** The message in a body that is JSON or a stream of events. */
function messageOf(body: string): Message {
  if (body.startsWith('{')) return JSON.parse(body);
  const data = body
    .split('\n')
    .filter(line => line.startsWith('data:'))
    .map((line): Message => JSON.parse(line.slice('data:'.length)));
  return data.find(message => message.result || message.error) ?? {};
}

class HttpSession {
  #id = '';
  #lastId = 0;

  constructor(readonly url: string) {}

  async initialize(): Promise<void> {
    await this.request('initialize', INITIALIZE);
    await this.#post({ method: 'notifications/initialized' });
  }

  async request(method: string, params: object): Promise<Result> {
    return resultOf(method, messageOf(await this.#post({ id: ++this.#lastId, method, params })));
  }

  call({ tool, args }: Call): Promise<Result> {
    return this.request('tools/call', { name: tool, arguments: args });
  }

  async #post(message: Message): Promise<string> {
    const answer = await fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(this.#id && { 'mcp-session-id': this.#id, 'mcp-protocol-version': INITIALIZE.protocolVersion }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      signal: AbortSignal.timeout(WAIT_MS),
    });
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${message.method}: status ${answer.status} ${body.slice(0, 200)}`);
    this.#id ||= answer.headers.get('mcp-session-id') ?? '';
    return body;
  }
}

/** A session as soon as the server listens. */
async function connect(url: string, ended: () => boolean): Promise<HttpSession> {
  const until = performance.now() + START_MS;
  for (;;) {
    const session = new HttpSession(url);
    try {
      await session.initialize();
      return session;
    } catch (error) {
      // Fetch fails with a TypeError while nobody listens; any other answer is final.
      if (!(error instanceof TypeError) || ended() || performance.now() > until) throw error;
      await new Promise(resolve => setTimeout(resolve, POLL_MS));
    }
  }
}

/** Completed calls per second with so many under way. */
async function rate(session: HttpSession, call: Call, lanes: number): Promise<number> {
  const started = performance.now();
  let done = 0;
  const lane = async () => {
    while (performance.now() - started < MEASURE_MS) {
      await session.call(call);
      done++;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return (done * 1000) / (performance.now() - started);
}

export async function httpRates(server: Server, ground: Ground, pages: Pages): Promise<Figures> {
  if (!server.serve) return {};
  const scratch = makeScratch();
  const port = await freePort();
  const child = startChild(server.serve({ ...ground, folder: scratch.path }, port), scratch.path);
  let stderr = '';
  child.process.stdout?.resume();
  child.process.stderr?.setEncoding('utf8').on('data', chunk => {
    stderr = (stderr + chunk).slice(-500);
  });
  try {
    const session = await connect(`http://localhost:${port}/mcp`, () => child.process.exitCode !== null);
    await session.call(server.open(pages.rows(20)));
    const call = server.evaluate('document.title');
    return { httpOne: await rate(session, call, 1), httpFour: await rate(session, call, 4) };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error} ${stderr}`.trim());
  } finally {
    endFamily(child);
    scratch.remove();
  }
}
