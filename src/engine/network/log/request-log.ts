// The latest requests of a tab, always recorded, as far as a log shows them. Bounded in number and length.

import type { Protocol } from 'devtools-protocol';
import { ellipsis } from '../../../ellipsis.ts';
import { redact } from '../../../policy/mask.ts';
import type { CdpSession } from '../../page/cdp-session.ts';
import { type Header, type RequestRow, typeOf } from '../request-row.ts';

const MOST = 1_000;
const LONGEST_URL = 2_000;
const LONGEST_SHOWN = 300;
/** What a line has beside its address. */
const MARKS = 60;
/** Of headers and sent bodies, of all requests together and of one. */
const MOST_DETAIL = 2_000_000;
const LONGEST_DETAIL = 20_000;

/** Chrome's types of requests that the load event does not wait for. */
const AFTER_LOAD = new Set(['fetch', 'xhr', 'websocket', 'eventsource', 'ping', 'prefetch']);

/** What the log has of a request beside its row. */
interface RequestDetail {
  requestHeaders: Header[];
  responseHeaders: Header[];
  postData?: string | undefined;
}

export interface LoggedRequest extends Omit<RequestRow, 'pending'> {
  /** Chrome's id of the request; the steps of a redirect share it. */
  id: string;
  /** Chrome's own word for its type. */
  kind: string;
  /** The number of the page that sent it. */
  page: number;
  /** By the page's clock, in seconds. */
  started: number;
  done: boolean;
  /** An action has caused it. */
  isCaused?: true;
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
  rows: RequestRow[];
  /** All that match. */
  total: number;
  /** All that do not. */
  others: number;
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

/** What the page has sent by itself in so many seconds before, it sends again. */
const MOMENT_S = 1.5;

/** Of two requests for the same, only the query differs. */
const kindOf = ({ method, url }: LoggedRequest): string => `${method} ${url.split(/[?#]/)[0]}`;

export class RequestRing {
  readonly #rows: LoggedRequest[] = [];
  /** Requests that have not ended, by Chrome's id. */
  readonly #running = new Map<string, LoggedRequest>();
  #dropped = 0;
  /** The page that is shown now; each navigation gives a new number. */
  #page = 0;
  #lastPage = 0;
  #detail = 0;
  /** Called when a request was answered or has ended. */
  changed: () => void = () => undefined;

