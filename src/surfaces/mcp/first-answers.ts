// The first answers on stdio: the handshake and the list of tools, before the protocol library is loaded, which takes as long as Node itself.
// Whatever else comes is put back, with the handshake before it, so that the library reads the connection from its beginning.
import { Console } from 'node:console';
import type { Readable, Writable } from 'node:stream';
import { handshakeOf } from './handshake.ts';
import type { McpServerConfig } from './server-config.ts';

/** The revisions that begin with a handshake. A client of another one is answered by the library. */
export const HANDSHAKE_REVISIONS: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

/** Longer messages are none of these. */
const MAX_BYTES = 64 * 1024;

const NEWLINE = 10;

interface FirstMessage {
  jsonrpc?: unknown;
  id?: unknown;
  method?: unknown;
  params?: unknown;
}

/**
 * How far it went: the client is gone, or the library must take over, whose answer to this request was given already.
 * `opensPage` says that its first call will do so.
 */
type Outcome = { ended: true } | { ended: false; answered: string | number | undefined; opensPage: boolean };

/** Called when the client has introduced itself, and when it has had the list of tools: calls come next. */
export interface FirstListener {
  greeted(): void;
  listed(): void;
}

/** What anything prints goes to stderr: stdout carries nothing but the protocol. */
export function keepStdout(): void {
  globalThis.console = new Console(process.stderr);
}

export function answerFirst(
  config: McpServerConfig,
  input: Readable,
  output: Writable,
  listener: FirstListener,
): Promise<Outcome> {
  keepStdout();
  const first = new FirstAnswers(config);
  return new Promise(resolve => {
    const finish = (outcome: Outcome) => {
      input.off('data', take);
      input.off('end', end);
      input.pause();
      resolve(outcome);
    };
    const end = () => finish({ ended: true });
    const take = (chunk: Buffer) => {
      const answers = first.take(chunk);
      const told = () => {
        if (first.answered !== undefined) listener.greeted();
        if (first.hasListed) listener.listed();
      };
      if (answers.length > 0) output.write(answers.map(answer => `${JSON.stringify(answer)}\n`).join(''), told);
      if (!first.isOver) return;
      finish({ ended: false, answered: first.answered, opensPage: first.opensPage });
      input.unshift(first.unread);
    };
    input.on('data', take);
    input.on('end', end);
  });
}

class FirstAnswers {
  isOver = false;
  hasListed = false;
  opensPage = false;
  /** The id of the request of the handshake, when it was answered here. */
  answered: string | number | undefined;
  /** Lines that the library must read too. */
  #handshake: Buffer[] = [];
  #rest = Buffer.alloc(0);
  #client: string | undefined;
  readonly #config: McpServerConfig;

  constructor(config: McpServerConfig) {
    this.#config = config;
  }

  /** What the library has to read. */
  get unread(): Buffer {
    return Buffer.concat([...this.#handshake, this.#rest]);
  }

  /** The answers to the messages that are now complete. */
  take(chunk: Buffer): object[] {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const answers: object[] = [];
    for (let end = this.#rest.indexOf(NEWLINE); end >= 0 && !this.isOver; end = this.#rest.indexOf(NEWLINE)) {
      const line = this.#rest.subarray(0, end + 1);
      const result = this.#answer(line);
      if (this.isOver) break;
      if (result) answers.push(result);
      this.#rest = this.#rest.subarray(end + 1);
    }
    this.isOver ||= this.#rest.length > MAX_BYTES;
    return answers;
  }

  #answer(line: Buffer): object | undefined {
    const message = parsed(line);
    const { id, method, params } = message;
    const isRequest = typeof id === 'string' || typeof id === 'number';
    if (isRequest && this.answered === undefined && method === 'initialize' && isHandshake(params))
      return this.#greet(line, id, params);
    if (isRequest && this.answered !== undefined && method === 'tools/list' && isPlain(params)) {
      this.hasListed = true;
      return { jsonrpc: '2.0', id, result: { tools: this.#config.toolsFor?.(this.#client) ?? this.#config.tools } };
    }
    if (id === undefined && this.answered !== undefined && method === 'notifications/initialized')
      this.#handshake.push(line);
    else {
      this.isOver = true;
      this.opensPage = method === 'tools/call' && this.#opensPage(params);
    }
    return undefined;
  }

  /** A native call that certainly needs the browser of the caller's own session. */
  #opensPage(params: unknown): boolean {
    const { name, arguments: args }: Record<string, unknown> = Object(params);
    const { url, session }: Record<string, unknown> = Object(args);
    const { dialect, tools } = this.#config;
    const isOffered = dialect === undefined && tools.some(tool => tool.name === name);
    return isOffered && name === 'navigate' && typeof url === 'string' && session === undefined;
  }

  #greet(line: Buffer, id: string | number, { protocolVersion, clientInfo }: HandshakeParams): object {
    this.answered = id;
    this.#client = clientInfo.name;
    this.#handshake.push(line);
    return { jsonrpc: '2.0', id, result: { protocolVersion, ...handshakeOf(this.#config) } };
  }
}

interface HandshakeParams {
  protocolVersion: string;
  clientInfo: { name: string };
}

/** In the plainest form, as all clients send it. */
function isHandshake(params: unknown): params is HandshakeParams {
  const { protocolVersion, clientInfo, capabilities }: Record<string, unknown> = Object(params);
  const { name, version }: Record<string, unknown> = Object(clientInfo);
  return (
    HANDSHAKE_REVISIONS.includes(String(protocolVersion)) &&
    isObject(capabilities) &&
    typeof name === 'string' &&
    typeof version === 'string'
  );
}

/** The first page of the list, with nothing that the library would have to look at. */
const isPlain = (params: unknown): boolean =>
  params === undefined || (isObject(params) && Object.keys(params).length === 0);

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Empty when it is no message: the library then says so. */
function parsed(line: Buffer): FirstMessage {
  try {
    const message: FirstMessage = JSON.parse(line.toString('utf8'));
    return isObject(message) && message.jsonrpc === '2.0' ? message : {};
  } catch {
    return {};
  }
}
