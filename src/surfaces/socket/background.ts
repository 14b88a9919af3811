// `tabwright serve --background`: the server that commands start by themselves. It listens on a socket of the user only, and ends when nobody needs it.
import { existsSync } from 'node:fs';
import { OWNER_IDS } from '../../session/callers.ts';
import { closeRuntime, exitOnNextSignal, type Run, signalled } from '../cli/command.ts';
import { usable } from '../listing/toolset.ts';
import { policyOf, Runtime } from '../runtime.ts';
import { claim } from './claim.ts';
import { BUILD } from './client.ts';
import { type Busy, doorServer } from './door.ts';
import { BACKGROUND, socketFolder } from './place.ts';
import { type CommandHost, ownerAt, runWords } from './run-words.ts';
import { statusOf } from './status.ts';

/** How often, in ms, it looks whether it is still needed, at the most. */
const LOOK_MS = 5_000;

/** How long, in ms, commands of others may go on when it is to end. */
const FINISH_MS = 8_000;

export const run: Run = async start => {
  const { options, log, version } = start;
  const policy = await policyOf(options);
  const calls = new Runtime(options, usable(options.tools), log, policy);
  // The command that started it will want a page, and Chrome takes longest.
  const launching = calls.launchAhead();
  const busy: Busy = { running: 0, since: performance.now() };
  const end = new AbortController();
  const ended = new Promise<void>(resolve => end.signal.addEventListener('abort', () => resolve()));
  const host: CommandHost = { options, log, run: calls.run, caller: ownerAt(OWNER_IDS.local, options) };
  const server = doorServer(
    async (request, client) => {
      const isEnding = end.signal.aborted;
      const [word] = request.words;
      if (word === 'status') return statusOf(host, version, busy, request);
      if (word !== 'stop' && request.build === BUILD && !isEnding) return runWords(host, request, client);
      // The client waits until this process has ended.
      end.abort();
      if (word === 'stop') return { out: 'The background server has ended.', code: 0 };
      return { replaced: isEnding ? 'was about to end' : `was of another version (${version})` };
    },
    log,
    busy,
  );
  // A reader that starts it is gone as soon as it is told.
  process.stdout.on('error', () => undefined);
  const abandon = () => launching.then(() => calls.close());
  const claimed = await claim(server, socketFolder(options.stateDir), BACKGROUND, version).catch(error =>
    abandon().then(() => Promise.reject(error)),
  );
  process.stdout.write('ready\n');
  if (!claimed) {
    // Another one was first: commands find that one.
    await abandon();
    return 0;
  }
  // It must not keep a folder of the user in use.
  process.chdir(options.stateDir);
  const look = setInterval(
    () => {
      if (!isNeeded(busy, options.serverIdle) || !claimed.isOurs()) end.abort();
    },
    Math.min(LOOK_MS, Math.max(50, options.serverIdle / 4)),
  );
  await Promise.race([ended, signalled()]);
  clearInterval(look);
  exitOnNextSignal(1);
  claimed.release();
  await finished(busy);
  await closeRuntime(calls, log);
  return 0;
};

/** Where the system removes it with the last login of the user, that is the end of this server too. */
const RUNTIME_DIR = process.env.XDG_RUNTIME_DIR;
const hadRuntimeDir = RUNTIME_DIR !== undefined && existsSync(RUNTIME_DIR);

function isNeeded({ running, since }: Busy, idleMs: number): boolean {
  if (hadRuntimeDir && !existsSync(RUNTIME_DIR ?? '')) return false;
  return running > 0 || performance.now() - since < idleMs;
}

/** Settles when no command runs, or it has taken too long. */
async function finished(busy: Busy): Promise<void> {
  const until = performance.now() + FINISH_MS;
  while (busy.running > 0 && performance.now() < until) await new Promise(resolve => setTimeout(resolve, 20));
}