  begin(id: string, { method, url, type, started, headers = [], postData }: RequestStart): void {
    // Such urls hold their content: nothing is requested.
    if (/^(data|blob):/i.test(url)) return;
    const kind = type.toLowerCase();
    const row: LoggedRequest = {
      id,
      kind,
      page: this.#page,
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
    this.#rows.push(row);
    this.#running.set(id, row);
    this.#weigh(sizeOf(row.detail));
    if (this.#rows.length > MOST) this.#drop();
  }

  /** A body that nobody reads, or a stream, never ends: from here on it counts as answered. */
  answer(id: string, at: number, answer: Pick<RequestRow, 'status' | 'from'>, headers: Header[] = []): void {
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

  /** Another page is shown now; its document came with the request of that id. A page from the back/forward cache has its earlier requests again. */
  navigated(id: string, isRestored = false): void {
    const first = this.#rows.findIndex(row => row.id === id);
    const known = isRestored ? this.#rows[first]?.page : undefined;
    this.#page = known ?? ++this.#lastPage;
    if (known === undefined && first >= 0) for (const row of this.#rows.slice(first)) row.page = this.#page;
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
    const found = this.#rows
      .filter(({ page }) => !sinceNavigation || page === this.#page)
      .filter(({ url, kind }) => matches(url) && (types.length === 0 || types.includes(kind)));
    const counts = { total: found.length, others: this.#rows.length - found.length, dropped: this.#dropped };
    const longest = whole ? LONGEST_URL : LONGEST_SHOWN;
    if (offset === undefined) {
      const rows = found.slice(-most).map(row => shown(row, longest));
      return { rows: fitting(rows.toReversed(), chars).toReversed(), ...counts };
    }
    const from = offset < found.length ? offset : 0;
    const rows = found.slice(from, from + most).map(row => shown(row, longest));
    return { rows: fitting(rows, chars), ...counts, offset: from };
  }

  /** Addresses of the shown page's requests that hold up its load event, oldest first. */
  underWay(): string[] {
    return this.#rows
      .filter(({ page, done, kind }) => page === this.#page && !done && !AFTER_LOAD.has(kind))
      .map(row => shown(row).url);
  }

  /** Of a request that has not ended. */
  methodOf(id: string): string {
    return this.#running.get(id)?.method ?? 'GET';
  }

  /** Of those that were sent during an action, the ones that the page does not also send by itself. */
  ofAction(ids: readonly string[]): LoggedRequest[] {
    const rows = this.#rows.filter(({ id, page }) => ids.includes(id) && page === this.#page);
    return rows.filter(row => {
      const alone = this.#rows.filter(
        other =>
          other !== row &&
          !other.isCaused &&
          other.page === row.page &&
          other.started <= row.started &&
          kindOf(other) === kindOf(row),
      );
      const isHabit = alone.length > 1 || alone.some(({ started }) => row.started - started < MOMENT_S);
      if (!isHabit) row.isCaused = true;
      return !isHabit;
    });
  }

  /** All hops of the requests with that address since the page was loaded, oldest first. */
  find(url: string): { rows: LoggedRequest[]; hops: LoggedRequest[] } {
    const now = this.#rows.filter(({ page }) => page === this.#page);
    const rows = now.filter(row => row.url === url || redact(row.url) === url);
    return { rows, hops: now.filter(({ id }) => id === rows[0]?.id) };
  }

  /** Throws all away; gives how many there were. */
  clear(): number {
    const count = this.#rows.length;
    this.#rows.length = 0;
    this.#running.clear();
    this.#dropped = this.#detail = 0;
    return count;
  }

  /** The oldest give up their details first. */
  #weigh(more: number): void {
    this.#detail += more;
    for (const row of this.#rows) {
      if (this.#detail <= MOST_DETAIL) return;
      this.#detail -= sizeOf(row.detail);
      row.detail = undefined;
    }
  }

  #drop(): void {
    const oldest = this.#rows.shift();
    this.#dropped++;
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

function fitting(rows: readonly RequestRow[], chars: number): RequestRow[] {
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
  { started: _, page: _page, done, id, kind, detail, isCaused: _caused, ...row }: LoggedRequest,
  longest = LONGEST_SHOWN,
): RequestRow {
  return { id, ...row, url: ellipsis(redact(row.url), longest), ...(!done && row.status === 0 && { pending: true }) };
}

const MOST_HEADERS = 100;
const LONGEST_HEADER = 4_000;

/** From the CDP session of the page: its requests, with those of all frames in its process. */
export function listenRequests(cdp: CdpSession, ring: RequestRing): void {
  cdp.on('Network.requestWillBeSent', ({ requestId, request, type = 'Other', timestamp, redirectResponse }) => {
    if (redirectResponse) {
      const { status, headers, encodedDataLength: bytes } = redirectResponse;
      ring.answer(requestId, timestamp, { status }, headersOf(headers));
      ring.end(requestId, timestamp, { bytes });
    }
    const { method, url, headers, postData } = request;
    ring.begin(requestId, { method, url, type, started: timestamp, headers: headersOf(headers), postData });
  });
  cdp.on('Network.responseReceived', ({ requestId, timestamp, response }) =>
    ring.answer(requestId, timestamp, { status: response.status, ...sourceOf(response) }, headersOf(response.headers)),
  );
  cdp.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) =>
    ring.end(requestId, timestamp, { bytes: encodedDataLength }),
  );
  cdp.on('Network.loadingFailed', ({ requestId, timestamp, errorText, blockedReason }) =>
    ring.end(requestId, timestamp, { error: errorText || `blocked: ${blockedReason}` }),
  );
  cdp.on('Network.webSocketCreated', ({ requestId, url }) =>
    ring.begin(requestId, { method: 'GET', url, type: 'websocket', started: ownSeconds() }),
  );
  cdp.on('Network.webSocketHandshakeResponseReceived', ({ requestId, response }) => {
    ring.answer(requestId, ownSeconds(), { status: response.status }, headersOf(response.headers));
    ring.end(requestId, ownSeconds(), {});
  });
  cdp.on('Network.webSocketClosed', ({ requestId }) => ring.end(requestId, ownSeconds(), { error: 'not opened' }));
  cdp.on('Page.frameNavigated', ({ frame, type }) => {
    // The request that brings a document has the name of its loader.
    if (frame.id === cdp.root) ring.navigated(frame.loaderId, type === 'BackForwardCacheRestore');
  });
}

const headersOf = (headers: Protocol.Network.Headers): Header[] =>
  Object.entries(headers)
    .slice(0, MOST_HEADERS)
    .map(([name, value]) => ({ name, value: bounded(String(value), LONGEST_HEADER) }));

function sourceOf({ fromServiceWorker, fromDiskCache }: Protocol.Network.Response): Pick<RequestRow, 'from'> {
  if (fromServiceWorker) return { from: 'service worker' };
  return fromDiskCache ? { from: 'cache' } : {};
}

/** Chrome does not say when a socket was asked for. */
const ownSeconds = (): number => performance.now() / 1_000;
