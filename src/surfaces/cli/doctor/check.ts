// What a check of `tabwright doctor` gets and finds, and how it is bounded.
import type { Options } from '../../../config/options.ts';
import type { Host } from '../../../engine/browser/install.ts';
import { timeoutSignal } from '../../client/http.ts';

/** What is checked. Data, so that tests can choose it. */
export interface DoctorInput {
  options: Options;
  /** The config files that were read. */
  files: readonly string[];
  host: Host;
  /** The version of Node. */
  node: string;
  home: string;
  /** Where browsers keep their profiles while they run. */
  temporary: string;
  /** Where Linux lists processes and settings of the kernel. */
  proc: string;
}

export type State = 'ok' | 'warning' | 'problem';

export interface Finding {
  state: State;
  found: string;
  /** The command that mends it, or what else to do. */
  mend?: string;
}

export type Check = (machine: DoctorInput, signal: AbortSignal) => Finding | Promise<Finding>;

export const fine = (found: string): Finding => ({ state: 'ok', found });
export const warning = (found: string, mend: string): Finding => ({ state: 'warning', found, mend });
export const problem = (found: string, mend: string): Finding => ({ state: 'problem', found, mend });

/** One check, within its time; a fault of its own is a problem like any other. */
export async function examine(check: Check, machine: DoctorInput, ms: number, ending: AbortSignal): Promise<Finding> {
  const signal = AbortSignal.any([timeoutSignal(ms), ending]);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no answer within ${ms / 1000} s`)), { once: true });
  });
  // A check may throw at once: `late` must be raced all the same, or its rejection is unhandled.
  const found = (async () => check(machine, signal))();
  return Promise.race([found, late]).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    return problem(`could not be checked: ${why}`, 'try again');
  });
}

export const size = (bytes: number): string =>
  bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
