// Text on a terminal: lines, JSON, columns, and colours, which are off elsewhere unless NO_COLOR or FORCE_COLOR says otherwise.

const STYLES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

type Style = keyof typeof STYLES;

export type Paint = Readonly<Record<Style, (text: string) => string>>;

type Env = Readonly<Record<string, string | undefined>>;

/** How to write in colour on this stream; plain where colours would be noise. */
export function paint(stream: { isTTY?: boolean | undefined }, env: Env = process.env): Paint {
  const on = coloured(stream, env);
  const styles = Object.entries(STYLES).map(([style, [start, end]]) => [
    style,
    (text: string) => (on ? `\u001b[${start}m${text}\u001b[${end}m` : text),
  ]);
  return Object.fromEntries(styles) as Paint;
}

/** FORCE_COLOR=0 is a no; NO_COLOR with any text is a no; FORCE_COLOR is stronger. */
function coloured(stream: { isTTY?: boolean | undefined }, env: Env): boolean {
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.NO_COLOR) return false;
  return stream.isTTY === true && env.TERM !== 'dumb';
}

export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** For people, beside a result on stdout that a script may take. */
export const printError = (text: string): void => void process.stderr.write(`${text}\n`);

export const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** Rows in aligned columns, two spaces apart; `last` paints the cells of the last column. */
export function columns(rows: readonly (readonly string[])[], last: (cell: string) => string = cell => cell): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map(row => row[at]?.length ?? 0)));
  const cell = (text: string, at: number) => (at === widths.length - 1 ? last(text) : text.padEnd(widths[at] ?? 0));
  return rows.map(row => row.map(cell).join('  ')).join('\n');
}

/** Width where there is no terminal to ask. */
const PAGE = 100;

export const widthOf = ({ columns }: { columns?: number }): number => Math.max(40, columns || PAGE);

/** On one line of at most that many characters. */
export const cut = (line: string, width: number): string =>
  line.length > width ? `${line.slice(0, width - 1).trimEnd()}…` : line;

/** Breaks at spaces behind the lead, which the further lines keep free. A word that is too long stays whole. */
export function wrap(text: string, width: number, lead = ''): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && lead.length + longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lead + lines.join(`\n${' '.repeat(lead.length)}`);
}
