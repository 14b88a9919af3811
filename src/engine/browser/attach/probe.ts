// A session with one tab of an attached browser, to see whether the tab answers before it is used.
import type { TargetSession } from '../../../cdp/session.ts';
import { pause } from '../../limits.ts';

/** How a tab is: it answers, Chrome has put it to sleep or lost its renderer, or it does not answer. */
export type TabHealth = 'answers' | 'asleep' | 'stuck';

/** A background tab on a busy machine may take a while; a tab that was found stuck a moment ago gets less time. */
const ANSWER_MS = 3_000;
const AGAIN_MS = 1_000;

export class TabProbe {
  readonly #session: TargetSession;
  readonly #crashed: Promise<TabHealth>;
  readonly #ms: number;

  /** @param isAgain it has been found stuck a moment ago */
  constructor(session: TargetSession, isAgain: boolean) {
    this.#session = session;
    this.#ms = isAgain ? AGAIN_MS : ANSWER_MS;
    this.#crashed = session.once('Inspector.targetCrashed').then(() => 'asleep');
  }

  async health(signal: AbortSignal): Promise<TabHealth> {
    this.#session.send('Inspector.enable').catch(() => undefined); // the answer below fails as well, and is handled
    return this.#first(signal, this.#crashed);
  }

  /** Loads the page again that sleeps, where it stands: it need not come to the front for that. */
  async wake(signal: AbortSignal): Promise<TabHealth> {
    await this.#session.send('Page.reload', {});
    return this.#first(signal);
  }

  async #first(signal: AbortSignal, ...others: Promise<TabHealth>[]): Promise<TabHealth> {
    const over = new AbortController();
    const late = pause(AbortSignal.any([signal, over.signal]), this.#ms).then(() => 'stuck' as const);
    late.catch(() => undefined); // it is not waited for any more
    const answer = this.#session.send('Runtime.evaluate', { expression: '0' }).then(
      () => 'answers' as const,
      // Chrome's answer to a command that was sent while there was no renderer.
      (error: Error) => (/crashed/i.test(error.message) ? ('asleep' as const) : Promise.reject(error)),
    );
    try {
      return await Promise.race([answer, late, ...others]);
    } finally {
      answer.catch(() => undefined); // as above
      over.abort();
    }
  }

  /** A session that has ended already needs no end. */
  async end(): Promise<void> {
    await this.#session.detach().catch(() => undefined);
  }
}
