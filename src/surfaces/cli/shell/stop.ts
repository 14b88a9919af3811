// `tabwright stop`: ends the server that commands have started, also one that does not answer any more.
import { isSameProcess, signalProcess } from '../../../engine/browser/profile/process-identity.ts';
import { BUILD, exchange } from '../../socket/client.ts';
import { BACKGROUND, connectTo, namesIn, readOwner, removeSocket, socketFolder } from '../../socket/place.ts';
import type { Run } from '../command.ts';
import { print } from '../output/terminal.ts';

/** How long, in ms, it may take to finish, and to close its sessions and the browser. */
const END_MS = 15_000;

export const run: Run = async ({ options }) => {
  print(await stopServer(options.stateDir));
  return 0;
};

/** Says what it did. */
export async function stopServer(stateDir: string): Promise<string> {
  const folder = socketFolder(stateDir);
  const names = namesIn(folder);
  if (!names.includes(BACKGROUND))
    return names.length > 0
      ? 'No background server runs. One of tabwright serve does: end it where it was started.'
      : 'No server runs.';
  const owner = readOwner(folder, BACKGROUND);
  const socket = await connectTo(folder, BACKGROUND);
  const request = { build: BUILD, words: ['stop'] };
  const reply = socket && (await exchange(socket, request, END_MS).catch(() => undefined)); // it hangs
  if (reply) return reply.out ?? '';
  // Its browser ends with it.
  const isThere = owner !== undefined && (await isSameProcess(owner));
  if (isThere) signalProcess(owner.pid, 'SIGKILL');
  removeSocket(folder, BACKGROUND);
  return isThere
    ? 'The background server did not answer, and was killed.'
    : 'The background server had been killed before.';
}
