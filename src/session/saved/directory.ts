// The directory of kept sessions as files, for their owner only: <state folder>/sessions/NAME.json.
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../../config/log.ts';
import { writePrivate } from '../../config/private-files.ts';
import type { SavedState, SavedTab } from '../../engine/storage/session-state.ts';
import { Failure } from '../../errors.ts';

export interface SessionFacts {
  name: string;
  owner: string;
  shared: boolean;
  /** Ms since 1970. */
  createdAt: number;
  lastActivity: number;
}

export interface SavedSession extends SessionFacts {
  state: SavedState;
}

export interface SavedSessionInfo extends SessionFacts {
  tabs: Omit<SavedTab, 'session'>[];
}

export interface DirectoryLimits {
  fileBytes: number;
  /** How many are kept; the oldest of the owner who has most goes first. */
  files: number;
}

const LIMITS: DirectoryLimits = { fileBytes: 20_000_000, files: 100 };
const ENDING = '.json';
/** What a server that was killed left half written. */
const DRAFT = /\.part$/;
const DRAFT_MS = 10 * 60_000;

interface Read {
  stamp: string;
  row: SavedSessionInfo;
}

export class SessionDirectory {
  readonly #folder: string;
  readonly #log: Log;
  readonly #limits: DirectoryLimits;
  /** By file: read again only when it has changed. */
  readonly #rows = new Map<string, Read>();

  constructor(folder: string, log: Log, limits: DirectoryLimits = LIMITS) {
    this.#folder = folder;
    this.#log = log;
    this.#limits = limits;
  }

  async list(): Promise<SavedSessionInfo[]> {
    const names = (await this.#files()).map(nameIn).filter(name => name !== undefined);
    for (const name of this.#rows.keys()) if (!names.includes(name)) this.#rows.delete(name);
    const rows = await Promise.all(names.map(name => this.#row(name)));
    return rows.filter(row => row !== undefined);
  }

  async read(name: string): Promise<SavedSession | undefined> {
    const file = this.#path(name);
    try {
      return await this.#load(name);
    } catch (cause) {
      if (isMissing(cause)) return undefined;
      const why = reasonOf(cause);
      const aside = `${fileOf(name)}.broken`;
      const moved = await rename(file, join(this.#folder, aside)).then(
        () => `it was put aside as ${aside}`,
        error => `nor could it be put aside (${reasonOf(error)})`,
      );
      this.#log.warn(`kept session ${name}: ${why}; ${moved}`);
      throw new Failure(
        'file_error',
        `What was kept of session "${name}" cannot be read (${why}); ${moved}.`,
        undefined,
        {
          cause,
        },
      );
    }
  }

  async write(kept: SavedSession): Promise<void> {
    const text = toText(kept);
    if (Buffer.byteLength(text) > this.#limits.fileBytes)
      throw new Failure('file_error', `Session "${kept.name}" holds more than ${this.#limits.fileBytes} bytes.`);
    await writePrivate(this.#folder, fileOf(kept.name), text);
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

  async #row(name: string): Promise<SavedSessionInfo | undefined> {
    try {
      const { mtimeMs, size } = await stat(this.#path(name));
      const stamp = `${mtimeMs}:${size}`;
      const known = this.#rows.get(name);
      if (known?.stamp === stamp) return known.row;
      const { state, ...facts } = await this.#load(name);
      const row = { ...facts, tabs: state.tabs.map(({ session: _, ...tab }) => tab) };
      this.#rows.set(name, { stamp, row });
      return row;
    } catch (error) {
      // A server that uses it tells its caller; another one may have just removed it.
      this.#rows.delete(name);
      if (!isMissing(error)) this.#log.debug(`kept session ${name}: ${reasonOf(error)}`);
      return undefined;
    }
  }

  async #load(name: string): Promise<SavedSession> {
    const file = this.#path(name);
    const { size } = await stat(file);
    if (size > this.#limits.fileBytes) throw new Error(`its file has more than ${this.#limits.fileBytes} bytes`);
    return fromText(await readFile(file, 'utf8'), name);
  }

  /** Bounds the folder. Another server may do the same at the same time. */
  async #tidy(): Promise<void> {
    const files = await this.#files();
    const drafts = files.filter(file => DRAFT.test(file)).map(file => join(this.#folder, file));
    for (const draft of drafts) if (await isOlder(draft, DRAFT_MS)) await rm(draft, { force: true });
    if (files.filter(file => nameIn(file) !== undefined).length <= this.#limits.files) return;
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

/** No name is a path, or a device, or the same as another one where capitals do not count. */
const fileOf = (name: string): string =>
  `s-${name.replace(/[^a-z0-9_-]/g, char => `~${char.charCodeAt(0).toString(16)}`)}${ENDING}`;

/** Undefined when the file is not one of ours. */
function nameIn(file: string): string | undefined {
  const inner = /^s-([a-z0-9_~-]+)\.json$/.exec(file)?.[1];
  const name = inner?.replace(/~([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return name !== undefined && fileOf(name) === file ? name : undefined;
}

/** Whoever keeps most gives up the oldest first: nobody drives out what others keep. */
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

async function isOlder(file: string, ms: number): Promise<boolean> {
  const found = await stat(file).catch(() => undefined); // its writer has just finished
  return found !== undefined && Date.now() - found.mtimeMs > ms;
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

const text = z.string();
const time = z.number().min(0);
const items = z.array(z.tuple([text, text]));

const cookie = z.looseObject({
  name: text,
  value: text,
  domain: text,
  path: text,
  expires: z.number(),
  httpOnly: z.boolean(),
  secure: z.boolean(),
  sameSite: z.enum(['Strict', 'Lax', 'None']),
});

const paths = z.union([text, z.array(text)]);
const index = z.object({ name: text, keyPath: paths, unique: z.boolean(), multiEntry: z.boolean() });
const store = z.object({
  name: text,
  keyPath: paths.nullable(),
  autoIncrement: z.boolean(),
  indexes: z.array(index),
  records: z.array(z.tuple([z.unknown(), z.unknown()])),
});
const database = z.object({ name: text, version: z.int().min(1), stores: z.array(store) });

const FORM = z.object({
  version: z.literal(1),
  name: text,
  owner: text,
  shared: z.boolean(),
  createdAt: time,
  lastActivity: time,
  state: z.object({
    at: time,
    cookies: z.array(cookie),
    origins: z.array(z.object({ origin: z.url(), local: items, databases: z.array(database) })),
    tabs: z.array(z.object({ id: z.int().min(1), url: text, title: text, active: z.boolean(), session: items })),
  }),
});

const toText = (kept: SavedSession): string => JSON.stringify({ version: 1, ...kept });

/** Throws when it is not what this version writes. */
function fromText(json: string, name: string): SavedSession {
  const { version: _, ...kept } = FORM.parse(JSON.parse(json));
  if (kept.name !== name) throw new Error('it is of another session');
  return kept as SavedSession;
}
