// Sessions: the open ones by name, who may use them, how many there are, and their end when nobody uses them.
import type { Log } from '../config/log.ts';
import type { Options } from '../config/options.ts';
import type { Browser } from '../engine/browser/browser.ts';
import { SessionState } from '../engine/storage/session-state.ts';
import { Context } from '../engine/tab/context.ts';
import { Failure, refusedBy } from '../errors.ts';
import { noun, type Phrase, phrase, toolName } from '../text.ts';
import { displayName, isDefault, isHandle, isNamed, keyOf, newHandle, profileIn } from './names.ts';
import { Queue } from './queue.ts';
import type { SavedSession, SavedSessionInfo, SessionDirectory, SessionFacts } from './saved/directory.ts';
import { SessionSaver } from './saved/session-saver.ts';
import { type Caller, Session } from './session.ts';

/** How often sessions are looked at, at least: pages change their storage also without a call. */
const LOOK_MS = 60_000;
/** Names of sessions that ended for want of calls, so that whoever comes back is told. */
const MOST_REMEMBERED = 1_000;

/** Owns what belongs to all; no caller has such an id. */
const NOBODY = '@';

/** What the calls of one process use together. */
interface SessionDeps {
  readonly options: Options;
  readonly chrome: Browser;
  readonly directory: SessionDirectory;
  readonly log: Log;
  /** Told of each session that is opened. */
  opened(session: Session): void;
}

/** The saved session of a name, or why it cannot be read. */
type Found = { kept?: SavedSession | undefined; fault?: string };

export class Sessions {
  readonly #deps: SessionDeps;
  readonly #open = new Map<string, Session>();
  readonly #reading = new Map<string, Promise<Found>>();
  /** Those that are ending because nobody used them: a call waits, and comes back to it. */
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #idled = new Set<string>();
  /** Whose turn it is in the attached browser when all callers share it. */
  readonly #together = new Queue();
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
    const key = keyOf(name, caller);
    const leaving = this.#leaving.get(key);
    if (leaving) return leaving.then(() => this.get(name, caller, mustExist));
    const open = this.#open.get(key);
    if (open) return admitted(open, caller);
    if (isHandle(key)) throw notFound(key);
    if (!this.#isSaved(key)) return this.#make(key, caller, {}, mustExist);
    return this.#find(key).then(found => this.#make(key, caller, found, mustExist));
  }

  /** A session without a name. */
  unnamed(caller: Caller): Session {
    return this.#add(newHandle(), caller, {});
  }

  /** A session of another browser, which has its own state and goes on without us. All callers use it together. */
  adopt(key: string, chrome: Browser): Session {
    const session = new Session(key, NOBODY, new Context({ name: key, isDefault: true }, chrome));
    session.shared = true;
    return this.#opened(session);
  }

