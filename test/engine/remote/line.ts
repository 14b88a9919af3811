// A line to a browser that can be cut: a TCP proxy between Tabwright and a debugging port.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Line {
  /** As the browser's own, but through the proxy. */
  endpoint: string;
  /** Breaks all connections at once; new ones are possible. */
  cut(): void;
  /** Nobody gets through until mend() is called. */
  block(): void;
  mend(): void;
  /** How many connections were made. */
  readonly made: number;
  end(): Promise<void>;
}

export async function lineTo(endpoint: string): Promise<Line> {
  const { hostname, port } = new URL(endpoint);
  const sockets = new Set<Socket>();
  let isBlocked = false;
  let made = 0;
  const server = createServer(near => {
    if (isBlocked) return void near.destroy();
    made++;
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined); // both ends are destroyed below
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    block() {
      isBlocked = true;
      cut();
    },
    mend() {
      isBlocked = false;
    },
    get made() {
      return made;
    },
    async end() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
