// Compares medians: the ratio of Tabwright to the best peer, and whether the target is met.
import { defined } from '../src/defined.ts';
import { type MetricKey, metricKeys, metricOf, type Target, type TaskName } from './metrics.ts';
import { RAW_CDP, type Server } from './servers.ts';
import type { Tally } from './tally.ts';

export interface Cell {
  server: string;
  /** Absent when the server cannot do it, or failed to. */
  value?: number;
  failed: boolean;
}

export interface Line {
  metric: MetricKey;
  /** Tabwright first, then the peers. */
  cells: Cell[];
  best?: number;
  ratio?: number;
  /** What else Tabwright is compared with, and how many times that it takes. */
  references: (Cell & { ratio?: number })[];
  verdict?: 'pass' | 'miss';
}

export type Medians = Pick<Tally, 'median' | 'failed'>;

/** The best of the peers that the target names. */
function bestOf(metric: MetricKey, peers: readonly Server[], cells: readonly Cell[]): number | undefined {
  const { target, better } = metricOf(metric);
  if (better === 'neither') return undefined;
  const nodeOnly = target !== undefined && 'of' in target && target.of === 'node';
  const values = peers
    .filter(peer => !nodeOnly || peer.runtime === 'node')
    .map(peer => cells.find(cell => cell.server === peer.name)?.value)
    .filter(value => value !== undefined);
  if (values.length === 0) return undefined;
  return better === 'more' ? Math.max(...values) : Math.min(...values);
}

/** Of what was measured: without peers the verdict is about Chrome itself alone. */
function verdictOf(
  target: Target | undefined,
  own: number | undefined,
  ratio: number | undefined,
  raw: number | undefined,
): Line['verdict'] {
  if (target === undefined || own === undefined) return undefined;
  if ('most' in target) return own <= target.most ? 'pass' : 'miss';
  const met = [
    ...(ratio === undefined ? [] : [ratio <= target.ratio]),
    ...(raw === undefined || target.raw === undefined ? [] : [raw <= target.raw]),
  ];
  if (met.length === 0) return undefined;
  return met.includes(false) ? 'miss' : 'pass';
}

/** What a server measured before it failed does not count. */
function cellOf(server: string, metric: MetricKey, tally: Medians): Cell {
  const failed = tally.failed(server, metricOf(metric).task);
  const value = failed ? undefined : tally.median(server, metric);
  return { server, failed, ...(value !== undefined && { value }) };
}

function referenceOf(
  { name }: Server,
  metric: MetricKey,
  own: number | undefined,
  tally: Medians,
): Line['references'][number] {
  const cell = cellOf(name, metric, tally);
  const ratio = own !== undefined && cell.value ? own / cell.value : undefined;
  return { ...cell, ...defined({ ratio }) };
}

function line(metric: MetricKey, { own, peers, references = [] }: Compared, tally: Medians): Line {
  const cells = [own, ...peers].map(({ name }) => cellOf(name, metric, tally));
  const value = cells[0]?.value;
  const best = bestOf(metric, peers, cells);
  const ratio = value !== undefined && best ? value / best : undefined;
  const compared = references.map(reference => referenceOf(reference, metric, value, tally));
  const raw = compared.find(({ server }) => server === RAW_CDP.name)?.ratio;
  const verdict = verdictOf(metricOf(metric).target, value, ratio, raw);
  return {
    metric,
    cells,
    references: compared,
    ...(best !== undefined && { best }),
    ...(ratio !== undefined && { ratio }),
    ...(verdict && { verdict }),
  };
}

/** References are no peers: the browser itself, another version. */
export interface Compared {
  own: Server;
  peers: readonly Server[];
  references?: readonly Server[];
}

export const judge = (compared: Compared, tally: Medians, only: readonly TaskName[]): Line[] =>
  metricKeys.filter(metric => only.includes(metricOf(metric).task)).map(metric => line(metric, compared, tally));
