// The ways in which a page reaches for another site, each as a page that does it when it is opened.

export interface Made {
  status?: number;
  headers?: Record<string, string>;
  body: string;
}

const JS = { 'content-type': 'text/javascript' };
const quoted = (text: string): string => JSON.stringify(text);
const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const script = (code: string): string => `<!doctype html><title>Page</title><body><script>${code}</script>`;
const element = (markup: string): string => `<!doctype html><title>Page</title><body>${markup}`;
const link = (rel: string, to: string, more = ''): string =>
  element(`<link rel="${rel}" href="${attribute(to)}" ${more}>`);
const passing = (name: string, to: string): string => `/${name}?to=${encodeURIComponent(to)}`;
const worker = (kind: string, to: string): string =>
  script(`const worker = new ${kind}(${quoted(passing('worker.js', to))});`);

/** The page itself does not change: `to` is reached for in the background. */
export const IN_PAGE: Readonly<Record<string, (to: string) => string>> = {
  'an iframe': to => element(`<iframe src="${attribute(to)}"></iframe>`),
  'a nested iframe': to => element(`<iframe src="${attribute(passing('an iframe', to))}"></iframe>`),
  'an iframe of its own text': to => element(`<iframe srcdoc='<img src="${attribute(to)}">'></iframe>`),
  'an iframe that is redirected': to => element(`<iframe src="${attribute(passing('a redirect', to))}"></iframe>`),
  'an object': to => element(`<object data="${attribute(to)}"></object>`),
  'an image': to => element(`<img src="${attribute(to)}">`),
  'a video': to => element(`<video src="${attribute(to)}" preload="auto"></video>`),
  'a script': to => element(`<script src="${attribute(to)}"></script>`),
  'a module': to => script(`import(${quoted(to)}).catch(() => undefined)`),
  'a style sheet': to => link('stylesheet', to),
  'an import of a style sheet': to => element(`<style>@import url("${to}");</style>`),
  'a background': to => element(`<p style="background: url('${to}')">text</p>`),
  'a font': to =>
    element(`<style>@font-face { font-family: x; src: url("${to}") }</style><p style="font-family: x">text`),
  fetch: to => script(`fetch(${quoted(to)}, { mode: 'no-cors' }).catch(() => undefined)`),
  'a fetch that is redirected': to => script(`fetch(${quoted(passing('a redirect', to))}).catch(() => undefined)`),
  'a fetch that outlives its page': to =>
    script(`fetch(${quoted(to)}, { mode: 'no-cors', keepalive: true }).catch(() => undefined)`),
  XMLHttpRequest: to => script(`const x = new XMLHttpRequest(); x.open('POST', ${quoted(to)}); x.send('a');`),
  'a beacon': to => script(`navigator.sendBeacon(${quoted(to)}, 'a')`),
  EventSource: to => script(`new EventSource(${quoted(to)})`),
  'a worker': to => worker('Worker', to),
  'a shared worker': to => worker('SharedWorker', to),
  'a service worker': to => serviceWorker('service.js', to),
  'an import of a service worker': to => serviceWorker('importing.js', to),
  'a form in a frame': to =>
    element(
      `<iframe name="f"></iframe><form method="post" target="f" action="${attribute(to)}"></form><script>document.forms[0].submit()</script>`,
    ),
  'link preload': to => link('preload', to, 'as="fetch" crossorigin'),
  'link modulepreload': to => link('modulepreload', to),
  'link prefetch': to => link('prefetch', to),
  'a ping': to =>
    script(
      `const a = document.createElement('a'); a.href = '#'; a.ping = ${quoted(to)}; document.body.append(a); a.click();`,
    ),
};

/** A tab ends at `to`, or would. */
export const NAVIGATING: Readonly<Record<string, (to: string) => Made>> = {
  'a redirect': to => ({ status: 302, headers: { location: to }, body: '' }),
  'two redirects': to => ({ status: 307, headers: { location: passing('a redirect', to) }, body: '' }),
  'a refresh in the markup': to => ({ body: element(`<meta http-equiv="refresh" content="0; url=${attribute(to)}">`) }),
  'a refresh in the headers': to => ({ headers: { refresh: `0; url=${to}` }, body: element('x') }),
  'a script that goes there': to => ({ body: script(`location.href = ${quoted(to)}`) }),
  'a form': to => ({
    body: element(
      `<form method="post" action="${attribute(to)}"><input name="a" value="1"></form><script>document.forms[0].submit()</script>`,
    ),
  }),
  'a popup': to => ({ body: script(`window.open(${quoted(to)})`) }),
  'a popup without an opener': to => ({ body: script(`window.open(${quoted(to)}, '_blank', 'noopener')`) }),
  'a popup that is sent on': to => ({
    body: script(`const w = window.open('about:blank'); w.location = ${quoted(to)};`),
  }),
  'a popup that is redirected': to => ({ body: script(`window.open(${quoted(passing('a redirect', to))})`) }),
};

const OTHERS: Readonly<Record<string, (to: string) => Made>> = {
  'worker.js': to => ({ headers: JS, body: `fetch(${quoted(to)}, { mode: 'no-cors' }).catch(() => undefined)` }),
  'service.js': to => ({
    headers: JS,
    body: `addEventListener('message', () => fetch(${quoted(to)}, { mode: 'no-cors' }).catch(() => undefined))`,
  }),
  'importing.js': to => ({ headers: JS, body: `try { importScripts(${quoted(to)}) } catch {}` }),
  socket: to => ({ body: script(`new WebSocket(${quoted(to)}).onerror = () => { document.title = 'failed' }`) }),
  'worker with a socket': to => ({ body: worker('Worker', to).replace('worker.js', 'socket.js') }),
  'socket.js': to => ({ headers: JS, body: `new WebSocket(${quoted(to)})` }),
  links: to => ({
    body: element(
      `<a id="same" href="${attribute(to)}">there</a> <a id="blank" target="_blank" href="${attribute(to)}">there in a tab</a> <a id="save" download href="${attribute(to)}">save</a>`,
    ),
  }),
  preconnect: to => ({ body: link('preconnect', to) }),
  'dns-prefetch': to => ({ body: link('dns-prefetch', to) }),
};

function serviceWorker(name: string, to: string): string {
  return script(`navigator.serviceWorker.register(${quoted(passing(name, to))}, { scope: '/' }).then(async registration => {
    const worker = registration.installing ?? registration.waiting ?? registration.active;
    worker.postMessage('go');
  })`);
}

export function pageFor(name: string, to: string): Made {
  const given = decodeURIComponent(name);
  const inPage = IN_PAGE[given];
  return inPage ? { body: inPage(to) } : ((NAVIGATING[given] ?? OTHERS[given])?.(to) ?? { body: element('Home') });
}
