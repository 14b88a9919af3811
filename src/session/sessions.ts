// Sessions: the open ones by name, who may use them, how many there are, and their end when nobody uses them.
import type { Log } from '../config/log.ts';
import type { Options } from '../config/options.ts';
import type { Browser } from '../engine/browser/browser.ts';
import { SessionState } from '../engine/storage/session-state.ts';
import { Context } from '../engine/tab/context.ts';
import { Failure, refusedBy } from '../errors.ts';
import { advice, noun, optionName, type Phrase, phrase, toolName } from '../text.ts';
import { type Caller, foldersOf, isOwner, isSameCaller, OWNER_IDS } from './callers.ts';
import {
  displayName,
  isCommon,
  isDefault,
  isHandle,
  isNamed,
  isOwn,
  keyOf,
  nameFor,
  newHandle,
  profileIn,
} from './names.ts';
import { Queue } from './queue.ts';
import type { SavedSession, SavedSessionInfo, SessionDirectory, SessionFacts } from './saved/directory.ts';
import { SessionSaver } from './saved/session-saver.ts';
import { Session } from './session.ts';

/** How often sessions are looked at, at least: pages change their storage also without a call. */
const LOOK_MS = 60_000;
/** How many names of sessions that ended idle are remembered, for a note to the caller who comes back. */
const MOST_REMEMBERED = 1_000;

/** What the calls of one process use together. */
interface SessionDeps {
  readonly options: Options;
  /** The browser for the sessions of that caller. */
  chromeOf(owner: string): Browser;
  readonly directory: SessionDirectory;
  readonly log: Log;
  /** Told of each session that is opened. */
  opened(session: Session): void;
}

/** The saved session of a name, or why it cannot be read. */
type Found = { saved?: SavedSession | undefined; fault?: string };

