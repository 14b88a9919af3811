// Workers of all kinds run at once, whatever is switched on in their tab: Chrome pauses new ones until somebody lets them go.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Answering, answering } from '../../dialects/answering.ts';
import { type Kit, startKit } from '../../kit.ts';
import { otherBrowser } from '../../other-browser.ts';

const FILES: Record<string, string> = {
  '/worker.js': 'postMessage("dedicated")',
  '/parent.js': 'new Worker("/worker.js").onmessage = ({ data }) => postMessage("parent of " + data)',
  '/module.js': 'import { word } from "/word.js"; postMessage(word)',
  '/word.js': 'export const word = "module"',
  '/shared.js': 'onconnect = ({ ports: [port] }) => port.postMessage("shared")',
  '/service.js': 'onactivate = e => e.waitUntil(clients.claim()); onmessage = e => e.source.postMessage("service")',
  '/audio.js': 'registerProcessor("p", class extends AudioWorkletProcessor { process() { return false } })',
};

/** Each tells when its worker has answered. */
const KINDS = `
const first = target => new Promise((done, fail) => { target.onmessage = ({ data }) => done(data); target.onerror = () => fail('error') });
const kinds = {
  dedicated: () => first(new Worker('/worker.js')),
  blob: () => first(new Worker(URL.createObjectURL(new Blob(['postMessage("blob")'])))),
  nested: () => first(new Worker('/parent.js')),
  module: () => first(new Worker('/module.js', { type: 'module' })),
  shared: () => first(new SharedWorker('/shared.js?' + Math.random()).port),
  audio: () => new OfflineAudioContext(1, 128, 44100).audioWorklet.addModule('/audio.js').then(() => 'audio'),
  async service() {
    const registration = await navigator.serviceWorker.register('/service.js?' + Math.random());
    await navigator.serviceWorker.ready;
    const answer = first(navigator.serviceWorker);
    (registration.active ?? registration.waiting ?? registration.installing).postMessage('x');
    return answer;
  },
};
const late = new Promise(done => setTimeout(done, 8000, 'late'));
Promise.all(Object.values(kinds).map(run => Promise.race([run(), late])))
  .then(answers => { document.title = answers.join() }, error => { document.title = 'failed: ' + error });
`;
const ANSWERS = 'dedicated,blob,parent of dedicated,module,shared,audio,service';

let site: Answering;
beforeAll(async () => {
  site = await answering(({ url = '/' }, res) => {
    const [path = ''] = url.split('?');
    const script = FILES[path];
    if (script !== undefined) return void res.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    if (path === '/framed')
      return void res.writeHead(200, { 'content-type': 'text/html' }).end('<iframe src="/"></iframe>');
    res
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<title>waiting</title><script type=module>${KINDS}</script>`);
  });
});
afterAll(() => site.close());

const SETTINGS: Record<string, (kit: Kit) => Promise<unknown>> = {
  'nothing else on': () => Promise.resolve(),
  'an emulated device': kit => kit.ok('emulate', { timezone: 'Asia/Tokyo', locale: 'de-DE', cpu_throttle: 2 }),
  'the network captured': kit => kit.ok('capture', { action: 'start' }),
  'requests routed': kit => kit.ok('route', { action: 'add', url_pattern: '**/nothing', handler: 'abort' }),
  'all of that': async kit => {
    await kit.ok('emulate', { timezone: 'Asia/Tokyo', network_throttle: '4g' });
    await kit.ok('route', { action: 'add', url_pattern: '**/nothing', handler: 'abort' });
    await kit.ok('capture', { action: 'start' });
  },
};

async function allRun(kit: Kit, setting: string, path = '/'): Promise<void> {
  await kit.ok('navigate', { url: 'about:blank' });
  await SETTINGS[setting]?.(kit);
  await kit.open(`${site.url}${path}`);
  const expression = path === '/' ? 'document.title' : 'frames[0].document.title';
  await expect.poll(() => kit.ok('evaluate', { expression })).not.toMatch(/^(waiting)?$/);
  expect(await kit.ok('evaluate', { expression })).toBe(ANSWERS);
  // Nothing is left paused or attached to.
  const tab = kit.server.list()[0]?.context.active;
  expect(tab?.tree.sessions()).toHaveLength(1);
}

describe.each(Object.keys(SETTINGS))('with %s', setting => {
  it('workers of a page and of its frames run', async () => {
    const kit = await startKit();
    onTestFinished(() => kit.close());
    await allRun(kit, setting);
    await allRun(kit, 'nothing else on', '/framed');
  });

  it('those of an attached browser too', async () => {
    const browser = await otherBrowser();
    onTestFinished(() => browser.end());
    const kit = await startKit('--cdp-endpoint', browser.endpoint);
    onTestFinished(() => kit.close());
    await allRun(kit, setting);
  });
});

it('a page that makes one worker after the other leaves no session behind', async () => {
  const kit = await startKit();
  onTestFinished(() => kit.close());
  await kit.open(`${site.url}/word.js`);
  const expression = `(async () => { for (let at = 0; at < 200; at++) { const worker = new Worker('/worker.js'); await new Promise(done => { worker.onmessage = done }); worker.terminate() } return 'done' })()`;
  expect(await kit.ok('evaluate', { expression, timeout: 25_000 })).toBe('done');
});
