// One tool of the dialect browsion: a row as every dialect has it, and where the HTTP API serves it.
import { firstOf } from '../../engine/elements/parse-target.ts';
import type { DialectTool, Schema, Source } from '../definition.ts';
import type { Shape } from './shape.ts';

/** As in the inventory of the document. */
export const CATEGORIES = [
  'Profile',
  'Lifecycle',
  'Navigation',
  'Mouse',
  'Keyboard',
  'Forms',
  'Scroll/Wait',
  'Observe',
  'AX-Ref',
  'JavaScript',
  'Tabs',
  'Cookies',
  'Cookie portability',
  'Console',
  'Network',
  'Dialog',
  'Emulation',
  'Storage',
  'Touch',
  'PDF',
  'Frames',
  'Utility',
] as const;

export interface BrowsionRow extends DialectTool {
  category: (typeof CATEGORIES)[number];
  /** The form of its answer. */
  gives: Shape;
  /** Where it is served, in every spelling; the bridge uses the first. */
  at: readonly [ApiPath, ...ApiPath[]];
  /** The status of an answer that went well; 200 when left out. */
  status?: 201 | 204;
  /** The member of the answer that holds its picture, as base64. */
  picture?: string;
}

export interface ApiPath {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Parts such as :profile_id are arguments; the others stand in the query of a GET, else in the body. */
  path: string;
  /** Arguments that are written in another way here. */
  reads?: Readonly<Record<string, Source>>;
}

type Takes = Readonly<Record<string, Schema>>;

const PATH = /^(GET|POST|PUT|DELETE) (\S+)$/;

/** `POST click` is POST /api/browser/:profile_id/click; a path that begins with a slash is below /api. */
export function place(text: string, reads?: ApiPath['reads']): ApiPath {
  const [, method = 'GET', path = ''] = PATH.exec(text) ?? [];
  const full = path.startsWith('/') ? `/api${path}` : `/api/browser/:profile_id/${path}`;
  return { method: method as ApiPath['method'], path: full, ...(reads && { reads }) };
}

export const text = (description: string): Schema => ({ type: 'string', description });
export const ms = (usual: number): Schema => ({
  type: 'number',
  default: usual,
  description: 'Most time for it, in milliseconds',
});

const profile: Takes = { profile_id: text('Profile whose browser is meant, from list_profiles; it must be running') };
/** A selector means the first element that it matches. */
export const first = (from: string): Source => ({ from, as: firstMatch });
export const firstMatch = (selector: unknown): unknown => (typeof selector === 'string' ? firstOf(selector) : selector);

export const selector: Takes = { selector: text('CSS, also inside shadow DOM; or a ref such as e5') };

interface OnPage extends Omit<BrowsionRow, 'takes' | 'at'> {
  takes?: Takes;
  at: string | readonly [string, ...string[]];
}

/** A tool that acts in the browser of a profile. */
export function onPage({ takes = {}, required = [], at, ...row }: OnPage): BrowsionRow {
  const [first, ...others] = [at].flat() as [string, ...string[]];
  return {
    ...row,
    takes: { ...profile, ...takes },
    required: ['profile_id', ...required],
    at: [place(first), ...others.map(other => place(other))],
  };
}

/** `*` stands for anything; a pattern without one may stand anywhere in the url. */
export function wildcard(pattern: unknown): unknown {
  if (typeof pattern !== 'string') return pattern;
  return pattern.includes('*') ? pattern.replace(/\*+/g, '**') : `**${pattern}**`;
}

/** What came of an action, beside that it was done. */
export const DONE: Shape = {
  ok: true,
  navigated: 'navigated',
  navigating: 'navigating',
  opened: facts => openedIn(facts.opened),
  dialog: 'dialog',
  download: 'download',
  errors: 'errors',
};

function openedIn(opened: unknown): unknown {
  if (opened === undefined) return undefined;
  const { targetId, url } = Object(opened);
  return { target_id: targetId, url };
}

/** Where a tab is after a navigation. */
export const PAGE: Shape = {
  url: 'url',
  title: 'title',
  unfinished: 'unfinished',
  status: 'status',
  dialog: 'dialog',
  download: 'download',
};
