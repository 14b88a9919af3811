// Pages for the tests of the devtools dialect, on loopback.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answering, answering } from './answering.ts';

const DESK = `<!doctype html><html lang="en"><title>Desk</title><h1>Desk</h1><p>Some words of text.</p>
<label>Name <input id="name" value="Ada"></label><label>Secret <input type="password" value="hunter22"></label>
<label>Colour <select id="colour"><option value="r">Red</option><option value="g" selected>Green</option></select></label>
<label><input type="checkbox" id="agree"> Agree</label><label><input type="radio" name="r" checked> One</label>
<button id="save" onclick="document.title = 'saved'; console.log('clicked', 1, { a: 1 })" ondblclick="document.title = 'twice'"
 onmouseenter="document.body.dataset.over = 'save'">Save</button>
<button id="late" onclick="draw(20)">Later</button>
<button id="ask" onclick="document.title = String(confirm('Sure?'))">Ask</button>
<button id="prompt" onclick="document.title = String(prompt('Who?', 'me'))">Prompt</button>
<button id="gone" onclick="this.remove()">Remove me</button><button disabled>Off</button><button aria-expanded="false">Menu</button>
<a href="/two">Two</a> <a href="/two" target="_blank">Tab</a>
<input type="file" id="file" aria-label="File"><button id="choose" onclick="document.querySelector('#file').click()">Choose</button>
<div id="from" draggable="true" role="img" aria-label="From" style="width:60px;height:30px;background:red"></div>
<div id="to" role="img" aria-label="To" style="width:60px;height:30px;background:blue" ondragover="event.preventDefault()"
 ondrop="document.title = 'dropped'"></div>
<iframe src="/frame" title="Inner" style="height:60px"></iframe><p style="height:3000px">Tall</p><script>
// In many small steps, as some pages draw.
const draw = left => { if (left === 0) document.body.append('Drawn later'); else { document.body.dataset.left = left; setTimeout(draw, 50, left - 1) } };
</script>`;

const LOGS = `<!doctype html><title>Logs</title><link rel="icon" href="data:,"><script>
console.log('hello'); console.info('info'); console.warn('careful'); console.error('wrong'); console.debug('deep');
setTimeout(() => { throw new Error('boom') });</script>`;

const REQUESTS = `<!doctype html><title>Requests</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css"><img src="/pic.png">
<script src="/app.js"></script><script>
fetch('/api', { method: 'POST', body: '{"q":1}', headers: { 'content-type': 'application/json', authorization: 'Bearer s3cr3t' } })
  .then(r => r.text()).then(() => fetch('/moved')).then(r => r.text()).then(() => fetch('/big')).then(r => r.text())
  .then(() => fetch('/none')).then(() => { document.title = 'all' });</script>`;

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Dots that no format can pack. */
const NOISE = `<!doctype html><title>Noise</title><body style="margin:0"><canvas width="1200" height="900"></canvas><script>
const pen = document.querySelector('canvas').getContext('2d'), image = pen.createImageData(1200, 900);
for (let at = 0; at < image.data.length; at++) image.data[at] = at % 4 === 3 ? 255 : Math.random() * 256;
pen.putImageData(image, 0, 0);</script>`;

const LATE = `<!doctype html><title>Late</title><script>
setTimeout(() => document.body.append('Arrived now'), 300);
setTimeout(() => { const frame = document.createElement('iframe'); frame.srcdoc = '<button aria-label="Named inside">x</button>'; document.body.append(frame) }, 300);</script>`;

type Answer = (res: ServerResponse, req: IncomingMessage) => void;
const send =
  (type: string, body: string | Buffer, status = 200, headers: Record<string, string> = {}): Answer =>
  res =>
    void res.writeHead(status, { 'content-type': type, ...headers }).end(body);
/** It hangs without a loop that would take a processor from other tests. */
const STUCK = `<title>Stuck</title><button onclick="setTimeout(hang, 60)">Hang</button><script>
function hang() {
  const request = new XMLHttpRequest();
  request.open('GET', '/never', false);
  request.send();
}</script>`;

const html = (body: string): Answer => send('text/html', body);

const ANSWERS: Readonly<Record<string, Answer>> = {
  '/': html(DESK),
  '/two': html('<title>Two</title><h1>Two</h1><a href="/">Back</a>'),
  '/frame': html(`<button onclick="document.body.append('done inside')">In</button>`),
  '/logs': html(LOGS),
  '/requests': html(REQUESTS),
  '/style.css': send('text/css', 'body { color: black }'),
  '/app.js': send('text/javascript', 'window.app = 1'),
  '/pic.png': send('image/png', PIXEL),
  '/api': send('application/json', '{"ok":true}', 200, { 'x-answer': 'yes', 'set-cookie': 'sid=s3cr3t' }),
  '/moved': send('text/plain', '', 302, { location: '/moved-on' }),
  '/moved-on': send('text/plain', '', 301, { location: '/api' }),
  '/big': send('text/plain', 'x'.repeat(12_000)),
  '/noise': html(NOISE),
  '/late': html(LATE),
  '/stuck': html(STUCK),
  '/closes': html('<title>Closes</title><button onclick="window.close()">Close me</button>'),
  '/long': html(
    `<title>Long</title>${Array.from({ length: 2_000 }, (_, at) => `<button>Button ${at} of many</button>`).join('')}`,
  ),
  // Without an answer.
  '/never': () => undefined,
};

export type DevtoolsSite = Answering;

export function startDevtoolsSite(): Promise<DevtoolsSite> {
  const nothing = send('text/plain', 'nothing here', 404);
  return answering((req, res) => (ANSWERS[req.url?.split('?')[0] ?? ''] ?? nothing)(res, req));
}
