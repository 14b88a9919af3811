// A SOCKS5 proxy for tests, which writes down where it was asked to go and leads everything to loopback.
import { connect, createServer, type Socket } from 'node:net';
import { type Listener, listen } from './sites.ts';

/** Speaks just enough: no login, CONNECT, names and IPv4 addresses. */
export function startSocks(): Promise<Listener> {
  const visits: string[] = [];
  return listen(
    createServer(client => void serve(client, visits).catch(() => client.destroy())),
    visits,
  );
}

async function serve(client: Socket, visits: string[]): Promise<void> {
  client.on('error', () => client.destroy());
  await chunk(client); // the greeting
  client.write(Buffer.from([5, 0]));
  const request = await chunk(client);
  const isName = request[3] === 3;
  const end = isName ? 5 + (request[4] ?? 0) : 8;
  const host = isName ? request.subarray(5, end).toString() : [...request.subarray(4, end)].join('.');
  const port = request.readUInt16BE(end);
  visits.push(`${host}:${port}`);
  const target = connect(port, '127.0.0.1', () => {
    client.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
    client.pipe(target).pipe(client);
  });
  target.on('error', () => client.destroy());
}

const chunk = (socket: Socket): Promise<Buffer> => new Promise(resolve => socket.once('data', resolve));
