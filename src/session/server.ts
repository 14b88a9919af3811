// Server: what all calls of one process share: the browser, the sessions by name, the journal.
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import type { Log } from '../config/log.ts';
import type { Options } from '../config/options.ts';
import { Chrome } from '../engine/chrome.ts';
import { Context } from '../engine/context.ts';
import { Failure } from '../errors.ts';
import type { Permissions } from '../policy/decide.ts';
import { Journal } from './journal.ts';
import { Session } from './session.ts';

/** Who sends a call: a connection or a token's holder. The id is no secret: names and the journal show it. */
export interface Caller {
  id: string;
  /** What it may do; everything when left out. */
  may?: Permissions;
  /** Most sessions at once, and most calls per minute; those of the options when left out. */
  maxSessions?: number;
  rateLimit?: number;
}

/** Each session may hold many tabs; more sessions than this is more likely a loop than a wish. */
export const MOST_SESSIONS = 10;

/** What each step of the end may take, in ms: a browser that does not answer must not keep the process. */
const CLOSE_STEP = 3_000;

/** The "@" keeps default sessions apart from the names that callers choose. */
const DEFAULT = 'default@';
const NAME = /^[A-Za-z0-9._-]{1,64}$/;

export class Server {
  readonly chrome: Chrome;
  readonly journal: Journal;
  readonly #sessions = new Map<string, Session>();
  readonly #ending = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(
    readonly options: Options,
    readonly log: Log,
  ) {
    this.chrome = new Chrome(options, log);
    this.journal = new Journal(join(options.stateDir, 'journal'), log);
    setMaxListeners(0, this.ending);
  }

  /** Aborts, with a Failure, when the server begins to close: running calls end with it. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** The session of that name, made at its first use; without a name (or as `default`) the caller's own. */
  session(name: string | undefined, caller: Caller): Session {
    this.ending.throwIfAborted();
    const key = name === undefined || name === 'default' ? defaultName(caller) : checkName(name);
    const session = this.#sessions.get(key) ?? this.#add(key, caller);
    if (session.owner === caller.id || session.shared) return session;
    throw new Failure(
      'refused',
      `Session "${key}" belongs to another caller and is not shared.`,
      'Use another session name, or leave "session" out to use your own.',
    );
  }

  /** In the order in which they were made. */
  list(): Session[] {
    return [...this.#sessions.values()];
  }

  /** Ends running calls, then the sessions, then the browser. Settles within a few seconds, and never rejects. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #add(name: string, caller: Caller): Session {
    if (this.#sessions.size >= MOST_SESSIONS) throw this.#tooMany(caller);
    const session = new Session(
      name,
      caller.id,
      new Context({ name, isDefault: this.#ownsBrowserState(name) }, this.chrome),
    );
    this.#sessions.set(name, session);
    return session;
  }

  /** A profile or an attached browser has one state of its own: it goes to the first default session, and to no second. */
  #ownsBrowserState(name: string): boolean {
    return name.startsWith(DEFAULT) && !this.list().some(({ context }) => context.kind.isDefault);
  }

  #tooMany(caller: Caller): Failure {
    const own = this.list().filter(({ owner, shared }) => shared || owner === caller.id);
    return new Failure(
      'refused',
      `There are already ${MOST_SESSIONS} sessions, the most that this server keeps.`,
      own.length > 0 ? `Use one of yours: ${own.map(({ name }) => name).join(', ')}.` : 'Try again later.',
    );
  }

  async #close(): Promise<void> {
    this.#ending.abort(new Failure('cancelled', 'The server is ending.'));
    const sessions = this.list();
    this.#sessions.clear();
    await Promise.all(sessions.map(({ name, context }) => this.#step(`session ${name}`, () => context.close())));
    await this.#step('the browser', () => this.chrome.close());
    await this.#step('the journal', () => this.journal.close());
  }

  /** One step of the end: bounded, and its error is only logged, because the next step must follow. */
  async #step(what: string, close: () => Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${CLOSE_STEP} ms`)), CLOSE_STEP);
    });
    try {
      await Promise.race([close(), late]);
    } catch (error) {
      this.log.warn(`closing ${what}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      clearTimeout(timer);
    }
  }
}

function checkName(name: string): string {
  if (NAME.test(name)) return name;
  throw new Failure(
    'bad_input',
    'That is no name for a session.',
    'A session name has 1 to 64 letters, digits, dots, dashes or underscores.',
  );
}

function defaultName({ id }: Caller): string {
  return `${DEFAULT}${NAME.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 16)}`;
}
