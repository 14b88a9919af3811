// Counts: what happened since the start, as plain numbers. What shows them is loaded when somebody asks.
import type { JournalRecord, JournalRefusal } from '../../../session/journal.ts';
import { LISTED } from '../../listing/listed.ts';
import { RULES } from '../refuse.ts';

/** Upper bounds in seconds. */
export const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Names that callers or files choose are bounded, in number and length. */
const MOST_NAMES = 100;
const LONGEST_NAME = 60;
const REST = 'other';

/** Calls that a rule stopped. */
const REFUSING: readonly (string | undefined)[] = ['refused', 'not_approved', 'rate_limited'];

export class Tally {
  readonly #counts = new Map<string, { labels: Readonly<Record<string, string>>; count: number }>();

  add(labels: Readonly<Record<string, string>>, by = 1): void {
    const key = Object.values(labels).join('\0');
    const found = this.#counts.get(key);
    if (found) found.count += by;
    else this.#counts.set(key, { labels, count: by });
  }

  rows(): { labels: Readonly<Record<string, string>>; value: number }[] {
    return [...this.#counts.values()].map(({ labels, count }) => ({ labels, value: count }));
  }
}

/** How long the calls of one tool took. */
export interface Spread {
  /** How many stayed within each bound, but not within the one before. */
  within: number[];
  count: number;
  sum: number;
}

export class Counts {
  readonly calls = new Tally();
  readonly errors = new Tally();
  readonly requests = new Tally();
  readonly refusals = new Tally();
  readonly durations = new Map<string, Spread>();
  readonly #tools = new Set(LISTED.map(({ tool }) => tool.name));
  readonly #rules = new Set<string>(Object.keys(RULES));

  /** Follows the journal. What the door itself refuses is counted there: not all of it is written. */
  readonly record = (record: JournalRecord | JournalRefusal): void => {
    if (!('door' in record)) this.#call(record);
    else if (record.door !== 'http') this.#refused(record.door, record.rule);
  };

  request(path: string, status: number): void {
    this.requests.add({ path, status: String(status) });
  }

  refusedAtDoor(rule: string): void {
    this.#refused('http', rule);
  }

  #call({ tool: name, ok, code, rule, ms }: JournalRecord): void {
    const tool = this.#tools.has(name) ? name : 'unknown';
    this.calls.add({ tool });
    this.#time(tool, ms / 1_000);
    if (!ok) this.errors.add({ code: code ?? 'internal' });
    if (REFUSING.includes(code)) this.#refused('call', rule ?? code ?? REST);
  }

  #refused(door: string, rule: string): void {
    const name = rule.slice(0, LONGEST_NAME);
    if (this.#rules.size < MOST_NAMES) this.#rules.add(name);
    this.refusals.add({ door, rule: this.#rules.has(name) ? name : REST });
  }

  #time(tool: string, seconds: number): void {
    const spread = this.durations.get(tool) ?? { within: BUCKETS.map(() => 0), count: 0, sum: 0 };
    this.durations.set(tool, spread);
    spread.count++;
    spread.sum += seconds;
    const bucket = BUCKETS.findIndex(bound => seconds <= bound);
    if (bucket >= 0) spread.within[bucket] = (spread.within[bucket] ?? 0) + 1;
  }
}
