// Pages for the tests of the vision dialect on loopback, and the Clawtopus config file that lets a server open them.
import { mkdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type Answering, answering } from './answering.ts';

/** The page of the document's own example, with words enough to be scrolled. */
const EXAMPLE = `<!doctype html><title>Example Domain</title><style>body{margin:0;width:1280px}</style><div>
<h1>Example Domain</h1><p>This domain is for use in illustrative examples...</p>
<p><a href="https://www.iana.org/domains/example">More information...</a></p></div>`;

const CONTROLS = `<!doctype html><title>Controls</title><main><section aria-label="Form"><label>Name <input id="name" value="Ada"></label>
<label>Mail <input id="mail" type="email"></label><button id="save" onclick="document.title='saved'">Save</button>
<button id="ask" onclick="document.title = String(confirm('Sure?'))">Ask</button></section>
<ul><li><a id="next" href="/example">Next</a></li><li><a id="late" href="#" onclick="setTimeout(() => { location = '/example' }, 400); return false">Late</a></li>
<li><a id="tab" href="/example" target="_blank">Tab</a></li><li><a id="report" href="/report">Report</a></li></ul>
<div id="box" style="width:200px;height:100px;overflow:auto;background:#0f0"><p style="height:900px;width:900px">Long</p></div><p style="height:3000px">Tall</p></main>`;

type Answer = (res: ServerResponse) => void;

const html =
  (body: string, status = 200): Answer =>
  res => {
    res.writeHead(status, { 'content-type': 'text/html' }).end(body);
  };

const ANSWERS: Readonly<Record<string, Answer>> = {
  '/example': html(EXAMPLE),
  '/controls': html(CONTROLS),
  '/missing': html('<h1>Nothing here</h1>', 404),
  '/moved': res => res.writeHead(302, { location: '/example' }).end(),
  '/busy': html('<title>Busy</title><h1>Busy</h1><script>fetch("/never")</script>'),
  '/report': res => res.writeHead(200, { 'content-disposition': 'attachment; filename=report.csv' }).end('a,b'),
  // Without an answer: the page waits for it for ever.
  '/never': () => undefined,
};

export type VisionSite = Answering;

export const startVisionSite = (): Promise<VisionSite> =>
  answering((req, res) => (ANSWERS[req.url?.split('?')[0] ?? ''] ?? html('', 404))(res));

/** Puts ~/.clawtopus/config.yaml into a home folder: https, and this machine. */
export function configure(home: string, more = ''): void {
  mkdirSync(join(home, '.clawtopus'), { recursive: true });
  const security = 'security:\n      allowedUrlPatterns: ["^https://", "^http://127\\\\.0\\\\.0\\\\.1:"]';
  writeFileSync(join(home, '.clawtopus', 'config.yaml'), `mcp:\n  browser:\n    ${security}\n${more}`);
}
