// The directory of saved sessions as files, for their owner only: <state folder>/sessions/NAME.json.
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../../config/log.ts';
import { removeOldDrafts, writePrivate } from '../../config/private-files.ts';
import { SAVED_STATE, type SavedTab } from '../../engine/storage/saved-state.ts';
import { Failure } from '../../errors.ts';
import { displayName } from '../names.ts';

const text = z.string();
/** Ms since 1970. */
const time = z.number().min(0);

const SAVED_SESSION = z.object({
  version: z.literal(1),
  name: text,
  owner: text,
  shared: z.boolean(),
  createdAt: time,
  lastActivity: time,
  state: SAVED_STATE,
});

export type SavedSession = Omit<z.output<typeof SAVED_SESSION>, 'version'>;
export type SessionFacts = Omit<SavedSession, 'state'>;

export interface SavedSessionInfo extends SessionFacts {
  tabs: Omit<SavedTab, 'session'>[];
}

export interface DirectoryLimits {
  fileBytes: number;
  /** How many are saved; the oldest of the owner who has most goes first. */
  files: number;
}

const LIMITS: DirectoryLimits = { fileBytes: 20_000_000, files: 100 };
const ENDING = '.json';
/** Of the part of a file's name that stands for the session. */
const LONGEST_NAME = 200;

/** The name under which the session of that owner is saved. */
type KeyOf = (session: Pick<SessionFacts, 'name' | 'owner'>) => string;

interface Read {
  stamp: string;
  row: SavedSessionInfo;
}

export class SessionDirectory {
  readonly #folder: string;
  readonly #log: Log;
  readonly #keyOf: KeyOf;
  readonly #limits: DirectoryLimits;
  /** By file; a file is read again only when it has changed. */
  readonly #rows = new Map<string, Read>();

  constructor(folder: string, log: Log, keyOf: KeyOf, limits: DirectoryLimits = LIMITS) {
    this.#folder = folder;
    this.#log = log;
    this.#keyOf = keyOf;
    this.#limits = limits;
  }

