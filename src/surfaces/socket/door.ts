// The server's side of the socket: connections, requests in turn, and the signs of life while one runs.
import { createServer, type Server, type Socket } from 'node:net';
import type { Log } from '../../config/log.ts';
import { APPROVAL_MS } from '../../session/rules/approvals.ts';
import type { ClientSide } from './run-words.ts';
import { ALIVE_MS, type CommandAnswer, type CommandReply, type CommandRequest, onLines, send } from './wire.ts';

/** Longest request, in characters: what one request over HTTP may hold, and the words around it. */
const MAX_REQUEST = 8 * 1024 * 1024;

/** Most connections at once. */
const MOST_CLIENTS = 200;

export type AnswerRequest = (request: CommandRequest, client: ClientSide) => Promise<CommandReply>;

/** How many requests are being answered, and since when there was none. */
export interface Busy {
  running: number;
  since: number;
}

/** A server that is not listening yet. */
export function doorServer(answer: AnswerRequest, log: Log, busy: Busy): Server {
  const server = createServer(socket => new DoorConnection(socket, answer, log, busy));
  server.maxConnections = MOST_CLIENTS;
  return server;
}

class DoorConnection {
  readonly #socket: Socket;
  readonly #answer: AnswerRequest;
  readonly #log: Log;
  readonly #busy: Busy;
  readonly #gone = new AbortController();
  #answered: ((answer: CommandAnswer['answer']) => void) | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(socket: Socket, answer: AnswerRequest, log: Log, busy: Busy) {
    this.#socket = socket;
    this.#answer = answer;
    this.#log = log;
    this.#busy = busy;
    socket.on('error', () => undefined); // told by close
    socket.on('close', () => {
      this.#gone.abort();
      this.#answered?.('cancel');
    });
    onLines(socket, MAX_REQUEST, line => this.#take(line));
  }

  #take(line: string | undefined): void {
    const message = parse(line);
    if (!message) this.#socket.destroy();
    else if ('answer' in message) this.#answered?.(message.answer);
    else this.#last = this.#last.then(() => this.#serve(message));
  }

  async #serve(request: CommandRequest): Promise<void> {
    const { signal } = this.#gone;
    if (signal.aborted) return;
    const reply = (message: CommandReply) => send(this.#socket, message);
    const alive = setInterval(() => reply({}), ALIVE_MS);
    this.#busy.running++;
    try {
      reply(await this.#answer(request, { signal, reply, ask: question => this.#ask(question) }));
    } catch (error) {
      this.#log.error(`socket: ${error instanceof Error ? error.stack : error}`);
      this.#socket.destroy();
    } finally {
      clearInterval(alive);
      this.#busy.running--;
      this.#busy.since = performance.now();
    }
  }

  #ask(question: string): Promise<CommandAnswer['answer']> {
    send(this.#socket, { question });
    return new Promise(resolve => {
      const late = setTimeout(() => resolve('cancel'), APPROVAL_MS);
      this.#answered = answer => {
        clearTimeout(late);
        resolve(answer);
      };
    });
  }
}

/** Undefined for what is no message of a client: whoever sends it is cut off. */
function parse(line: string | undefined): CommandRequest | CommandAnswer | undefined {
  try {
    const { answer, ...request } = JSON.parse(line ?? '');
    if (typeof answer === 'string') return { answer: answer === 'accept' || answer === 'decline' ? answer : 'cancel' };
    return Array.isArray(request.words) && request.words.every((word: unknown) => typeof word === 'string')
      ? request
      : undefined;
  } catch {
    return undefined;
  }
}
