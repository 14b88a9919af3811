// The one pipe to Chrome, shared by all clients of the keeper: each has a browser session of its own in it, which it does not see.
import type { Duplex, Readable, Writable } from 'node:stream';
import { MessageBytes, parseMessage, readZeroTerminated, sessionAtEnd } from '../../../../cdp/message-reader.ts';
import { ServerSocket } from '../../../../cdp/websocket-server.ts';

/** Enough of a message to know what it is, and which session it is for. */
const ENDS = 256;
const ATTACHED =
  /^\{"method":"Target\.attachedToTarget","params":\{"sessionId":"([^"\\]+)","targetInfo":\{"targetId":"([^"\\]+)"/;
const DETACHED = /^\{"method":"Target\.detachedFromTarget","params":\{"sessionId":"([^"\\]+)"/;
const TAB = /^\{"method":"Target\.target(Created|Destroyed)","params":\{(?:"targetInfo":\{)?"targetId":"([^"\\]+)"/;
const SESSION = /^\{"id":(\d+),"result":\{"sessionId":"([^"\\]+)"/;
const TO_FRONT = /^(?:Page\.bringToFront|Target\.activateTarget)$/;
const MB = 1024 * 1024;
/** A command may be as large as Chrome's own server takes it. */
const BOUNDS = { message: 100 * MB, unread: 64 * MB };
/** As Chrome answers it. */
const NO_SESSION = { code: -32_001, message: 'Session with given id not found.' };

interface Client {
  /** Its browser session; it is told of it as of the browser itself. */
  session: string;
  socket: ServerSocket;
}

interface Session {
  client: Client;
  /** The session that attached to it. */
  parent?: string;
  target?: string;
}

interface Command {
  id: number;
  method: string;
  sessionId?: string;
  params?: { targetId?: string };
}

export class ChromePipe {
  /** Settles when Chrome has a tab. */
  readonly ready: Promise<void>;
  readonly #input: Writable;
  readonly #sessions = new Map<string, Session>();
  /** Who waits for a session, by the number of the command. */
  readonly #calls = new Map<number, (session: string) => void>();
  /** Clients that are not read while Chrome does not read. */
  readonly #paused = new Set<Duplex>();
  /** Tabs, the one that was opened or brought to the front last behind the others. */
  readonly #tabs = new Set<string>();
  #last = 0;
  #tabSeen: () => void = () => undefined;

  constructor(input: Writable, output: Readable) {
    this.#input = input;
    // A pipe that breaks is the end of Chrome, which its process reports.
    input.on('error', () => undefined);
    output.on('error', () => undefined);
    input.on('drain', () => {
      for (const socket of this.#paused) socket.resume();
      this.#paused.clear();
    });
    const reader = new MessageBytes(message => this.#receive(message));
    output.on('data', (chunk: Buffer) => readZeroTerminated(reader, chunk));
    this.ready = new Promise(resolve => {
      this.#tabSeen = resolve;
    });
    this.#send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] });
  }

  /** The ids of the tabs, the one used last first, as Chrome's own server has them. What a person does in a window is not seen here. */
  get tabs(): string[] {
    return [...this.#tabs].reverse();
  }

  /** Serves a client until it goes; then all its sessions end. It is welcome as soon as it has a session. */
  async serve(socket: Duplex, welcome: () => void): Promise<void> {
    const session = await this.#attach();
    if (socket.closed) {
      this.#leave(session, socket);
      return;
    }
    socket.once('close', () => this.#leave(session, socket));
    welcome();
    const client: Client = {
      session,
      socket: new ServerSocket(socket, BOUNDS, text => this.#command(client, socket, text)),
    };
    this.#sessions.set(session, { client });
  }

  #attach(): Promise<string> {
    return new Promise(resolve => {
      this.#calls.set(this.#send('Target.attachToBrowserTarget', {}), resolve);
    });
  }

  #leave(session: string, socket: Duplex): void {
    this.#paused.delete(socket);
    this.#forget(session);
    this.#send('Target.detachFromTarget', { sessionId: session });
  }

  /** With the sessions that it attached to: Chrome does not tell of all of their ends. */
  #forget(session: string): void {
    this.#sessions.delete(session);
    for (const [id, { parent }] of this.#sessions) if (parent === session) this.#forget(id);
  }

  #send(method: string, params: object): number {
    const id = ++this.#last;
    this.#input.write(`${JSON.stringify({ id, method, params })}\0`);
    return id;
  }

  /** The answer has the number and the session of the command, so that numbers need not be unique among clients. */
  #command(client: Client, socket: Duplex, text: string): void {
    const command = commandIn(text);
    const { id, sessionId = client.session } = command;
    const session = this.#sessions.get(sessionId);
    if (session?.client !== client) {
      client.socket.send(Buffer.from(JSON.stringify({ id, error: NO_SESSION, sessionId })));
      return;
    }
    this.#follow(command, session);
    const added = command.sessionId === undefined ? `,"sessionId":"${sessionId}"` : '';
    if (this.#input.write(`${text.slice(0, text.lastIndexOf('}'))}${added}}\0`)) return;
    socket.pause();
    this.#paused.add(socket);
  }

  #follow({ method, params }: Command, { target }: Session): void {
    if (!TO_FRONT.test(method)) return;
    const tab = params?.targetId ?? target;
    if (tab !== undefined && this.#tabs.delete(tab)) this.#tabs.add(tab);
  }

  #receive(message: Buffer): void {
    const id = sessionAtEnd(message.toString('latin1', Math.max(0, message.length - ENDS)));
    if (id === undefined) this.#receiveOwn(message);
    else this.#pass(message, id, this.#sessions.get(id)?.client);
  }

  #pass(message: Buffer, id: string, client: Client | undefined): void {
    if (!client) return; // it has gone
    const start = message.toString('latin1', 0, ENDS);
    const [, attached, target = ''] = ATTACHED.exec(start) ?? [];
    if (attached !== undefined) this.#sessions.set(attached, { client, parent: id, target });
    const [, detached] = DETACHED.exec(start) ?? [];
    if (detached !== undefined) this.#forget(detached);
    client.socket.send(id === client.session ? withoutSession(message, id) : message);
  }

  #receiveOwn(message: Buffer): void {
    const start = message.toString('latin1', 0, ENDS);
    const [, event, tab = ''] = TAB.exec(start) ?? [];
    if (event === 'Created') {
      this.#tabs.add(tab);
      this.#tabSeen();
    } else if (event !== undefined) this.#tabs.delete(tab);
    const [, id, session] = SESSION.exec(start) ?? [];
    if (session === undefined) return;
    this.#calls.get(Number(id))?.(session);
    this.#calls.delete(Number(id));
  }
}

function commandIn(text: string): Command {
  const command = parseMessage(text);
  if (command?.id === undefined || command.method === undefined) throw new Error('not a command');
  return command as Command;
}

/** In place: a copy of a large message would take time. */
function withoutSession(message: Buffer, session: string): Buffer {
  const end = message.length - `,"sessionId":"${session}"}`.length;
  message[end] = '}'.charCodeAt(0);
  return message.subarray(0, end + 1);
}
