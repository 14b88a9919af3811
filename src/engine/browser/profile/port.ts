// The debugging port of a profile's browser: Chrome writes it into its data folder when it is ready.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface DebugEndpoint {
  port: number;
  /** Has an id of this start of the browser: another browser on the same port does not answer to it. */
  url: string;
}

const FILE = 'DevToolsActivePort';

/** Undefined when Chrome has not written the whole file yet. */
export async function readDebugEndpoint(folder: string): Promise<DebugEndpoint | undefined> {
  const text = await readFile(join(folder, FILE), 'utf8').catch(() => ''); // not yet, or not any more
  const [, port, path] = /^(\d{1,5})\n(\/devtools\/browser\/[\w-]+)\n?$/.exec(text) ?? [];
  return path === undefined ? undefined : { port: Number(port), url: `ws://127.0.0.1:${port}${path}` };
}

/** Removes the file of an earlier start. */
export const forgetDebugEndpoint = (folder: string): Promise<void> => rm(join(folder, FILE), { force: true });
