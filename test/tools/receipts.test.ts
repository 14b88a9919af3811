// Receipts: an action tells what it changed on the page, and claims nothing that the page does by itself.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Kit, startKit } from '../kit.ts';

/** Each with a button that does something, and one beside it that does nothing: the control. */
const PAGES: Record<string, string> = {
  toast: `<button onclick="setTimeout(() => { const t = document.createElement('div'); t.role = 'status';
    t.textContent = 'Saved'; document.body.append(t); setTimeout(() => t.remove(), 3000); }, 250)">Act</button>`,
  validation: `<form onsubmit="event.preventDefault(); mail.setAttribute('aria-invalid', 'true'); why.textContent = 'Enter an address'">
    <p><label>Email <input id="mail" aria-describedby="why"></label> <span id="why"></span></p><p><label>Name <input></label></p>
    <button>Act</button></form>`,
  row: `<ul id="list" aria-label="Shopping"><li>Bread</li></ul><button onclick="for (const item of ['Milk', 'Eggs']) {
    const li = document.createElement('li'); li.textContent = item; list.append(li); }">Act</button>`,
  rerender: `<ul id="list" aria-label="Shopping"></ul><button onclick="items.push('Milk'); render()">Act</button>
    <script>const items = ['Bread', 'Eggs']; const render = () => { list.innerHTML = items.map(i => '<li>' + i + '</li>').join(''); }; render()</script>`,
  spinner: `<div id="out"></div><button onclick="out.innerHTML = '<p>Loading</p>'; fetch('/slow').then(r => r.text()).then(text => { out.innerHTML = '<h2>' + text + '</h2>'; })">Act</button>`,
  fails: `<button onclick="fetch('/api/broken', { method: 'POST' })">Act</button>`,
  saves: `<button onclick="fetch('/api/save?token=abc', { method: 'PUT' })">Act</button>`,
  reads: `<button onclick="fetch('/api/save')">Act</button>`,
  download: `<a href="/file" download="report.txt">Act</a>`,
  popup: `<button onclick="window.open('/page/row')">Act</button>`,
  focus: `<label>Code <input id="code"></label><button onclick="code.focus()">Act</button>`,
  menu: `<style>.menu { display: none } .menu.open { display: block }</style>
    <button onclick="m.classList.toggle('open')">Act</button>
    <div id="m" class="menu" role="menu" aria-label="File"><div role="menuitem" tabindex="-1">Open</div><div role="menuitem" tabindex="-1">Save</div></div>`,
  gone: `<div id="box" role="alert">Disk is full <button>More</button></div><button onclick="box.remove()">Act</button>`,
  console: `<button onclick="console.error('It broke')">Act</button>`,
  shadow: `<div id="host"></div><button onclick="host.shadowRoot.querySelector('p').textContent = 'After'">Act</button>
    <script>host.attachShadow({ mode: 'open' }).innerHTML = '<p>Before</p>'</script>`,
  tabs: `<div role="tablist"><button role="tab" aria-selected="true">First</button><button role="tab" aria-selected="false" onclick="this.setAttribute('aria-selected', 'true');
    one.hidden = true; two.hidden = false">Act</button></div><section id="one">Words of one</section><section id="two" hidden><label><input type="checkbox"> Alerts</label></section>`,
  wizard: `<p id="at">Step 1</p><div id="box"><label><input type="radio"> Free</label></div>
    <button onclick="at.textContent = 'Step 2'; box.innerHTML = '<label><input type=checkbox> Backups</label>'; this.disabled = false; this.setAttribute('aria-pressed', 'true')">Act</button>`,
  cells: `<table><tr><th>Who</th><th>Where</th></tr><tr id="r"><td>Ada</td><td>London</td></tr></table>
    <button onclick="r.cells[0].textContent = 'Lin'; r.cells[1].textContent = 'Oslo'">Act</button>`,
  region: `<section id="out" aria-label="Forecast"><h2>None</h2><p>Choose a city.</p></section>
    <button onclick="out.innerHTML = '<h2>Lima</h2><p>14 degrees</p>'">Act</button>`,
  many: `${Array.from({ length: 40 }, (_, i) => `<div><section aria-label="S${i}"><p>0</p></section></div>`).join('')}
    <button onclick="document.querySelectorAll('p').forEach(p => { p.textContent = 'After'; })">Act</button>`,
};

