// A network capture: the requests and WebSocket messages of one tab while it runs, bounded in number and bytes.
import type { EventEmitter } from 'node:events';
import type { BrowserContext, Page, Request, WebSocket } from 'playwright-core';
import type { Tab } from '../../tab/tab.ts';
import { typeOf } from '../request-row.ts';
import { type CaptureEntry, fillAnswer, fillBody, fillStart, pageOf, type SocketMessage } from './entry.ts';

type CapturedTab = Pick<Tab, 'page' | 'url' | 'events'>;

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
const MOST_MESSAGES = 1_000;

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
  readonly #pending = new Map<Request, CaptureEntry>();
  readonly #filling = new Set<Promise<void>>();
  /** Called when a request has ended. */
  #onDone: () => void = () => undefined;
  readonly #tab: CapturedTab;
  readonly #endTimer: NodeJS.Timeout;
  #idleTimer: NodeJS.Timeout | undefined;
  #unsubscribes: (() => void)[] = [];

  constructor(
    tab: CapturedTab,
    readonly options: NetworkCaptureOptions,
  ) {
    this.#tab = tab;
    const { mostMs } = options;
    this.#endTimer = setTimeout(() => this.end(`by itself after ${mostMs} ms`), mostMs).unref();
    this.#addPage(tab.url);
    tab.events.on('connected', this.#listen);
    this.#listen();
    this.#restartIdleTimer();
  }

  end(why: string): void {
    if (this.ended) return;
    this.ended = { at: Date.now(), why };
    clearTimeout(this.#endTimer);
    clearTimeout(this.#idleTimer);
    this.#tab.events.off('connected', this.#listen);
    this.#unlisten();
    for (const entry of this.entries) if (!entry.done) entry.ms = Date.now() - entry.started;
  }

  /** Settles when every request has been answered; streams of events, which do not end, are left out. */
  async answered(): Promise<void> {
    const isUnderWay = () => [...this.#pending.keys()].some(request => request.resourceType() !== 'eventsource');
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

  /** Called again for each new page of the tab. */
  readonly #listen = (): void => {
    this.#unlisten();
    const { page } = this.#tab;
    const context = page.context();
    this.#on(context, 'request', (request: Request) => this.#request(request));
    this.#on(context, 'requestfinished', (request: Request) => this.#done(request));
    this.#on(context, 'requestfailed', (request: Request) => this.#done(request));
    this.#on(page, 'websocket', (socket: WebSocket) => this.#socket(socket));
    this.#on(page, 'domcontentloaded', () => this.#mark('ready'));
    this.#on(page, 'load', () => this.#mark('loaded'));
  };

  #on<T>(source: BrowserContext | Page, event: string, listener: (item: T) => void): void {
    const emitter = source as unknown as EventEmitter;
    emitter.on(event, listener);
    this.#unsubscribes.push(() => emitter.off(event, listener));
  }

  #unlisten(): void {
    for (const unsubscribe of this.#unsubscribes.splice(0)) unsubscribe();
  }

  #restartIdleTimer(): void {
    const { idleMs } = this.options;
    if (idleMs === undefined) return;
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.end(`by itself after ${idleMs} ms without traffic`), idleMs).unref();
  }

  #addPage(url: string): void {
    this.pages.push({ url, started: Date.now() });
  }

  #mark(moment: 'ready' | 'loaded'): void {
    const last = this.pages.at(-1);
    if (last) last[moment] ??= Date.now();
  }

  #request(request: Request): void {
    if (!this.#isFromTab(request)) return;
    if (request.isNavigationRequest() && !request.redirectedFrom() && request.frame() === this.#tab.page.mainFrame())
      this.#addPage(request.url());
    const entry = this.#entry(request.url(), request.method(), typeOf(request.resourceType()));
    if (!entry) return;
    fillStart(entry, request, size => this.#reserve(size));
    this.#pending.set(request, entry);
  }

  /** A service worker serves all tabs of its site. */
  #isFromTab(request: Request): boolean {
    const worker = request.serviceWorker();
    if (!worker) return pageOf(request) === this.#tab.page;
    return URL.canParse(worker.url()) && this.#tab.url.startsWith(`${new URL(worker.url()).origin}/`);
  }

  #entry(url: string, method: string, type: CaptureEntry['type']): CaptureEntry | undefined {
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

  #done(request: Request): void {
    const entry = this.#pending.get(request);
    if (!entry) return;
    this.#pending.delete(request);
    this.#restartIdleTimer();
    const filling = this.#fill(entry, request).finally(() => this.#filling.delete(filling));
    this.#filling.add(filling);
    this.#onDone();
  }

  /** Headers and body at once: the page may be about to go, and its bodies with it. */
  async #fill(entry: CaptureEntry, request: Request): Promise<void> {
    const body = this.options.bodies ? fillBody(entry, request, size => this.#reserve(size)) : undefined;
    await Promise.all([fillAnswer(entry, request), body]);
  }

  /** Whether so many bytes more fit; if so, they are counted. */
  #reserve(bytes: number): boolean {
    if (bytes > this.#bytesLeft) return false;
    this.#bytesLeft -= bytes;
    return true;
  }

  #socket(socket: WebSocket): void {
    const entry = this.#entry(socket.url(), 'GET', 'websocket');
    if (!entry) return;
    const messages: SocketMessage[] = [];
    Object.assign(entry, { status: 101, statusText: 'Switching Protocols', messages });
    const add = (type: SocketMessage['type'], data: string | Buffer) => {
      if (this.ended) return;
      this.#restartIdleTimer();
      if (messages.length < MOST_MESSAGES && this.#reserve(data.length))
        messages.push({ type, time: Date.now(), data });
    };
    socket.on('framesent', ({ payload }) => add('send', payload));
    socket.on('framereceived', ({ payload }) => add('receive', payload));
    socket.on('socketerror', error => Object.assign(entry, { error, status: 0, statusText: '' }));
    socket.on('close', () => {
      if (!this.ended) Object.assign(entry, { done: true, ms: Date.now() - entry.started });
    });
  }
}
