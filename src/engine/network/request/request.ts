// Request: an HTTP request with the browser's cookies. Redirects are followed here, so that each step obeys the url rules.
import { Failure, refusedBy } from '../../../errors.ts';
import { maskHeader } from '../../../policy/mask.ts';
import { hasHandle } from '../../../policy/secrets/handles.ts';
import { checkAllowed } from '../../../policy/url-rules.ts';
import { checkUrl } from '../../../policy/urls.ts';
import { callerFile, saveFile, writablePath } from '../../files.ts';
import { foldersIn, type Limits, savingFolders, under } from '../../limits.ts';
import type { SavedFile } from '../../picture.ts';
import { maskedBytes } from '../../secrets.ts';
import type { Tab } from '../../tab/tab.ts';
import { isText, textOf } from '../body-text.ts';
import { contentType, headerValues } from '../request-row.ts';
import { type BodyInput, bodyOf, type RequestBody } from './body.ts';
import { cookieHeader, storeCookies } from './cookies.ts';
import type { IncomingResponse } from './exchange.ts';
import { fillHandles } from './fill-handles.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

export interface RequestInput extends BodyInput {
  url: string;
  method: (typeof METHODS)[number];
  headers?: Record<string, string> | undefined;
  follow_redirects: boolean;
  save_path?: string | undefined;
}

export interface RequestResult {
  status: number;
  statusText: string;
  /** Where it was answered, after all redirects. */
  url: string;
  redirects: number;
  /** Secrets are masked. */
  headers: Record<string, string>;
  /** Length of the body, as far as it was read. */
  bytes: number;
  /** The body is longer than what was read. */
  unread?: true;
  body?: string;
  /** How many characters the whole text has, when the body is cut. */
  cutFrom?: number;
  file?: SavedFile;
  cookies?: string[];
  ms: number;
}

const MOST_REDIRECTS = 20;
const MOST_BYTES = 50_000_000;
/** How long the body is, is counted and not taken from the caller. */
const LENGTHS = ['content-length', 'transfer-encoding'];
/** Left of the answer's budget for the lines beside the body. */
const BESIDE = 600;

export async function request(tab: Tab, input: RequestInput, limits: Limits): Promise<RequestResult> {
  const started = performance.now();
  const path = input.save_path === undefined ? undefined : await writablePath(input.save_path, savingFolders(limits));
  limits.waiting();
  const { answer, url, redirects, cookies } = await fetchFollowing(tab, input, limits);
  return {
    status: answer.status,
    statusText: answer.statusText,
    url: url.href,
    redirects,
    headers: shownHeaders(answer),
    bytes: answer.body.length,
    ...(answer.cut && { unread: true }),
    ...(path === undefined ? shownBody(answer, tab.options.maxChars) : await saved(answer, path, limits)),
    ...(cookies.length > 0 && { cookies }),
    ms: Math.round(performance.now() - started),
  };
}

interface Hop {
  url: URL;
  method: string;
  headers: Record<string, string>;
  sent: RequestBody;
  /** What holds secrets, and so goes to the first origin only: names of headers, and the body. */
  secret: { headers: readonly string[]; body: boolean };
}

/** Sends the request, and follows redirects if the input says so. */
export async function fetchFollowing(tab: Tab, input: RequestInput, limits: Limits) {
  // Loaded here: a start needs no HTTP client.
  const { egressFetch } = await import('../../egress/egress-fetch.ts');
  const context = tab.page.context();
  const bounds = { mostBytes: MOST_BYTES, signal: limits.signal };
  const cookies = new Set<string>();
  let hop = await firstHop(tab, input, limits);
  for (let redirects = 0; ; redirects++) {
    const { url, method, sent } = hop;
    const jar = await under(limits.signal, cookieHeader(tab, url));
    const headers = { ...(jar === '' ? {} : { cookie: jar }), ...sent.headers, ...hop.headers };
    const answer = await egressFetch(context, tab.options, { url, method, headers, body: sent.body }, bounds);
    for (const name of await under(limits.signal, storeCookies(tab, headerValues(answer.headers, 'set-cookie'), url)))
      cookies.add(name);
    const next = input.follow_redirects ? nextHop(hop, answer) : undefined;
    if (!next) return { answer, url, redirects, cookies: [...cookies] };
    if (redirects === MOST_REDIRECTS)
      throw new Failure(
        'request_failed',
        `${url.href} redirects further after ${MOST_REDIRECTS} redirects.`,
        'Check the url, or set follow_redirects to false to see one step.',
      );
    limits.judge?.check([next.url.href]);
    hop = next;
  }
}

