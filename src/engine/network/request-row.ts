// A request as answers show it: one row of the request log or of a capture. Headers, and which of them are masked.
import { maskHeader } from '../../policy/mask.ts';

/** The types that a filter names; Chrome's others count as "other". */
export const TYPES = [
  'document',
  'stylesheet',
  'image',
  'media',
  'font',
  'script',
  'xhr',
  'fetch',
  'websocket',
  'other',
] as const;
export type ResourceType = (typeof TYPES)[number];

export const typeOf = (type: string): ResourceType => TYPES.find(known => known === type) ?? 'other';

export interface RequestRow {
  /** Chrome's id of the request, in the log of a tab. */
  id?: string;
  method: string;
  url: string;
  status: number;
  type: ResourceType;
  bytes: number;
  ms: number;
  error?: string;
  from?: 'cache' | 'service worker';
  pending?: true;
  byServiceWorker?: true;
  messages?: number;
  /** The first part of the body, or why there is none. */
  body?: string;
  noBody?: string;
}

export interface Header {
  name: string;
  value: string;
}

export const headerList = (headers: Record<string, string>): Header[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

/** The values of all headers of that name, which is in lower case. */
export const headerValues = (headers: readonly Header[], wanted: string): string[] =>
  headers.filter(({ name }) => name.toLowerCase() === wanted).map(({ value }) => value);

export const contentType = (headers: readonly Header[]): string => headerValues(headers, 'content-type')[0] ?? '';

/** What logs somebody in is masked. */
export const maskHeaders = (headers: readonly Header[]): Header[] =>
  headers.map(({ name, value }) => ({ name, value: maskHeader(name, value) }));
