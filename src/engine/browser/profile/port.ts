// The debugging port of a profile's browser: one of those that are closed to pages. Chrome tells its whole address when it is ready.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createServer } from 'node:net';
import { Failure } from '../../../errors.ts';
import { PROFILE_PORTS } from '../../../policy/closed-places.ts';

export interface DebugEndpoint {
  port: number;
  /** Has an id of this start of the browser: another browser on the same port does not answer to it. */
  url: string;
}

/** Within so many bytes of its error output Chrome tells the address. */
export const BYTES_BEFORE_ENDPOINT = 65_536;
const TOLD = /^DevTools listening on (ws:\/\/[^/\s]+:(\d{1,5})\/devtools\/browser\/[\w-]+)\s/m;

/** From the error output of Chrome; undefined when it has not told it yet. */
export async function readDebugEndpoint(stderrFile: string): Promise<DebugEndpoint | undefined> {
  const [, url, port] = TOLD.exec(await beginningOf(stderrFile)) ?? [];
  return url === undefined ? undefined : { port: Number(port), url };
}

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file).catch(() => undefined); // not yet, or not any more
  if (!handle) return '';
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BYTES_BEFORE_ENDPOINT), 0, BYTES_BEFORE_ENDPOINT, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

const TRIES = 50;

/** Chosen at random. */
export async function freeDebugPort(): Promise<number> {
  const { first, count } = PROFILE_PORTS;
  for (let left = TRIES; left > 0; left--) {
    const port = first + randomInt(count);
    if (await isFree(port)) return port;
  }
  throw new Failure(
    'listen_failed',
    `No free port was found from ${first} to ${first + count - 1} of 127.0.0.1, where browsers of profiles listen.`,
    'End some of the programs that listen there.',
  );
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