async function firstHop(tab: Tab, input: RequestInput, limits: Limits): Promise<Hop> {
  const url = webUrl(input.url);
  checkAllowed(url.href, tab.options);
  if (hasHandle(input.url.replace(/%7b/gi, '{').replace(/%7d/gi, '}')))
    throw new Failure('bad_input', 'A secret goes into headers or the body, not into a url.', 'Move it there.');
  const filled = await fillHandles(input, url.origin, limits);
  const sent = await bodyOf(filled.input, path => callerFile(path, foldersIn(limits), tab.options));
  const agent = tab.options.userAgent ?? (await under(limits.signal, tab.main.send('Browser.getVersion'))).userAgent;
  const given = Object.entries(filled.input.headers ?? {})
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => !LENGTHS.includes(name));
  return {
    url,
    method: input.method,
    headers: {
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': agent,
      ...loginOf(url),
      ...Object.fromEntries(given),
    },
    sent,
    secret: filled.secret,
  };
}

function webUrl(given: string): URL {
  const url = new URL(checkUrl(given));
  if (/^https?:$/.test(url.protocol)) return url;
  throw new Failure('bad_input', `A request goes to an http or https url, not to ${url.protocol}`, 'Give such a url.');
}

/** https://user:password@host logs in as a browser does; the url that is shown has it no more. */
function loginOf(url: URL): Record<string, string> {
  const { username, password } = url;
  url.username = url.password = '';
  if (username === '') return {};
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
}

/** Where a redirect leads, as a browser would go; undefined when the answer is none. */
function nextHop(hop: Hop, answer: IncomingResponse): Hop | undefined {
  const [location] = headerValues(answer.headers, 'location');
  if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return undefined;
  if (!URL.canParse(location, hop.url))
    throw new Failure('request_failed', `${hop.url.href} redirects to what is no url.`, 'Check the url.');
  const url = webUrl(new URL(location, hop.url).href);
  const turnsToGet =
    (answer.status === 303 && hop.method !== 'HEAD') || (answer.status <= 302 && hop.method === 'POST');
  const isElsewhere = url.origin !== hop.url.origin;
  if (isElsewhere && hop.secret.body && !turnsToGet)
    throw refusedBy(
      'secrets stay at their origin',
      `${hop.url.origin} redirects to ${url.origin}, but the body holds a secret. Nothing was sent there.`,
      'Set follow_redirects to false to see the answer.',
    );
  // What logs in at one site is not for another.
  const drop = isElsewhere
    ? ['authorization', 'cookie', 'host', 'origin', 'proxy-authorization', ...hop.secret.headers]
    : [];
  if (turnsToGet) drop.push('content-type', 'content-length', 'content-encoding');
  return {
    url,
    method: turnsToGet ? 'GET' : hop.method,
    headers: Object.fromEntries(Object.entries(hop.headers).filter(([name]) => !drop.includes(name))),
    sent: turnsToGet ? { headers: {} } : hop.sent,
    secret: hop.secret,
  };
}

function shownHeaders({ headers }: IncomingResponse): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const { name, value } of headers) {
    const key = name.toLowerCase();
    const masked = maskHeader(key, value);
    shown[key] = shown[key] === undefined ? masked : `${shown[key]}, ${masked}`;
  }
  return shown;
}

function shownBody(answer: IncomingResponse, budget: number): Pick<RequestResult, 'body' | 'cutFrom'> {
  const type = contentType(answer.headers);
  if (answer.body.length === 0 || !isText(type, answer.body)) return {};
  const text = textOf(type, answer.body);
  const most = Math.max(200, budget - BESIDE);
  return text.length <= most ? { body: text } : { body: text.slice(0, most), cutFrom: text.length };
}

async function saved({ body, headers }: IncomingResponse, path: string, limits: Limits): Promise<{ file: SavedFile }> {
  const bytes = isText(contentType(headers), body) ? maskedBytes(body, limits) : body;
  await saveFile(path, bytes);
  return { file: { path, bytes: bytes.length } };
}
