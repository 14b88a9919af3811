// What Chrome tells of a page while it lives, as events of its tab: navigations, frames, requests, errors, new tabs.
import type { EventEmitter } from 'node:events';
import type { Phrase } from '../../text.ts';
import type { CdpSession } from './cdp-session.ts';

export interface TabEvents {
  /** A navigation of the main frame was asked for (by the page or by us). */
  requested: [url: string];
  /** The main frame shows another document. */
  committed: [url: string];
  /** The address changed without a new document. */
  within: [url: string];
  domready: [];
  /** The tab has got a page, its first or another one, and its wire is open. */
  connected: [];
  stopped: [];
  /** A new tab was asked for, and is there. */
  opening: [];
  opened: [tab: { id: number; url: string }];
  dialog: [];
  /** A download was asked for, and has begun. */
  downloading: [];
  download: [name: string];
  pageerror: [text: string];
  /** A script of the page sent a request, and it ended. */
  request: [id: string];
  requestdone: [id: string];
  /** A child frame began to load another document, and has loaded it or gone. */
  frameloading: [frame: string];
  frameloaded: [frame: string];
  /** For a recording: the mouse was pressed at a point of the viewport, or dragged; a tool has changed something. */
  pressed: [at: { x: number; y: number }];
  dragged: [from: { x: number; y: number }, to: { x: number; y: number }];
  acted: [tool: string, words: string | Phrase];
}

/** A navigation that has been asked for and has not got its document yet. */
export interface Pending {
  url: string;
  since: number;
}

/** The tab, as far as it changes by what is heard. */
export interface EventSink {
  readonly events: EventEmitter<TabEvents>;
  main: CdpSession;
  pending: Pending | undefined;
  opensTab: boolean;
}

const BODY_MS = 200;

/** From the wire of any frame: which frames load, which requests scripts send, what goes wrong. */
export function listenFrame(wire: CdpSession, tab: EventSink): void {
  const { events } = tab;
  const isMain = (frame: string) => frame === tab.main.root;
  const begins = (frame: string, url: string) => {
    if (!isMain(frame)) return events.emit('frameloading', frame);
    tab.pending ??= { url, since: performance.now() };
    return events.emit('requested', url);
  };
  const ends = (frame: string) => {
    if (!isMain(frame)) return events.emit('frameloaded', frame);
    tab.pending = undefined;
    return events.emit('stopped');
  };
  wire.on('Page.frameRequestedNavigation', ({ frameId, url, disposition }) => {
    if (disposition === 'currentTab') begins(frameId, url);
    else if (disposition === 'download') events.emit('downloading');
    else opens(tab);
  });
  wire.on('Page.frameStartedNavigating', ({ frameId, url, navigationType }) => {
    if (!/SameDocument/i.test(navigationType)) begins(frameId, url);
  });
  wire.on('Page.frameStoppedLoading', ({ frameId }) => ends(frameId));
  wire.on('Page.frameDetached', ({ frameId }) => ends(frameId));
  wire.on('Runtime.exceptionThrown', ({ exceptionDetails: { exception, text } }) => {
    events.emit('pageerror', exception?.description?.split('\n')[0] ?? String(exception?.value ?? text));
  });
  wire.on('Network.requestWillBeSent', ({ requestId, type }) => {
    if (type === 'XHR' || type === 'Fetch') events.emit('request', requestId);
  });
  // A body that nobody reads, or a stream, never ends: an answer that has begun counts as one a moment later.
  wire.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'XHR' || type === 'Fetch') setTimeout(() => events.emit('requestdone', requestId), BODY_MS).unref();
  });
  wire.on('Network.loadingFinished', ({ requestId }) => events.emit('requestdone', requestId));
  wire.on('Network.loadingFailed', ({ requestId }) => events.emit('requestdone', requestId));
}

/** From the wire of the page itself: where its main frame stands. */
export function listenPage(wire: CdpSession, tab: EventSink): void {
  const { events } = tab;
  wire.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id !== wire.root) return;
    tab.pending = undefined;
    events.emit('committed', frame.url);
  });
  wire.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
    if (frameId === wire.root) events.emit('within', url);
  });
  wire.on('Page.domContentEventFired', () => events.emit('domready'));
  wire.on('Page.windowOpen', () => opens(tab));
}

function opens(tab: EventSink): void {
  tab.opensTab = true;
  tab.events.emit('opening');
}
