// Ends the browser of a profile: it may save what it holds first, and is killed with all its processes when it does not end.

import { CdpConnection } from '../../../cdp/connection.ts';
import { type Limits, pause, under } from '../../limits.ts';
import { openSocket } from '../attach/socket.ts';
import { isGroupAlive, isSameProcess, type ProcessIdentity, signalGroup, signalProcess } from './process-identity.ts';

/** How long it may take to end by itself, and to be gone when it was killed. */
const ASKED_MS = 5_000;
const KILLED_MS = 3_000;
/** Its helpers write to the folder until they end. */
const HELPERS_MS = 2_000;
/** For a connection to it. */
const OPEN_MS = 2_000;
const LOOK_MS = 25;

/** With the CDP address of the browser, when that is known. False when the browser is still there. */
export async function endBrowser(one: ProcessIdentity, url: string | undefined, limits: Limits): Promise<boolean> {
  if (await isSameProcess(one)) {
    await ask(one, url, limits);
    if (!(await passes(async () => !(await isSameProcess(one)), ASKED_MS, limits))) signalGroup(one.pid, 'SIGKILL');
    if (!(await passes(async () => !(await isSameProcess(one)), KILLED_MS, limits))) return false;
  }
  if (!(await passes(async () => !(await isGroupAlive(one.pid)), HELPERS_MS, limits))) signalGroup(one.pid, 'SIGKILL');
  return true;
}

/** A SIGTERM would end it at once, without the latest cookies. */
async function ask({ pid }: ProcessIdentity, url: string | undefined, { signal: stop }: Limits): Promise<void> {
  try {
    if (url === undefined) throw new Error('it is still starting');
    const socket = await openSocket(url, AbortSignal.any([stop, AbortSignal.timeout(OPEN_MS)]));
    // Its answer may come after the end of the connection.
    new CdpConnection(socket).root.send('Browser.close').catch(() => undefined);
  } catch {
    stop.throwIfAborted();
    signalProcess(pid, 'SIGINT'); // it does not listen
  }
}

async function passes(holds: () => Promise<boolean>, ms: number, { signal: stop }: Limits): Promise<boolean> {
  const end = performance.now() + ms;
  while (!(await under(stop, holds()))) {
    if (performance.now() >= end) return false;
    await pause(stop, LOOK_MS);
  }
  return true;
}
