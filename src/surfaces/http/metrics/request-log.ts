// The record of each HTTP request: a line of the log, a count for /metrics, and for refused ones an entry of the journal.
import type { Log } from '../../../config/log.ts';
import { type JournalRefusal, now } from '../../../session/journal.ts';
import type { HttpLimits } from '../limits.ts';
import type { HttpRefusal } from '../refuse.ts';
import type { ServerMetrics } from './server-metrics.ts';

/** One request and how it ended. */
export interface EndedRequest {
  method: string;
  /** One of the paths that there are, or the word for all others. */
  path: string;
  status: number;
  ms: number;
  caller?: string | undefined;
  refusal?: HttpRefusal | undefined;
}

/** Where requests are recorded. */
export interface RequestOutputs {
  log: Log;
  metrics?: ServerMetrics;
  /** Keeps what is refused. */
  journal?: { write(refusal: JournalRefusal): void };
}

type Written = Pick<JournalRefusal, 'caller' | 'what' | 'rule'>;

const REST: Written = { caller: 'unknown', what: 'other requests', rule: 'several' };

/** Methods are words that the sender chooses. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export class HttpRequestLog {
  readonly #outputs: RequestOutputs;
  readonly #limits: HttpLimits;
  /** Within the running interval: what was refused, and how often it came again. */
  readonly #refused = new Map<string, { written: Written; more: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(outputs: RequestOutputs, limits: HttpLimits) {
    this.#outputs = outputs;
    this.#limits = limits;
  }

  add(ended: EndedRequest): void {
    const { method, path, status, ms, caller = 'unknown', refusal } = ended;
    const what = `${METHODS.includes(method) ? method : 'OTHER'} ${path}`;
    this.#outputs.metrics?.request(path, status);
    if (refusal) this.#refuse({ caller, what, rule: refusal.rule });
    const why = refusal ? `: ${refusal.message}` : '';
    const facts = { method, path, status, ms, caller, ...(refusal && { rule: refusal.rule }) };
    this.#outputs.log.info(`http: ${what} ${status} in ${ms} ms for ${caller}${why}`, facts);
  }

  /** Writes what is counted but not written yet. */
  close(): void {
    clearTimeout(this.#timer);
    this.#flush();
  }

  /** A flood of refusals must neither fill the disk nor push older records out of the journal. */
  #refuse(written: Written): void {
    this.#outputs.metrics?.refusal(written.rule);
    this.#timer ??= setTimeout(() => this.#flush(), this.#limits.refusalsMs).unref();
    const isFull = this.#refused.size >= this.#limits.refusalKinds;
    const key = Object.values(written).join('\0');
    const known = this.#refused.get(key) ?? (isFull ? this.#refused.get('') : undefined);
    if (known) known.more++;
    else if (isFull) this.#refused.set('', { written: REST, more: 1 });
    else {
      this.#refused.set(key, { written, more: 0 });
      this.#write(written);
    }
  }

  #flush(): void {
    this.#timer = undefined;
    for (const { written, more } of this.#refused.values()) if (more > 0) this.#write({ ...written, times: more });
    this.#refused.clear();
  }

  #write(written: Written & Pick<JournalRefusal, 'times'>): void {
    this.#outputs.journal?.write({ time: now(), door: 'http', ...written });
  }
}
