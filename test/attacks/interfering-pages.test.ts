// Pages whose elements have the names that our scripts use.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Kit, startKit } from '../kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

it('15.16 an element called guard does not break clicks', async () => {
  const page = '<button id=guard onclick="document.title = `Pressed`">Press</button>';
  await kit.open(`/html?of=${encodeURIComponent(page)}`);
  expect(await kit.ok('click', { selector: 'text:Press' })).toContain('Clicked');
  expect(await kit.ok('title')).toBe('Pressed');
});

/** The fields of a form hide the form's own properties of their names. */
const FIELDS = [
  'assignedSlot parentElement parentNode children childNodes lastChild attributes textContent innerText localName nodeType',
  'ownerDocument isConnected getRootNode shadowRoot closest matches getAttribute getBoundingClientRect getClientRects',
  'checkVisibility scrollIntoView scrollTop scrollHeight clientHeight scrollBy id className labels previousSibling',
];
const CLOBBERED_FORM = FIELDS.flatMap(names => names.split(' '))
  .map(name => `<input type=hidden name=${name}>`)
  .join('');
/** The forms and images of a document hide its own. */
const CLOBBERED_DOCUMENT = [
  'elementFromPoint activeElement documentElement scrollingElement getAnimations images body title head',
  'querySelectorAll querySelector implementation createElement addEventListener',
]
  .flatMap(names => names.split(' '))
  .map(name => `<form name=${name}></form>`)
  .join('');
const openHtml = (html: string) => kit.open(`/html?of=${encodeURIComponent(html)}`);

it('15.16 fields with the names of properties do not stop or fool actions inside their form', async () => {
  await openHtml(
    `<style>@keyframes turn { to { rotate: 1turn } } #turning { animation: turn 1s infinite; width: 9px; height: 9px }</style>
    <div id=turning></div>
    <form tabindex=0 aria-label=Order style="height: 200px; overflow: auto" onsubmit="return false">${CLOBBERED_FORM}
    <p>Two rooms, one night.</p><div style="height: 900px"></div>
    <button onclick="this.textContent = 'Booked'"><span>Book</span></button></form>`,
  );
  const form = await kit.ref('Order');
  expect(await kit.ok('scroll', { selector: form, direction: 'down', amount: 100 })).toContain('100');
  expect(await kit.ok('click', { selector: await kit.ref('Book') })).toContain('Clicked');
  expect(await kit.ok('hover', { selector: form })).toContain('Order');
  expect(await kit.ok('read', { selector: form })).toContain('Two rooms');
  expect(await kit.ok('snapshot')).toContain('Booked');
});

it('15.16 forms with the names of properties of the document do not stop actions', async () => {
  await openHtml(
    `<title>Hotel</title>${CLOBBERED_DOCUMENT}<p>Rooms with a view.</p><input aria-label=Name autofocus>
    <button onclick="this.textContent = 'Booked'">Book</button><div style="height: 3000px"></div>`,
  );
  expect(await kit.ok('snapshot')).toContain('Page: Hotel');
  expect(await kit.ok('click', { selector: await kit.ref('Book') })).toContain('Clicked');
  expect(await kit.ok('click', { selector: await kit.ref('Name') })).toContain('Clicked');
  expect(await kit.ok('snapshot', { mode: 'focused' })).toContain('Name');
  expect(await kit.ok('type', { text: 'Ann' })).toContain('into what has the focus');
  expect(await kit.ok('read')).toContain('Rooms with a view.');
  expect(await kit.ok('scroll', { direction: 'down', amount: 200 })).toContain('200');
  expect(await kit.ok('title')).toBe('Hotel');
});

