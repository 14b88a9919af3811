// State per session of the CLI: the queue of its calls, and whether it is attached to a running Chrome.
import { Failure } from '../errors.ts';
import { Queue } from '../session/queue.ts';
import { CALL_LIMIT, DEFAULT_TIMEOUT_MS } from './constants.ts';
import type { BridgeSettings } from './types.ts';

interface SessionQueue {
  queue: Queue;
  calls: number;
}

export class SessionQueues {
  readonly #queues = new Map<string, SessionQueue>();
  #calls = 0;

  /** Runs when it is the call's turn in the session of that name; at once without a name. Waits no longer than `ms`. */
  async run<T>(
    name: string | undefined,
    { signal, ms = DEFAULT_TIMEOUT_MS }: { signal: AbortSignal; ms?: number | undefined },
    run: () => Promise<T>,
  ): Promise<T> {
    if (this.#calls >= CALL_LIMIT)
      throw new Failure(
        'rate_limited',
        `${CALL_LIMIT} calls are running or waiting already.`,
        'Wait for some of them.',
      );
    this.#calls++;
    try {
      return await (name === undefined ? run() : this.#inQueue(name, signal, ms, run));
    } finally {
      this.#calls--;
    }
  }

  async #inQueue<T>(name: string, signal: AbortSignal, ms: number, run: () => Promise<T>): Promise<T> {
    const entry = this.#queues.get(name) ?? { queue: new Queue(), calls: 0 };
    this.#queues.set(name, entry);
    entry.calls++;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(tooLate(name, ms)), ms);
    try {
      const turn = await entry.queue.turn('write', AbortSignal.any([signal, late.signal])).catch(error => {
        throw error instanceof Failure ? error : new Failure('cancelled', 'The call was cancelled before its turn.');
      });
      clearTimeout(timer);
      return await run().finally(() => turn.end());
    } finally {
      clearTimeout(timer);
      if (--entry.calls === 0) this.#queues.delete(name);
    }
  }
}

const tooLate = (name: string, ms: number): Failure =>
  new Failure(
    'timeout',
    `Other calls kept the session ${name} busy for ${ms} ms.`,
    'Calls of one session run one at a time: wait for them, or use another session.',
  );

/**
 * These variables choose the browser to start. Versions before 0.41 start it for the next command of an attached session,
 * which is then attached no more.
 */
const LAUNCH_VARIABLES = [
  'AGENT_BROWSER_EXECUTABLE_PATH',
  'AGENT_BROWSER_ARGS',
  'AGENT_BROWSER_EXTENSIONS',
  'AGENT_BROWSER_PROFILE',
  'AGENT_BROWSER_HEADED',
];

/** More sessions than anybody has; the oldest are forgotten. */
const MOST = 1_000;

export class AttachedSessions {
  readonly #sessions = new Set<string>();

  has(session: string): boolean {
    return this.#sessions.has(session);
  }

  /** What a command that succeeded means for its session. */
  note(session: string, root: string | undefined): void {
    if (root === 'connect') this.#sessions.add(session);
    if (root && ['close', 'quit', 'exit'].includes(root)) this.#sessions.delete(session);
    const [oldest] = this.#sessions;
    if (this.#sessions.size > MOST && oldest !== undefined) this.#sessions.delete(oldest);
  }
}

/** The same settings, without anything about a browser to start. */
export function withoutLaunchSettings(settings: BridgeSettings): BridgeSettings {
  const { headed: _, executable_path: __, ...defaults } = settings.defaults;
  const env = Object.entries(settings.env).filter(([name]) => !LAUNCH_VARIABLES.includes(name));
  return { ...settings, env: Object.fromEntries(env), defaults };
}
