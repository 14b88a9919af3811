// The log: what the person who runs Tabwright reads on stderr, one line per message.

export const LEVELS = ['error', 'warn', 'info', 'debug'] as const;
/** Lines for people, or one JSON object per line for programs that collect logs. */
export const LOG_FORMATS = ['text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];
export type Level = (typeof LEVELS)[number];

/** Facts stand beside the message in JSON lines; the message says them too. */
export type Log = Record<Level, (line: string, facts?: Readonly<Record<string, unknown>>) => void>;

/** Writes messages of this level and of those before it. */
export function makeLog(level: Level, write: (line: string) => void = toStderr, format: LogFormat = 'text'): Log {
  const last = LEVELS.indexOf(level);
  const at =
    (messageLevel: Level): Log[Level] =>
    (line, facts) => {
      if (LEVELS.indexOf(messageLevel) <= last) write(`${FORMS[format](messageLevel, oneLine(line), facts)}\n`);
    };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

/** A log whose messages and facts pass through the filter first. */
export function filteredLog(log: Log, filter: <T>(value: T) => T): Log {
  const entries = LEVELS.map((level): [Level, Log[Level]] => [
    level,
    (line, facts) => log[level](filter(line), facts && filter(facts)),
  ]);
  return Object.fromEntries(entries) as Log;
}

const FORMS: Record<LogFormat, (level: Level, message: string, facts?: object) => string> = {
  text: (level, message) => `[${level}] ${message}`,
  json: (level, message, facts) => JSON.stringify({ time: new Date().toISOString(), level, message, ...facts }),
};

const toStderr = (line: string): void => void process.stderr.write(line);

const oneLine = (text: string): string => text.trimEnd().replace(/\s*[\r\n]+\s*/g, ' | ');
