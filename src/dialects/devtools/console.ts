// The messages of the console, a line each: `Log> app.js:3:14: text`.
import type { ConsoleMessage, ConsoleRead } from '../../engine/console/ring.ts';
import type { Args } from '../dialect.ts';

const LEVELS: Readonly<Record<ConsoleMessage['level'], string>> = {
  log: 'Log',
  info: 'Info',
  warn: 'Warning',
  error: 'Error',
  debug: 'Debug',
};

export function consoleLines(facts: Args): string {
  const { messages = [], total = 0, dropped = 0, cleared } = facts as Partial<ConsoleRead> & { cleared?: number };
  if (cleared !== undefined) return `## Console messages\n<${cleared} console messages cleared>`;
  const missing = total - messages.length + dropped;
  return [
    '## Console messages',
    ...(missing > 0 ? [`<${missing} earlier messages are not shown>`] : []),
    ...(messages.length === 0 ? ['<no console messages found>'] : messages.map(lineOf)),
  ].join('\n');
}

/** Of an error the place stands below, with the stack. */
function lineOf({ level, text, at, column, exception, stack, count }: ConsoleMessage): string {
  const place = placeOf(at, column);
  const times = count > 1 ? ` (${count} times)` : '';
  if (level !== 'error') return `${LEVELS[level]}> ${place && `${place}: `}${text}${times}`;
  const head = exception ? '' : `${LEVELS.error}> `;
  const below = stack ?? place;
  return `${head}${text}${times}${below && `\n${below}`}`;
}

/** The file of a page without one has the name that DevTools gives it. */
function placeOf(at: string, column: number | undefined): string {
  const [, url = '', line = ''] = /^(.*?)(?::(\d+))?$/s.exec(at) ?? [];
  if (url === '') return '';
  const file = /([^/?#]*)(?:[?#].*)?$/.exec(url)?.[1] || '(index)';
  return [file, ...(line ? [line] : []), ...(line && column !== undefined ? [column] : [])].join(':');
}
