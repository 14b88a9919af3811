// A network capture: the requests and WebSocket messages of one tab while it runs, bounded in number and bytes.
import type { Protocol } from 'devtools-protocol';
import { defined } from '../../../defined.ts';
import type { Tab } from '../../tab/tab.ts';
import { type ChildSession, type FollowedRequests, followRequests } from '../child-session.ts';
import { typeOf } from '../request-row.ts';
import { type CaptureEntry, fillAnswer, fillBody, fillStart, type Hop } from './entry.ts';
import { ExtraInfo } from './extra-info.ts';
import { captureSockets } from './sockets.ts';

type CapturedTab = Pick<Tab, 'page' | 'main' | 'url' | 'events'>;

export interface NetworkCaptureOptions {
  /** Where the HAR file goes, when that was given at the start. */
  path?: string | undefined;
  wants(request: { url: string; method: string; type: CaptureEntry['type'] }): boolean;
  bodies: boolean;
  /** The capture ends by itself after so many ms, or after so many ms without traffic. */
  mostMs: number;
  idleMs: number | undefined;
}

/** A document that the tab showed during the capture; times in ms since 1970. */
interface CapturedPage {
  url: string;
  started: number;
  ready?: number;
  loaded?: number;
}

const MOST_ENTRIES = 5_000;
/** Bodies, posted data and messages together. */
const MOST_BYTES = 50_000_000;

/** A body is fetched when it is complete: Chrome keeps the latest so long, of all and of one. Larger posted data is asked for: an event that is too large is not read. */
const BUFFERS = { maxTotalBufferSize: MOST_BYTES, maxResourceBufferSize: 20_000_000, maxPostDataSize: 500_000 };

