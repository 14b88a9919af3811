// The built command as a child process that speaks raw JSON-RPC lines, for tests of what really goes over the wire.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

export const BUNDLE = resolve('dist/tabwright.js');

export interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export const CLIENT_INFO = { name: 'test', version: '1' };

/** The envelope that every request of the 2026-07-28 revision carries. */
export const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
};

/** A folder for state and output that is gone after the test. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'tabwright-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Settings of this machine must not reach the process under test; where its browser is must. */
export function cleanEnv(stateDir: string): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && (!name.startsWith('TABWRIGHT_') || name === 'TABWRIGHT_EXECUTABLE_PATH'),
  ) as [string, string][];
  return { ...Object.fromEntries(kept), TABWRIGHT_STATE_DIR: stateDir };
}

/** True while a process with that id runs. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The ids of all processes below one. */
export function descendantsOf(ancestor: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(row => row.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    rows.filter(([, ppid]) => ppid === parent).flatMap(([pid = 0]) => [pid, ...below(pid)]);
  return below(ancestor);
}

/** The best times, in ms, of a start and of a process that only loads the browser driver, measured in turns: the load of the machine is the same. */
export async function besideDriver(start: () => Promise<unknown>): Promise<{ best: number; driver: number }> {
  const timed = async (run: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await run();
    return performance.now() - began;
  };
  const loadDriver = () => once(spawn(process.execPath, ['-e', "require('playwright-core')"]), 'close');
  const times = { best: Number.POSITIVE_INFINITY, driver: Number.POSITIVE_INFINITY };
  for (let turn = 0; turn < 4; turn++) {
    times.best = Math.min(times.best, await timed(start));
    times.driver = Math.min(times.driver, await timed(loadDriver));
  }
  return times;
}

export class Process {
  readonly lines: string[] = [];
  stderr = '';
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #lastId = 0;

  constructor(
    args: string[],
    readonly stateDir: string,
    env: Record<string, string> = {},
  ) {
    this.#child = spawn(process.execPath, [BUNDLE, ...args], { env: { ...cleanEnv(stateDir), ...env } });
    this.ended = once(this.#child, 'close').then(([code, signal]) => ({ code, signal }));
    createInterface({ input: this.#child.stdout! }).on('line', line => this.#read(line));
    this.#child.stderr!.on('data', chunk => {
      this.stderr += String(chunk);
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  request(method: string, params?: Record<string, unknown>): Promise<Message> {
    const id = ++this.#lastId;
    this.send({ id, method, ...(params && { params }) });
    const gone = this.ended.then(() => Promise.reject(new Error(`ended before it answered ${method}: ${this.stderr}`)));
    return Promise.race([new Promise<Message>(resolve => this.#waiting.set(id, resolve)), gone]);
  }

  send(message: Message): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** As it is: whole messages, pieces of them, or none at all. */
  write(text: string): void {
    this.#child.stdin!.write(text);
  }

  async initialize(protocolVersion = '2025-11-25'): Promise<Message> {
    const answer = await this.request('initialize', { protocolVersion, capabilities: {}, clientInfo: CLIENT_INFO });
    this.send({ method: 'notifications/initialized' });
    return answer;
  }

  /** The ids of all processes below this one. */
  descendants(): number[] {
    return descendantsOf(this.#child.pid ?? 0);
  }

  endInput(): Promise<Ended> {
    this.#child.stdin!.end();
    return this.ended;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  kill(signal: NodeJS.Signals): Promise<Ended> {
    this.signal(signal);
    return this.ended;
  }

  #read(line: string): void {
    this.lines.push(line);
    const message: Message = JSON.parse(line);
    if (message.id !== undefined) this.#waiting.get(message.id)?.(message);
  }
}
