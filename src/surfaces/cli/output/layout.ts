// Text laid out for a terminal: columns, lines cut or broken to its width.

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
