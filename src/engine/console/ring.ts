// The console of a tab, and of all tabs of a session together: messages and exceptions, always recorded, in a ring with bounds.
import type { Protocol } from 'devtools-protocol';
import { ellipsis } from '../../ellipsis.ts';
import { Failure } from '../../errors.ts';
import { redact } from '../../policy/mask.ts';
import { compileRegex, regexLiteral, search } from '../../policy/safe-regex.ts';
import type { UrlJudge } from '../limits.ts';
import type { CdpSession } from '../page/cdp-session.ts';
import { argumentsText, calledAt, columnAt, exceptionText, LONGEST, placeText } from './format.ts';

export const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;
type ConsoleLevel = (typeof LEVELS)[number];

export interface ConsoleMessage {
  level: ConsoleLevel;
  text: string;
  /** `url:line`. */
  at: string;
  column?: number;
  /** Nobody caught it. */
  exception?: true;
  stack?: string;
  /** So many times in a row. */
  count: number;
}

interface RecordedMessage extends ConsoleMessage {
  /** By the page's clock: messages of frames in other processes arrive late. */
  time: number;
  /** The url of the page that was shown. */
  page: string;
}

type NewMessage = Omit<RecordedMessage, 'count' | 'page'>;

export interface ConsoleFilter {
  level?: ConsoleLevel[] | undefined;
  pattern?: string | undefined;
  include_exceptions: boolean;
  max_messages: number;
  /** Only messages of the page that is shown now. */
  since_navigation?: boolean;
}

export interface ConsoleRead {
  /** The latest, oldest first. */
  messages: ConsoleMessage[];
  /** All that the filter lets through. */
  total: number;
  /** Older ones for which there was no more room. */
  dropped: number;
}

const MOST_MESSAGES = 1_000;
const MOST_CHARS = 500_000;
/** For a pattern over all messages. */
const SEARCH_MS = 250;
/** What a line has beside its text. */
const MARKS = 30;

export class ConsoleRing {
  #messages: RecordedMessage[] = [];
  #chars = 0;
  #dropped = 0;
  /** Messages before this index are not of the buffer that was started. */
  #start = 0;
  /** Messages before this index are of earlier pages. */
  #page = 0;
  #url = '';
  isBuffering = false;
  /** Called when there is more to read. */
  added: () => void = () => undefined;
  readonly #all: ConsoleRing | undefined;

  /** With the ring of all tabs, which gets each message, too. */
  constructor(all?: ConsoleRing) {
    this.#all = all;
  }

