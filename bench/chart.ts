// Draws the results as an SVG: a group of bars per row, as long as the value is relative to the best peer.
import type { Line } from './judge.ts';
import { metricOf } from './metrics.ts';
import { shownValue } from './table.ts';

const WIDTH = 860;
const MARGIN = 20;
const LABELS = 250;
const VALUES = 130;
const BAR = 10;
const GAP = 3;
const GROUP_GAP = 12;
/** Two lines of text. */
const LEAST_HEIGHT = 28;
/** About as wide as a letter. */
const LETTER = 7;
const HEAD = 92;
/** Longer bars are cut here and marked. */
const MOST = 4;
const UNIT = (WIDTH - LABELS - VALUES - MARGIN) / MOST;

/** Of the servers in their order, on light and dark ground. */
const COLOURS = [
  { light: '#0b6e4f', dark: '#3ddc97' },
  { light: '#52606d', dark: '#cbd2d9' },
  { light: '#8a97a5', dark: '#8a97a5' },
  { light: '#c3ccd5', dark: '#52606d' },
];

const style = (): string => {
  const bars = (mode: 'light' | 'dark') => COLOURS.map((colour, at) => `.s${at}{fill:${colour[mode]}}`).join('');
  return `<style>
text{font:12px system-ui,sans-serif;fill:#1f2933}.title{font-size:16px;font-weight:600}.soft{fill:#616e7c}.own{font-weight:600}.value{font-size:10px}
.line{stroke:#616e7c;stroke-dasharray:3 3;opacity:.6}.cut{stroke:#fff;stroke-width:3}.ground{fill:#fff}${bars('light')}
@media (prefers-color-scheme:dark){text{fill:#e4e7eb}.soft{fill:#9aa5b1}.line{stroke:#9aa5b1}.cut{stroke:#0d1117}.ground{fill:#0d1117}${bars('dark')}}
</style>`;
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const text = (x: number, y: number, words: string, kind = ''): string =>
  `<text x="${x}" y="${y}"${kind && ` class="${kind}"`}>${escaped(words)}</text>`;

function bar(x: number, y: number, share: number, kind: string): string {
  const length = Math.max(1, Math.min(share, MOST) * UNIT).toFixed(1);
  const cut = share > MOST ? `<path class="cut" d="M${x + MOST * UNIT - 16} ${y + BAR + 2}l8 -${BAR + 4}"/>` : '';
  return `<rect class="${kind}" x="${x}" y="${y}" width="${length}" height="${BAR}" rx="2"/>${cut}`;
}

interface Group {
  height: number;
  svg: string;
}

function group({ metric, cells, best, ratio }: Line, top: number): Group {
  const { label, unit } = metricOf(metric);
  const shown = cells.flatMap((cell, at) => (cell.value === undefined ? [] : [{ value: cell.value, at }]));
  const bars = shown.map(({ value, at }, index) => {
    const y = top + index * (BAR + GAP);
    const share = best ? value / best : 0;
    const end = LABELS + Math.min(share, MOST) * UNIT + 6;
    return (
      bar(LABELS, y, share, `s${at}`) + text(end, y + BAR - 2, shownValue(value), at === 0 ? 'value own' : 'value')
    );
  });
  const height = Math.max(LEAST_HEIGHT, shown.length * (BAR + GAP));
  const middle = top + height / 2;
  const compared = ratio === undefined ? '' : ` · ${ratio.toFixed(2)} ×`;
  return {
    height,
    svg: text(MARGIN, middle - 3, label) + text(MARGIN, middle + 12, `${unit}${compared}`, 'soft') + bars.join(''),
  };
}

function legend(names: readonly string[]): string {
  let x = MARGIN;
  return names
    .map((name, at) => {
      const mark = `<rect class="s${at}" x="${x}" y="63" width="${BAR}" height="${BAR}" rx="2"/>`;
      const words = text(x + BAR + 6, 72, name, at === 0 ? 'own' : '');
      x += BAR + 30 + name.length * LETTER;
      return mark + words;
    })
    .join('');
}

/** Rows without a peer to compare with are left out. */
export function chart(lines: readonly Line[], date: string): string {
  const names = lines[0]?.cells.map(cell => cell.server) ?? [];
  let y = HEAD;
  const groups: string[] = [];
  for (const line of lines) {
    if (!line.best) continue;
    const { height, svg } = group(line, y);
    groups.push(svg);
    y += height + GROUP_GAP;
  }
  const one = LABELS + UNIT;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + MARGIN}" width="${WIDTH}" height="${y + MARGIN}" role="img" aria-label="Benchmark of ${escaped(names.join(', '))}">
${style()}
<rect class="ground" width="100%" height="100%" rx="8"/>
${text(MARGIN, 32, 'Tabwright and its peers', 'title')}
${text(MARGIN, 50, `${date} · medians · the dashed line is the best peer (for tools/list: on Node) · shorter is better, but for calls/s longer`, 'soft')}
${legend(names)}
<path class="line" d="M${one} ${HEAD - 8}V${y - GROUP_GAP + 4}"/>
${groups.join('\n')}
</svg>
`;
}
