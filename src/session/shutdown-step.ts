// One step of an end: bounded in time, and its error is only logged, because the next step must follow.
import type { Log } from '../config/log.ts';

/** What each step may take, in ms: a browser that does not answer must not keep the process. */
const STEP = 3_000;

export async function bounded(what: string, run: () => Promise<void>, log: Log): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${STEP} ms`)), STEP);
  });
  try {
    await Promise.race([run(), late]);
  } catch (error) {
    log.warn(`closing ${what}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    clearTimeout(timer);
  }
}
