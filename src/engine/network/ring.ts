// The latest requests of a tab, always kept: what a log shows, and no more. Bounded in number and length.
import type { Protocol } from 'devtools-protocol';
import { redact } from '../../policy/mask.ts';
import type { Wire } from '../wire.ts';
import { typeOf } from './fill.ts';
import { cut, type ShortRow } from './rows.ts';

const MOST = 300;
const LONGEST_URL = 2_000;
const LONGEST_SHOWN = 300;
/** What a line has beside its address. */
const MARKS = 60;

interface Kept extends Omit<ShortRow, 'pending'> {
  /** By the page's clock, in seconds. */
  started: number;
  done: boolean;
}

export interface RequestLog {
  /** The latest, oldest first. */
  rows: ShortRow[];
  /** All that match. */
  total: number;
  /** Older ones for which there was no more room. */
  dropped: number;
}

export class RequestRing {
  readonly #kept: Kept[] = [];
  /** Those that have not ended, by Chrome's name for them. */
  readonly #running = new Map<string, Kept>();
  #dropped = 0;
  /** Called when a request was answered or has ended. */
  changed: () => void = () => undefined;

  begin(id: string, method: string, url: string, type: string, started: number): void {
    // What is made on the spot is no request.
    if (/^(data|blob):/i.test(url)) return;
    const row: Kept = {
      method,
      url: bounded(url),
      type: typeOf(type.toLowerCase()),
      status: 0,
      bytes: 0,
      ms: 0,
      started,
      done: false,
    };
    this.#kept.push(row);
    this.#running.set(id, row);
    if (this.#kept.length > MOST) this.#drop();
  }

  /** A body that nobody reads, or a stream, never ends: from here on it counts as answered. */
  answer(id: string, at: number, answer: Pick<ShortRow, 'status' | 'from'>): void {
    this.#fill(id, at, answer);
  }

  end(id: string, at: number, result: { bytes?: number; error?: string }): void {
    this.#fill(id, at, result, true);
    this.#running.delete(id);
  }

  #fill(id: string, at: number, more: Partial<Kept>, done = false): void {
    const row = this.#running.get(id);
    if (!row) return;
    Object.assign(row, more);
    row.done = done;
    row.ms = Math.max(0, Math.round((at - row.started) * 1_000));
    this.changed();
  }

  /** The latest that fit into so many characters; secrets in the addresses are masked. */
  read(matches: (url: string) => boolean, most: number, chars: number): RequestLog {
    const found = this.#kept.filter(({ url }) => matches(url));
    const rows = found.slice(-most).map(shown);
    let room = chars;
    const tooMany = rows.findLastIndex(({ url, error = '' }) => {
      room -= url.length + error.length + MARKS;
      return room < 0;
    });
    return { rows: rows.slice(tooMany + 1), total: found.length, dropped: this.#dropped };
  }

  #drop(): void {
    const oldest = this.#kept.shift();
    this.#dropped++;
    if (oldest?.done) return;
    for (const [id, row] of this.#running) if (row === oldest) this.#running.delete(id);
  }
}

/** A piece of a long text keeps all of it in memory, unless it is copied. */
const bounded = (url: string): string =>
  url.length > LONGEST_URL ? Buffer.from(url.slice(0, LONGEST_URL)).toString() : url;

function shown({ started: _, done, ...row }: Kept): ShortRow {
  return { ...row, url: cut(redact(row.url), LONGEST_SHOWN), ...(!done && row.status === 0 && { pending: true }) };
}

/** From the wire of the page: its requests, with those of all frames in its process. */
export function hearRequests(wire: Wire, ring: RequestRing): void {
  wire.on('Network.requestWillBeSent', ({ requestId, request, type, timestamp, redirectResponse }) => {
    if (redirectResponse) {
      ring.answer(requestId, timestamp, { status: redirectResponse.status });
      ring.end(requestId, timestamp, { bytes: redirectResponse.encodedDataLength });
    }
    ring.begin(requestId, request.method, request.url, type ?? 'Other', timestamp);
  });
  wire.on('Network.responseReceived', ({ requestId, timestamp, response }) =>
    ring.answer(requestId, timestamp, { status: response.status, ...sourceOf(response) }),
  );
  wire.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) =>
    ring.end(requestId, timestamp, { bytes: encodedDataLength }),
  );
  wire.on('Network.loadingFailed', ({ requestId, timestamp, errorText, blockedReason }) =>
    ring.end(requestId, timestamp, { error: errorText || `blocked: ${blockedReason}` }),
  );
  wire.on('Network.webSocketCreated', ({ requestId, url }) =>
    ring.begin(requestId, 'GET', url, 'websocket', ownSeconds()),
  );
  wire.on('Network.webSocketHandshakeResponseReceived', ({ requestId, response }) => {
    ring.answer(requestId, ownSeconds(), { status: response.status });
    ring.end(requestId, ownSeconds(), {});
  });
  wire.on('Network.webSocketClosed', ({ requestId }) => ring.end(requestId, ownSeconds(), { error: 'not opened' }));
}

function sourceOf({ fromServiceWorker, fromDiskCache }: Protocol.Network.Response): Pick<ShortRow, 'from'> {
  if (fromServiceWorker) return { from: 'service worker' };
  return fromDiskCache ? { from: 'cache' } : {};
}

/** Chrome does not say when a socket was asked for. */
const ownSeconds = (): number => performance.now() / 1_000;
