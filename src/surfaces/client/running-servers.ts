// The running `tabwright serve` processes of this machine: each writes a small file into the state folder, where the command line finds it.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFileSync } from '../../config/private-files.ts';
import { readText, sendRequest } from './http.ts';

export interface RunningServer {
  /** Where it serves MCP, such as http://127.0.0.1:9223/mcp. */
  url: string;
  pid: number;
  /** Absent when it asks for no token. */
  tokenFile?: string;
  /** By which the server proves that it has written this file. */
  key: string;
}

export const newKey = (): string => randomBytes(32).toString('hex');

/** What /health answers to a nonce: only the server that has the key can tell. */
export const healthProof = (key: string, nonce: string): string =>
  createHmac('sha256', key).update(`health ${nonce}`).digest('hex');

/** How long, in ms, a running server may take to answer /health. */
const HEALTH_MS = 1_000;
const MAX_HEALTH_CHARS = 1_000;

/** Writes the file of this server, whole or not at all; the returned function removes it. */
export function announce(stateDir: string, running: RunningServer): () => void {
  const folder = folderIn(stateDir);
  const file = join(folder, `${new URL(running.url).port || 80}.json`);
  replaceFileSync(file, `${JSON.stringify(running)}\n`);
  return () => {
    // A later server on the same port has written its own.
    if (read(file)?.pid === running.pid) rmSync(file, { force: true });
  };
}

/** The newest server that answers, and proves that it is the one: another program may have its process id and port by now. Files of servers that are gone are removed. */
export async function findRunning(stateDir: string): Promise<RunningServer | undefined> {
  for (const file of await newestFirst(folderIn(stateDir))) {
    const running = read(file);
    if (!running) continue;
    if (!isAlive(running.pid)) rmSync(file, { force: true });
    else if (await isProven(running)) return running;
  }
  return undefined;
}

/** True when a Tabwright answers at that url of a /health. */
export const isTabwright = async (health: URL): Promise<boolean> => (await answerOf(health))?.name === 'tabwright';

async function isProven({ url, key }: RunningServer): Promise<boolean> {
  const nonce = newKey();
  const proof = Buffer.from(String((await answerOf(new URL(`/health?nonce=${nonce}`, url)))?.proof));
  const expected = Buffer.from(healthProof(key, nonce));
  return proof.length === expected.length && timingSafeEqual(proof, expected);
}

/** Undefined when no answer comes in time, or none that can be read. */
async function answerOf(health: URL): Promise<Record<string, unknown> | undefined> {
  try {
    const response = await sendRequest(health, { signal: AbortSignal.timeout(HEALTH_MS) });
    return parse(await readText(response, MAX_HEALTH_CHARS));
  } catch {
    return undefined;
  }
}

const folderIn = (stateDir: string): string => join(stateDir, 'serve');

async function newestFirst(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter(name => name.endsWith('.json')).map(name => join(folder, name));
  const timeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return files
    .map(file => ({ file, time: timeOf(file) }))
    .sort((a, b) => b.time - a.time)
    .map(({ file }) => file);
}

/** Undefined for a file that is missing or has another content. */
function read(file: string): RunningServer | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const { url, pid, tokenFile, key } = parse(text) ?? {};
  if (typeof url !== 'string' || !URL.canParse(url) || typeof pid !== 'number' || typeof key !== 'string')
    return undefined;
  return { url, pid, key, ...(typeof tokenFile === 'string' && { tokenFile }) };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A process of another user is alive too. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
