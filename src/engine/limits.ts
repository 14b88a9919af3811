// Limits: what bounds one call inside the engine, and how a wait is put under it.
import { setMaxListeners } from 'node:events';
import type { Failure } from '../errors.ts';

export interface Progress {
  done: number;
  total?: number;
  message?: string;
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
}

export const remaining = (limits: Limits): number => Math.max(0, limits.deadline - performance.now());

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

/** Limits that end earlier: within ms from now, failing with the given Failure. */
export function within(limits: Limits, ms: number, late: () => Failure): Limits & { done(): void } {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // a call may well have more waits under way at once than Node's warning expects
  const pass = () => stop.abort(limits.signal.reason);
  limits.signal.addEventListener('abort', pass, { once: true });
  if (limits.signal.aborted) pass();
  const timer = setTimeout(() => stop.abort(late()), ms);
  return {
    signal: stop.signal,
    deadline: Math.min(limits.deadline, performance.now() + ms),
    progress: step => limits.progress(step),
    waiting: () => limits.waiting(),
    ...(limits.refPrefix !== undefined && { refPrefix: limits.refPrefix }),
    done() {
      clearTimeout(timer);
      limits.signal.removeEventListener('abort', pass);
    },
  };
}