export class Sessions {
  readonly #deps: SessionDeps;
  readonly #open = new Map<string, Session>();
  readonly #reading = new Map<string, Promise<Found>>();
  /** Idle sessions that are just being ended: a call for one waits, and opens it again. */
  readonly #endingIdle = new Map<string, Promise<void>>();
  readonly #endedIdle = new Set<string>();
  /** The queue of the attached browser when all callers share it. */
  readonly #sharedQueue = new Queue();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  /** In the order in which they were opened. */
  list(): Session[] {
    return [...this.#open.values()];
  }

  /** The session of that name, at once when it is open. It is made at its first use, unless it must exist. */
  get(name: string | undefined, caller: Caller, mustExist = false): Session | Promise<Session> {
    const key = this.keyOf(name, caller);
    const leaving = this.#endingIdle.get(key);
    if (leaving) return leaving.then(() => this.get(name, caller, mustExist));
    const open = this.#open.get(key);
    if (open) return this.#admitted(open, caller);
    if (isHandle(key)) throw notFound(key);
    if (!this.#isSaved(key)) return this.#make(key, caller, {}, mustExist);
    return this.#find(key).then(found => this.#make(key, caller, found, mustExist));
  }

  /** The key of the session that the caller means by that name. */
  keyOf(name: string | undefined, caller: Caller): string {
    return keyOf(name, caller, this.#deps.options.sharedSessions);
  }

  /** The name by which the caller reaches the session. */
  nameFor(key: string, caller: Caller): string {
    return nameFor(key, caller, this.#deps.options.sharedSessions);
  }

  /** A session without a name. */
  unnamed(caller: Caller): Session {
    return this.#add(newHandle(), caller, {});
  }

  /** The session of the browser of a profile, which has its own state and goes on without us. */
  adopt(key: string, chrome: Browser): Session {
    const session = new Session(key, OWNER_IDS.local, new Context({ name: key, isDefault: true }, chrome));
    session.shared = this.isSharedProfile(key);
    return this.#opened(session);
  }

  /** The owner is logged in there: others use only what --shared-sessions names. */
  isSharedProfile(key: string): boolean {
    return this.#deps.options.sharedSessions.some(name => name === key || name === '*');
  }

  checkProfile(key: string, caller: Caller): void {
    if (!isOwner(caller.id) && !this.isSharedProfile(key)) throw accessDenied(key);
  }

  /** The saved session of that name, whoever owns it; undefined when there is none or it cannot be read. */
  async readSaved(key: string): Promise<SavedSession | undefined> {
    return this.#isSaved(key) ? (await this.#find(key)).saved : undefined;
  }

  /** The saved sessions of all owners that are not open. */
  async listSaved(): Promise<SavedSessionInfo[]> {
    if (!this.#deps.options.keepSessions) return [];
    const rows = await this.#deps.directory.list().catch((error: Error) => {
      this.#deps.log.warn(error.message);
      return [];
    });
    return rows.filter(({ name }) => isNamed(name) && !this.#open.has(name));
  }

  /** Whether others may use the session: by the options, or because its owner shares it while that is allowed. */
  isShared({ name, shared }: Pick<SessionFacts, 'name' | 'shared'>): boolean {
    const { sharedSessions, sessionSharing } = this.#deps.options;
    return isCommon(name, sharedSessions) || (shared && sessionSharing);
  }

  /** Why there is no session of that name for the caller. */
  missing(key: string, caller: Caller): Failure {
    const name = displayName(key);
    // Who names another caller is not told what that one has.
    if (key !== this.keyOf(name, caller)) return accessDenied(this.nameFor(key, caller));
    const isAnothers = isNamed(key) && this.list().some(one => isNamed(one.name) && displayName(one.name) === name);
    return isAnothers ? accessDenied(name) : notFound(key);
  }

  /** Waits while the session is being ended because it was idle. */
  async idleEnd(key: string): Promise<void> {
    await this.#endingIdle.get(key);
  }

  /** Ends a session: first its calls, then its browser state. What was saved of it stays, unless `forget` is set. */
  async end(session: Session, { forget, why }: { forget: boolean; why: Failure }): Promise<void> {
    session.refuse(beingClosed(session.name));
    session.abortCalls(why);
    const { saver, context, name } = session;
    if (saver) await this.#step(`keeping session ${name}`, () => (forget ? saver.drop() : saver.finish()));
    const forgotten = forget && saver ? this.#deps.directory.remove(name) : undefined;
    const [result] = await Promise.allSettled([forgotten, this.#step(`session ${name}`, () => context.close())]);
    if (isOfProfile(session)) await this.#step(`the browser of ${name}`, () => context.browser.close());
    // Until now calls for that name were refused: they must not find what is being deleted.
    if (this.#open.get(name) === session) this.#open.delete(name);
    if (result.status === 'rejected') throw result.reason;
  }

  /** Ends all of them, and saves what is to be saved. */
  async close(why: Failure): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all(this.list().map(session => this.end(session, { forget: false, why })));
    await Promise.all(this.#endingIdle.values());
  }

  #isSaved(key: string): boolean {
    return this.#deps.options.keepSessions && isNamed(key);
  }

  /** Several calls that come at once read the file once. */
  #find(key: string): Promise<Found> {
    let reading = this.#reading.get(key);
    if (!reading) {
      reading = this.#deps.directory
        .read(key)
        .then(
          saved => ({ saved }),
          (error: Error) => ({ fault: `${error.message} The session begins anew.` }),
        )
        .finally(() => this.#reading.delete(key));
      this.#reading.set(key, reading);
    }
    return reading;
  }

  #make(key: string, caller: Caller, found: Found, mustExist: boolean): Session {
    const { saved } = found;
    // Another call may have been first.
    const open = this.#open.get(key);
    if (open) return this.#admitted(open, caller);
    if (saved && !isSameCaller(saved.owner, caller.id) && !this.isShared(saved))
      throw accessDenied(this.nameFor(key, caller));
    const isOfCaller = key === this.keyOf(displayName(key), caller);
    if (!saved && !isDefault(key) && (mustExist || !isOfCaller)) throw this.missing(key, caller);
    return this.#add(key, caller, found);
  }

  #admitted(session: Session, caller: Caller): Session {
    const { name, owner, shared, refusal } = session;
    if (!isSameCaller(owner, caller.id) && !shared) throw accessDenied(this.nameFor(name, caller));
    if (refusal) throw refusal;
    return session;
  }

  #add(key: string, caller: Caller, { saved, fault }: Found): Session {
    const owner = saved?.owner ?? caller.id;
    this.#checkRoom(owner, caller);
    const { options, directory, log } = this.#deps;
    const sessionState = this.#isSaved(key) ? new SessionState(saved?.state) : undefined;
    const context = new Context(
      {
        name: key,
        owner,
        outputDir: foldersOf(owner, options).output,
        isDefault: this.#ownsBrowserState(key, owner),
        ...(sessionState && { sessionState }),
      },
      this.#deps.chromeOf(owner),
    );
    const session = new Session(key, owner, context, this.#isView(key) ? this.#sharedQueue : undefined);
    session.shared = this.isShared({ name: key, shared: saved?.shared ?? false });
    if (saved) session.createdAt = saved.createdAt;
    if (sessionState) session.saver = new SessionSaver(() => factsOf(session), context, directory, log);
    for (const note of [fault, this.#idleNote(key, saved), this.#apartNote(key, owner)])
      if (note !== undefined) context.notes.push(note);
    return this.#opened(session);
  }

  #opened(session: Session): Session {
    this.#open.set(session.name, session);
    this.#deps.opened(session);
    this.#watch();
    return session;
  }

  #checkRoom(owner: string, caller: Caller): void {
    const { id, maxSessions } = caller;
    const { maxSessions: all, maxSessionsPerCaller } = this.#deps.options;
    // A limit of the token's own counts the default sessions of all its connections.
    const isCounted = (session: Session) => (maxSessions === undefined ? isOwn(session, caller) : session.owner === id);
    const open = this.list().filter(session => !isOfProfile(session));
    const own = open.filter(isCounted);
    const most = maxSessions ?? maxSessionsPerCaller;
    const names = own.map(({ name }) => name);
    if (isSameCaller(owner, id) && own.length >= most) throw tooMany(most, 'caller', names);
    if (open.length >= all) throw tooMany(all, 'server', names);
  }

  /** A profile or an attached browser has one state of its own: it goes to the owner's first default session, and to no second. */
  #ownsBrowserState(key: string, owner: string): boolean {
    if (this.#isView(key)) return true;
    return (
      isDefault(key) &&
      isOwner(owner) &&
      !this.list().some(session => session.context.kind.isDefault && !isOfProfile(session))
    );
  }

  /** Whether it is one of several default sessions that show the tabs of the attached browser. */
  #isView(key: string): boolean {
    return this.#deps.options.shareBrowser && isDefault(key);
  }

  /** Tells other callers why they do not find the tabs and logins that the browser has. */
  #apartNote(key: string, owner: string): string | undefined {
    const { cdpEndpoint, userDataDir } = this.#deps.options;
    const isApart = isDefault(key) && !isOwner(owner) && !this.#isView(key);
    if (!isApart || (cdpEndpoint ?? userDataDir) === undefined) return undefined;
    return "The tabs and logins of this browser are its owner's: this session is apart from them.";
  }

  #idleNote(key: string, saved: SavedSession | undefined): string | undefined {
    if (!this.#endedIdle.delete(key) || saved || this.#isView(key)) return undefined;
    const minutes = Math.round(this.#deps.options.sessionIdle / 6_000) / 10;
    return `The session had no call for ${minutes} min and was ended: it begins anew, without tabs and logins.`;
  }

  /** When the session ends, should no call come; undefined when it does not. */
  endOf({ name, refusal, isBusy, context, lastActivity }: Session): number | undefined {
    // The state of an attached browser or a profile is not ours to end; one of several sessions that show it may end.
    if (refusal || isBusy || (context.isBorrowed && !this.#isView(name))) return undefined;
    return lastActivity + this.#deps.options.sessionIdle;
  }

  /** One timer for all of them, set for the one that would end first. */
  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#open.size === 0) return;
    const now = Date.now();
    // One in which a call runs may become idle meanwhile.
    const latest = now + Math.min(LOOK_MS, this.#deps.options.sessionIdle);
    const next = Math.min(...this.list().map(session => this.endOf(session) ?? latest), latest);
    this.#timer = setTimeout(() => this.#look(), Math.max(50, next - now)).unref();
  }

  #look(): void {
    for (const session of this.list()) {
      const end = this.endOf(session);
      if (end !== undefined && end <= Date.now()) this.#endIdle(session);
      else session.saver?.schedule();
    }
    this.#watch();
  }

  #endIdle(session: Session): void {
    const { name } = session;
    this.#deps.log.info(`session ${name} had no call for ${this.#deps.options.sessionIdle} ms and is ended`);
    const why = new Failure('no_session', `Session ${name} is being ended: nobody used it.`, 'Call again.');
    const left = this.end(session, { forget: false, why }).finally(() => this.#endingIdle.delete(name));
    this.#endingIdle.set(name, left);
    if (this.#endedIdle.size < MOST_REMEMBERED) this.#endedIdle.add(name);
  }

  /** Its error is only logged, because the next step must follow. */
  #step(what: string, run: () => Promise<void>): Promise<void> {
    return closeStep(what, run, this.#deps.log);
  }
}

/** Whether the session is that of a profile's browser, not of the shared one. */
const isOfProfile = ({ name }: Session): boolean => profileIn(name) !== undefined;

const factsOf = ({ name, owner, shared, createdAt, lastActivity }: Session) => ({
  name,
  owner,
  shared,
  createdAt,
  lastActivity,
});

export const accessDenied = (
  name: string,
  hint: string | Phrase = phrase`Use another name, or leave "${noun('session')}" out to use your own.`,
): Failure => refusedBy('a session belongs to its owner', `Access denied to session: ${name}`, hint);

const notFound = (key: string): Failure =>
  new Failure(
    'no_session',
    `Session not found: ${displayName(key)}`,
    phrase`See ${toolName('session_list')}, or make it with ${toolName('session_create')}.`,
  );

export const beingClosed = (key: string): Failure =>
  new Failure(
    'no_session',
    `Session ${displayName(key)} is being closed.`,
    'Call again in a moment, or use another session.',
  );

function tooMany(most: number, of: 'caller' | 'server', own: string[]): Failure {
  const option = of === 'caller' ? '--max-sessions-per-caller' : '--max-sessions';
  const whose = of === 'caller' ? 'You have' : 'There are';
  const names = own.map(displayName).join(', ');
  return refusedBy(
    option,
    phrase`${whose} already ${most} session${most === 1 ? '' : 's'}, the most that are allowed${advice(phrase`: rule "${optionName(option)}"`)}.`,
    own.length > 0
      ? phrase`Use one of yours (${names}), or end one with ${toolName('session_close')}.`
      : 'Try again later.',
  );
}

/** What each step may take, in ms: a browser that does not answer must not keep the process. */
const STEP = 3_000;

export async function closeStep(what: string, run: () => Promise<void>, log: Log): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${STEP} ms`)), STEP);
  });
  try {
    await Promise.race([run(), late]);
  } catch (error) {
    log.warn(`closing ${what}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    clearTimeout(timer);
  }
}
