// The events of a tab: navigations, frames, requests, errors, new tabs.

import type { Phrase } from '../../text.ts';
import type { Point } from '../geometry.ts';

export interface TabEvents {
  /** A navigation of the main frame was asked for (by the page or by us). */
  requested: [url: string];
  /** The main frame shows another document. */
  committed: [url: string];
  /** The address changed without a new document. */
  within: [url: string];
  domready: [];
  loaded: [];
  /** The tab has got a page, its first or another one, and its CDP session is open. */
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
  pressed: [at: Point];
  dragged: [from: Point, to: Point];
  acted: [caption: string | Phrase];
}

/** A navigation that has been asked for and has not got its document yet. */
export interface Pending {
  url: string;
  since: number;
}
