// Limits: what bounds one call inside the engine, and how a wait is put under it.
import { setMaxListeners } from 'node:events';
import type { Options } from '../config/options.ts';
import { defined } from '../defined.ts';
import { Failure } from '../errors.ts';
import type { CallSecrets } from './secrets.ts';

export interface Progress {
  done: number;
  total?: number;
  message?: string;
}

/** Where the files of one caller are. */
export interface CallerFolders {
  /** Files that calls save, and from which relative paths count when there is no working folder. */
  output: string;
  /** Where the owner's command line runs: files may be saved and read there too. */
  work?: string | undefined;
  logins: string;
}

/** The rules about urls and hosts, for those that a call turns out to touch beside its page and its arguments. */
export interface UrlJudge {
  /** Throws when the call may not touch one of them. */
  check(urls: readonly string[], hosts?: readonly string[]): void;
  /** Whether what the call leaves behind may touch that url later. */
  allows(url: string): boolean;
}

/** Given to everything that may wait. The pipeline makes one per call. */
export interface Limits {
  /** Aborts with a Failure: the deadline passed (timeout) or the caller cancelled. */
  readonly signal: AbortSignal;
  /** performance.now() value at which the signal aborts. */
  readonly deadline: number;
  progress(step: Progress): void;
  /** From here on the call only waits: reads of the same session may pass it. */
  waiting(): void;
  /** What stands before the number of a ref in the caller's dialect; @e when left out. */
  readonly refPrefix?: string;
  /** How much of what the call changes on the page it tells; nothing when left out. */
  readonly receipt?: Options['receipt'];
  /** The longest wait for a target that is not there yet, in ms; all of the call's time when left out. */
  readonly targetTime?: number;
  /** The longest wait for the load event once the DOM is ready, in ms; all of the call's time when left out. */
  readonly loadTime?: number;
  /** Of the caller; undefined for what no call asked for. */
  readonly folders?: CallerFolders;
  /** Undefined when there are no rules. */
  readonly judge?: UrlJudge;
  /** What the caller may use by its name only, and what its answer must not show; undefined for what no call asked for. */
  readonly secrets?: CallSecrets;
}

/** What no call asked for has no business with files of callers. */
export function foldersIn({ folders }: Limits): CallerFolders {
  if (folders) return folders;
  throw new Error('Files of a caller are used outside of a call.');
}

/** Below which the caller may name files to save; a relative path counts from the first. */
export function savingFolders(limits: Limits): string[] {
  const { work, output } = foldersIn(limits);
  return work === undefined ? [output] : [work, output];
}

export const remaining = (limits: Limits): number => Math.max(0, limits.deadline - performance.now());

/** What may be kept back of a call's time to report how far it has come: little of a short one. */
const MOST_RESERVED = 0.05;

/** The time for a wait, in ms, when so many ms, or little of a short time, are kept back for the report. */
export const waitTime = (limits: Limits, reserve: number): number => {
  const left = remaining(limits);
  return Math.max(1, left - Math.min(reserve, left * MOST_RESERVED));
};

/** `1.5 s`, `300 ms`. */
export const seconds = (ms: number): string =>
  ms >= 1_000 ? `${Math.round(ms / 100) / 10} s` : `${Math.round(ms)} ms`;

/** Settles as the promise does, or rejects with the signal's reason as soon as it aborts. */
export function under<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => undefined);
    return Promise.reject(signal.reason);
  }
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** A wait that ends by itself after ms, or with the signal. */
export function pause(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}

/** For what no call asked for; put bounds on it with within(). */
export const unlimited = (signal: AbortSignal = new AbortController().signal): Limits => ({
  signal,
  deadline: Number.POSITIVE_INFINITY,
  progress() {},
  waiting() {},
});

export const isTimeout = (reason: unknown): boolean => reason instanceof Failure && reason.code === 'timeout';

const ofCaller = ({ targetTime, loadTime, refPrefix, receipt, folders, judge, secrets }: Limits) =>
  defined({ targetTime, loadTime, refPrefix, receipt, folders, judge, secrets });

/** Limits that end earlier: within ms from now, failing with the given Failure. */
export function within(limits: Limits, ms: number, late: () => Failure): Limits & { done(): void } {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // a call may well have more waits under way at once than Node's warning expects
  const isEarlier = performance.now() + ms <= limits.deadline;
  // Node counts a timer from the start of its turn, so the outer one may fire first; its time is over only after this one's.
  const pass = () => stop.abort(isEarlier && isTimeout(limits.signal.reason) ? late() : limits.signal.reason);
  limits.signal.addEventListener('abort', pass, { once: true });
  if (limits.signal.aborted) pass();
  const timer = setTimeout(() => stop.abort(late()), ms);
  return {
    signal: stop.signal,
    deadline: Math.min(limits.deadline, performance.now() + ms),
    progress: step => limits.progress(step),
    waiting: () => limits.waiting(),
    ...ofCaller(limits),
    done() {
      clearTimeout(timer);
      limits.signal.removeEventListener('abort', pass);
    },
  };
}

/** Runs something under limits that end within ms; when they do, it fails with the given Failure. */
export async function bounded<T>(
  limits: Limits,
  ms: number,
  late: () => Failure,
  run: (bound: Limits) => Promise<T>,
): Promise<T> {
  const bound = within(limits, ms, late);
  try {
    return await run(bound);
  } finally {
    bound.done();
  }
}

/** The same, but undefined when it did not end within ms. */
export async function inTime<T>(
  limits: Limits,
  ms: number,
  run: (bound: Limits) => Promise<T>,
): Promise<T | undefined> {
  const late = new Failure('timeout', 'late');
  return bounded(limits, ms, () => late, run).catch(error => {
    if (error === late) return undefined;
    throw error;
  });
}

/** The same, but undefined also when it failed in another way. The end of the call itself is still a failure. */
export async function tryFor<T>(
  limits: Limits,
  ms: number,
  run: (bound: Limits) => Promise<T>,
): Promise<T | undefined> {
  return inTime(limits, ms, run).catch(error => {
    limits.signal.throwIfAborted();
    if (error instanceof Error) return undefined;
    throw error;
  });
}