  add(given: NewMessage): void {
    const message = { ...given, page: this.#url };
    for (const ring of this.#all ? [this, this.#all] : [this]) {
      ring.#put(message);
      ring.added();
    }
  }

  #put(message: Omit<RecordedMessage, 'count'>): void {
    const last = this.#messages.length > Math.max(this.#start, this.#page) ? this.#messages.at(-1) : undefined;
    if (last && isSame(last, message)) {
      last.count++;
      return;
    }
    this.#messages.push({ ...message, count: 1 });
    this.#chars += sizeOf(message);
    while (this.#messages.length > MOST_MESSAGES || this.#chars > MOST_CHARS) this.#drop();
  }

  /** No more of the latest than fit into so many characters. */
  read(
    { level, pattern, include_exceptions, max_messages, since_navigation }: ConsoleFilter,
    chars: number,
    judge?: UrlJudge,
  ): ConsoleRead {
    const messages = this.#messages
      .slice(since_navigation ? Math.max(this.#start, this.#page) : this.#start)
      .filter(message => level?.includes(message.level) ?? true)
      .filter(message => include_exceptions || !message.exception)
      .sort((a, b) => a.time - b.time);
    const matches = pattern === undefined ? undefined : matchesOf(pattern, messages.map(searchedText));
    const found = matches ? messages.filter((_, index) => matches[index]) : messages;
    judge?.check([...new Set(found.map(({ page }) => page))]);
    let room = chars;
    const tooMany = found.slice(-max_messages).findLastIndex(message => {
      room -= sizeOf(message) + MARKS;
      return room < 0;
    });
    return {
      messages: found
        .slice(-max_messages)
        .slice(tooMany + 1)
        .map(shown),
      total: found.length,
      dropped: this.#dropped,
    };
  }

  /** To ask later what came after it. */
  latest(): ConsoleMessage | undefined {
    return this.#messages.at(-1);
  }

  /** Errors that came after that message and did not come before, without exceptions and what could not be loaded. */
  errorsAfter(mark: ConsoleMessage | undefined): string[] {
    const at = mark ? this.#messages.lastIndexOf(mark as RecordedMessage) + 1 : 0;
    const before = new Set(this.#messages.slice(0, at).map(({ text }) => text));
    return this.#messages
      .slice(at)
      .filter(({ level, exception, text }) => level === 'error' && !exception && !before.has(text))
      .filter(({ text }) => !text.startsWith('Failed to load resource'))
      .map(({ text }) => redact(text));
  }

  /** Gives how many there were. */
  clear(): number {
    const count = this.#messages.length;
    this.#messages = [];
    this.#chars = this.#dropped = this.#start = this.#page = 0;
    return count;
  }

  /** From now on only later messages are read; the earlier ones can be read again after stopBuffer(). */
  startBuffer(): void {
    this.isBuffering = true;
    this.#start = this.#messages.length;
    this.#dropped = 0;
  }

  /** Another page is shown from now on. */
  navigated(url: string): void {
    this.#url = url;
    this.#page = this.#messages.length;
  }

  stopBuffer(): void {
    this.isBuffering = false;
    this.#start = 0;
  }

  #drop(): void {
    const dropped = this.#messages.shift();
    this.#chars -= dropped ? sizeOf(dropped) : 0;
    // A message from before the buffer is not missed by who reads the buffer.
    if (this.#start > 0) this.#start--;
    else this.#dropped++;
    this.#page = Math.max(0, this.#page - 1);
  }
}

const isSame = (one: Omit<RecordedMessage, 'count'>, other: typeof one): boolean =>
  one.text === other.text && one.level === other.level && one.at === other.at && one.page === other.page;

const searchedText = ({ text, stack }: Pick<ConsoleMessage, 'text' | 'stack'>): string =>
  stack === undefined ? text : `${text}\n${stack}`;

const sizeOf = (message: Pick<ConsoleMessage, 'text' | 'stack' | 'at'>): number =>
  searchedText(message).length + message.at.length;

const shown = ({ time, page, ...message }: RecordedMessage): ConsoleMessage => ({
  ...message,
  text: redact(message.text),
});

/** Which of the texts the pattern matches: `error|warn`, or with flags `/error/i`. */
function matchesOf(pattern: string, texts: readonly string[]): unknown[] {
  const quoted = JSON.stringify(pattern.slice(0, 100));
  const { source, flags } = regexLiteral(pattern) ?? { source: pattern, flags: '' };
  const repair = 'Mend it: signs such as ( [ { * + ? need a backslash to be taken as they are.';
  const regex = compileRegex(() => new RegExp(source, flags), quoted, repair);
  try {
    return search([regex], texts, SEARCH_MS)[0] ?? [];
  } catch (cause) {
    const hint = 'Write a simpler one, without repetitions inside repetitions.';
    throw new Failure('bad_input', `The pattern ${quoted} takes too long.`, hint, { cause });
  }
}

/** The level of each console call; calls that are not here write no message (console.clear, console.groupEnd). */
const LEVEL_OF: Readonly<Record<string, ConsoleLevel>> = {
  log: 'log',
  info: 'info',
  warning: 'warn',
  error: 'error',
  debug: 'debug',
  assert: 'error',
  trace: 'log',
  dir: 'log',
  dirxml: 'log',
  table: 'log',
  count: 'log',
  timeEnd: 'log',
  startGroup: 'log',
  startGroupCollapsed: 'log',
};

/** The browser's own entries: requests that failed, refused contents, and all messages of workers. */
const ENTRY_LEVEL: Readonly<Record<Protocol.Log.LogEntry['level'], ConsoleLevel>> = {
  verbose: 'debug',
  info: 'info',
  warning: 'warn',
  error: 'error',
};

export function listenConsole(cdp: CdpSession, ring: ConsoleRing): void {
  cdp.on('Runtime.consoleAPICalled', ({ type, args, stackTrace, timestamp }) => {
    const level = LEVEL_OF[type];
    const head = type === 'assert' ? 'Assertion failed: ' : '';
    if (!level) return;
    const text = head + argumentsText(args);
    ring.add({ level, text, at: calledAt(stackTrace), ...columnAt(stackTrace), time: timestamp });
  });
  cdp.on('Runtime.exceptionThrown', ({ timestamp, exceptionDetails }) => {
    const { stackTrace, url, lineNumber } = exceptionDetails;
    const { text, stack } = exceptionText(exceptionDetails);
    const at = calledAt(stackTrace) || placeText(url, lineNumber);
    const place = { at, ...columnAt(stackTrace) };
    ring.add({ level: 'error', exception: true, text, ...place, time: timestamp, ...(stack !== '' && { stack }) });
  });
  cdp.on('Log.entryAdded', ({ entry: { source, level, text, url, lineNumber, timestamp } }) => {
    const isWorkers = source === 'worker';
    ring.add({
      // A worker's console.log arrives as info.
      level: isWorkers && level === 'info' ? 'log' : ENTRY_LEVEL[level],
      text: ellipsis(text, LONGEST),
      at: placeText(url, lineNumber),
      time: timestamp,
      ...(isWorkers && level === 'error' && text.startsWith('Uncaught ') && { exception: true }),
    });
  });
  cdp.send('Log.enable').catch(() => undefined); // gone with its page
}
