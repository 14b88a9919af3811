// One captured request as data, and the short form that an agent reads.
import { redact } from '../../../policy/mask.ts';
import { isText, textOf } from '../body-text.ts';

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

export interface Header {
  name: string;
  value: string;
}

/** ms after `started`; -1 for what did not happen. */
export interface Moments {
  domainLookupStart: number;
  domainLookupEnd: number;
  connectStart: number;
  secureConnectionStart: number;
  connectEnd: number;
  requestStart: number;
  responseStart: number;
  responseEnd: number;
}

export interface Message {
  type: 'send' | 'receive';
  /** ms since 1970. */
  time: number;
  data: string | Buffer;
}

export interface Row {
  url: string;
  method: string;
  type: ResourceType;
  /** Which page of the capture it belongs to. */
  page: number;
  /** ms since 1970. */
  started: number;
  requestHeaders: Header[];
  postData?: Buffer;
  status: number;
  statusText: string;
  responseHeaders: Header[];
  httpVersion: string;
  server?: { ipAddress: string; port: number };
  /** Bytes over the network: headers and body of the answer; -1 when not known. */
  headerBytes: number;
  bodyBytes: number;
  moments?: Moments;
  /** From the first byte sent to the last received. */
  ms: number;
  from?: 'cache' | 'service worker';
  /** A service worker sent it. */
  byServiceWorker?: true;
  error?: string;
  /** It has ended, well or not. */
  done: boolean;
  body?: Buffer;
  /** Why there is no body although it was asked for. */
  noBody?: string;
  messages?: Message[];
}

export interface ShortEntry {
  /** Chrome's name for it, in the log of a tab. */
  id?: string;
  method: string;
  url: string;
  status: number;
  type: ResourceType;
  bytes: number;
  ms: number;
  error?: string;
  from?: Row['from'];
  pending?: true;
  byServiceWorker?: true;
  messages?: number;
  /** Its begin, or why there is none. */
  body?: string;
  noBody?: string;
}

const LONGEST_URL = 300;
const LONGEST_BODY = 500;

export const mimeOf = (row: Row): string =>
  row.responseHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';

export const bytesOf = ({ headerBytes, bodyBytes }: Row): number => Math.max(0, headerBytes) + Math.max(0, bodyBytes);

/** Secrets in the address and in the begin of the body are masked. */
export function shortRow(row: Row, withBody: boolean): ShortEntry {
  const { method, status, type, ms, error, from, done, messages, byServiceWorker } = row;
  return {
    method,
    url: cut(redact(row.url.slice(0, 10 * LONGEST_URL)), LONGEST_URL),
    status,
    type,
    bytes: bytesOf(row),
    ms: Math.round(ms),
    ...(error === undefined ? {} : { error }),
    ...(from ? { from } : {}),
    ...(done ? {} : { pending: true }),
    ...(byServiceWorker ? { byServiceWorker } : {}),
    ...(messages ? { messages: messages.length } : {}),
    ...(withBody && row.noBody !== undefined ? { noBody: row.noBody } : {}),
    ...(withBody && row.body && row.body.length > 0 && isText(mimeOf(row), row.body)
      ? { body: cut(redact(textOf(mimeOf(row), row.body.subarray(0, 4 * LONGEST_BODY))), LONGEST_BODY) }
      : {}),
  };
}

export const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;
