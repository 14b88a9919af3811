// Behind TLS, where only some paths of a host are open: also what Chrome itself sends for a page stays on those.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stopPreloading } from '../../../src/engine/egress/path-rules.ts';
import { type Kit, startKit } from '../../kit.ts';
import { temporaryFolder } from '../../surfaces/process.ts';
import { CERTIFICATE, KEY } from './certificate.ts';
import { type Listener, listen } from './sites.ts';

const RELAXED = ['--chrome-arg=--ignore-certificate-errors', '--chrome-arg=--short-reporting-delay'];
const SOON = { timeout: 20_000, interval: 50 };

/** Headers that make Chrome send something by itself, or load it beforehand. */
const asking = (base: string): Record<string, string> => ({
  'reporting-endpoints': `default="${base}/report", csp="${base}/report-csp"`,
  'report-to': JSON.stringify({ group: 'nel', max_age: 9_999, endpoints: [{ url: `${base}/nel` }] }),
  nel: JSON.stringify({ report_to: 'nel', max_age: 9_999, success_fraction: 1, failure_fraction: 1 }),
  'speculation-rules': `"${base}/rules.json"`,
  'secure-session-registration': `(ES256 RS256);path="${base}/bound";challenge="x"`,
  'content-security-policy': `img-src 'none'; report-uri ${base}/csp; report-to csp`,
  link: `<${base}/header-preload>; rel=preload; as=fetch; crossorigin, <${base}/header-prefetch>; rel=prefetch`,
});

const page = (base: string): string => `<!doctype html><title>Page</title>
  <link rel=manifest href="${base}/manifest"><link rel=compression-dictionary href="${base}/dictionary">
  <img src=/open/picture><video src="data:video/mp4,x"><track default src="${base}/track"></video><embed src="${base}/embed">
  <script type=speculationrules>${JSON.stringify({
    prerender: [{ urls: [`${base}/prerender`], eagerness: 'immediate' }],
    prefetch: [{ urls: [`${base}/prefetch`], eagerness: 'immediate' }],
  })}</script>
  <script type=importmap>{"imports":{"m":"${base}/mapped.js"}}</script><script type=module>import 'm'</script>
  <a id=save download href="${base}/download">save</a>`;

const WORKER = `addEventListener('install', () => skipWaiting());
  addEventListener('activate', event => event.waitUntil(clients.claim()));
  addEventListener('message', async ({ data }) => {
    const cache = await caches.open('x');
    await cache.add(data + '/cached').catch(() => undefined);
    await fetch(data + '/worker').catch(() => undefined);
  });`;

/** Each of these is tried; what is not there in this Chrome is left out. */
const tried = (base: string): string => `(async () => {
  const ways = {
    later: () => fetchLater('${base}/later', { activateAfter: 0 }),
    audio: () => new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule('${base}/audio.js'),
    paint: () => CSS.paintWorklet.addModule('${base}/paint.js'),
    shared: () => sharedStorage.worklet.addModule('${base}/shared.js'),
    service: async () => {
      const registration = await navigator.serviceWorker.register('/open/worker.js');
      await navigator.serviceWorker.ready;
      registration.active.postMessage('${base}');
      return registration.backgroundFetch.fetch('id', ['${base}/background']);
    },
    script: () => navigator.serviceWorker.register('${base}/service.js'),
    login: () => navigator.credentials.get({ identity: { mode: 'active', providers: [{ configURL: '${base}/login', clientId: 'x', nonce: 'n' }] } }),
    payment: () => new PaymentRequest([{ supportedMethods: '${base}/pay' }], { total: { label: 'x', amount: { currency: 'USD', value: '1' } } }).canMakePayment(),
    ads: () => navigator.joinAdInterestGroup({ owner: location.origin, name: 'x', biddingLogicURL: '${base}/bid.js', updateURL: '${base}/update', ads: [] }, 1000),
    update: () => navigator.updateAdInterestGroups(),
    auction: () => navigator.runAdAuction({ seller: location.origin, decisionLogicURL: '${base}/decide.js', interestGroupBuyers: [location.origin] }),
    module: () => new Worker('${base}/module.js', { type: 'module' }),
    blob: () => new Worker(URL.createObjectURL(new Blob(["importScripts('${base}/blob.js')"]))),
    frame: () => { const frame = document.createElement('iframe'); frame.credentialless = true; frame.src = '${base}/frame'; document.body.append(frame); },
    save: () => document.getElementById('save').click(),
    leaving: () => addEventListener('pagehide', () => { navigator.sendBeacon('${base}/leaving', 'x'); fetch('${base}/left', { keepalive: true }); }),
    stream: () => new WebSocketStream('${base.replace('https', 'wss')}/stream').opened,
  };
  const late = () => new Promise(resolve => setTimeout(resolve, 1500));
  await Promise.all(Object.values(ways).map(async run => { try { await Promise.race([run(), late()]) } catch {} }));
})()`;

