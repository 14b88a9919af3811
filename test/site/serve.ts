// The test site: pages and awkward answers on loopback, as two sites (127.0.0.1 and localhost) so that frames can be cross-site.
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  alertOnLoadPage,
  beforeUnloadPage,
  bigPage,
  document,
  escapeHtml,
  indexPage,
  rowsPage,
  signupDonePage,
} from './dynamic.ts';

interface SiteRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Site {
  /** http://127.0.0.1:port, without a slash at the end. */
  url: string;
  /** http://localhost:other port: the same pages as another site (and so another process). */
  otherSiteUrl: string;
  /** The latest requests, oldest first; at most MAX_REQUESTS. */
  requests: SiteRequest[];
  close(): Promise<void>;
}

export const MAX_REQUESTS = 500;
const MAX_BODY = 1 << 20;
const MAX_COUNT = 200_000;
const MAX_WAIT_MS = 60_000;
const PAGES = new URL('./pages/', import.meta.url);

/** File names of all static pages, sorted. */
export const pageNames: readonly string[] = readdirSync(fileURLToPath(PAGES))
  .filter(name => name.endsWith('.html'))
  .sort();

interface Exchange {
  request: SiteRequest;
  query: URLSearchParams;
  path: string;
  res: ServerResponse;
  /** Runs later unless the site closes first. */
  after(ms: number, run: () => void): void;
}

const number = (query: URLSearchParams, key: string, otherwise: number, max: number): number => {
  const value = Number(query.get(key) ?? otherwise);
  return Number.isFinite(value) ? Math.min(Math.max(0, Math.trunc(value)), max) : otherwise;
};

function send(
  res: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store', ...headers });
  res.end(body);
}
const html = (res: ServerResponse, body: string, status = 200): void => send(res, status, 'text/html', body);

/** Routes by exact path; paths that are not here are static pages. */
const ROUTES: Record<string, (x: Exchange) => void> = {
  '/': x => html(x.res, indexPage([...pageNames])),
  '/favicon.ico': x => {
    x.res.writeHead(204);
    x.res.end();
  },
  '/slow': x => {
    const ms = number(x.query, 'ms', 1000, MAX_WAIT_MS);
    x.after(ms, () => html(x.res, document('Slow', `<h1>Slow</h1><p>Answered after ${ms} ms.</p>`)));
  },
  '/never': x => {
    x.res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    x.res.write('<!doctype html><html lang="en"><head><title>Never ends</title></head><body><h1>Never ends</h1>');
  },
  '/never-answers': () => undefined,
  '/redirect': x => {
    x.res.writeHead(302, { location: x.query.get('to') ?? '/', 'cache-control': 'no-store' });
    x.res.end();
  },
  '/download/report.csv': x =>
    send(x.res, 200, 'text/csv', 'month,sum\nJanuary,12\nFebruary,30\n', {
      'content-disposition': 'attachment; filename="report.csv"',
    }),
  '/api/echo': x => {
    const { method, headers, body } = x.request;
    send(x.res, 200, 'application/json', JSON.stringify({ method, headers, body }));
  },
  '/signup': x => {
    if (x.request.method !== 'POST') return html(x.res, document('Method not allowed', '<h1>405</h1>'), 405);
    html(x.res, signupDonePage(new URLSearchParams(x.request.body)));
  },
  // Any page that a test writes: Chrome opens it faster than a data: url, for which it starts a process each time.
  '/html': x => html(x.res, x.query.get('of') ?? ''),
  '/rows': x => html(x.res, rowsPage(number(x.query, 'n', 20, MAX_COUNT))),
  '/big': x => html(x.res, bigPage(number(x.query, 'n', 50_000, MAX_COUNT))),
  '/alert-on-load': x => html(x.res, alertOnLoadPage),
  '/beforeunload': x => html(x.res, beforeUnloadPage),
};

function statusPage(x: Exchange, status: number): void {
  html(x.res, document(`Status ${status}`, `<h1>Status ${status}</h1>`), status);
}

async function staticPage(x: Exchange, otherSiteUrl: string): Promise<void> {
  const name = x.path.slice(1);
  if (!pageNames.includes(name))
    return html(x.res, document('Not found', `<h1>Not found</h1><p>${escapeHtml(x.path)}</p>`), 404);
  const text = await readFile(new URL(name, PAGES), 'utf8');
  html(x.res, text.replaceAll('{{OTHER}}', otherSiteUrl));
}

/** The body as text, or undefined when it is too large. */
async function readBody(req: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Read on even so: leaving the loop would cut the connection before the answer.
    if (size <= MAX_BODY) chunks.push(chunk);
  }
  return size > MAX_BODY ? undefined : Buffer.concat(chunks).toString('utf8');
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

function stop(server: Server): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}

export async function startSite(): Promise<Site> {
  const requests: SiteRequest[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let otherSiteUrl = '';

  const after = (ms: number, run: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  };

  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = await readBody(req);
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://site');
    const request: SiteRequest = {
      method: req.method ?? 'GET',
      url: req.url ?? '/',
      headers: req.headers,
      body: body ?? '',
    };
    requests.push(request);
    if (requests.length > MAX_REQUESTS) requests.shift();
    const x: Exchange = { request, query: searchParams, path: pathname, res, after };
    if (body === undefined) return statusPage(x, 413);
    const status = /^\/status\/([2-5]\d\d)$/.exec(pathname)?.[1];
    if (status) return statusPage(x, Number(status));
    const route = Object.hasOwn(ROUTES, pathname) ? ROUTES[pathname] : undefined;
    return route ? route(x) : staticPage(x, otherSiteUrl);
  };

  const make = (): Server =>
    createServer((req, res) => {
      // A client that goes away in the middle is no fault of the site; anything else is shown to the page.
      answer(req, res).catch((error: unknown) => {
        if (req.destroyed || res.headersSent) return res.destroy();
        send(res, 500, 'text/plain', String(error));
      });
    });

  const servers = [make(), make()] as const;
  const port = await listen(servers[0]);
  otherSiteUrl = `http://localhost:${await listen(servers[1])}`;

  return {
    url: `http://127.0.0.1:${port}`,
    otherSiteUrl,
    requests,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      await Promise.all(servers.map(stop));
    },
  };
}
