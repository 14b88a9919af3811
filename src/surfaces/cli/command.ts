// What every command is given, and how commands with a browser end.
import type { Loaded } from '../../config/load.ts';
import type { Log } from '../../config/log.ts';
import type { Runtime } from '../runtime.ts';

export interface Start extends Loaded {
  version: string;
  log: Log;
}

/** Resolves with the exit code. */
export type Run = (start: Start) => Promise<number>;

/** How long, in ms, closing may take before the process exits anyway. */
const CLOSE_MS = 5_000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves with the first signal that asks the process to end. */
export const signalled = (): Promise<NodeJS.Signals> =>
  new Promise(resolve => {
    for (const signal of SIGNALS) process.once(signal, resolve);
  });

/** Aborts with the first such signal. */
export function abortOnSignal(reason?: () => unknown): AbortSignal {
  const controller = new AbortController();
  void signalled().then(() => controller.abort(reason?.()));
  return controller.signal;
}

/** Whoever asks again does not want to wait. */
export function exitOnNextSignal(code: number): void {
  for (const signal of SIGNALS) process.once(signal, () => process.exit(code));
}

/** Closes the sessions and the browser; when that takes too long, the process exits with that code. */
export async function closeRuntime(runtime: Runtime, log: Log, code = 0): Promise<void> {
  const late = setTimeout(() => process.exit(code), CLOSE_MS);
  await runtime.close().catch(error => log.error(`close: ${describe(error)}`));
  clearTimeout(late);
}

/** A fault in one call must not end the process. */
export function keepGoing(log: Log): void {
  // Without a reader on stderr the log is lost; that is no reason to end.
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', error => log.error(`uncaught: ${describe(error)}`));
  process.on('unhandledRejection', error => log.error(`unhandled: ${describe(error)}`));
}

export const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
