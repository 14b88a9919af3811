// A browser that says whatever a test wants: the server end of a WebSocket.
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

const FIN = 0x80;

/** A frame of a server: unmasked. */
export function frame(code: number, bytes: Buffer, isLast = true): Buffer {
  const first = code | (isLast ? FIN : 0);
  const size = bytes.length > 0xffff ? 10 : bytes.length > 125 ? 4 : 2;
  const head = Buffer.alloc(size);
  head[0] = first;
  head[1] = size === 2 ? bytes.length : size === 4 ? 126 : 127;
  if (size === 4) head.writeUInt16BE(bytes.length, 2);
  if (size === 10) head.writeBigUInt64BE(BigInt(bytes.length), 2);
  return Buffer.concat([head, bytes]);
}

/** A browser that says whatever a case wants. */
export class FakePeer {
  /** Called for every connection. */
  speak: (socket: Socket) => void = socket => socket.destroy();
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor() {
    this.#server = createServer((_, answer) =>
      answer.end(JSON.stringify({ webSocketDebuggerUrl: `ws://127.0.0.1:${this.port}/` })),
    );
    this.#server.on('upgrade', (request, socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash('sha1').update(key).digest('base64');
      const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
      socket.write(`${[...head, `Sec-WebSocket-Accept: ${accept}`].join('\r\n')}\r\n\r\n`);
      this.speak(socket);
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  async close(): Promise<void> {
    this.drop();
    await new Promise(resolve => this.#server.close(resolve));
  }
}
