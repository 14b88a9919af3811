// The client of the command line: sends a command to the user's server, starts one where none runs, and prints what comes back.
// It is loaded with every command, so it imports next to nothing.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { statusLine } from '../cli/output/status-line.ts';
import { write } from '../cli/output/write-text.ts';
import { BACKGROUND, ClientError, connectTo, namesIn, socketFolder } from './place.ts';
import { type CommandAnswer, type CommandReply, type CommandRequest, onLines, SILENT_MS, send } from './wire.ts';

/** Put there by the build; source that runs unbuilt has none. */
declare const BUILD_ID: string;
export const BUILD = typeof BUILD_ID === 'undefined' ? 'source' : BUILD_ID;

/** Longest reply, in characters. */
const MAX_REPLY = 256 * 1024 * 1024;

/** How long, in ms, a server may take to start. */
const START_MS = 30_000;

/** How a command reaches a server. */
export interface Reach {
  stateDir: string;
  /** Flags for a server that is started; undefined: none is. */
  startWith?: readonly string[];
  /** Tells the user, on stderr. */
  tell(line: string): void;
}

/** One connection, for one command or many in turn. */
export class CommandClient {
  readonly #reach: Reach;
  #socket: Socket | undefined;

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  /** The last reply; undefined when no server runs and none may be started. */
  async ask(request: CommandRequest): Promise<CommandReply | undefined> {
    if (!this.#socket || this.#socket.destroyed) this.#socket = await this.#connect();
    if (!this.#socket) return undefined;
    let reply = await exchange(this.#socket, request);
    if (reply.replaced) {
      this.#reach.tell(`the background server ${reply.replaced}; a new one is started, its pages are gone`);
      this.#socket = await this.#start();
      reply = await exchange(this.#socket, request);
    }
    return reply;
  }

  close(): void {
    this.#socket?.destroy();
  }

  async #connect(): Promise<Socket | undefined> {
    const folder = socketFolder(this.#reach.stateDir);
    const names = namesIn(folder);
    for (const name of names) {
      const socket = await connectTo(folder, name);
      if (socket) return socket;
    }
    if (!this.#reach.startWith) return undefined;
    if (names.includes(BACKGROUND))
      this.#reach.tell('the background server had been killed; a new one is started, its pages are gone');
    return this.#start();
  }

  async #start(): Promise<Socket> {
    const { stateDir, startWith = [] } = this.#reach;
    const folder = socketFolder(stateDir);
    await started(startServer(stateDir, startWith));
    const socket = await connectTo(folder, BACKGROUND);
    if (socket) return socket;
    throw new ClientError('The background server ended as soon as it had started. Try: tabwright serve --background');
  }
}

/** Sends a request, and shows questions and progress until the last reply comes. The connection stays for the next request. */
export function exchange(socket: Socket, request: CommandRequest, silentMs = SILENT_MS): Promise<CommandReply> {
  const { progress, wipe } = statusLine();
  return new Promise((resolve, reject) => {
    let silent: NodeJS.Timeout | undefined;
    let last: CommandReply | undefined;
    const settle = (end: () => void) => {
      clearTimeout(silent);
      socket.removeAllListeners();
      wipe();
      end();
    };
    const fail = (why: string) =>
      settle(() => {
        socket.destroy();
        reject(new ClientError(why));
      });
    const wait = () => {
      clearTimeout(silent);
      silent = setTimeout(() => fail('The server does not answer. End it with: tabwright stop'), silentMs);
    };
    onLines(socket, MAX_REPLY, line => {
      if (line === undefined) return fail('The answer is too long.');
      wait();
      const reply: CommandReply = JSON.parse(line);
      if (reply.progress) progress?.(reply.progress);
      if (reply.question !== undefined) {
        clearTimeout(silent);
        wipe();
        void askPerson(reply.question).then(answer => send(socket, { answer }));
      }
      const isDone = reply.code !== undefined || reply.replaced !== undefined;
      // Whoever ends a server waits until its process is gone.
      if (isDone && (reply.replaced || isLast(request))) last = reply;
      else if (isDone) settle(() => resolve(reply));
    });
    socket.on('error', () => undefined); // told by close
    socket.on('close', () => {
      const reply = last;
      if (reply) settle(() => resolve(reply));
      else fail('The server ended before it had answered. The next command starts a new one.');
    });
    send(socket, request);
    wait();
  });
}

const isLast = ({ words }: CommandRequest): boolean => words[0] === 'stop';

/** The end of the input is no approval. The server does not wait for ever. */
function askPerson(question: string): Promise<CommandAnswer['answer']> {
  process.stderr.write(`${question}\n[y/N] `);
  return new Promise<CommandAnswer['answer']>(resolve => {
    process.stdin
      .setEncoding('utf8')
      .once('data', text => resolve(/^y(?:es)?$/i.test(String(text).trim()) ? 'accept' : 'decline'))
      .once('end', () => resolve('cancel'));
  }).finally(() => process.stdin.removeAllListeners().pause());
}

/** A process of its own, which outlives this one and its terminal. What keeps it from starting it writes to stderr. */
function startServer(stateDir: string, flags: readonly string[]): ChildProcess {
  const [, entry = ''] = process.argv;
  return spawn(process.execPath, [...process.execArgv, entry, 'serve', '--background', ...flags], {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TABWRIGHT_STATE_DIR: stateDir },
  });
}

/** Settles when the server listens, or another one does. */
function started(child: ChildProcess): Promise<void> {
  const { stdout, stderr } = child;
  return new Promise((resolve, reject) => {
    let said = '';
    stderr?.setEncoding('utf8').on('data', text => {
      said += text;
    });
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      end(new ClientError(`The background server was not ready within ${START_MS / 1_000} s. ${said}`));
    }, START_MS);
    const end = (error?: Error) => {
      clearTimeout(late);
      for (const stream of [stdout, stderr]) stream?.destroy();
      child.unref();
      if (error) reject(error);
      else resolve();
    };
    stdout?.once('data', () => end());
    child.once('error', error => end(new ClientError(`The background server cannot be started: ${error.message}.`)));
    child.once('close', code => {
      // Warnings of its log may stand before the reason.
      const [, why = said.trim() || 'The background server ended at once.'] = /^tabwright: (.*)/m.exec(said) ?? [];
      end(new ClientError(why, code === 2 ? 2 : 1));
    });
  });
}

/** Prints the last reply; gives the exit code. */
export function printReply({ out, err, notes = [], code = 0 }: CommandReply): number {
  for (const note of notes) write(process.stderr, note);
  if (out !== undefined) write(process.stdout, out);
  if (err !== undefined) write(process.stderr, err);
  return code;
}

/** Without a terminal, questions are refused and progress is not sent. */
export const hasTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Undefined in a folder that was removed. */
export function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** Longest input, in bytes: what one request may hold. */
const MAX_INPUT = 4 * 1024 * 1024;

export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_INPUT) throw new ClientError(`What comes on stdin is longer than ${MAX_INPUT} bytes.`, 2);
  }
  return Buffer.concat(chunks).toString('utf8');
}
