// A page with a slow picture, a style sheet that holds up the first paint, a layout shift and a long task, for the tests of traces.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What it does, it does after the picture has come: so it happens in the same order on a slow machine. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>Slow</title><link rel="stylesheet" href="/slow.css">
<h1>Slow</h1><button id="work">Work</button><div id="slot"></div><p id="moved">Text that moves</p>
<img id="hero" src="/hero.bmp" width="800" height="400">
<script>
  const spin = ms => { for (const end = performance.now() + ms; performance.now() < end; ); };
  const frame = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  function busyWork() { spin(180); }
  document.getElementById('work').onclick = function onWork() { spin(120); this.textContent = 'Worked'; };
  document.getElementById('hero').onload = async () => {
    await frame();
    setTimeout(async () => {
      busyWork();
      document.getElementById('slot').innerHTML = '<div id="advert" style="height: 200px">Advert</div>';
      await frame();
      document.title = 'Done';
    }, 100);
  };
</script>`;

const HERO_MS = 400;
const CSS_MS = 150;

export interface SlowSite {
  url: string;
  close(): Promise<void>;
}

export async function startSlowSite(): Promise<SlowSite> {
  const send = (response: ServerResponse, type: string, body: string | Buffer) =>
    response.writeHead(200, { 'content-type': type }).end(body);
  const server = createServer((request, response) => {
    if (request.url === '/hero.bmp') setTimeout(() => send(response, 'image/bmp', picture(800, 400)), HERO_MS);
    else if (request.url === '/slow.css') setTimeout(() => send(response, 'text/css', 'h1 { color: navy }'), CSS_MS);
    else send(response, 'text/html', request.url === '/plain' ? '<title>Plain</title><h1>Plain</h1>' : PAGE);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise(done => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** A bitmap that does not look like a background: Chrome does not count those. */
function picture(width: number, height: number): Buffer {
  const body = Buffer.from(Array.from({ length: width * height * 3 }, (_, index) => (index * 7_919) % 251));
  const head = Buffer.alloc(54);
  head.write('BM');
  for (const [offset, value] of [
    [2, head.length + body.length],
    [10, head.length],
    [14, 40],
    [18, width],
    [22, height],
    [34, body.length],
  ] as const)
    head.writeUInt32LE(value, offset);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  return Buffer.concat([head, body]);
}
