// /metrics: the counts in the form that Prometheus reads, with those of the process. Loaded when somebody asks.
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import { BUCKETS, type Counts, type Spread } from './counts.ts';

/** What is true right now. */
export interface Gauges {
  sessions: number;
  browsers: number;
  runningCalls: number;
  connections: number;
  protocolSessions: Readonly<Record<string, number>>;
}

interface Value {
  labels: Readonly<Record<string, string | number>>;
  value: number;
  metricName?: string;
}

interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  aggregator: 'sum';
  values: Value[];
}

const ofProcess = new Registry();
collectDefaultMetrics({ register: ofProcess });

export const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export async function page(counts: Counts, gauges: Gauges, version: string): Promise<string> {
  const own = AggregatorRegistry.aggregate([[...countersOf(counts), durations(counts), ...gaugesOf(gauges, version)]]);
  return `${await own.metrics()}\n${await ofProcess.metrics()}`;
}

const metric = (type: Metric['type'], name: string, help: string, values: Value[]): Metric => ({
  name: `tabwright_${name}`,
  help,
  type,
  aggregator: 'sum',
  values,
});

const countersOf = ({ calls, errors, requests, refusals }: Counts): Metric[] => [
  metric('counter', 'calls_total', 'Calls by tool.', calls.rows()),
  metric('counter', 'call_errors_total', 'Calls that failed, by code.', errors.rows()),
  metric('counter', 'http_requests_total', 'HTTP requests by path and status.', requests.rows()),
  metric('counter', 'refusals_total', 'What rules refused, by door (http, call, egress) and rule.', refusals.rows()),
];

function gaugesOf({ protocolSessions, ...gauges }: Gauges, version: string): Metric[] {
  const gauge = (name: string, help: string, value: number) => metric('gauge', name, help, [{ labels: {}, value }]);
  return [
    gauge('sessions', 'Browser sessions.', gauges.sessions),
    gauge('browsers', 'Browsers that run or are attached to.', gauges.browsers),
    gauge('running_calls', 'Calls under way over HTTP.', gauges.runningCalls),
    gauge('http_connections', 'Open HTTP connections.', gauges.connections),
    metric(
      'gauge',
      'protocol_sessions',
      'Sessions of clients before 2026-07-28, by transport.',
      Object.entries(protocolSessions).map(([transport, value]) => ({ labels: { transport }, value })),
    ),
    metric('gauge', 'info', 'The version that runs.', [{ labels: { version }, value: 1 }]),
  ];
}

const DURATION = 'call_duration_seconds';

const durations = ({ durations }: Counts): Metric =>
  metric(
    'histogram',
    DURATION,
    'How long calls took, by tool.',
    [...durations].flatMap(([tool, spread]) => histogram(tool, spread)),
  );

/** Each bucket counts those below it too. */
function histogram(tool: string, { within, count, sum }: Spread): Value[] {
  const name = (part: string) => `tabwright_${DURATION}_${part}`;
  let total = 0;
  const buckets = BUCKETS.map((le, index) => {
    total += within[index] ?? 0;
    return { labels: { le, tool }, value: total, metricName: name('bucket') };
  });
  return [
    ...buckets,
    { labels: { le: '+Inf', tool }, value: count, metricName: name('bucket') },
    { labels: { tool }, value: sum, metricName: name('sum') },
    { labels: { tool }, value: count, metricName: name('count') },
  ];
}
