// A small MCP client over stdio: raw JSON-RPC lines, so that it costs each server the same.
import { once } from 'node:events';
import { type Child, endFamily, memoryOf, startChild } from './children.ts';
import type { Launch } from './servers.ts';

export const WAIT_MS = 60_000;
const END_MS = 5_000;
const MAX_STDERR = 2_000;

export interface Content {
  type: string;
  text?: string;
  data?: string;
}

export interface Result {
  content?: Content[];
  isError?: boolean;
  tools?: unknown[];
  nextCursor?: string;
}

export interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: Result;
  error?: { code: number; message: string };
}

export const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'tabwright-bench', version: '1' },
};

export const textOf = (result: Result): string => (result.content ?? []).map(item => item.text ?? '').join('\n');

/** The result of an answer; an error of any kind is thrown, so that it is never taken for a fast success. */
export function resultOf(what: string, { result, error }: Message): Result {
  if (error) throw new Error(`${what}: ${error.message}`);
  if (!result) throw new Error(`${what}: an answer without a result`);
  if (result.isError) throw new Error(`${what}: ${textOf(result)}`);
  return result;
}

function within<T>(what: string, ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: no answer in ${ms / 1000} s`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export class Client {
  readonly #child: Child;
  readonly #gone: Promise<never>;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #lastId = 0;
  #unread = '';
  #stderr = '';

  constructor(launch: Launch, folder: string) {
    this.#child = startChild(launch, folder);
    const { process: child } = this.#child;
    this.#gone = new Promise((_, reject) => {
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`the server ended: ${this.#stderr.trim()}`)));
    });
    // Only a request that waits cares.
    this.#gone.catch(() => undefined);
    child.stdin?.on('error', () => undefined);
    child.stdout?.setEncoding('utf8').on('data', chunk => this.#take(chunk));
    child.stderr?.setEncoding('utf8').on('data', chunk => {
      this.#stderr = (this.#stderr + chunk).slice(-MAX_STDERR);
    });
  }

  async request(method: string, params: object = {}): Promise<Result> {
    const id = ++this.#lastId;
    const answer = new Promise<Message>(resolve => this.#waiting.set(id, resolve));
    this.#send({ id, method, params });
    const what = 'name' in params ? `${method} ${params.name}` : method;
    return resultOf(what, await within(what, WAIT_MS, Promise.race([answer, this.#gone])));
  }

  async initialize(): Promise<void> {
    await this.request('initialize', INITIALIZE);
    this.#send({ method: 'notifications/initialized' });
  }

  memory(): number | undefined {
    return memoryOf(this.#child);
  }

  /** Ends the server as a client does, and what then is left of it by force. */
  async end(): Promise<void> {
    const { process: child } = this.#child;
    const running = child.exitCode === null && child.signalCode === null;
    const ended = running ? once(child, 'exit') : [];
    child.stdin?.end();
    await within('end', END_MS, Promise.resolve(ended)).catch(() => undefined);
    endFamily(this.#child);
  }

  #send(message: Message): void {
    this.#child.process.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #take(chunk: string): void {
    const lines = (this.#unread + chunk).split('\n');
    this.#unread = lines.pop() ?? '';
    for (const line of lines) if (line.trim()) this.#read(JSON.parse(line));
  }

  #read(message: Message): void {
    if (message.id === undefined) return;
    if (message.method !== undefined) {
      this.#send({ id: message.id, error: { code: -32601, message: 'not supported' } });
      return;
    }
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }
}
