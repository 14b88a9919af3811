// The log: what the person who runs Tabwright reads on stderr, one line per message.

export const LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type Level = (typeof LEVELS)[number];

export type Log = Record<Level, (line: string) => void>;

/** Writes messages of this level and of those before it. */
export function makeLog(level: Level, write: (line: string) => void = toStderr): Log {
  const last = LEVELS.indexOf(level);
  const at = (own: Level) => (line: string) => {
    if (LEVELS.indexOf(own) <= last) write(`[${own}] ${oneLine(line)}\n`);
  };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

const toStderr = (line: string): void => void process.stderr.write(line);

const oneLine = (text: string): string => text.trimEnd().replace(/\s*[\r\n]+\s*/g, ' | ');
