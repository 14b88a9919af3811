// Server: what all calls of one process share: the browser, the sessions by name, the journal.
import { EventEmitter, setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { filteredLog, type Log } from '../config/log.ts';
import { isLaunched, type Options } from '../config/options.ts';
import { Browser } from '../engine/browser/browser.ts';
import type { ChangeSubject } from '../engine/tab/change-events.ts';
import { endTrace } from '../engine/trace/record.ts';
import { Failure, refusedBy } from '../errors.ts';
import { type Caller, isOwner } from './callers.ts';
import { Journal, recordRefusals } from './journal.ts';
import { displayName, isDefault, isOwn, ownedKey, profileIn, profileSession } from './names.ts';
import { Profiles } from './profiles/profiles.ts';
import { Rules } from './rules/rules.ts';
import { SessionDirectory } from './saved/directory.ts';
import { Secrets } from './secrets/secrets.ts';
import type { Session } from './session.ts';
import { closeStep, Sessions } from './sessions.ts';
import { Timeline } from './timeline.ts';

export type { Caller } from './callers.ts';

export class Server {
  readonly chrome: Browser;
  /** The browser of all but the owner: the same, unless only they are kept from private addresses. */
  readonly guestChrome: Browser;
  /** What changes in any session. */
  readonly changes = new EventEmitter<{ change: [session: Session, subject: ChangeSubject, tabId?: number] }>();
  /** The sessions that were saved for the next start. */
  readonly directory: SessionDirectory;
  readonly sessions: Sessions;
  readonly profiles: Profiles;
  readonly secrets: Secrets;
  readonly #ending = new AbortController();
  #closed: Promise<void> | undefined;

  /** Without the values of secrets. */
  readonly log: Log;

  constructor(
    readonly options: Options,
    givenLog: Log,
    /** What may refuse a call. */
    readonly rules: Rules = new Rules(options),
    readonly journal: Journal = new Journal(options.journalFile, givenLog),
    /** For people who watch. */
    readonly timeline = new Timeline(),
  ) {
    const mask = () => this.secrets.mask;
    this.secrets = new Secrets(options.stateDir);
    journal.mask = mask;
    const log = filteredLog(givenLog, value => mask()?.data(value) ?? value);
    this.log = log;
    this.chrome = new Browser(options, log);
    const isApart = options.blockPrivate === undefined && isLaunched(options);
    this.guestChrome = isApart
      ? new Browser({ ...options, blockPrivate: true, userDataDir: undefined }, log)
      : this.chrome;
    const keyOf = ({ name, owner }: { name: string; owner: string }) =>
      ownedKey(displayName(name), owner, options.sharedSessions);
    this.directory = new SessionDirectory(join(options.stateDir, 'sessions'), log, keyOf);
    this.sessions = new Sessions({
      options,
      directory: this.directory,
      log,
      chromeOf: owner => (isOwner(owner) ? this.chrome : guestBrowser(this)),
      opened: session => this.#follow(session),
    });
    this.profiles = new Profiles(options, log, this.sessions);
    recordRefusals(this);
    setMaxListeners(0, this.ending);
  }

  /** Aborts, with a Failure, when the server begins to close: running calls end with it. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /**
   * The session of that name: at once when it is open, else when it is known whether it was saved. It is made at its
   * first use, unless it must exist. Without a name (or as `default`) it is the caller's own.
   */
  session(name: string | undefined, caller: Caller, mustExist = false): Session | Promise<Session> {
    this.ending.throwIfAborted();
    const profile = profileIn(name);
    if (profile === undefined) return this.sessions.get(name, caller, mustExist);
    this.sessions.checkProfile(profileSession(profile), caller);
    return this.profiles.session(profile);
  }

  /** Ends what a caller has open who will not come back; for one connection of a caller, its default session. Never rejects. */
  async leave(caller: Caller): Promise<void> {
    const why = new Failure('cancelled', 'The client has gone.');
    const own = this.#madeBy(caller);
    await Promise.allSettled(own.map(session => this.sessions.end(session, { forget: false, why })));
  }

  /** Ends the traces of a caller who seems to have gone: Chrome records one at a time, for all. What was recorded is kept for its return. */
  disconnected(caller: Caller): void {
    for (const { context } of this.#madeBy(caller)) endTrace(context, 'because its client had gone');
  }

  /** Of several clients of the owner, each ends what it has made. */
  #madeBy(caller: Caller): Session[] {
    return this.list().filter(
      session =>
        session.owner === caller.id &&
        isOwn(session, caller) &&
        !session.shared &&
        profileIn(session.name) === undefined &&
        (caller.connection === undefined || isDefault(session.name)),
    );
  }

  /** Those that sessions without a profile run in. */
  get browsers(): Browser[] {
    return [...new Set([this.chrome, this.guestChrome])];
  }

  /** In the order in which they were opened. */
  list(): Session[] {
    return this.sessions.list();
  }

  /** Ends running calls, then the sessions, then the browser. Settles within a few seconds, and never rejects. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #follow(session: Session): void {
    session.context.changes.on('change', (...change) => this.changes.emit('change', session, ...change));
  }

  async #close(): Promise<void> {
    const why = new Failure('cancelled', 'The server is ending.');
    this.#ending.abort(why);
    await this.sessions.close(why);
    for (const browser of this.browsers) await closeStep('the browser', () => browser.close(), this.log);
    await closeStep('the journal', () => this.journal.close(), this.log);
  }
}

/** Guests are kept from private addresses, unless the owner allows them: a remote browser cannot be held to that. */
function guestBrowser({ options, guestChrome }: Server): Browser {
  if (options.browsers.length > 0 && options.blockPrivate === undefined)
    throw refusedBy(
      '--block-private',
      'Holders of further tokens are kept from private addresses, and the remote browsers of this server cannot be held to that: rule "--block-private".',
      'The owner of the server may start it with --no-block-private.',
    );
  return guestChrome;
}
