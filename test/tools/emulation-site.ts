// A site for the emulation tests: each page writes down what its first script saw; frames of another site inside frames.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EmulationSite {
  /** http://127.0.0.1:port */
  here: string;
  /** http://localhost:port: another site, and so another process. */
  there: string;
  /** Headers of the latest request for a path. */
  headers: Map<string, IncomingHttpHeaders>;
  close(): Promise<void>;
}

/** What a page sees of its surroundings. */
export const SEEN = `({
  agent: navigator.userAgent, platform: navigator.platform, mobile: navigator.userAgentData?.mobile,
  system: navigator.userAgentData?.platform, languages: navigator.languages.join(), intl: new Intl.NumberFormat().resolvedOptions().locale,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone, touch: navigator.maxTouchPoints, coarse: matchMedia('(pointer: coarse)').matches,
  dark: matchMedia('(prefers-color-scheme: dark)').matches, ratio: devicePixelRatio, online: navigator.onLine,
})`;

const page = (body: string): string =>
  `<!doctype html><meta name="viewport" content="width=device-width"><title>Seen</title><script>first = ${SEEN}</script>${body}`;

const WORKER = `postMessage(navigator.userAgent); onmessage = () => fetch('/data').then(() => postMessage('ok'), () => postMessage('failed'))`;

export async function startEmulationSite(): Promise<EmulationSite> {
  const headers = new Map<string, IncomingHttpHeaders>();
  const origins = { here: '', there: '' };
  const bodies: Record<string, () => string> = {
    '/plain': () => '<p>Plain</p>',
    '/outer': () => `<iframe src="${origins.there}/plain"></iframe>`,
    '/deep': () => `<iframe src="${origins.there}/middle"></iframe>`,
    '/middle': () => `<iframe src="${origins.here}/plain"></iframe>`,
  };
  const make = (): Server =>
    createServer((request, response) => {
      const path = (request.url ?? '/').split('?')[0] ?? '/';
      headers.set(path, request.headers);
      const isScript = path === '/worker.js';
      response.writeHead(200, {
        'content-type': isScript ? 'text/javascript' : 'text/html',
        'cache-control': 'no-store',
      });
      const size = Number(/size=(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
      response.end(isScript ? WORKER : path === '/data' ? 'x'.repeat(size) : page(bodies[path]?.() ?? ''));
    });
  const servers = [make(), make()];
  const ports = await Promise.all(
    servers.map(
      server => new Promise<number>(resolve => server.listen(0, () => resolve((server.address() as AddressInfo).port))),
    ),
  );
  origins.here = `http://127.0.0.1:${ports[0]}`;
  origins.there = `http://localhost:${ports[1]}`;
  return {
    ...origins,
    headers,
    async close() {
      await Promise.all(
        servers.map(server => {
          server.closeAllConnections();
          return new Promise(resolve => server.close(resolve));
        }),
      );
    },
  };
}