  /** The saved session of that name, whoever owns it; undefined when there is none or it cannot be read. */
  async readSaved(key: string): Promise<SavedSession | undefined> {
    return this.#isSaved(key) ? (await this.#find(key)).kept : undefined;
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

  /** Whether others may use it: by the options, or because its owner says so while that is allowed. */
  isShared({ name, shared }: Pick<SessionFacts, 'name' | 'shared'>): boolean {
    const { sharedSessions, sessionSharing } = this.#deps.options;
    return sharedSessions.includes(name) || (shared && sessionSharing);
  }

  /** Waits for a session that is just being ended because nobody used it. */
  async idleEnd(key: string): Promise<void> {
    await this.#leaving.get(key);
  }

  /** Ends it: no calls any more, then no browser state. What was kept of it stays unless it is forgotten. */
  async end(session: Session, { forget, why }: { forget: boolean; why: Failure }): Promise<void> {
    session.refuse(beingClosed(session.name));
    session.abortCalls(why);
    const { saver, context, name } = session;
    if (saver) await this.#step(`keeping session ${name}`, () => (forget ? saver.drop() : saver.finish()));
    const forgotten = forget && saver ? this.#deps.directory.remove(name) : undefined;
    const [result] = await Promise.allSettled([forgotten, this.#step(`session ${name}`, () => context.close())]);
    if (isElsewhere(session)) await this.#step(`the browser of ${name}`, () => context.browser.close());
    // Until now a call of that name was refused: it must not find what is being forgotten.
    if (this.#open.get(name) === session) this.#open.delete(name);
    if (result.status === 'rejected') throw result.reason;
  }

  /** Ends all of them, and keeps what is to be kept. */
  async close(why: Failure): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all(this.list().map(session => this.end(session, { forget: false, why })));
    await Promise.all(this.#leaving.values());
  }

  #isSaved(key: string): boolean {
    return this.#deps.options.keepSessions && isNamed(key);
  }

  /** Several calls that come at once read it once. */
  #find(key: string): Promise<Found> {
    let reading = this.#reading.get(key);
    if (!reading) {
      reading = this.#deps.directory
        .read(key)
        .then(
          kept => ({ kept }),
          (error: Error) => ({ fault: `${error.message} The session begins anew.` }),
        )
        .finally(() => this.#reading.delete(key));
      this.#reading.set(key, reading);
    }
    return reading;
  }

  #make(key: string, caller: Caller, found: Found, mustExist: boolean): Session {
    const { kept } = found;
    // Another call may have been first.
    const open = this.#open.get(key);
    if (open) return admitted(open, caller);
    if (kept && kept.owner !== caller.id && !this.isShared(kept)) throw accessDenied(key);
    if (!kept && mustExist && !isDefault(key)) throw notFound(key);
    return this.#add(key, caller, found);
  }

  #add(key: string, caller: Caller, { kept, fault }: Found): Session {
    const owner = kept?.owner ?? caller.id;
    this.#checkRoom(owner, caller);
    const { chrome, directory, log } = this.#deps;
    const keeper = this.#isSaved(key) ? new SessionState(kept?.state) : undefined;
    const context = new Context(
      { name: key, isDefault: this.#ownsBrowserState(key), ...(keeper && { keeper }) },
      chrome,
    );
    const session = new Session(key, owner, context, this.#isView(key) ? this.#together : undefined);
    session.shared = this.isShared({ name: key, shared: kept?.shared ?? false });
    if (kept) session.createdAt = kept.createdAt;
    if (keeper) session.saver = new SessionSaver(() => factsOf(session), context, directory, log);
    for (const note of [fault, this.#idleNote(key, kept)]) if (note !== undefined) context.notes.push(note);
    return this.#opened(session);
  }

  #opened(session: Session): Session {
    this.#open.set(session.name, session);
    this.#deps.opened(session);
    this.#watch();
    return session;
  }

  #checkRoom(owner: string, { id, maxSessions }: Caller): void {
    const { maxSessions: all, maxSessionsPerCaller } = this.#deps.options;
    const own = this.list().filter(session => session.owner === id);
    const most = maxSessions ?? maxSessionsPerCaller;
    const names = own.map(({ name }) => name);
    if (owner === id && own.length >= most) throw tooMany(most, 'caller', names);
    if (this.list().filter(session => !isElsewhere(session)).length >= all) throw tooMany(all, 'server', names);
  }

  /** A profile or an attached browser has one state of its own: it goes to the first default session, and to no second. */
  #ownsBrowserState(key: string): boolean {
    if (this.#isView(key)) return true;
    return isDefault(key) && !this.list().some(session => session.context.kind.isDefault && !isElsewhere(session));
  }

  /** One of several default sessions that show the tabs of the attached browser. */
  #isView(key: string): boolean {
    return this.#deps.options.shareBrowser && isDefault(key);
  }

  #idleNote(key: string, kept: SavedSession | undefined): string | undefined {
    if (!this.#idled.delete(key) || kept || this.#isView(key)) return undefined;
    const minutes = Math.round(this.#deps.options.sessionIdle / 6_000) / 10;
    return `The session had no call for ${minutes} min and was ended: it begins anew, without tabs and logins.`;
  }

  /** When the session ends, should no call come; undefined when it does not. */
  endOf({ name, refusal, isBusy, context, lastActivity }: Session): number | undefined {
    // The state of an attached browser or a profile is not ours to end; a view of it may go when nobody looks.
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
      if (end !== undefined && end <= Date.now()) this.#leave(session);
      else session.saver?.schedule();
    }
    this.#watch();
  }

  #leave(session: Session): void {
    const { name } = session;
    this.#deps.log.info(`session ${name} had no call for ${this.#deps.options.sessionIdle} ms and is ended`);
    const why = new Failure('no_session', `Session ${name} is being ended: nobody used it.`, 'Call again.');
    const left = this.end(session, { forget: false, why }).finally(() => this.#leaving.delete(name));
    this.#leaving.set(name, left);
    if (this.#idled.size < MOST_REMEMBERED) this.#idled.add(name);
  }

  /** Its error is only logged, because the next step must follow. */
  #step(what: string, run: () => Promise<void>): Promise<void> {
    return closeStep(what, run, this.#deps.log);
  }
}

/** The session lives in the browser of a profile, not in the shared one. */
const isElsewhere = ({ name }: Session): boolean => profileIn(name) !== undefined;

function admitted(session: Session, { id }: Caller): Session {
  if (session.owner !== id && !session.shared) throw accessDenied(session.name);
  if (session.refusal) throw session.refusal;
  return session;
}

const factsOf = ({ name, owner, shared, createdAt, lastActivity }: Session) => ({
  name,
  owner,
  shared,
  createdAt,
  lastActivity,
});

export const accessDenied = (
  key: string,
  hint: string | Phrase = phrase`Use another name, or leave "${noun('session')}" out to use your own.`,
): Failure => refusedBy('a session belongs to its owner', `Access denied to session: ${key}`, hint);

export const notFound = (key: string): Failure =>
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
  const option = of === 'caller' ? 'max-sessions-per-caller' : 'max-sessions';
  const whose = of === 'caller' ? 'You have' : 'There are';
  const names = own.map(displayName).join(', ');
  return refusedBy(
    `--${option}`,
    `${whose} already ${most} session${most === 1 ? '' : 's'}, the most that are allowed: rule "--${option}".`,
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