let site: Listener;
let base = '';
beforeAll(async () => {
  const visits: string[] = [];
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (request, response) => {
    visits.push(request.url ?? '');
    const type = /\.js$/.test(request.url ?? '') ? 'text/javascript' : 'text/html';
    const isPage = request.url === '/open/page';
    response.writeHead(200, { 'content-type': type, ...(isPage && asking(`${base}/secret`)) });
    response.end(isPage ? page(`${base}/secret`) : request.url === '/open/worker.js' ? WORKER : '');
  });
  site = await listen(server, visits);
  base = `https://localhost:${site.port}`;
});
afterAll(() => site?.close());

async function tryAll(kit: Kit): Promise<void> {
  await kit.ok('navigate', { url: `${base}/open/page` });
  await kit.ok('evaluate', { expression: tried(`${base}/secret`), timeout: 20_000 });
  await kit.ok('navigate', { url: `${base}/open/next` });
}

describe('issue: URL rules as a boundary: what Chrome sends for a page', () => {
  it('reaches any path without rules', async () => {
    const kit = await startKit(...RELAXED);
    await tryAll(kit);
    // Without these the next test would prove nothing.
    const some = ['prefetch', 'report-csp', 'login', 'later', 'worker', 'cached', 'left', 'pay'];
    const reached = () => some.filter(path => site.visits.includes(`/secret/${path}`));
    await vi.waitFor(() => expect(reached()).toEqual(some), SOON).finally(() => kit.close());
  });

  it.each(['a window', 'a profile'])('stays on the paths that are open, in %s', async where => {
    const folder = temporaryFolder();
    const flags = where === 'a profile' ? [`--user-data-dir=${join(folder.path, 'profile')}`] : [];
    const kit = await startKit(...RELAXED, ...flags, '--allow-urls', `${base}/open/**`);
    site.visits.length = 0;
    const refused: string[] = [];
    kit.server.journal.follow(record => 'door' in record && refused.push(record.what));
    await tryAll(kit);
    await vi.waitFor(() => expect(refused).toContain(`${base}/secret/left`), SOON);
    await kit.close();
    folder.remove();
    expect(site.visits).toContain('/open/next');
    expect(site.visits.filter(url => url.startsWith('/secret/'))).toEqual([]);
  });
});

describe('no preloading', () => {
  it('is chosen in each profile of a folder, and the other settings stay', async () => {
    const folder = temporaryFolder();
    const settings = (name: string) => JSON.parse(readFileSync(join(folder.path, name, 'Preferences'), 'utf8'));
    await stopPreloading(folder.path);
    expect(settings('Default')).toEqual({ net: { network_prediction_options: 2 } });
    mkdirSync(join(folder.path, 'Profile 2'));
    writeFileSync(join(folder.path, 'Profile 2', 'Preferences'), JSON.stringify({ a: 1, net: { b: 2 } }));
    await stopPreloading(folder.path);
    expect(settings('Profile 2')).toEqual({ a: 1, net: { b: 2, network_prediction_options: 2 } });
    folder.remove();
  });
});
