// How many calls a caller may send in a minute.
import type { RateLimiterMemory } from 'rate-limiter-flexible';
import { Failure } from '../../errors.ts';

const WINDOW_S = 60;

interface Limited {
  id: string;
  /** Of this caller; 0 is no limit. The server's when left out. */
  rateLimit?: number;
}

export class RateLimits {
  readonly #usual: number;
  /** One for each limit that some caller has. */
  readonly #limiters = new Map<number, Promise<RateLimiterMemory>>();

  constructor(usual: number) {
    this.#usual = usual;
  }

  /** Counts a call of that caller; undefined when there is nothing to count. Rejects with a Failure when it is one too many. */
  take({ id, rateLimit = this.#usual }: Limited): Promise<void> | undefined {
    return rateLimit > 0 ? this.#count(id, rateLimit) : undefined;
  }

  async #count(id: string, most: number): Promise<void> {
    const limiter = this.#limiters.get(most) ?? make(most);
    this.#limiters.set(most, limiter);
    await (await limiter).consume(id).catch((refused: { msBeforeNext?: number }) => {
      if (refused.msBeforeNext === undefined) throw refused;
      const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1_000));
      throw new Failure(
        'rate_limited',
        `Rule "at most ${most} calls per minute" refuses this call: try again in ${seconds} s.`,
        'Send fewer calls: batch runs several steps, snapshot and read tell much at once.',
        { rule: `at most ${most} calls per minute` },
      );
    });
  }
}

/** The limiter for one process alone: the package has one for every database too. */
async function make(points: number): Promise<RateLimiterMemory> {
  const { default: Memory } = await import('rate-limiter-flexible/lib/RateLimiterMemory.js');
  return new Memory({ points, duration: WINDOW_S });
}
