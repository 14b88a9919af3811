// Listening at a place in the state folder: one server for each name, also when two start at once or one was killed.
import { once } from 'node:events';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { replaceFileSync } from '../../config/private-files.ts';
import { startTimeOf } from '../../engine/browser/profile/process-identity.ts';
import { unlimited, within } from '../../engine/limits.ts';
import { Failure } from '../../errors.ts';
import { locked } from '../../session/profiles/lock.ts';
import { connectTo, listenAt, makeSocketFolder, ownerFile, removeSocket, socketId } from './place.ts';

/** How long, in ms, a start waits for another one. */
const TURN_MS = 10_000;

export interface Claimed {
  /** False when another server listens at the place now, or the folder is gone. */
  isOurs(): boolean;
  /** Takes no new connections, and leaves no file behind. */
  release(): void;
}

/** Undefined when a server of that name runs already. */
export async function claim(
  server: Server,
  folder: string,
  name: string,
  version: string,
): Promise<Claimed | undefined> {
  try {
    makeSocketFolder(folder);
    const turn = within(unlimited(), TURN_MS, () => new Failure('timeout', 'Another server takes too long to start.'));
    return await locked(join(folder, `${name}.lock`), turn, async () => {
      const other = await connectTo(folder, name);
      other?.destroy();
      return other ? undefined : await take(server, folder, name, version);
    }).finally(() => turn.done());
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Failure(
      'file_error',
      `The state folder cannot be used: ${why}.`,
      'Make room in it or choose another with --state-dir.',
      { cause },
    );
  }
}

async function take(server: Server, folder: string, name: string, version: string): Promise<Claimed> {
  // Of a server that was killed.
  removeSocket(folder, name);
  listenAt(server, folder, name);
  await once(server, 'listening');
  // Only now do clients see it. A full disk ends it here.
  try {
    const began = await startTimeOf(process.pid);
    replaceFileSync(ownerFile(folder, name), `${JSON.stringify({ pid: process.pid, began, version })}\n`);
  } catch (error) {
    server.close();
    removeSocket(folder, name);
    throw error;
  }
  const id = socketId(folder, name);
  const isOurs = () => socketId(folder, name) === id;
  return {
    isOurs,
    release() {
      if (isOurs()) removeSocket(folder, name);
      server.close();
    },
  };
}
