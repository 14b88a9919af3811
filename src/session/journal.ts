// Journal: one JSON line per call, in a file that is rotated by size. Writing never delays or fails a call.
import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import type { Log } from '../config/log.ts';
import type { Options } from '../config/options.ts';
import type { Browser } from '../engine/browser/browser.ts';
import type { Code } from '../errors.ts';
import { redact } from '../policy/mask.ts';
import type { Session } from './session.ts';

export interface JournalRecord {
  /** When the call came, ISO 8601. */
  time: string;
  caller: string;
  session?: string;
  tool: string;
  /** Secrets already masked. */
  args: unknown;
  ms: number;
  ok: boolean;
  code?: Code;
  /** Which rule refused it, or let it be asked about. */
  rule?: string;
  /** Whether a person was asked, and what came of it. A call that was asked about is sent again with the answer. */
  approval?: 'asked' | 'approved' | 'declined' | 'cancelled';
  /** Length of the text that was answered. */
  chars: number;
}

/** What was refused before it became a call: a request at the HTTP door, or one of a page on its way out. */
export interface JournalRefusal {
  time: string;
  caller: string;
  session?: string;
  door: 'http' | 'egress';
  /** Such as "POST /mcp" or the url; no secrets. */
  what: string;
  rule: string;
  /** How often, when that is told for several at once. */
  times?: number;
}

export type JournalListener = (record: JournalRecord | JournalRefusal) => void;

export interface JournalLimits {
  /** A file of this many bytes is put aside. */
  fileBytes: number;
  /** How many such files are kept. */
  keep: number;
  /** Characters that may wait for the disk; what comes on top is dropped and counted. */
  pendingChars: number;
}

const LIMITS: JournalLimits = { fileBytes: 5_000_000, keep: 3, pendingChars: 2_000_000 };

export class Journal {
  readonly #folder: string;
  readonly #name: string;
  readonly #log: Log;
  readonly #limits: JournalLimits;
  #pending: string[] = [];
  #pendingChars = 0;
  #dropped = 0;
  #writing: Promise<void> | undefined;
  #off = false;
  readonly #followers: JournalListener[] = [];

  constructor(folder: string, log: Log, limits: JournalLimits = LIMITS, name = 'journal.jsonl') {
    this.#folder = folder;
    this.#name = name;
    this.#log = log;
    this.#limits = limits;
  }

  /** Told of every record from now on, also of those that do not reach the disk. */
  follow(follower: JournalListener): void {
    this.#followers.push(follower);
  }

  write(record: JournalRecord | JournalRefusal): void {
    for (const follower of this.#followers) follower(record);
    if (this.#off) return;
    const line = `${JSON.stringify(record)}\n`;
    if (this.#pendingChars + line.length > this.#limits.pendingChars) this.#dropped++;
    else this.#push(line);
    this.#writing ??= this.#drain();
  }

  /** Writes what is still pending; later records are ignored. */
  async close(): Promise<void> {
    while (this.#writing) await this.#writing;
    this.#off = true;
  }

  #push(line: string): void {
    this.#pending.push(line);
    this.#pendingChars += line.length;
  }

  async #drain(): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      while (this.#pending.length > 0) await this.#append(this.#take());
    } catch (error) {
      this.#off = true;
      this.#take();
      const why = error instanceof Error ? error.message : String(error);
      this.#log.warn(`the journal is off: ${why}`);
    } finally {
      this.#writing = undefined;
    }
  }

  #take(): string {
    const lines = this.#pending.join('');
    const dropped = this.#dropped > 0 ? `${JSON.stringify({ time: now(), dropped: this.#dropped })}\n` : '';
    this.#pending = [];
    this.#pendingChars = 0;
    this.#dropped = 0;
    return lines + dropped;
  }

  /** The file is opened anew each time: another server with the same folder may have put it aside. */
  async #append(lines: string): Promise<void> {
    const file = join(this.#folder, this.#name);
    if ((await sizeOf(file)) >= this.#limits.fileBytes) await this.#rotate(file);
    await appendFile(file, lines, { mode: 0o600 });
  }

  async #rotate(file: string): Promise<void> {
    const { dir, name, ext } = parse(file);
    const aside = (age: number) => (age === 0 ? file : join(dir, `${name}.${age}${ext}`));
    for (let age = this.#limits.keep - 1; age >= 0; age--) {
      await rename(aside(age), aside(age + 1)).catch(unlessMissing);
    }
  }
}

/** The journal of a server, where its options say. */
export const journalOf = ({ journalFile }: Pick<Options, 'journalFile'>, log: Log): Journal =>
  new Journal(dirname(journalFile), log, LIMITS, basename(journalFile));

export const now = (): string => new Date().toISOString();

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(unlessMissing);
  return found?.size ?? 0;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

interface RefusalSource {
  readonly chrome: Browser;
  readonly journal: Journal;
  readonly log: Log;
  list(): Session[];
}

/** The caller of a page whose session is not known: of a worker, or of a popup that was stopped before it was a tab. */
const NOBODY = 'unknown';

export function recordRefusals({ chrome, journal, log, list }: RefusalSource): void {
  chrome.events.on('refused', ({ url: given, rule, session: name, frame }) => {
    const url = redact(given);
    // What Chrome itself wanted is nobody's call.
    if (name === undefined && frame === undefined) return log.debug(`the browser may not reach ${url}: rule "${rule}"`);
    const sessions = list();
    const found = sessions.find(one => one.name === name || (frame !== undefined && shows(one, frame)));
    // Nobody else has a page.
    const session = found ?? (name === undefined && sessions.length === 1 ? sessions[0] : undefined);
    log.info(`${session?.name ?? name ?? 'a page'} may not reach ${url}: rule "${rule}"`);
    journal.write({
      time: now(),
      caller: session?.owner ?? NOBODY,
      ...(session || name !== undefined ? { session: session?.name ?? name ?? '' } : {}),
      door: 'egress',
      what: url,
      rule,
    });
  });
}

const shows = ({ context }: Session, frame: string): boolean =>
  [...context.tabs.values()].some(({ main }) => main?.loaders.has(frame) || main?.attached.has(frame));
