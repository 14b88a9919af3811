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
