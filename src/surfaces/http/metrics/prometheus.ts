// The metrics of a server, in the form that Prometheus reads.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What is open at the moment. */
export interface Gauges {
  sessions: number;
  browsers: number;
  runningCalls: number;
  connections: number;
  protocolSessions: Readonly<Record<string, number>>;
  version: string;
}

/** Upper bounds in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Gauges without labels: name, help, and the value that they show. */
const GAUGES = [
  ['sessions', 'Browser sessions.', 'sessions'],
  ['browsers', 'Browsers that run or are attached to.', 'browsers'],
  ['running_calls', 'Calls under way over HTTP.', 'runningCalls'],
  ['http_connections', 'Open HTTP connections.', 'connections'],
] as const;

export class PrometheusMetrics {
  readonly #own = new Registry();
  /** The metrics of the process, measured from the first request for them on. */
  #process: Registry | undefined;
  readonly calls = this.#counter('calls_total', 'Calls by tool.', ['tool']);
  readonly errors = this.#counter('call_errors_total', 'Calls that failed, by code.', ['code']);
  readonly requests = this.#counter('http_requests_total', 'HTTP requests by path and status.', ['path', 'status']);
  readonly refusals = this.#counter('refusals_total', 'What rules refused, by door (http, call, egress) and rule.', [
    'door',
    'rule',
  ]);
  readonly durations = new Histogram({
    name: 'tabwright_call_duration_seconds',
    help: 'How long calls took, by tool.',
    labelNames: ['tool'],
    buckets: BUCKETS,
    registers: [this.#own],
  });
  readonly #gauges = GAUGES.map(([name, help, key]) => ({ key, gauge: this.#gauge(name, help) }));
  readonly #protocolSessions = this.#gauge(
    'protocol_sessions',
    'Sessions of clients before 2026-07-28, by transport.',
    'transport',
  );
  readonly #info = this.#gauge('info', 'The version that runs.', 'version');

  async page(values: Gauges): Promise<{ contentType: string; text: string }> {
    for (const { key, gauge } of this.#gauges) gauge.set(values[key]);
    for (const [transport, count] of Object.entries(values.protocolSessions))
      this.#protocolSessions.set({ transport }, count);
    this.#info.set({ version: values.version }, 1);
    if (!this.#process) {
      this.#process = new Registry();
      collectDefaultMetrics({ register: this.#process });
    }
    const text = `${await this.#own.metrics()}\n${await this.#process.metrics()}`;
    return { contentType: Registry.PROMETHEUS_CONTENT_TYPE, text };
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name: `tabwright_${name}`, help, labelNames, registers: [this.#own] });
  }

  #gauge<Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> {
    return new Gauge({ name: `tabwright_${name}`, help, labelNames, registers: [this.#own] });
  }
}
