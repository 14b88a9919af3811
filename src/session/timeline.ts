// The timeline: the latest calls of this process with what they answered, for people who follow them. Bounded in number and size.
import { EventEmitter } from 'node:events';
import type { Failure } from '../errors.ts';

export interface TimelineEntry {
  /** Grows. */
  id: number;
  /** The key of the session. */
  session: string;
  tab?: number;
  caller: string;
  tool: string;
  /** What it acts on, in words. */
  target: string;
  /** Secrets and typed text already masked. */
  args: unknown;
  /** In ms since 1970. */
  began: number;
  ms?: number;
  text?: string;
  failure?: Pick<Failure, 'code' | 'message' | 'hint'>;
  /** Where the page was when it had ended. */
  url?: string;
  /** Pictures that were taken while somebody watched, by their ids. */
  before?: string;
  after?: string;
}

/** What the agent was told of a page last. */
export interface ToldSnapshot {
  text: string;
  /** In ms since 1970. */
  time: number;
}

const MOST_CALLS = 2_000;
const MOST_CHARS = 8_000_000;
/** Of one answer. */
const LONGEST = 4_000;
const MOST_SNAPSHOTS = 100;
const LONGEST_SNAPSHOT = 200_000;

type Begun = Omit<TimelineEntry, 'id' | 'target' | 'ms' | 'text' | 'failure' | 'url'>;
type Ended = Pick<TimelineEntry, 'ms' | 'text' | 'failure' | 'url'>;

export class Timeline extends EventEmitter<{ call: [entry: TimelineEntry] }> {
  /** By id, oldest first. */
  readonly #calls = new Map<number, TimelineEntry>();
  readonly #snapshots = new Map<string, ToldSnapshot>();
  #chars = 0;
  #last = 0;

  constructor() {
    super();
    // One for each person who watches; they have their own limit.
    this.setMaxListeners(0);
  }

  begin(begun: Begun): TimelineEntry {
    const entry = { ...begun, id: ++this.#last, target: this.#targetOf(begun) };
    this.#calls.set(entry.id, entry);
    this.#chars += sizeOf(entry);
    this.#forget();
    this.emit('call', entry);
    return entry;
  }

  end(entry: TimelineEntry, ended: Ended): void {
    const { text = '' } = ended;
    const { session, tab, tool } = entry;
    if (tool === 'snapshot' && tab !== undefined && !ended.failure) this.#keepSnapshot(session, tab, text);
    const before = sizeOf(entry);
    Object.assign(entry, ended, { text: text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text });
    if (this.#calls.has(entry.id)) this.#chars += sizeOf(entry) - before;
    this.emit('call', entry);
  }

  /** Those of a session that are older than the given one, newest last. */
  of(session: string, before = Number.POSITIVE_INFINITY, isWanted: (entry: TimelineEntry) => boolean = () => true) {
    return [...this.#calls.values()].filter(one => one.session === session && one.id < before && isWanted(one));
  }

  /** The latest snapshot of a tab that a call was answered with. */
  snapshotOf(session: string, tab: number): ToldSnapshot | undefined {
    return this.#snapshots.get(keyOf(session, tab));
  }

  #keepSnapshot(session: string, tab: number, text: string): void {
    const key = keyOf(session, tab);
    this.#snapshots.delete(key);
    this.#snapshots.set(key, { text: text.slice(0, LONGEST_SNAPSHOT), time: Date.now() });
    const [oldest] = this.#snapshots.keys();
    if (this.#snapshots.size > MOST_SNAPSHOTS && oldest !== undefined) this.#snapshots.delete(oldest);
  }

  /** A ref says nothing to a person; the line of the snapshot that it comes from does. */
  #targetOf({ session, tab, args }: Begun): string {
    const { selector, url, from, name, text: words, calls } = Object(args) as Record<string, unknown>;
    const given = [selector, url, from, name, words].find(one => typeof one === 'string');
    if (Array.isArray(calls)) return `${calls.length} calls`;
    if (typeof given !== 'string') return '';
    const text = tab === undefined ? undefined : this.snapshotOf(session, tab)?.text;
    const at = /^@e\d+$/.test(given) ? (text?.indexOf(`[ref=${given}]`) ?? -1) : -1;
    if (!text || at < 0) return given.slice(0, LONGEST_TARGET);
    const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
    return line
      .replace(/^[\s-]+/, '')
      .trim()
      .slice(0, LONGEST_TARGET);
  }

  #forget(): void {
    for (const [id, entry] of this.#calls) {
      if (this.#calls.size <= MOST_CALLS && this.#chars <= MOST_CHARS) return;
      this.#calls.delete(id);
      this.#chars -= sizeOf(entry);
    }
  }
}

const LONGEST_TARGET = 200;

const keyOf = (session: string, tab: number): string => `${tab} ${session}`;

/** About how many characters an entry keeps. */
const sizeOf = ({ args, text = '' }: TimelineEntry): number => 300 + text.length + JSON.stringify(args ?? null).length;
