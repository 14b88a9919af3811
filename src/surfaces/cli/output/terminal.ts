// Colours for people: only on a terminal, unless NO_COLOR or FORCE_COLOR says otherwise.

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