  async list(): Promise<SavedSessionInfo[]> {
    const files = (await this.#files()).filter(isOurs);
    for (const file of this.#rows.keys()) if (!files.includes(file)) this.#rows.delete(file);
    const rows = await Promise.all(files.map(file => this.#row(file)));
    return rows.filter(row => row !== undefined).map(row => ({ ...row, name: this.#keyOf(row) }));
  }

  async read(name: string): Promise<SavedSession | undefined> {
    const saved = (await this.#readFile(name)) ?? (await this.#readEarlier(name));
    if (!saved) return undefined;
    const key = this.#keyOf(saved);
    if (key !== saved.name) await this.#move(saved, key);
    return key === name ? { ...saved, name } : undefined;
  }

  /** Earlier versions saved the sessions of all callers by their names alone. */
  async #readEarlier(name: string): Promise<SavedSession | undefined> {
    const alone = displayName(name);
    return alone === name ? undefined : this.#load(fileOf(alone)).catch(() => undefined); // whose it is reports a fault
  }

  async #move(saved: SavedSession, name: string): Promise<void> {
    await this.write({ ...saved, name });
    await this.remove(saved.name);
  }

  async #readFile(name: string): Promise<SavedSession | undefined> {
    const file = this.#path(name);
    try {
      return await this.#load(fileOf(name));
    } catch (cause) {
      if (isMissing(cause)) return undefined;
      const why = reasonOf(cause);
      const aside = `${fileOf(name)}.broken`;
      const moved = await rename(file, join(this.#folder, aside)).then(
        () => `it was put aside as ${aside}`,
        error => `nor could it be put aside (${reasonOf(error)})`,
      );
      this.#log.warn(`kept session ${name}: ${why}; ${moved}`);
      const message = `What was kept of session "${name}" cannot be read (${why}); ${moved}.`;
      throw new Failure('file_error', message, undefined, { cause });
    }
  }

  async write(session: SavedSession): Promise<void> {
    const text = JSON.stringify({ version: 1, ...session });
    if (Buffer.byteLength(text) > this.#limits.fileBytes)
      throw new Failure('file_error', `Session "${session.name}" holds more than ${this.#limits.fileBytes} bytes.`);
    await writePrivate(this.#folder, fileOf(session.name), text);
    await this.#tidy();
  }

  async remove(name: string): Promise<boolean> {
    try {
      await rm(this.#path(name));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw new Failure('file_error', `What was kept of session "${name}" cannot be removed: ${reasonOf(error)}.`);
    }
  }

  async #row(file: string): Promise<SavedSessionInfo | undefined> {
    try {
      const { mtimeMs, size } = await stat(join(this.#folder, file));
      const stamp = `${mtimeMs}:${size}`;
      const known = this.#rows.get(file);
      if (known?.stamp === stamp) return known.row;
      const { state, ...facts } = await this.#load(file);
      const row = { ...facts, tabs: state.tabs.map(({ session: _, ...tab }) => tab) };
      this.#rows.set(file, { stamp, row });
      return row;
    } catch (error) {
      // A call that uses the session reports the fault; another server may have just removed the file.
      this.#rows.delete(file);
      if (!isMissing(error)) this.#log.debug(`kept session ${file}: ${reasonOf(error)}`);
      return undefined;
    }
  }

  async #load(file: string): Promise<SavedSession> {
    const path = join(this.#folder, file);
    const { size } = await stat(path);
    if (size > this.#limits.fileBytes) throw new Error(`its file has more than ${this.#limits.fileBytes} bytes`);
    return fromText(await readFile(path, 'utf8'), file);
  }

  /** Bounds the folder. Another server may do the same at the same time. */
  async #tidy(): Promise<void> {
    await removeOldDrafts(this.#folder);
    const files = await this.#files();
    if (files.filter(isOurs).length <= this.#limits.files) return;
    for (const { name } of surplus(await this.list(), this.#limits.files)) {
      this.#log.info(`more than ${this.#limits.files} kept sessions: ${name} is dropped`);
      await this.remove(name);
    }
  }

  async #files(): Promise<string[]> {
    return readdir(this.#folder).catch(error => {
      if (isMissing(error)) return [];
      throw new Failure('file_error', `The kept sessions cannot be read: ${reasonOf(error)}.`);
    });
  }

  #path(name: string): string {
    return join(this.#folder, fileOf(name));
  }
}

/** No name is a path, or a device, or the same as another one where capitals do not count, or too long for a file. */
function fileOf(name: string): string {
  const safe = name.replace(/[^a-z0-9_-]/g, char => `~${char.charCodeAt(0).toString(16)}`);
  const short = safe.length <= LONGEST_NAME ? safe : `~${createHash('sha256').update(name).digest('hex')}`;
  return `s-${short}${ENDING}`;
}

const isOurs = (file: string): boolean => /^s-[a-z0-9_~-]+\.json$/.test(file);

/** The owner with most sessions loses the oldest: no owner displaces the sessions of others. */
function surplus(rows: SavedSessionInfo[], most: number): SavedSessionInfo[] {
  const left = rows.toSorted((a, b) => a.lastActivity - b.lastActivity);
  const dropped: SavedSessionInfo[] = [];
  while (left.length > most) {
    const counts = new Map<string, number>();
    for (const { owner } of left) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    const largest = Math.max(...counts.values());
    const at = left.findIndex(({ owner }) => counts.get(owner) === largest);
    dropped.push(...left.splice(at, 1));
  }
  return dropped;
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** One line, without what the file holds, or where it is: callers may be on other machines. */
function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'it is no JSON';
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined) return code;
  if (!(error instanceof Error)) return String(error);
  return error.name === 'ZodError' ? 'it has another form' : (error.message.split('\n')[0] ?? '');
}

/** Throws when the text is not what this version writes. */
function fromText(json: string, file: string): SavedSession {
  const { version: _, ...session } = SAVED_SESSION.parse(JSON.parse(json));
  if (fileOf(session.name) !== file) throw new Error('it is of another session');
  return session;
}
