// Bounds: what ends one call from outside (the caller, the end of the server, the clock), and the time it gets.
import { setMaxListeners } from 'node:events';
import type { Options } from '../config/options.ts';
import type { Dialect, Times } from '../dialects/dialect.ts';
import { NETWORKS } from '../engine/emulation/settings.ts';
import { type Limits, type Progress, seconds } from '../engine/limits.ts';
import type { Tab } from '../engine/tab/tab.ts';
import { Failure } from '../errors.ts';
import { advice, argumentName, calledTool, phrase } from '../text.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { Input } from './validate.ts';

export interface Bounds extends Limits {
  deadline: number;
  /** Ends the call with that failure. */
  abort(why: Failure): void;
  /** Gives the call at least so many ms from now. */
  extend(ms: number): void;
  done(): void;
}

interface Ends {
  /** The longest that any call may take, in ms, its time in the queue included. */
  most: number;
  late(): Failure;
  /** The caller's signal. */
  cancel: AbortSignal | undefined;
  /** The server's signal. */
  ending: AbortSignal;
}

/** Limits for the whole of a call. Their signal's reason is always a Failure. */
export function boundCall(ends: Ends, progress: (step: Progress) => void, waiting: () => void): Bounds {
  const stop = new AbortController();
  // A call may well have more waits under way at once than Node's warning expects.
  setMaxListeners(0, stop.signal);
  const cancel = () => {
    const reason: unknown = ends.cancel?.reason;
    stop.abort(reason instanceof Failure ? reason : new Failure('cancelled', 'The caller cancelled the call.'));
  };
  const end = () => stop.abort(ends.ending.reason);
  const expire = (ms: number) => setTimeout(() => stop.abort(ends.late()), ms);
  let timer = expire(ends.most);
  ends.cancel?.addEventListener('abort', cancel, { once: true });
  ends.ending.addEventListener('abort', end, { once: true });
  if (ends.cancel?.aborted) cancel();
  if (ends.ending.aborted) end();
  let over = false;
  return {
    signal: stop.signal,
    deadline: performance.now() + ends.most,
    progress: step => {
      if (!over) progress(step);
    },
    waiting,
    abort: why => stop.abort(why),
    extend(ms) {
      clearTimeout(timer);
      timer = expire(ms);
      this.deadline = performance.now() + ms;
    },
    done() {
      over = true;
      clearTimeout(timer);
      ends.cancel?.removeEventListener('abort', cancel);
      ends.ending.removeEventListener('abort', end);
    },
  };
}

export function lateRun(tool: AnyTool, ms: number, options: Options): Failure {
  const more = 'timeout' in tool.input && ms < options.timeoutCall;
  return new Failure(
    'timeout',
    phrase`${calledTool(tool.name)} was not done within ${seconds(ms)}.`,
    more
      ? phrase`Look at the page${advice(phrase`, or give a larger ${argumentName('timeout')} (in ms, at most ${options.timeoutCall})`)}.`
      : 'Look at the page.',
  );
}

export const lateStart = (name: string, ms: number): Failure =>
  new Failure(
    'timeout',
    `${name} did not start within ${seconds(ms)}: earlier calls of this session are still running.`,
    'Wait for them, or use another session.',
  );

export const lateTab = (ms: number): Failure =>
  new Failure('timeout', `The tab was not ready within ${seconds(ms)}.`, 'Call again, or open another tab.');

/** How long a page with a ready DOM is waited for, in ms: it can be used, whatever else it loads. */
const LOAD_MS = 5_000;

/** How long a call may take that says nothing about it. Those of its dialect, longer where the page is slowed down. */
export function timesOf(dialect: Dialect | undefined, options: Options, tab: Tab | undefined): Times {
  const own = dialect?.times(options);
  const { cpu, network } = tab?.emulation.settings ?? { cpu: 1, network: 'none' as const };
  const { slowness } = NETWORKS[network];
  return {
    action: (own?.action ?? options.timeoutAction) * cpu,
    navigation: (own?.navigation ?? options.timeoutNavigation) * slowness,
    load: (own?.load ?? LOAD_MS) * slowness,
  };
}

/** How long run() may take: what the caller asks for, else what the tool is given, or `usual` instead. */
export function timeFor(
  tool: AnyTool,
  input: Input,
  options: Options,
  times: Times,
  usual: AnyTool['time'] = tool.time,
): number {
  const kind = typeof usual === 'function' ? usual(input) : usual;
  const own = typeof kind === 'number' ? kind : times[kind];
  const asked = typeof input.timeout === 'number' ? input.timeout : own;
  return tool.patient?.(input) ? asked : Math.min(asked, options.timeoutCall);
}