const busy = (
  act: string,
) => `<p>Time: <span id="clock">0</span></p><div id="ad"><iframe width="50" height="20"></iframe></div>
  <ul id="news"></ul><p id="out"></p><button onclick="${act}">Act</button>
  <script>
    let n = 0;
    setInterval(() => { clock.textContent = ++n; }, 90);
    setInterval(() => { ad.innerHTML = '<a href="/buy">Buy ' + n + '</a>'; }, 350);
    setInterval(() => { const li = document.createElement('li'); li.textContent = 'News ' + n; news.append(li); if (news.children.length > 5) news.firstChild.remove(); }, 500);
    setInterval(() => fetch('/api/poll', { method: 'POST' }), 250);
    setInterval(() => fetch('/api/broken?' + n), 400);
  </script>`;

PAGES.busy = busy('');
PAGES.busyWorks = busy("const k = n; setTimeout(() => { out.textContent = 'Done ' + k; }, 60)");

function startPages(): Promise<Server> {
  const server = createServer((req, res) => {
    const path = (req.url ?? '').split('?')[0] ?? '';
    if (path.startsWith('/page/'))
      return void res
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html><title>T</title>${PAGES[path.slice(6)]}<button>Nothing</button>`);
    if (path === '/file') return void res.writeHead(200, { 'content-type': 'text/plain' }).end('report');
    if (path === '/slow') return void setTimeout(() => res.end('Result'), 400);
    res.writeHead(path === '/api/broken' ? 500 : 200).end('{}');
  });
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describe('receipts', () => {
  let kit: Kit;
  let site: Server;
  let url: string;
  beforeAll(async () => {
    [kit, site] = await Promise.all([startKit(), startPages()]);
    url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/page/`;
  });
  afterAll(async () => {
    await kit.close();
    site.closeAllConnections();
    site.close();
  });

  /** The answer of the button that does something, after that of the one that does nothing. */
  async function acted(page: string, more: Record<string, unknown> = {}): Promise<string> {
    await kit.ok('navigate', { url: url + page });
    await kit.ok('snapshot');
    expect(await kit.ok('click', { selector: 'text:Nothing' })).toMatch(/^Clicked @e\d+ button "Nothing"\.$/);
    return kit.ok('click', { selector: 'text:Act', ...more });
  }
  /** Until the page has done everything that it does by itself. */
  const untilSeen = () => kit.ok('wait', { for: 'function', function: 'return news.children.length > 2' });
  const withoutRefs = (text: string): string[] => text.replace(/@e\d+ /g, '').split('\n');

  test.each<[string, string[]]>([
    ['toast', ['New: status "Saved"']],
    ['validation', ['Changed: textbox "Email" [invalid]', 'Changed: text "Enter an address" at textbox "Email"']],
    ['row', ['New: 2 in list "Shopping": listitem "Milk", listitem "Eggs"']],
    ['rerender', ['New: listitem "Milk"']],
    ['spinner', ['New: heading "Result"']],
    ['fails', ['POST /api/broken: 500']],
    ['saves', ['PUT /api/save: 200']],
    ['reads', []],
    ['focus', ['Focus: textbox "Code"']],
    ['menu', ['New: menu "File": menuitem "Open", menuitem "Save"']],
    ['gone', ['Gone: alert "Disk is full More"']],
    ['console', ['Console error: "It broke"']],
    ['shadow', ['Changed: text "After"']],
  ])('%s', async (page, lines) => {
    const [first, ...rest] = withoutRefs(await acted(page));
    expect(first).toBe('Clicked button "Act".');
    expect(rest.toSorted()).toEqual(lines.toSorted());
  });

  test.each<[string, string[]]>([
    ['tabs', ['New: text "Alerts": checkbox "Alerts"', 'Gone: "Words of one"']],
    ['wizard', ['New: clickable "Backups": checkbox "Backups"', 'Changed: text "Step 2"']],
    ['cells', ['Changed: row "Lin | Oslo"']],
    ['region', ['Changed: heading "Lima"', 'Changed: text "14 degrees"']],
  ])('%s, with the first action on the page', async (page, lines) => {
    await kit.ok('navigate', { url: url + page });
    const [, ...rest] = withoutRefs(await kit.ok('click', { selector: 'text:Act' }));
    expect(rest).toEqual(expect.arrayContaining(lines));
  });

  test('what is told in the first line is not told again', async () => {
    expect(withoutRefs(await acted('download')).at(-1)).toBe('Clicked link "Act"; download started: report.txt.');
    expect(withoutRefs(await acted('popup'))[0]).toMatch(/^Clicked button "Act"; opened tab \d+ \(.*row\)\.$/);
    await kit.ok('tab_close');
  });

  test('the refs of a receipt can be used', async () => {
    const ref = /(@e\d+) menuitem "Save"/.exec(await acted('menu'))?.[1];
    expect(await kit.ok('click', { selector: ref })).toContain(`Clicked ${ref} menuitem "Save"`);
  });

  test('a receipt has at most 15 lines, with "full" up to 60, with "none" no line', async () => {
    expect((await acted('many')).split('\n').length).toBeLessThanOrEqual(16);
    const full = (await acted('many', { receipt: 'full' })).split('\n').length;
    expect(full).toBeGreaterThan(16);
    expect(full).toBeLessThanOrEqual(61);
    expect(await acted('many', { receipt: 'none' })).toMatch(/^Clicked @e\d+ button "Act"\.$/);
  });

  test('fill_form, press and hover have receipts, too', async () => {
    await kit.ok('navigate', { url: `${url}focus` });
    await kit.ok('focus', { selector: 'label:Code' });
    expect(withoutRefs(await kit.ok('press', { key: 'Tab' }))).toEqual(['Pressed Tab.', 'Focus: button "Act"']);
    await kit.ok('navigate', {
      url: 'data:text/html,<label>A <input id=a oninput="o.textContent=a.value+\' is taken\'"></label><p id=o></p><span onmouseover="o.textContent=\'over\'">Here</span>',
    });
    const form = await kit.ok('fill_form', { fields: [{ selector: 'label:A', value: 'ann' }] });
    expect(withoutRefs(form).at(-1)).toBe('Changed: text "ann is taken"');
    expect(withoutRefs(await kit.ok('hover', { selector: 'text:Here' })).at(-1)).toBe('Changed: text "over"');
  });

  test('where nothing happens, a click takes at most 3 ms longer than without a receipt', async () => {
    await kit.ok('navigate', { url: `${url}row` });
    const selector = await kit.ref('button "Nothing"');
    const times: Record<string, number[]> = { none: [], short: [] };
    for (let left = 100; left > 0; left--)
      for (const [receipt, list] of Object.entries(times)) {
        const began = performance.now();
        await kit.ok('click', { selector, receipt });
        list.push(performance.now() - began);
      }
    const [none, short] = Object.values(times).map(list => list.sort((a, b) => a - b)[50] ?? 0) as [number, number];
    console.log(`median of a click: ${none.toFixed(1)} ms, with a receipt ${short.toFixed(1)} ms`);
    expect(short - none).toBeLessThanOrEqual(3);
  });

  test('clocks, adverts and polls are not claimed, over 200 actions', async () => {
    await kit.ok('navigate', { url: `${url}busy` });
    await kit.ok('snapshot');
    await untilSeen();
    for (let left = 100; left > 0; left--)
      expect(await kit.ok('click', { selector: 'text:Act' })).toMatch(/^Clicked @e\d+ button "Act"\.$/);
    await kit.ok('navigate', { url: `${url}busyWorks` });
    await kit.ok('snapshot');
    await untilSeen();
    for (let left = 100; left > 0; left--) {
      const [, ...rest] = withoutRefs(await kit.ok('click', { selector: 'text:Act' }));
      expect(rest).toEqual([expect.stringMatching(/^Changed: text "Done \d+"$/)]);
    }
  }, 120_000);
});