it('15.16 a page that replaces built-in functions does not stop actions or tell a false focus', async () => {
  await openHtml(
    `<input aria-label=Name><input aria-label=Card id=card><script>
      globalThis.MessageChannel = function () { return { port1: {}, port2: { postMessage() {} } }; };
      Object.defineProperty(document, 'activeElement', { get: () => document.getElementById('card') });
      Object.defineProperty(globalThis, 'innerWidth', { value: 1 });
    </script>`,
  );
  expect(await kit.ok('snapshot')).not.toContain('Viewport: 1x');
  await kit.ok('focus', { selector: 'label:Name' });
  expect(await kit.ok('snapshot', { mode: 'focused' })).toContain('Name');
  expect(await kit.ok('press', { key: 'a' })).toContain('a');
  expect(await kit.ok('query', { by: 'label', value: 'Name', return: 'all' })).toContain('Name');
});

it.each([
  [
    'Object.defineProperty',
    'const define = Object.defineProperty; Object.defineProperty = (on, key, { value, ...more }) => define(on, key, { value: swap(value), ...more });',
  ],
  ['a method of arrays', 'Array.prototype.slice = function () { return swap(this); };'],
])('15.16 a page that replaces %s does not choose what a selector means', async (_, script) => {
  await openHtml(
    `<button onclick="document.title = 'Saved'">Save</button><button id=pay onclick="document.title = 'Paid'">Pay</button><script>
      const swap = found => (Array.isArray(found) ? [document.getElementById('pay')] : found);
      ${script}
    </script>`,
  );
  await kit.ok('click', { selector: 'text:Save' });
  expect(await kit.ok('title')).toBe('Saved');
});

it('15.16 elements that throw when they are looked at do not stop the search for others', async () => {
  await openHtml(
    `<x-trap></x-trap><button>Save</button><script>
      customElements.define('x-trap', class extends HTMLElement {
        get shadowRoot() { throw 1; } getAttribute() { throw 2; } get textContent() { throw 3; } matches() { throw 4; }
      });
    </script>`,
  );
  for (const selector of ['text:Save', 'role:button', 'button', 'xpath=//button'])
    expect(await kit.ok('hover', { selector })).toContain('Save');
  expect(await kit.ok('query', { by: 'label', value: 'x', return: 'count' })).toContain('0');
});

it('15.16 an element of no namespace does not stop the search for others', async () => {
  const odd = `<script>document.body.append(document.createElementNS(null, 'input'))</script>`;
  await openHtml(`<button onclick="document.title += '+'">Save</button>${odd}`);
  for (const selector of ['role:button', 'text:Save', 'button:has-text("Save")'])
    expect(await kit.ok('click', { selector })).toContain('Clicked');
  expect(await kit.ok('title')).toMatch(/\+\+\+$/);
});

it('15.16 forms, pictures and fields with the names of what the search uses do not change what it finds', async () => {
  const names = [
    'querySelectorAll',
    'evaluate',
    'childNodes',
    'documentElement',
    'body',
    'shadowRoot',
    'localName',
    'matches',
  ];
  const pictures = names.map(name => `<img name="${name}" alt="">`).join('');
  const fields = names.map(name => `<input name="${name}">`).join('');
  await openHtml(`${pictures}<form>${fields}<b>Save</b></form><button id=tabwright>Go</button><i id=steps></i>`);
  const found = {
    'text:Save': 'Save',
    'form > b': 'Save',
    'form:has-text("Save") b': 'Save',
    'role:button': 'Go',
    'xpath=//button': 'Go',
  };
  for (const [selector, text] of Object.entries(found)) expect(await kit.ok('hover', { selector })).toContain(text);
});

it('15.16 an element with the name of our bar does not stop a person from pointing', async () => {
  await openHtml('<i id=tabwrightBar></i><button style="position: fixed; left: 100px; top: 100px">Save</button>');
  const answer = kit.call('query', { pick: true });
  const bar = { expression: 'document.querySelector("tabwright-pick") !== null' };
  await vi.waitFor(async () => expect(await kit.ok('evaluate', bar)).toBe('true'), 10_000);
  await kit.ok('click', { coordinates: { x: 110, y: 110 } });
  expect((await answer).text).toContain('Save');
});
