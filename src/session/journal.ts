// Journal: one JSON line per call, in a file that is rotated by size. Writing never delays or fails a call.
import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import type { Log } from '../config/log.ts';
import { defined } from '../defined.ts';
import type { RefusedRequest } from '../engine/egress/outcomes.ts';
import type { Code } from '../errors.ts';
import { redact } from '../policy/mask.ts';
import type { TextMask } from '../policy/secrets/text-mask.ts';
import type { Server } from './server.ts';
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

/** What was refused before it became a call: a request to the HTTP server, or one that a page sent. */
export interface JournalRefusal {
  time: string;
  caller: string;
  session?: string;
  door: 'http' | 'egress';
  /** Such as "POST /mcp" or the url; no secrets. */
  what: string;
  rule: string;
  /** How often, when one record stands for several. */
  times?: number;
}

export type JournalListener = (record: JournalRecord | JournalRefusal) => void;

export interface JournalLimits {
  /** A file of this many bytes is renamed, and a new one begun. */
  fileBytes: number;
  /** How many such files are kept. */
  keep: number;
  /** Characters that may wait for the disk; what comes on top is dropped and counted. */
  pendingChars: number;
}

/** Records of calls that follow each other closely go to the disk together: opening the file takes as long as a short call. */
const GATHER_MS = 20;

const LIMITS: JournalLimits = { fileBytes: 5_000_000, keep: 3, pendingChars: 2_000_000 };

export class Journal {
  readonly #file: string;
  readonly #log: Log;
  readonly #limits: JournalLimits;
  #pending: string[] = [];
  #pendingChars = 0;
  #dropped = 0;
  #writing: Promise<void> | undefined;
  /** Ends the moment in which records are gathered. */
  #writeNow: (() => void) | undefined;
  #off = false;
  /** Masks the values of secrets that were used, when there are any. */
  mask: () => TextMask | undefined = () => undefined;
  readonly #listeners: JournalListener[] = [];

  constructor(file: string, log: Log, limits: JournalLimits = LIMITS) {
    this.#file = file;
    this.#log = log;
    this.#limits = limits;
  }

  /** Calls the listener with every record from now on, also with those that do not reach the disk. */
  follow(listener: JournalListener): void {
    this.#listeners.push(listener);
  }

  write(given: JournalRecord | JournalRefusal): void {
    const record = this.mask()?.data(given) ?? given;
    for (const listener of this.#listeners) listener(record);
    if (this.#off) return;
    const line = `${JSON.stringify(record)}\n`;
    if (this.#pendingChars + line.length > this.#limits.pendingChars) this.#dropped++;
    else this.#push(line);
    this.#writing ??= this.#drain();
  }

  /** Writes what is still pending; later records are ignored. */
  async close(): Promise<void> {
    while (this.#writing) {
      this.#writeNow?.();
      await this.#writing;
    }
    this.#off = true;
  }

  #push(line: string): void {
    this.#pending.push(line);
    this.#pendingChars += line.length;
  }

  #gathered(): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, GATHER_MS);
      this.#writeNow = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #drain(): Promise<void> {
    try {
      await this.#gathered();
      await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
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

  /** The file is opened anew each time: another server with the same folder may have renamed it. */
  async #append(lines: string): Promise<void> {
    const found = await stat(this.#file).catch(unlessMissing);
    if (found && found.size >= this.#limits.fileBytes) await this.#rotate();
    await appendFile(this.#file, lines, { mode: 0o600 });
  }

  async #rotate(): Promise<void> {
    const { dir, name, ext } = parse(this.#file);
    const aside = (age: number) => (age === 0 ? this.#file : join(dir, `${name}.${age}${ext}`));
    for (let age = this.#limits.keep - 1; age >= 0; age--) {
      await rename(aside(age), aside(age + 1)).catch(unlessMissing);
    }
  }
}

export const now = (): string => new Date().toISOString();

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** The caller of a page whose session is not known: of a worker, or of a popup that was stopped before it was a tab. */
const NOBODY = 'unknown';

/** Records what the url rules refuse to pages. */
export function recordRefusals(server: Server): void {
  const { journal, log } = server;
  const record = ({ url: given, rule, session: name, frame }: RefusedRequest): void => {
    const url = redact(given);
    // A request of Chrome itself belongs to no caller.
    if (name === undefined && frame === undefined)
      return void log.debug(`the browser may not reach ${url}: rule "${rule}"`);
    const sessions = server.list();
    const found = sessions.find(one => one.name === name || (frame !== undefined && shows(one, frame)));
    // With one session, its pages are the only ones.
    const session = found ?? (name === undefined && sessions.length === 1 ? sessions[0] : undefined);
    log.info(`${session?.name ?? name ?? 'a page'} may not reach ${url}: rule "${rule}"`);
    journal.write({
      time: now(),
      caller: session?.owner ?? NOBODY,
      ...defined({ session: session?.name ?? name }),
      door: 'egress',
      what: url,
      rule,
    });
  };
  for (const { events } of server.browsers) events.on('refused', record);
}

const shows = ({ context }: Session, frame: string): boolean =>
  [...context.tabs.values()].some(({ main }) => main?.loaders.has(frame) || main?.attached.has(frame));
