// The WebSocket client for attached browsers. It hands on the pieces of a message as they come, so that a reader can leave out what is
// too large; the clients of Node and of packages put each message together first.
import { createHash, randomBytes } from 'node:crypto';
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import type { MessageReader } from './message-reader.ts';

/** What RFC 6455 adds to the key of the client. */
const ACCEPT = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
export const acceptOf = (key: string): string =>
  createHash('sha1')
    .update(key + ACCEPT)
    .digest('base64');

/** How long the other side may take to answer a close. */
const CLOSE_MS = 2_000;

const FIN = 0x80;
const MASKED = 0x80;
const RESERVED = 0x70;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const TEXT = 1;
/** Codes from here on are control frames. */
const CONTROL = 8;
const MOST_OF_CONTROL = 125;

/** An HTTP server answered, but opened no WebSocket. */
export class UpgradeRefused extends Error {
  constructor(readonly status: number) {
    super(`it answered ${status} instead of opening a WebSocket`);
  }
}

interface Frame {
  code: number;
  isLast: boolean;
  /** Bytes of it that are not here yet. */
  left: number;
}

export class WebSocketClient {
  readonly #socket: Socket;
  /** The beginning of a frame whose length is not known yet. */
  #start: Buffer;
  #frame: Frame | undefined;
  #control: Buffer[] = [];
  #isClosing = false;

  static open(address: string, headers: Record<string, string>, signal: AbortSignal): Promise<WebSocketClient> {
    const key = randomBytes(16).toString('base64');
    const asked = {
      ...headers,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': key,
    };
    const url = new URL(address.replace(/^ws/, 'http'));
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, { headers: asked, agent: false });
    const abort = () => request.destroy(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    return upgraded(request, key).finally(() => signal.removeEventListener('abort', abort));
  }

  constructor(socket: Socket, first: Buffer) {
    this.#socket = socket;
    this.#start = first;
    socket.setNoDelay(true);
    // A connection that breaks is reported by its close event.
    socket.on('error', () => socket.destroy());
  }

  /** Hands the messages to the reader until the connection is over. */
  read(reader: MessageReader): Promise<void> {
    const receive = (chunk: Buffer) => {
      try {
        this.#receive(chunk, reader);
      } catch {
        this.#socket.destroy(); // it does not speak the protocol
      }
    };
    receive(Buffer.alloc(0));
    this.#socket.on('data', receive);
    return new Promise(resolve => this.#socket.once('close', () => resolve()));
  }

  send(text: string): void {
    this.#write(TEXT, Buffer.from(text));
  }

  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#write(CLOSE, Buffer.alloc(0));
    this.#socket.end();
    setTimeout(() => this.#socket.destroy(), CLOSE_MS).unref();
  }

  #receive(chunk: Buffer, reader: MessageReader): void {
    let rest = this.#frame ? chunk : Buffer.concat([this.#start, chunk]);
    while (this.#frame || rest.length > 0) {
      if (!this.#frame) {
        const begun = frameOf(rest);
        if (!begun) break;
        this.#frame = begun.frame;
        rest = rest.subarray(begun.length);
      }
      const frame = this.#frame;
      const piece = rest.subarray(0, frame.left);
      rest = rest.subarray(piece.length);
      frame.left -= piece.length;
      if (frame.code >= CONTROL) this.#control.push(piece);
      else if (piece.length > 0) reader.add(piece);
      if (frame.left > 0) break;
      this.#frame = undefined;
      if (frame.code >= CONTROL) this.#answer(frame.code);
      else if (frame.isLast) reader.end();
    }
    this.#start = this.#frame ? Buffer.alloc(0) : rest;
  }

  #answer(code: number): void {
    const bytes = Buffer.concat(this.#control);
    this.#control = [];
    if (code === PING) this.#write(PONG, bytes);
    else if (code === CLOSE) this.close();
  }

  /** Clients mask what they send. */
  #write(code: number, bytes: Buffer): void {
    if (!this.#socket.writable) return;
    const mask = randomBytes(4);
    const masked = Buffer.allocUnsafe(bytes.length);
    for (let i = 0; i < bytes.length; i++) masked[i] = (bytes[i] as number) ^ (mask[i & 3] as number);
    this.#socket.write(Buffer.concat([Buffer.from([FIN | code]), lengthBytes(bytes.length), mask, masked]));
  }
}

export function lengthBytes(length: number): Buffer {
  if (length <= MOST_OF_CONTROL) return Buffer.from([MASKED | length]);
  const bytes = Buffer.alloc(length < 0x10000 ? 3 : 9);
  bytes[0] = MASKED | (bytes.length === 3 ? 126 : 127);
  if (bytes.length === 3) bytes.writeUInt16BE(length, 1);
  else bytes.writeBigUInt64BE(BigInt(length), 1);
  return bytes;
}

/** The frame that begins there; undefined while too little of it is here. */
export function frameOf(bytes: Buffer): { frame: Frame; length: number } | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const code = first & 0x0f;
  const isLast = (first & FIN) !== 0;
  if ((first & RESERVED) !== 0 || (second & MASKED) !== 0) throw new Error('not the frame of a server');
  if (code >= CONTROL && (second > MOST_OF_CONTROL || !isLast)) throw new Error('a control frame that is too long');
  if (second <= MOST_OF_CONTROL) return { frame: { code, isLast, left: second }, length: 2 };
  const length = second === 126 ? 4 : 10;
  if (bytes.length < length) return undefined;
  const left = second === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return { frame: { code, isLast, left }, length };
}

function upgraded(request: ClientRequest, key: string): Promise<WebSocketClient> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', response => {
      request.destroy();
      reject(new UpgradeRefused(response.statusCode ?? 0));
    });
    request.on('upgrade', (response, socket, first) => {
      if (response.headers['sec-websocket-accept'] === acceptOf(key))
        return resolve(new WebSocketClient(socket as Socket, first));
      socket.destroy();
      reject(new Error('it is no WebSocket server'));
    });
    request.end();
  });
}
