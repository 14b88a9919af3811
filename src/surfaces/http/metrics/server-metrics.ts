// Counts calls, requests and refusals for /metrics. prom-client is loaded with the first of them, not at the start.
import type { JournalRecord, JournalRefusal } from '../../../session/journal.ts';
import { LISTED } from '../../listing/listed.ts';
import { RULES } from '../refuse.ts';
import type { Gauges, PrometheusMetrics } from './prometheus.ts';

/** Names that callers or files choose are bounded, in number and length. */
const MAX_NAMES = 100;
const MAX_NAME = 60;
const OTHER = 'other';

/** The codes of calls that a rule stopped. */
const REFUSED: readonly (string | undefined)[] = ['refused', 'not_approved', 'rate_limited'];

export class ServerMetrics {
  readonly #tools = new Set(LISTED.map(({ tool }) => tool.name));
  readonly #rules = new Set<string>(Object.keys(RULES));
  #loading: Promise<PrometheusMetrics> | undefined;

  /** Follows the journal, except for refused HTTP requests: not all of them are written there, see `refusal`. */
  readonly record = (record: JournalRecord | JournalRefusal): void => {
    if (!('door' in record)) this.#recordCall(record);
    else if (record.door !== 'http') this.#recordRefusal(record.door, record.rule);
  };

  request(path: string, status: number): void {
    this.#count(({ requests }) => requests.inc({ path, status: String(status) }));
  }

  /** An HTTP request that was refused. */
  refusal(rule: string): void {
    this.#recordRefusal('http', rule);
  }

  async page(gauges: Gauges): Promise<{ contentType: string; text: string }> {
    return (await this.#load()).page(gauges);
  }

  #recordCall({ tool: name, ok, code, rule, ms }: JournalRecord): void {
    const tool = this.#tools.has(name) ? name : 'unknown';
    this.#count(({ calls, errors, durations }) => {
      calls.inc({ tool });
      durations.observe({ tool }, ms / 1_000);
      if (!ok) errors.inc({ code: code ?? 'internal' });
    });
    if (REFUSED.includes(code)) this.#recordRefusal('call', rule ?? code ?? OTHER);
  }

  #recordRefusal(door: string, rule: string): void {
    const name = rule.slice(0, MAX_NAME);
    if (this.#rules.size < MAX_NAMES) this.#rules.add(name);
    const labels = { door, rule: this.#rules.has(name) ? name : OTHER };
    this.#count(({ refusals }) => refusals.inc(labels));
  }

  #count(add: (metrics: PrometheusMetrics) => void): void {
    void this.#load().then(add);
  }

  #load(): Promise<PrometheusMetrics> {
    this.#loading ??= import('./prometheus.ts').then(({ PrometheusMetrics }) => new PrometheusMetrics());
    return this.#loading;
  }
}
