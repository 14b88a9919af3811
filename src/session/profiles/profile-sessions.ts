// The sessions of browsers of profiles: one for each that a call has used, for as long as that browser runs.
import type { Log } from '../../config/log.ts';
import type { Options } from '../../config/options.ts';
import { Browser } from '../../engine/browser/browser.ts';
import { Failure } from '../../errors.ts';
import { ownPorts } from '../../policy/closed-places.ts';
import { phrase, toolName } from '../../text.ts';
import { profileSession } from '../names.ts';
import type { Session } from '../session.ts';
import type { Sessions } from '../sessions.ts';
import type { RunningBrowser } from './running-browsers.ts';

export class ProfileSessions {
  readonly #options: Options;
  readonly #log: Log;
  readonly #sessions: Sessions;
  /** By profile, with the endpoint of this very start of its browser. */
  readonly #open = new Map<string, { session: Session; url: string }>();

  constructor(options: Options, log: Log, sessions: Sessions) {
    this.#options = options;
    this.#log = log;
    this.#sessions = sessions;
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** The session of a profile whose browser is connected: then it runs, and nothing need be looked up. */
  live(id: string): Session | undefined {
    const session = this.#open.get(id)?.session;
    return session && !session.refusal && session.context.browser.running > 0 ? session : undefined;
  }

  /** The session of that browser. A session of an earlier start of it is ended first. */
  async session(id: string, run: RunningBrowser | undefined): Promise<Session | undefined> {
    const url = run?.url;
    const known = this.#open.get(id);
    if (known && (known.url !== url || !this.#sessions.list().includes(known.session)))
      await this.drop(id, endedByItself(id));
    // Another call may have been first.
    const session =
      this.#open.get(id)?.session ?? (url === undefined ? undefined : this.#attach(id, url, run?.closedPorts));
    if (session?.refusal) throw session.refusal;
    return session;
  }

  /** Disconnects from the browser, which goes on; running calls end. Never rejects, because nothing is deleted. */
  async drop(id: string, why: Failure): Promise<void> {
    const known = this.#open.get(id);
    this.#open.delete(id);
    if (known) await this.#sessions.end(known.session, { forget: false, why });
  }

  #attach(id: string, url: string, closed: readonly number[] | undefined): Session {
    // The keeper tells the order of the tabs over HTTP.
    const cdpEndpoint = url.replace('ws:', 'http:');
    const options = { ...this.#options, cdpEndpoint, browsers: [], userDataDir: undefined };
    const chrome = new Browser(
      options,
      this.#log,
      closed !== undefined && [...ownPorts].every(port => closed.includes(port)),
    );
    const session = this.#sessions.adopt(profileSession(id), chrome);
    this.#open.set(id, { session, url });
    chrome.events.once('gone', () => {
      if (this.#open.get(id)?.session === session) void this.drop(id, endedByItself(id));
    });
    return session;
  }
}

const endedByItself = (id: string): Failure =>
  new Failure(
    'browser_gone',
    `The browser of profile ${id} has ended.`,
    phrase`Look with ${toolName('profile_list')}; launch it again.`,
  );