export class NetworkCapture {
  readonly entries: CaptureEntry[] = [];
  readonly pages: CapturedPage[] = [];
  readonly started = Date.now();
  /** When and why it ended. */
  ended: { at: number; why: string } | undefined;
  /** Requests that came when there was no more room. */
  dropped = 0;
  /** Requests that the filter did not match. */
  filteredOut = 0;
  #bytesLeft = MOST_BYTES;
  /** Requests that have not ended, by Chrome's id; undefined for those that are not wanted. */
  readonly #running = new Map<string, Hop | undefined>();
  readonly #extraInfo = new ExtraInfo(MOST_ENTRIES);
  readonly #filling = new Set<Promise<void>>();
  /** Called when a request has ended. */
  #onDone: () => void = () => undefined;
  readonly #tab: CapturedTab;
  readonly #follow: typeof followRequests;
  #followed: FollowedRequests | undefined;
  readonly #endTimer: NodeJS.Timeout;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(
    tab: CapturedTab,
    readonly options: NetworkCaptureOptions,
    follow = followRequests,
  ) {
    this.#tab = tab;
    this.#follow = follow;
    const { mostMs } = options;
    this.#endTimer = setTimeout(() => this.end(`by itself after ${mostMs} ms`), mostMs).unref();
    this.#addPage(tab.url);
    tab.events.on('connected', this.#connect).on('domready', this.#ready).on('loaded', this.#loaded);
    tab.events.on('committed', this.#left);
    this.#connect();
    this.#restartIdleTimer();
  }

  end(why: string): void {
    if (this.ended) return;
    this.ended = { at: Date.now(), why };
    clearTimeout(this.#endTimer);
    clearTimeout(this.#idleTimer);
    this.#tab.events.off('connected', this.#connect).off('domready', this.#ready).off('loaded', this.#loaded);
    this.#tab.events.off('committed', this.#left);
    for (const entry of this.entries) if (!entry.done) entry.ms = Date.now() - entry.started;
    void this.settled().then(() => this.#disconnect());
  }

  /** Settles when every request has been answered; streams of events, which do not end, are left out. */
  async answered(): Promise<void> {
    const isUnderWay = () => [...this.#running.values()].some(hop => hop && hop.request.type !== 'EventSource');
    if (isUnderWay())
      await new Promise<void>(resolve => {
        this.#onDone = () => !isUnderWay() && resolve();
      });
  }

  /** Settles when the headers and bodies that are still being read are there. */
  async settled(): Promise<void> {
    await Promise.all(this.#filling);
  }

  get ms(): number {
    return (this.ended?.at ?? Date.now()) - this.started;
  }

  /** Settles when all is seen that the page and what is below it send, or it has ended before that. */
  async ready(): Promise<void> {
    await this.#followed?.ready.catch(error => {
      if (!this.ended) throw error;
    });
  }

  /** Called again for each new page of the tab. */
  readonly #connect = (): void => {
    this.#disconnect();
    this.#followed = this.#follow(this.#tab, BUFFERS, session => this.#listen(session));
    this.#followed.ready.catch(() => undefined); // the page has gone: its tab gets another one, or ends
  };

  #disconnect(): void {
    this.#followed?.close().catch(() => undefined); // it has ended with its page
  }

  #listen(session: ChildSession): void {
    const extra = this.#extraInfo;
    session.on('Network.requestWillBeSent', event => this.#request(session, event));
    session.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => extra.sent(requestId, headers));
    session.on('Network.responseReceivedExtraInfo', event => extra.got(event.requestId, event));
    session.on('Network.requestServedFromCache', ({ requestId }) => this.#update(requestId, { inMemory: true }));
    session.on('Network.responseReceived', ({ requestId, response, hasExtraInfo }) => {
      this.#update(requestId, { session, response });
      extra.answered(requestId, this.#running.get(requestId), hasExtraInfo);
    });
    session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
      this.#update(requestId, { session });
      extra.ended(requestId);
      this.#end(requestId, { at: timestamp, bytes: encodedDataLength });
    });
    session.on('Network.loadingFailed', ({ requestId, timestamp, errorText, blockedReason }) => {
      extra.ended(requestId);
      this.#end(requestId, { at: timestamp, error: errorText || `blocked: ${blockedReason}` });
    });
    captureSockets(session, {
      begin: url => this.#entry(url, 'GET', 'websocket'),
      message: data => {
        this.#restartIdleTimer();
        return !this.ended && this.#reserve(data.length);
      },
    });
  }

  #restartIdleTimer(): void {
    const { idleMs } = this.options;
    if (idleMs === undefined || this.ended) return;
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.end(`by itself after ${idleMs} ms without traffic`), idleMs).unref();
  }

  #addPage(url: string): void {
    this.pages.push({ url, started: Date.now() });
  }

  readonly #ready = (): void => this.#mark('ready');
  readonly #loaded = (): void => this.#mark('loaded');

  #mark(moment: 'ready' | 'loaded'): void {
    const last = this.pages.at(-1);
    if (last) last[moment] ??= Date.now();
  }

  #request(session: ChildSession, event: Protocol.Network.RequestWillBeSentEvent): void {
    const { requestId, request, redirectResponse, redirectHasExtraInfo = false } = event;
    if (redirectResponse) {
      this.#update(requestId, { response: redirectResponse });
      this.#extraInfo.answered(requestId, this.#running.get(requestId), redirectHasExtraInfo);
      this.#end(requestId, { at: event.timestamp, bytes: redirectResponse.encodedDataLength });
    }
    // The sessions of a frame and of its page may both tell of one request.
    if (this.ended || this.#running.has(requestId) || isLeftOut(event)) return;
    const isDocument = event.type === 'Document' && requestId === event.loaderId;
    if (isDocument && !redirectResponse && event.frameId === this.#tab.main.root) this.#addPage(request.url);
    const entry = this.#entry(request.url, request.method, typeOf((event.type ?? 'Other').toLowerCase()));
    if (entry) {
      entry.started = event.wallTime * 1_000;
      this.#fill(fillStart(entry, event, session, size => this.#reserve(size)));
      if (session.info.type === 'service_worker') entry.byServiceWorker = true;
    }
    this.#running.set(requestId, entry && { entry, request: event, session, whole: Promise.resolve() });
  }

  /** Chrome says nothing more of requests whose document was left. */
  readonly #left = (): void => {
    const { loaders, root } = this.#tab.main;
    for (const [id, hop] of this.#running)
      if (hop && hop.request.loaderId !== loaders.get(root) && !hop.entry.byServiceWorker)
        this.#end(id, {
          at: hop.request.timestamp + Date.now() / 1_000 - hop.request.wallTime,
          error: 'net::ERR_ABORTED',
        });
  };

  #update(id: string, more: Partial<Hop>): void {
    const hop = this.#running.get(id);
    if (hop) Object.assign(hop, more);
  }

  #entry(url: string, method: string, type: CaptureEntry['type']): CaptureEntry | undefined {
    if (this.ended) return undefined;
    if (!this.options.wants({ url, method, type })) {
      this.filteredOut++;
      return undefined;
    }
    this.#restartIdleTimer();
    if (this.entries.length >= MOST_ENTRIES) {
      this.dropped++;
      return undefined;
    }
    const entry: CaptureEntry = {
      url,
      method,
      type,
      page: this.pages.length - 1,
      started: Date.now(),
      requestHeaders: [],
      status: 0,
      statusText: '',
      responseHeaders: [],
      httpVersion: '',
      headerBytes: -1,
      bodyBytes: -1,
      ms: 0,
      done: false,
    };
    this.entries.push(entry);
    return entry;
  }

  /** Headers and body at once: the page may be about to go, and its bodies with it. */
  #end(id: string, end: { at: number; bytes?: number; error?: string }): void {
    const hop = this.#running.get(id);
    this.#running.delete(id);
    if (!hop || this.ended) return;
    this.#restartIdleTimer();
    const { type } = hop.request;
    // Chrome calls an answer without content cut off.
    const error = hop.response?.status === 204 && type !== 'Document' ? undefined : end.error;
    const wantsBody = this.options.bodies && end.error === undefined;
    const body = wantsBody ? fillBody(hop, size => this.#reserve(size)) : undefined;
    const answer = fillAnswer(hop, { at: end.at, ...defined({ bytes: end.bytes, error }) });
    this.#fill(Promise.all([answer, body]));
    this.#onDone();
  }

  #fill(work: Promise<unknown>): void {
    const filling = work.then(() => void this.#filling.delete(filling));
    this.#filling.add(filling);
  }

  /** Whether so many bytes more fit; if so, they are counted. */
  #reserve(bytes: number): boolean {
    if (bytes > this.#bytesLeft) return false;
    this.#bytesLeft -= bytes;
    return true;
  }
}

/** What is in its own url, and the icon that the browser shows beside the title: the page asks for neither. */
const isLeftOut = ({ request: { url }, type }: Protocol.Network.RequestWillBeSentEvent): boolean =>
  /^data:/i.test(url) || (type === 'Other' && /\/favicon\.ico$/.test(url));
