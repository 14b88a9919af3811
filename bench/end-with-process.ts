// Ends what a script has started, however the script ends.
import { endAll } from './children.ts';
import { removeScratch } from './scratch.ts';

/** After so many ms the script is given up. */
export function endWithProcess(mostMs: number): void {
  process.on('exit', () => {
    endAll();
    removeScratch();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));
  setTimeout(() => {
    process.stderr.write(`not done in ${mostMs / 60_000} minutes: given up\n`);
    process.exit(1);
  }, mostMs).unref();
}
