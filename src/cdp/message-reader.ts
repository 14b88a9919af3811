// Reads the messages of a browser from bytes that come in pieces. How long a console message or an address is, a page decides: a message
// that is too large is never put together.

/** One message of the protocol: a command, its answer, or an event. */
export interface CdpMessage {
  id?: number;
  method?: string;
  params?: unknown;
  sessionId?: string;
  result?: unknown;
  error?: { message: string };
}

const KB = 1024;
const MB = 1024 * KB;
/** Somebody waits for an answer (a picture, a whole page), and a paused request for what is decided about it. */
const MOST_OF_ANSWER = 128 * MB;
const MOST_OF_EVENT = 32 * MB;
const MOST_OF_NETWORK = 4 * MB;
/** Of what a page logs or asks, the beginning is enough. */
const MOST_OF_TEXT = 64 * KB;

const TEXT =
  /^\{"method":"(?:Runtime\.(?:consoleAPICalled|exceptionThrown)|Log\.entryAdded|Page\.javascriptDialogOpening)"/;
const BOUNDS: readonly (readonly [start: RegExp, bytes: number])[] = [
  [TEXT, MOST_OF_TEXT],
  [/^\{"id":|^\{"method":"Fetch\.requestPaused"/, MOST_OF_ANSWER],
  [/^\{"method":"Network\./, MOST_OF_NETWORK],
];

/** What is kept of the two ends of a message that is too large: its name and the first words, and the session at its end. */
const HEAD = 16 * KB;
const TAIL = 256;

/** Puts the bytes of each message together, within the bound of its kind. */
export class MessageBytes {
  readonly #deliver: (message: Buffer) => void;
  #parts: Buffer[] = [];
  #size = 0;
  #bound: number | undefined;
  /** The two ends of a message that is too large. */
  #ends: { head: Buffer; tail: Buffer } | undefined;

  constructor(deliver: (message: Buffer) => void) {
    this.#deliver = deliver;
  }

  /** A piece of the present message. */
  add(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#ends) this.#ends.tail = lastOf([this.#ends.tail, bytes]);
    else this.#parts.push(bytes);
    if (this.#ends || this.#size <= MOST_OF_TEXT) return;
    this.#bound ??= boundOf(Buffer.concat(this.#parts, TAIL).toString('latin1'));
    if (this.#size <= this.#bound) return;
    this.#ends = { head: Buffer.concat(this.#parts, HEAD), tail: lastOf(this.#parts) };
    this.#parts = [];
  }

  /** The present message is complete. */
  end(): void {
    const message = this.#ends
      ? substitute(this.#ends.head.toString(), this.#ends.tail.toString('latin1'), this.#size)
      : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    this.#bound = this.#ends = undefined;
    if (message) this.#deliver(message);
  }
}

export class MessageReader extends MessageBytes {
  constructor(deliver: (message: CdpMessage, bytes: number) => void) {
    super(bytes => {
      const message = parseMessage(bytes.toString());
      // Each message in its own turn of the event loop: what one message starts must run before the next.
      if (message) setImmediate(() => deliver(message, bytes.length));
    });
  }
}

const boundOf = (start: string): number => BOUNDS.find(([pattern]) => pattern.test(start))?.[1] ?? MOST_OF_EVENT;

function lastOf(parts: readonly Buffer[]): Buffer {
  const kept: Buffer[] = [];
  for (let i = parts.length - 1, size = 0; i >= 0 && size < TAIL; i--) {
    kept.unshift(parts[i] as Buffer);
    size += (parts[i] as Buffer).length;
  }
  // A copy: a part of the bytes would keep all of them.
  return Buffer.from(Buffer.concat(kept).subarray(-TAIL));
}

/** What is delivered for a message that is too large: an error as the answer, the beginning of what was logged, else nothing. */
function substitute(head: string, tail: string, size: number): Buffer | undefined {
  const sessionId = sessionAtEnd(tail);
  const [, id] = /^\{"id":(\d+),/.exec(head) ?? [];
  const message =
    id === undefined
      ? TEXT.test(head) && parseMessage(closed(head))
      : { id: Number(id), error: { message: tooLarge(size) } };
  return message ? Buffer.from(JSON.stringify({ ...message, sessionId })) : undefined;
}

/** Chrome writes the session of a message at its very end. In a text the quotes would have a backslash before them. */
export const sessionAtEnd = (tail: string): string | undefined => /"sessionId":"([^"\\]*)"\}$/.exec(tail)?.[1];

const tooLarge = (size: number): string =>
  `The browser's answer has ${Math.ceil(size / MB)} MB, more than the ${MOST_OF_ANSWER / MB} MB that are read.`;

/** The beginning of a JSON text that ends within a string, as a whole one. What was logged has its time at the end, which is missing. */
function closed(head: string): string {
  const text = withoutPartOfEscape(head);
  const open: string[] = [];
  for (const [sign, quote] of text.matchAll(/"(?:[^"\\]|\\.)*("|$)|[[\]{}]/gs)) {
    if (sign === '{') open.unshift('}');
    else if (sign === '[') open.unshift(']');
    else if (sign === ']' || sign === '}') open.shift();
    else if (quote === '') open.unshift('"');
  }
  const depthOfTime = text.startsWith('{"method":"Log.') ? 3 : 2;
  const time = `,"timestamp":${Date.now()}`;
  return text + open.map((sign, i) => (open.length - i === depthOfTime ? time + sign : sign)).join('');
}

/** Without a `\`, `\u` or `\u12` at the end whose rest is missing. */
const withoutPartOfEscape = (text: string): string =>
  text.replace(/\\+(?:u[\da-fA-F]{0,3})?$/, end =>
    end.lastIndexOf('\\') % 2 === 0 ? end.replace(/\\u?[^\\]*$/, '') : end,
  );

/** Reads messages that have a zero byte behind each. */
export function readZeroTerminated(reader: MessageBytes, chunk: Buffer): void {
  let start = 0;
  for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
    reader.add(chunk.subarray(start, end));
    reader.end();
    start = end + 1;
  }
  if (start < chunk.length) reader.add(chunk.subarray(start));
}

/** Undefined for what is no message. */
export function parseMessage(text: string): CdpMessage | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return isMessage(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** What is told apart by these three would otherwise throw, or wait for ever, in whoever receives it. */
function isMessage(value: unknown): value is CdpMessage {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { id, method, sessionId } = value as Record<keyof CdpMessage, unknown>;
  const isText = (part: unknown) => part === undefined || typeof part === 'string';
  return (id === undefined || Number.isSafeInteger(id)) && isText(method) && isText(sessionId);
}
