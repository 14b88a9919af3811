// The latest requests of a tab, always kept: what a log shows, and no more. Bounded in number and length.

import type { Protocol } from 'devtools-protocol';
import { redact } from '../../../policy/mask.ts';
import type { CdpSession } from '../../tab/cdp-session.ts';
import { cut, type Header, type ShortEntry, typeOf } from '../capture/entry.ts';

const MOST = 1_000;
const LONGEST_URL = 2_000;
const LONGEST_SHOWN = 300;
/** What a line has beside its address. */
const MARKS = 60;
/** Of headers and sent bodies, of all requests together and of one. */
const MOST_DETAIL = 2_000_000;
const LONGEST_DETAIL = 20_000;

/** What is kept of a request beside its line. */
interface RequestDetail {
  requestHeaders: Header[];
  responseHeaders: Header[];
  postData?: string | undefined;
}

export interface LoggedRequest extends Omit<ShortEntry, 'pending'> {
  /** Chrome's name for it, which a redirect keeps. */
  id: string;
  /** Chrome's own word for its type. */
  kind: string;
  /** By the page's clock, in seconds. */
  started: number;
  done: boolean;
  detail?: RequestDetail | undefined;
}

export interface RequestStart {
  method: string;
  url: string;
  type: string;
  started: number;
  headers?: Header[];
  postData?: string | undefined;
}

export interface RequestLog {
  /** The latest, oldest first; with an offset, those from there on. */
  rows: ShortEntry[];
  /** All that match. */
  total: number;
  /** Older ones for which there was no more room. */
  dropped: number;
  /** Where the rows begin, when that was asked for; 0 when there are not so many. */
  offset?: number;
}

export interface RequestFilter {
  matches?: (url: string) => boolean;
  /** Chrome's types; all when there are none. */
  types?: readonly string[] | undefined;
  /** Only those of the page that is shown now. */
  sinceNavigation?: boolean;
  most: number;
  offset?: number | undefined;
  /** Addresses as they are, to ask by. */
  whole?: boolean;
  /** How many characters the rows may have. */
  chars: number;
}

export class RequestRing {
  readonly #kept: LoggedRequest[] = [];
  /** Those that have not ended, by Chrome's name for them. */
  readonly #running = new Map<string, LoggedRequest>();
  #dropped = 0;
  /** The first request of the page that is shown now. */
  #start = 0;
  #detail = 0;
  /** Called when a request was answered or has ended. */
  changed: () => void = () => undefined;

  begin(id: string, { method, url, type, started, headers = [], postData }: RequestStart): void {
    // What is made on the spot is no request.
    if (/^(data|blob):/i.test(url)) return;
    const kind = type.toLowerCase();
    const row: LoggedRequest = {
      id,
      kind,
      method,
      url: bounded(url, LONGEST_URL),
      type: typeOf(kind),
      status: 0,
      bytes: 0,
      ms: 0,
      started,
      done: false,
      detail: { requestHeaders: headers, responseHeaders: [], postData: postData && bounded(postData, LONGEST_DETAIL) },
    };
    this.#kept.push(row);
    this.#running.set(id, row);
    this.#weigh(sizeOf(row.detail));
    if (this.#kept.length > MOST) this.#drop();
  }

  /** A body that nobody reads, or a stream, never ends: from here on it counts as answered. */
  answer(id: string, at: number, answer: Pick<ShortEntry, 'status' | 'from'>, headers: Header[] = []): void {
    const { detail } = this.#running.get(id) ?? {};
    if (detail) {
      detail.responseHeaders = headers;
      this.#weigh(sizeOf({ requestHeaders: [], responseHeaders: headers }));
    }
    this.#fill(id, at, answer);
  }

  end(id: string, at: number, result: { bytes?: number; error?: string }): void {
    this.#fill(id, at, result, true);
    this.#running.delete(id);
  }

  /** Another page is shown now; the request that brought it has its name. */
  navigated(id: string): void {
    const first = this.#kept.findIndex(row => row.id === id);
    this.#start = first < 0 ? this.#kept.length : first;
  }

  #fill(id: string, at: number, more: Partial<LoggedRequest>, done = false): void {
    const row = this.#running.get(id);
    if (!row) return;
    Object.assign(row, more);
    row.done = done;
    row.ms = Math.max(0, Math.round((at - row.started) * 1_000));
    this.changed();
  }

