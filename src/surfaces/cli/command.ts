// What every command is given, and the end of those that hold a browser.
import type { Loaded } from '../../config/load.ts';
import type { Log } from '../../config/log.ts';
import type { Runtime } from '../runtime.ts';

export interface Start extends Loaded {
  version: string;
  log: Log;
}

/** Runs to its end; gives the exit code. */
export type Run = (start: Start) => Promise<number>;

/** How long a clean end may take before the process ends anyway. */
const CLOSE_MS = 5_000;

/** Resolves when somebody asks the process to end. */
export const signalled = (): Promise<void> =>
  new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });

/** Ends the sessions and the browser, within a bound; past it the process ends with that exit code. */
export async function closeCalls(calls: Runtime, log: Log, code = 0): Promise<void> {
  const late = setTimeout(() => process.exit(code), CLOSE_MS);
  await calls.close().catch(error => log.error(`close: ${describe(error)}`));
  clearTimeout(late);
}

/** A fault in one call must not end the others. */
export function keepGoing(log: Log): void {
  // Without a reader on stderr the log is lost; that is no reason to end.
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', error => log.error(`uncaught: ${describe(error)}`));
  process.on('unhandledRejection', error => log.error(`unhandled: ${describe(error)}`));
}

export const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
