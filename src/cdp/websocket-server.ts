// The server's side of a WebSocket. Neither a message nor what waits for the client grows without bound.
import type { Duplex } from 'node:stream';
import { acceptOf, frameOf, lengthBytes } from './websocket-client.ts';

interface SocketBounds {
  /** The longest message of the client, in bytes. */
  message: number;
  /** A client that leaves so many bytes unread is dropped. */
  unread: number;
}

const FIN = 0x80;
const MASKED = 0x80;
const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const CONTROL = 8;
const MASK_BYTES = 4;
/** The longest beginning of a frame, without its mask. */
const MOST_OF_START = 10;

/** The answer by which a request becomes a WebSocket. */
export const switchingTo = (key: string): string =>
  [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${acceptOf(key)}`,
    '\r\n',
  ].join('\r\n');

export class ServerSocket {
  readonly #socket: Duplex;
  readonly #receive: (message: string) => void;
  readonly #bounds: SocketBounds;
  /** What has come of the present frame, and how much of it is needed to go on. */
  #parts: Buffer[] = [];
  #size = 0;
  #needed = 2;
  /** The frames of a message that comes in several. */
  #frames: Buffer[] = [];

  constructor(socket: Duplex, bounds: SocketBounds, receive: (message: string) => void) {
    this.#socket = socket;
    this.#receive = receive;
    this.#bounds = bounds;
    const take = (chunk: Buffer) => {
      try {
        this.#take(chunk);
      } catch {
        socket.destroy(); // it does not speak the protocol
      }
    };
    socket.on('data', take);
    socket.once('end', () => socket.destroy());
  }

  send(message: Buffer, isBinary = false): void {
    if (this.#socket.writableLength > this.#bounds.unread) this.#socket.destroy();
    else this.#write(isBinary ? BINARY : TEXT, message);
  }

  /** A client that is there answers by itself. */
  ping(): void {
    this.#write(PING, Buffer.alloc(0));
  }

  close(): void {
    this.#write(CLOSE, Buffer.alloc(0));
    this.#socket.end(() => this.#socket.destroy());
  }

  #write(code: number, bytes: Buffer): void {
    if (!this.#socket.writable) return;
    const length = lengthBytes(bytes.length);
    length[0] = (length[0] as number) & ~MASKED; // only clients mask
    this.#socket.cork();
    this.#socket.write(Buffer.concat([Buffer.from([FIN | code]), length]));
    this.#socket.write(bytes);
    this.#socket.uncork();
  }

  #take(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#needed) return;
    let bytes = Buffer.concat(this.#parts);
    for (;;) {
      const frame = maskedFrameOf(bytes);
      this.#needed = frame ? frame.start + frame.left : bytes.length + 1;
      if (frame && this.#frames.reduce((sum, { length }) => sum + length, frame.left) > this.#bounds.message)
        throw new Error('a message that is too large');
      if (!frame || bytes.length < this.#needed) break;
      this.#end(frame.code, frame.isLast, unmasked(bytes.subarray(frame.start - MASK_BYTES, this.#needed)));
      bytes = bytes.subarray(this.#needed);
    }
    this.#parts = [bytes];
    this.#size = bytes.length;
  }

  #end(code: number, isLast: boolean, bytes: Buffer): void {
    if (code === PING) this.#write(PONG, bytes);
    if (code === CLOSE) this.close();
    if (code >= CONTROL) return;
    this.#frames.push(bytes);
    if (!isLast) return;
    const message = Buffer.concat(this.#frames).toString();
    this.#frames = [];
    this.#receive(message);
  }
}

/** The frame that begins there, with the place behind its mask; undefined while too little of it is here. */
function maskedFrameOf(bytes: Buffer) {
  const start = Buffer.from(bytes.subarray(0, MOST_OF_START));
  const [, second] = start;
  if (second === undefined) return undefined;
  if ((second & MASKED) === 0) throw new Error('not the frame of a client');
  start[1] = second & ~MASKED;
  const begun = frameOf(start);
  return begun && { ...begun.frame, start: begun.length + MASK_BYTES };
}

function unmasked(maskAndBytes: Buffer): Buffer {
  const bytes = maskAndBytes.subarray(MASK_BYTES);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (bytes[i] as number) ^ (maskAndBytes[i & 3] as number);
  return bytes;
}
