// `tabwright view`: opens the page where a person watches and steps in, with a code that logs in once.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { replaceFileSync } from '../../config/private-files.ts';
import { Failure } from '../../errors.ts';
import { readText, sendRequest } from '../client/http.ts';
import { readToken } from '../client/remote.ts';
import { findRunning, type RunningServer } from '../client/running-servers.ts';
import type { Run } from './command.ts';
import { print } from './output/terminal.ts';

const ANSWER_MS = 5_000;
const MAX_CHARS = 10_000;

export const run: Run = async ({ options: { stateDir }, flags }) => {
  const running = await findRunning(stateDir);
  if (!running)
    throw new Failure('server_gone', 'No server runs whose sessions could be seen.', 'Start one: tabwright serve');
  const address = `${new URL('/view/', running.url)}#code=${await codeOf(running)}`;
  print(`Open within two minutes, once: ${address}`);
  if (!flags['--print']) open(address, join(stateDir, 'serve', 'view.html'));
  return 0;
};

async function codeOf(running: RunningServer): Promise<string> {
  const token = running.tokenFile === undefined ? undefined : await readToken(running.tokenFile);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(ANSWER_MS);
  const response = await sendRequest(new URL('/view/code', running.url), { method: 'POST', headers, signal });
  const text = await readText(response, MAX_CHARS);
  if (response.statusCode === 200) return String(JSON.parse(text).code);
  const hint = 'A server of an older version has no page; stop it and start tabwright serve again.';
  throw new Failure('refused', `The server at ${running.url} gave no code: status ${response.statusCode}.`, hint);
}

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** By a file of this user, because the words of a command are seen by every user of the machine. Who has no desktop uses the line above. */
function open(address: string, file: string): void {
  replaceFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${address}">\n`);
  const [command = '', ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...words, file], { detached: true, stdio: 'ignore', windowsHide: true });
  child.once('error', () => undefined); // there is no such program: the address was printed
  child.unref();
}