  /** Those that fit into so many characters; secrets in the addresses are masked. */
  read({ matches = () => true, types = [], sinceNavigation, most, offset, whole, chars }: RequestFilter): RequestLog {
    const found = this.#kept
      .slice(sinceNavigation ? this.#start : 0)
      .filter(({ url, kind }) => matches(url) && (types.length === 0 || types.includes(kind)));
    const told = { total: found.length, dropped: this.#dropped };
    const longest = whole ? LONGEST_URL : LONGEST_SHOWN;
    if (offset === undefined) {
      const rows = found.slice(-most).map(row => shown(row, longest));
      return { rows: fitting(rows.toReversed(), chars).toReversed(), ...told };
    }
    const from = offset < found.length ? offset : 0;
    const rows = found.slice(from, from + most).map(row => shown(row, longest));
    return { rows: fitting(rows, chars), ...told, offset: from };
  }

  /** All hops of the requests with that address since the page was loaded, oldest first. */
  find(url: string): { rows: LoggedRequest[]; hops: LoggedRequest[] } {
    const now = this.#kept.slice(this.#start);
    const rows = now.filter(row => row.url === url || redact(row.url) === url);
    return { rows, hops: now.filter(({ id }) => id === rows[0]?.id) };
  }

  /** Throws all away; gives how many there were. */
  clear(): number {
    const count = this.#kept.length;
    this.#kept.length = 0;
    this.#running.clear();
    this.#dropped = this.#start = this.#detail = 0;
    return count;
  }

  /** The oldest give up their details first. */
  #weigh(more: number): void {
    this.#detail += more;
    for (const row of this.#kept) {
      if (this.#detail <= MOST_DETAIL) return;
      this.#detail -= sizeOf(row.detail);
      row.detail = undefined;
    }
  }

  #drop(): void {
    const oldest = this.#kept.shift();
    this.#dropped++;
    this.#start = Math.max(0, this.#start - 1);
    this.#detail -= sizeOf(oldest?.detail);
    if (oldest?.done) return;
    for (const [id, row] of this.#running) if (row === oldest) this.#running.delete(id);
  }
}

const sizeOf = (detail: RequestDetail | undefined): number =>
  detail
    ? [...detail.requestHeaders, ...detail.responseHeaders].reduce(
        (sum, { name, value }) => sum + name.length + value.length,
        detail.postData?.length ?? 0,
      )
    : 0;

function fitting(rows: readonly ShortEntry[], chars: number): ShortEntry[] {
  let room = chars;
  const tooMany = rows.findIndex(({ url, error = '' }) => {
    room -= url.length + error.length + MARKS;
    return room < 0;
  });
  return tooMany < 0 ? [...rows] : rows.slice(0, tooMany);
}

/** A piece of a long text keeps all of it in memory, unless it is copied. */
const bounded = (text: string, most: number): string =>
  text.length > most ? Buffer.from(text.slice(0, most)).toString() : text;

/** As the log shows it. */
export function shown(
  { started: _, done, id, kind, detail, ...row }: LoggedRequest,
  longest = LONGEST_SHOWN,
): ShortEntry {
  return { id, ...row, url: cut(redact(row.url), longest), ...(!done && row.status === 0 && { pending: true }) };
}

const MOST_HEADERS = 100;
const LONGEST_HEADER = 4_000;

/** From the wire of the page: its requests, with those of all frames in its process. */
export function listenRequests(wire: CdpSession, ring: RequestRing): void {
  wire.on('Network.requestWillBeSent', ({ requestId, request, type = 'Other', timestamp, redirectResponse }) => {
    if (redirectResponse) {
      const { status, headers, encodedDataLength: bytes } = redirectResponse;
      ring.answer(requestId, timestamp, { status }, headersOf(headers));
      ring.end(requestId, timestamp, { bytes });
    }
    const { method, url, headers, postData } = request;
    ring.begin(requestId, { method, url, type, started: timestamp, headers: headersOf(headers), postData });
  });
  wire.on('Network.responseReceived', ({ requestId, timestamp, response }) =>
    ring.answer(requestId, timestamp, { status: response.status, ...sourceOf(response) }, headersOf(response.headers)),
  );
  wire.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) =>
    ring.end(requestId, timestamp, { bytes: encodedDataLength }),
  );
  wire.on('Network.loadingFailed', ({ requestId, timestamp, errorText, blockedReason }) =>
    ring.end(requestId, timestamp, { error: errorText || `blocked: ${blockedReason}` }),
  );
  wire.on('Network.webSocketCreated', ({ requestId, url }) =>
    ring.begin(requestId, { method: 'GET', url, type: 'websocket', started: ownSeconds() }),
  );
  wire.on('Network.webSocketHandshakeResponseReceived', ({ requestId, response }) => {
    ring.answer(requestId, ownSeconds(), { status: response.status }, headersOf(response.headers));
    ring.end(requestId, ownSeconds(), {});
  });
  wire.on('Network.webSocketClosed', ({ requestId }) => ring.end(requestId, ownSeconds(), { error: 'not opened' }));
  wire.on('Page.frameNavigated', ({ frame }) => {
    // The request that brings a document has the name of its loader.
    if (frame.id === wire.root) ring.navigated(frame.loaderId);
  });
}

const headersOf = (headers: Protocol.Network.Headers): Header[] =>
  Object.entries(headers)
    .slice(0, MOST_HEADERS)
    .map(([name, value]) => ({ name, value: bounded(String(value), LONGEST_HEADER) }));

function sourceOf({ fromServiceWorker, fromDiskCache }: Protocol.Network.Response): Pick<ShortEntry, 'from'> {
  if (fromServiceWorker) return { from: 'service worker' };
  return fromDiskCache ? { from: 'cache' } : {};
}

/** Chrome does not say when a socket was asked for. */
const ownSeconds = (): number => performance.now() / 1_000;
