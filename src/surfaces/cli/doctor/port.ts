// The check of the port of `tabwright serve`: free, or taken by whom.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { isTabwright } from '../../client/running-servers.ts';
import { inUrl, isWildcard } from '../../http/auth/host-origin.ts';
import { type Check, fine, problem } from './check.ts';

/** How many of the next ports are tried to name a free one. */
const TRIES = 20;

/** Undefined when one can listen there, else the code of the error. */
async function refusal(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    server.close();
  }
}

async function freePort(host: string, from: number): Promise<number> {
  for (let port = from; port < Math.min(from + TRIES, 65_536); port++) if (!(await refusal(host, port))) return port;
  return 0;
}

export const port: Check = {
  name: 'port',
  async run({ options: { host, port } }) {
    if (port === 0) return fine('any free one');
    const code = await refusal(host, port);
    if (code === undefined) return fine(`${port} of ${host} is free`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      return problem(`this machine has no address ${host}`, 'give --host one of its own, such as 127.0.0.1');
    const address = inUrl(isWildcard(host) ? '127.0.0.1' : host);
    if (code === 'EADDRINUSE' && (await isTabwright(new URL(`http://${address}:${port}/health`))))
      return fine(`${port} of ${host}: a Tabwright serves there`);
    const why = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${code})`;
    return problem(
      `${port} of ${host} ${why}`,
      `npx tabwright serve --port ${await freePort(host, Math.max(port + 1, 1_024))}`,
    );
  },
};
