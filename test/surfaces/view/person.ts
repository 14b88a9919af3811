// A person at the page, without a browser: logs in with a code, sends requests with the cookie, and speaks over the WebSocket.
import { MessageBytes } from '../../../src/cdp/message-reader.ts';
import { WebSocketClient } from '../../../src/cdp/websocket-client.ts';
import { type ClientMessage, FRAME, type ServerMessage, type ViewApi } from '../../../src/surfaces/view/protocol.ts';
import { type Answered, type Asked, ask } from '../http/ask.ts';

export interface Frame {
  watch: number;
  frame: number;
  time: number;
  width: number;
  height: number;
  jpeg: Buffer;
}

/** A code for the holder of the token, as `tabwright view` asks for it. */
export async function newCode(mcp: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const { status, text } = await ask(new URL('/view/code', mcp).href, { method: 'POST', headers });
  if (status !== 200) throw new Error(`no code: ${status} ${text}`);
  return JSON.parse(text).code;
}

export const redeem = (mcp: string, code: string): Promise<Answered> =>
  ask(new URL('/view/login', mcp).href, { method: 'POST', headers: { 'x-view-code': code } });

export class Person {
  private constructor(
    readonly mcp: string,
    readonly cookie: string,
  ) {}

  static async login(mcp: string, token: string): Promise<Person> {
    const { headers } = await redeem(mcp, await newCode(mcp, token));
    return new Person(mcp, headers['set-cookie']?.[0]?.split(';')[0] ?? '');
  }

  ask(path: string, asked: Asked = {}): Promise<Answered> {
    return ask(new URL(path, this.mcp).href, { ...asked, headers: { cookie: this.cookie, ...asked.headers } });
  }

  async api<K extends keyof ViewApi>(what: K, path: string, asked: Asked = {}): Promise<ViewApi[K]> {
    const { status, text } = await this.ask(`/view/api/${path}`, { method: what.split(' ')[0] ?? 'GET', ...asked });
    if (status >= 300) throw new Error(`${what}: ${status} ${text}`);
    return JSON.parse(text || 'null');
  }

  async connect(headers: Record<string, string> = {}): Promise<LiveSocket> {
    const address = new URL('/view/live', this.mcp).href.replace(/^http/, 'ws');
    const all = { cookie: this.cookie, origin: new URL(this.mcp).origin, ...headers };
    return new LiveSocket(await WebSocketClient.open(address, all, AbortSignal.timeout(5_000)));
  }
}

type Of<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>;

export class LiveSocket {
  readonly messages: ServerMessage[] = [];
  readonly frames: Frame[] = [];
  readonly closed: Promise<void>;
  isClosed = false;
  #wake: (() => void)[] = [];
  #id = 0;

  constructor(readonly socket: WebSocketClient) {
    const reader = new MessageBytes(bytes => this.#take(bytes));
    this.closed = socket.read(reader as never).then(() => {
      this.isClosed = true;
      this.#woken();
    });
  }

  send(message: ClientMessage): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Sends it and waits for its answer, which may be an error. */
  async request(message: ClientMessage): Promise<Of<'done'> | Of<'error'> | Of<'snapshot'>> {
    const id = ++this.#id;
    this.send({ ...message, id });
    const isAnswer = (one: ServerMessage) => 'id' in one && one.id === id;
    return (await this.until(() => this.messages.find(isAnswer))) as Of<'done'>;
  }

  /** Waits until the look finds something. */
  async until<T>(look: () => T | undefined, ms = 8_000): Promise<T> {
    const late = Date.now() + ms;
    for (;;) {
      const found = look();
      if (found !== undefined && found !== false) return found;
      if (this.isClosed) throw new Error('the socket is closed');
      if (Date.now() > late) throw new Error(`not within ${ms} ms; last: ${JSON.stringify(this.messages.at(-1))}`);
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, late - Date.now() + 1);
        this.#wake.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** The latest message of that type which passes. */
  last<T extends ServerMessage['type']>(type: T, test: (message: Of<T>) => boolean = () => true): Of<T> | undefined {
    return this.messages.findLast((one): one is Of<T> => one.type === type && test(one as Of<T>)) as Of<T> | undefined;
  }

  close(): Promise<void> {
    this.socket.close();
    return this.closed;
  }

  #take(bytes: Buffer): void {
    if (bytes[0] === 0x7b && bytes.at(-1) === 0x7d) this.messages.push(JSON.parse(bytes.toString()));
    else this.frames.push(frameIn(bytes));
    this.#woken();
  }

  #woken(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

const frameIn = (bytes: Buffer): Frame => ({
  watch: bytes.readUInt32LE(FRAME.watch),
  frame: bytes.readUInt32LE(FRAME.frame),
  time: bytes.readDoubleLE(FRAME.time),
  width: bytes.readUInt16LE(FRAME.width),
  height: bytes.readUInt16LE(FRAME.height),
  jpeg: bytes.subarray(FRAME.jpeg),
});
