// What goes over the socket: lines of JSON. A client sends one request after the other on a connection; each is answered by replies, of which the last has a code.
import type { Socket } from 'node:net';

export interface CommandRequest {
  /** Of the client: a background server of another build ends, and is replaced. */
  build: string;
  /** The command and its words; status and stop are commands too. */
  words: readonly string[];
  json?: boolean;
  session?: string | undefined;
  /** The working folder of the client: relative paths count from it. */
  cwd?: string | undefined;
  /** What came on stdin for the word "-". */
  input?: string;
  /** Options that the command line named: the server must have the same. */
  options?: Readonly<Record<string, unknown>>;
  /** Somebody is there to answer questions, and to see progress. */
  terminal?: boolean;
}

export interface CommandReply {
  /** A step of a long call, for a terminal. */
  progress?: { done: number; total?: number; message?: string };
  question?: string;
  /** The server ends, and has done nothing; why. */
  replaced?: string;
  /** To be told beside the answer: the browser was started anew, a download has ended. */
  notes?: readonly string[];
  out?: string;
  err?: string;
  /** The exit code; with it the request is done. */
  code?: number;
  /** The words hold typed text, and belong into no history. */
  typed?: boolean;
}

/** What a client answers to a question. */
export interface CommandAnswer {
  answer: 'accept' | 'decline' | 'cancel';
}

/** How often, in ms, a server says that it still works on a request, and how long a client waits for that. */
export const ALIVE_MS = 5_000;
export const SILENT_MS = 30_000;

export const send = (socket: Socket, message: CommandRequest | CommandReply | CommandAnswer): void =>
  void (socket.writable && socket.write(`${JSON.stringify(message)}\n`));

/** Calls back with each line, in order; with undefined when more than so many characters come without an end. */
export function onLines(socket: Socket, longest: number, take: (line: string | undefined) => void): void {
  // The pieces of a long line are joined once, at its end.
  let pieces: string[] = [];
  let length = 0;
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = chunk.split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      take(pieces.join('') + line);
      pieces = [];
      length = 0;
    }
    pieces.push(rest);
    length += rest.length;
    if (length > longest) take(undefined);
  });
}
