// Recording: what one tab sends and gets while a capture runs. Listens only as long as it runs; all it keeps is bounded.
import type { EventEmitter } from 'node:events';
import type { BrowserContext, Page, Request, WebSocket } from 'playwright-core';
import type { TabEvents } from '../../tab/page-events.ts';
import { pageOf } from '../route/sender.ts';
import type { Message, Row } from './entry.ts';
import { fillAnswer, fillBody, fillStart, typeOf } from './fill-entry.ts';

/** The tab, as a recording needs it. */
export interface Recorded {
  readonly page: Page;
  readonly url: string;
  readonly events: EventEmitter<TabEvents>;
}

export interface Manner {
  wants(request: { url: string; method: string; type: Row['type'] }): boolean;
  bodies: boolean;
  /** It ends by itself after so many ms, or when nothing has happened for so long. */
  mostMs: number;
  idleMs: number | undefined;
}

/** A document that the tab showed during the capture; times in ms since 1970. */
export interface Shown {
  url: string;
  started: number;
  ready?: number;
  loaded?: number;
}

const MOST_ROWS = 5_000;
/** Bodies, posted data and messages together. */
const MOST_BYTES = 50_000_000;
const MOST_MESSAGES = 1_000;

export class Recording {
  readonly rows: Row[] = [];
  readonly shown: Shown[] = [];
  readonly started = Date.now();
  /** When and why it ended. */
  ended: { at: number; why: string } | undefined;
  /** Requests that came when there was no more room. */
  dropped = 0;
  #room = MOST_BYTES;
  readonly #rows = new Map<Request, Row>();
  readonly #filling = new Set<Promise<void>>();
  readonly #tab: Recorded;
  readonly #manner: Manner;
  readonly #most: NodeJS.Timeout;
  #idle: NodeJS.Timeout | undefined;
  #offs: (() => void)[] = [];

  constructor(tab: Recorded, manner: Manner) {
    this.#tab = tab;
    this.#manner = manner;
    this.#most = setTimeout(() => this.end(`by itself after ${manner.mostMs} ms`), manner.mostMs).unref();
    this.#shows(tab.url);
    tab.events.on('connected', this.#listen);
    this.#listen();
    this.#stir();
  }

  end(why: string): void {
    if (this.ended) return;
    this.ended = { at: Date.now(), why };
    clearTimeout(this.#most);
    clearTimeout(this.#idle);
    this.#tab.events.off('connected', this.#listen);
    this.#unlisten();
    for (const row of this.rows) if (!row.done) row.ms = Date.now() - row.started;
  }

  /** Settles when what is still being read (headers, bodies) is there. */
  async settled(): Promise<void> {
    await Promise.all(this.#filling);
  }

  get ms(): number {
    return (this.ended?.at ?? Date.now()) - this.started;
  }

  /** Again for each page that the tab gets. */
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

  #on<T>(source: BrowserContext | Page, event: string, heard: (item: T) => void): void {
    const emitter = source as unknown as EventEmitter;
    emitter.on(event, heard);
    this.#offs.push(() => emitter.off(event, heard));
  }

  #unlisten(): void {
    for (const off of this.#offs.splice(0)) off();
  }

  /** Something has happened: the time of quiet begins anew. */
  #stir(): void {
    const { idleMs } = this.#manner;
    if (idleMs === undefined) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.end(`by itself after ${idleMs} ms without traffic`), idleMs).unref();
  }

  #shows(url: string): void {
    this.shown.push({ url, started: Date.now() });
  }

  #mark(moment: 'ready' | 'loaded'): void {
    const last = this.shown.at(-1);
    if (last) last[moment] ??= Date.now();
  }

  #request(request: Request): void {
    if (!this.#isOurs(request)) return;
    if (request.isNavigationRequest() && !request.redirectedFrom() && request.frame() === this.#tab.page.mainFrame())
      this.#shows(request.url());
    const row = this.#row(request.url(), request.method(), typeOf(request.resourceType()));
    if (!row) return;
    fillStart(row, request, size => this.#take(size));
    this.#rows.set(request, row);
  }

  /** A service worker serves all tabs of its site. */
  #isOurs(request: Request): boolean {
    const worker = request.serviceWorker();
    if (!worker) return pageOf(request) === this.#tab.page;
    return URL.canParse(worker.url()) && this.#tab.url.startsWith(`${new URL(worker.url()).origin}/`);
  }

  #row(url: string, method: string, type: Row['type']): Row | undefined {
    if (!this.#manner.wants({ url, method, type })) return undefined;
    this.#stir();
    if (this.rows.length >= MOST_ROWS) {
      this.dropped++;
      return undefined;
    }
    const row: Row = {
      url,
      method,
      type,
      page: this.shown.length - 1,
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
    this.rows.push(row);
    return row;
  }

  #done(request: Request): void {
    const row = this.#rows.get(request);
    if (!row) return;
    this.#rows.delete(request);
    this.#stir();
    const filling = this.#fill(row, request).finally(() => this.#filling.delete(filling));
    this.#filling.add(filling);
  }

  /** All at once: the page may be about to leave, and takes its bodies along. */
  async #fill(row: Row, request: Request): Promise<void> {
    const body = this.#manner.bodies ? fillBody(row, request, size => this.#take(size)) : undefined;
    await Promise.all([fillAnswer(row, request), body]);
  }

  /** Whether so much more may be kept. */
  #take(bytes: number): boolean {
    if (bytes > this.#room) return false;
    this.#room -= bytes;
    return true;
  }

  #socket(socket: WebSocket): void {
    const row = this.#row(socket.url(), 'GET', 'websocket');
    if (!row) return;
    const messages: Message[] = [];
    Object.assign(row, { status: 101, statusText: 'Switching Protocols', messages });
    const heard = (type: Message['type'], data: string | Buffer) => {
      if (this.ended) return;
      this.#stir();
      if (messages.length < MOST_MESSAGES && this.#take(data.length)) messages.push({ type, time: Date.now(), data });
    };
    socket.on('framesent', ({ payload }) => heard('send', payload));
    socket.on('framereceived', ({ payload }) => heard('receive', payload));
    socket.on('socketerror', error => Object.assign(row, { error, status: 0, statusText: '' }));
    socket.on('close', () => {
      if (!this.ended) Object.assign(row, { done: true, ms: Date.now() - row.started });
    });
  }
}
