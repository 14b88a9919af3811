// `tabwright serve` as a child process, and real clients connected to it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as FirstSseTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Agent, agent } from '../agents.ts';
import { BUNDLE, CLIENT_INFO, cleanEnv, descendantsOf, type Ended } from '../process.ts';

export class Served {
  stdout = '';
  stderr = '';
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;

  constructor(
    readonly stateDir: string,
    ...flags: string[]
  ) {
    this.#child = spawn(process.execPath, [BUNDLE, 'serve', '--port', '0', ...flags], { env: cleanEnv(stateDir) });
    this.ended = once(this.#child, 'close').then(([code, signal]) => ({ code, signal }));
    this.#child.stdout!.on('data', chunk => {
      this.stdout += String(chunk);
    });
    this.#child.stderr!.on('data', chunk => {
      this.stderr += String(chunk);
    });
  }

  /** Resolves when it listens. */
  async ready(): Promise<this> {
    const gone = this.ended.then(({ code }) => Promise.reject(new Error(`ended with ${code}: ${this.stderr}`)));
    while (!this.stdout.includes('Stop:')) await Promise.race([once(this.#child.stdout!, 'data'), gone]);
    gone.catch(() => undefined);
    return this;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get url(): string {
    return /http:\/\/\S+\/mcp/.exec(this.stdout)?.[0] ?? '';
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get tokenFile(): string {
    return join(this.stateDir, 'token');
  }

  get token(): string {
    return readFileSync(this.tokenFile, 'utf8').trim();
  }

  /** Its browser processes. */
  browser(): number[] {
    return descendantsOf(this.pid);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  kill(signal: NodeJS.Signals): Promise<Ended> {
    this.signal(signal);
    return this.ended;
  }
}

const requestInit = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

async function first(url: string, token: string, info = CLIENT_INFO): Promise<Agent> {
  const client = new FirstClient(info);
  // Its type does not know exact optional properties.
  await client.connect(new FirstTransport(new URL(url), { requestInit: requestInit(token) }) as never);
  return agent(client);
}

async function second(url: string, token: string, info = CLIENT_INFO, mode?: 'auto' | { pin: string }): Promise<Agent> {
  const client = new Client(info, mode ? { versionNegotiation: { mode } } : {});
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: requestInit(token) }));
  return agent(client);
}

type Connect = (url: string, token: string, info?: typeof CLIENT_INFO) => Promise<Agent>;

export const HTTP_AGENTS: Record<string, Connect> = {
  'first generation': first,
  'second generation, older revisions': (url, token, info) => second(url, token, info),
  'second generation, choosing by itself': (url, token, info) => second(url, token, info, 'auto'),
  'second generation, newest revision only': (url, token, info) => second(url, token, info, { pin: '2026-07-28' }),
};

/** The oldest transport; the url is that of its stream. */
export const SSE_AGENTS: Record<string, (url: string, token: string) => Promise<Agent>> = {
  async 'first generation'(url, token) {
    const client = new FirstClient(CLIENT_INFO);
    await client.connect(new FirstSseTransport(new URL(url), { requestInit: requestInit(token) }) as never);
    return agent(client);
  },
  async 'second generation'(url, token) {
    const client = new Client(CLIENT_INFO);
    await client.connect(new SSEClientTransport(new URL(url), { requestInit: requestInit(token) }));
    return agent(client);
  },
};
