// A proxy that answers every request itself, and records who came through it.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Witness {
  url: string;
  seen: { url: string; headers: IncomingHttpHeaders }[];
  close(): void;
}

export async function startWitness(name: string): Promise<Witness> {
  const seen: Witness['seen'] = [];
  const server = createServer((request, response) => {
    seen.push({ url: request.url ?? '', headers: request.headers });
    response.setHeader('content-type', 'text/html').end(`<title>Through ${name}</title>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
