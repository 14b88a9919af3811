// browseros-mcp as a child process, on each runtime: its lines, its end, and real clients connected to it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { type Agent, agent } from '../agents.ts';
import { CLIENT_INFO, type Ended } from '../process.ts';

const BUN = resolve('node_modules/.bin/bun');
const BUILT = resolve('dist/browseros.js');

export const RUNTIMES = {
  Node: [process.execPath, BUILT],
  'Bun, built': [BUN, BUILT],
  'Bun, from source': [BUN, 'run', resolve('src/browseros.ts')],
} as const;

export type Runtime = keyof typeof RUNTIMES;

export interface Setting {
  /** Where it keeps its state; its home too. */
  home: string;
  env?: Record<string, string>;
  cwd?: string;
}

export class Bin {
  stdout = '';
  stderr = '';
  readonly ended: Promise<Ended>;
  readonly child: ChildProcess;

  constructor(runtime: Runtime, args: readonly string[], { home, env = {}, cwd }: Setting) {
    const [program, ...first] = RUNTIMES[runtime];
    // The settings of this machine are none of its business; neither are they when they are there.
    const own = { HOME: home, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home, PATH: process.env.PATH ?? '' };
    this.child = spawn(program, [...first, ...args], { env: { ...own, ...env }, ...(cwd !== undefined && { cwd }) });
    this.ended = once(this.child, 'close').then(([code, signal]) => ({ code, signal }));
    this.child.stdout?.on('data', piece => {
      this.stdout += String(piece);
    });
    this.child.stderr?.on('data', piece => {
      this.stderr += String(piece);
    });
  }

  get lines(): string[] {
    return linesOf(this.stdout);
  }

  get errors(): string[] {
    return linesOf(this.stderr);
  }

  /** Settles when stdout holds that text; rejects when the process ended before. */
  async says(text: string): Promise<this> {
    const gone = this.ended.then(({ code }) => Promise.reject(new Error(`ended with ${code}: ${this.stderr}`)));
    gone.catch(() => undefined); // it ends in any case
    while (!this.stdout.includes(text)) await Promise.race([once(this.child.stdout!, 'data'), gone]);
    return this;
  }

  /** User time in ms, which is the twelfth field behind the name in hundredths of a second, and memory in MB; on Linux only. */
  usage(): { cpu: number; memory: number } {
    if (process.platform !== 'linux') return { cpu: Number.NaN, memory: Number.NaN };
    const [, rest = ''] = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ');
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.child.pid}/status`, 'utf8')) ?? [];
    return { cpu: Number(rest.split(' ')[11]) * 10, memory: Number(kilobytes) / 1024 };
  }

  kill(signal: NodeJS.Signals): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}

const linesOf = (text: string): string[] => text.split('\n').filter(line => line !== '');

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

export const READY = 'MCP Server ready at';

export interface Started {
  bin: Bin;
  port: number;
  url: string;
}

/** One that is ready. A port that was free a moment ago may be taken: then another is tried. */
export async function startBin(runtime: Runtime, cdpPort: number, setting: Setting): Promise<Started> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const bin = new Bin(runtime, [`--cdp-port=${cdpPort}`, `--mcp-port=${port}`], setting);
    const failed = await bin.says(READY).then(
      () => undefined,
      (error: Error) => error,
    );
    if (!failed) return { bin, port, url: `http://127.0.0.1:${port}/mcp` };
    if (attempt === 3 || (await bin.ended).code !== 3) throw failed;
  }
}

/** A client of the first generation on the old transport. */
export async function sseAgent(url: string): Promise<Agent> {
  const client = new FirstClient(CLIENT_INFO);
  await client.connect(new SSEClientTransport(new URL(url)));
  return agent(client);
}

/** One of the second generation; without a mode it has a session. */
export async function streamableAgent(url: string, mode?: { pin: string }): Promise<Agent> {
  const client = new Client(CLIENT_INFO, mode ? { versionNegotiation: { mode } } : {});
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return agent(client);
}
