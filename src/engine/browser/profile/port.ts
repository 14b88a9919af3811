// Where the browser of a profile is spoken to: Chrome writes it into its data folder when it is ready.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface DebugEndpoint {
  port: number;
  /** Names this very start of the browser: on a port that another one has got, nobody answers to it. */
  url: string;
}

const FILE = 'DevToolsActivePort';

/** Undefined when it is not there, or not wholly. */
export async function readDebugEndpoint(folder: string): Promise<DebugEndpoint | undefined> {
  const text = await readFile(join(folder, FILE), 'utf8').catch(() => ''); // not yet, or not any more
  const [, port, path] = /^(\d{1,5})\n(\/devtools\/browser\/[\w-]+)\n?$/.exec(text) ?? [];
  return path === undefined ? undefined : { port: Number(port), url: `ws://127.0.0.1:${port}${path}` };
}

/** So that the next one is of the browser that is about to start. */
export const forgetDebugEndpoint = (folder: string): Promise<void> => rm(join(folder, FILE), { force: true });
