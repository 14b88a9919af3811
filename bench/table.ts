// The table of results, for the terminal and for Markdown.
import type { Cell, Line } from './judge.ts';
import { metricOf, type Target } from './metrics.ts';

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Two digits at least, thousands grouped. */
export const shownValue = (value: number): string =>
  value < 10 && value % 1 !== 0 ? value.toFixed(1) : grouped.format(value);

const shownCell = ({ value, failed }: Cell): string => {
  if (failed) return 'FAILED';
  return value === undefined ? 'n/a' : shownValue(value);
};

function shownTarget(target: Target | undefined): string {
  if (target === undefined) return '';
  if ('most' in target) return `≤ ${shownValue(target.most)}`;
  const peer = `≤ ${target.ratio} ×${target.of === 'node' ? ' Node' : ''}`;
  return target.raw === undefined ? peer : `${peer}, ≤ ${target.raw} × raw`;
}

const shownRatio = (ratio: number | undefined): string => ratio?.toFixed(2) ?? '';

export type Row = string[];

/** The rows of the table, the heading first. */
export function tableRows(lines: readonly Line[]): Row[] {
  const names = lines[0]?.cells.map(cell => cell.server) ?? [];
  const alone = names.length < 2;
  const references = lines[0]?.references.flatMap(({ server }) => [server, `× ${server}`]) ?? [];
  const heading = ['', 'unit', ...names, ...(alone ? [] : ['× best peer']), ...references, 'target', ''];
  const body = lines.map(({ metric, cells, ratio, verdict, references }) => {
    const { label, unit, target } = metricOf(metric);
    return [
      label,
      unit,
      ...cells.map(shownCell),
      ...(alone ? [] : [shownRatio(ratio)]),
      ...references.flatMap(cell => [shownCell(cell), shownRatio(cell.ratio)]),
      verdict || !alone ? shownTarget(target) : '',
      verdict ?? '',
    ];
  });
  return [heading, ...body];
}

/** Left-aligned: what a row is called, its unit and the verdict. */
const isText = (column: number, columns: number): boolean => column < 2 || column === columns - 1;

export function terminalTable(rows: readonly Row[]): string {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, at) => Math.max(...rows.map(row => row[at]?.length ?? 0)));
  const pad = (text: string, at: number) =>
    isText(at, columns) ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0);
  return rows.map(row => row.map(pad).join('  ').trimEnd()).join('\n');
}

export function markdownTable([heading = [], ...body]: readonly Row[]): string {
  const rule = heading.map((_, at) => (isText(at, heading.length) ? '---' : '---:'));
  return [heading, rule, ...body].map(row => `| ${row.join(' | ')} |`).join('\n');
}
