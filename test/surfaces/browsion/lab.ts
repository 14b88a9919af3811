// The pages that the tools are tried on: each tells in `seen` what it was given.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Lab {
  /** http://127.0.0.1:port */
  url: string;
  /** Requests so far, as `GET /path`. */
  requests: string[];
  close(): void;
}

const HEARD = 'click dblclick contextmenu mouseover touchstart touchmove touchend wheel input change keydown';

const MAIN = `<title>Lab</title>
<style>body { margin: 0 } #box { height: 80px; overflow: auto } #touch { height: 120px; background: #eee }</style>
<h1>Lab</h1>
<button id="button" title="Press it">Button</button> <a id="new" href="/two" target="_blank">New tab</a> <a id="link" href="/two">Second page</a>
<p><input id="field" aria-label="Field" class="a b" placeholder="Type here"> <input id="file" type="file" aria-label="File">
<select id="list" aria-label="List"><option value="v1">First</option><option value="v2">Second</option></select></p>
<div id="host"></div>
<p id="source" draggable="true">Drag me</p><p id="target">Drop here</p>
<div id="box"><div style="height: 900px">Inner</div></div>
<div id="touch">Touch me</div>
<p id="late"></p>
<div style="height: 3000px">Below</div><p id="low">Low</p>
<script>
  seen = []; dropped = '';
  for (const type of '${HEARD}'.split(' '))
    addEventListener(type, event => seen.push(type + ' ' + (event.composedPath()[0].id ?? '')), { capture: true, passive: true });
  host.attachShadow({ mode: 'open' }).innerHTML = '<button id="deep">Deep</button>';
  source.ondragstart = event => event.dataTransfer.setData('text', 'x');
  target.ondragover = event => event.preventDefault();
  target.ondrop = event => { event.preventDefault(); dropped = event.dataTransfer.getData('text') };
  heard = name => seen.includes(name);
</script>`;

const SPA = `<title>Home</title><main>Home</main><script>
  const show = name => { document.title = name; document.querySelector('main').textContent = name };
  go = name => { history.pushState(name, '', '/spa?' + name); show(name) };
  onpopstate = event => show(event.state ?? 'Home');
</script>`;

/** A request every 200 ms: it never comes to rest. */
const BUSY = `<title>Busy</title><script>setInterval(() => fetch('/api/v1/tick').catch(() => 0), 200)</script>`;
/** The last request ends a while after the load. */
const CALM = `<title>Calm</title><script>addEventListener('load', () => fetch('/slow').then(() => { document.title = 'Calm now' }))</script>`;

const PAGES: Readonly<Record<string, string>> = {
  '/lab': MAIN,
  '/two': '<title>Two</title><h1>Second</h1>',
  '/spa': SPA,
  '/busy': BUSY,
  '/calm': CALM,
  '/frames': `<title>Outer</title><p>Outside</p><iframe name="middle" src="/middle" width="500" height="300"></iframe>`,
  '/middle': `<title>Middle</title><p>Between</p><iframe name="inner" src="/inner" width="400" height="200"></iframe>`,
  '/inner': `<title>Inner</title><input id="in" aria-label="Innermost"><button id="b" onclick="this.textContent = 'Pressed'">Press</button>`,
};

const page = (res: ServerResponse, body: string): void =>
  void res.setHeader('content-type', 'text/html').end(`<!doctype html><html lang="en"><body>${body}`);

export async function startLab(): Promise<Lab> {
  const requests: string[] = [];
  const server = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://lab');
    requests.push(`${req.method} ${pathname}`);
    const body = PAGES[pathname];
    if (body !== undefined) page(res, body);
    else if (pathname === '/slow') setTimeout(() => res.end('late'), 700);
    else if (pathname.startsWith('/api/')) res.setHeader('content-type', 'application/json').end('{"real":true}');
    else res.writeHead(404, { 'content-type': 'text/html' }).end('<title>None</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
