// The connection to a remote browser is cut while the browser lives: tabs, their numbers and refs go on.
import { once } from 'node:events';
import { expect, it } from 'vitest';
import type { Kit } from '../../kit.ts';
import { type FarBrowser, farBrowser, pagesOf, serverOn } from './far-away.ts';

async function connected(): Promise<{ far: FarBrowser; kit: Kit }> {
  const far = await farBrowser();
  return { far, kit: await serverOn([far.line.endpoint]) };
}

/** Cuts the line, and waits until the server has noticed it. */
async function cut({ line }: FarBrowser, kit: Kit, how: 'cut' | 'block' = 'cut'): Promise<void> {
  line[how]();
  await expect.poll(() => kit.server.chrome.running).toBe(0);
}

const BACK = /^The connection to the browser was cut and is there again: tabs and refs are as before/;

const shows = (html: string) => ({ expression: `document.body.innerHTML = ${JSON.stringify(html)}; 0` });

it('cut while nothing happens: the next call goes on with the same tabs, what was typed there, and their refs', async () => {
  const { far, kit } = await connected();
  await kit.open('/');
  await kit.ok('evaluate', shows('<input><button onclick="this.textContent=`Saved`">Save</button>'));
  const [field, button] = [await kit.ref('textbox'), await kit.ref('button "Save"')];
  await kit.ok('fill', { selector: field, value: 'kept' });
  await kit.ok('tab_new', { url: `${kit.site.url}/` });
  await cut(far, kit);
  expect(await kit.ok('tab_list')).toMatch(BACK);
  expect(await kit.ok('tab_list')).toMatch(/^- 1: .*\n\* 2: /);
  await kit.ok('click', { selector: button, tabId: 1 });
  const page = await kit.ok('snapshot', { tabId: 1 });
  expect(page).toContain('kept');
  expect(page).toContain('Saved');
  // Also a second time.
  await cut(far, kit);
  expect(await kit.ok('snapshot', { tabId: 1 })).toMatch(BACK);
  await kit.ok('fill', { selector: field, value: 'kept again', tabId: 1 });
  expect(await kit.ok('snapshot', { tabId: 1 })).toContain('kept again');
}, 60_000);

it('cut in the middle of calls: a read is answered over the new connection, an action says that it is not known', async () => {
  const { far, kit } = await connected();
  await kit.open('/');
  const never = kit.call('wait', { for: 'text', text: 'never there', timeout: 3_000 });
  const script = kit.call('evaluate', { expression: 'new Promise(() => 0)', timeout: 20_000 });
  await kit.ok('tab_list');
  setTimeout(() => far.line.cut(), 300);
  expect((await never).failure?.code).toBe('timeout');
  const { failure } = await script;
  expect(failure?.code).toBe('browser_gone');
  expect(failure?.message).toContain('whether it was carried out is not known');
  expect(await kit.ok('url')).toContain(kit.site.url);
}, 60_000);

it('a line that is down for a while: the call waits for it', async () => {
  const { far, kit } = await connected();
  await kit.open('/');
  const ref = await kit.ref('link');
  await cut(far, kit, 'block');
  setTimeout(() => far.line.mend(), 1_500);
  expect(await kit.ok('hover', { selector: ref })).toMatch(BACK);
}, 60_000);

it('routes and emulation are applied again; tabs that were closed or opened meanwhile are told', async () => {
  const { far, kit } = await connected();
  await kit.open('/');
  await kit.ok('route', { action: 'add', url_pattern: '**/made-up', handler: 'fulfill', response: { body: 'routed' } });
  await kit.ok('emulate', { timezone: 'Asia/Tokyo' });
  await kit.ok('tab_new', { url: `${kit.site.url}/?second` });
  await kit.ok('evaluate', { expression: 'setTimeout(() => open("/?third"), 800); 0', tabId: 1 });
  await cut(far, kit, 'block');
  const second = (await pagesOf(far)).find(({ url }) => url.endsWith('?second'));
  await fetch(`${far.endpoint}/json/close/${second?.id}`);
  await expect.poll(async () => (await pagesOf(far)).map(({ url }) => url).join()).toContain('?third');
  far.line.mend();
  const list = await kit.ok('tab_list');
  expect(list).toContain('Closed meanwhile: tab 2.');
  expect(list).toMatch(/3: .*\?third/);
  expect(await kit.ok('evaluate', { expression: 'fetch("/made-up").then(r => r.text())', tabId: 1 })).toContain(
    'routed',
  );
  expect(
    await kit.ok('evaluate', { expression: 'Intl.DateTimeFormat().resolvedOptions().timeZone', tabId: 1 }),
  ).toContain('Asia/Tokyo');
}, 60_000);

it('a dialog that was open can no longer be answered: its page is loaded again, and the answer says so', async () => {
  const { far, kit } = await connected();
  await kit.open('/');
  await kit.ok('evaluate', { expression: 'setTimeout(() => confirm("Sure?"), 50); 0' });
  await expect.poll(async () => (await kit.call('title')).failure?.code).toBe('dialog_open');
  await cut(far, kit);
  const list = await kit.ok('tab_list');
  expect(list).toContain('Tab 1 did not answer: a dialog blocked it. It was loaded again');
  expect(await kit.ok('snapshot')).toContain('[ref=');
}, 60_000);

it('a session that ends while the line is down leaves nothing in the browser, nor does the server', async () => {
  const { far, kit } = await connected();
  for (const session of ['one', 'two']) await kit.ok('navigate', { url: `${kit.site.url}/?${session}`, session });
  expect(await pagesOf(far)).toHaveLength(2);
  await cut(far, kit, 'block');
  await kit.ok('session_close', { session: 'one' });
  far.line.mend();
  expect(await kit.ok('url', { session: 'two' })).toContain('?two');
  await expect.poll(async () => (await pagesOf(far)).map(({ url }) => url)).toEqual([`${kit.site.url}/?two`]);
  await kit.close();
  expect(await pagesOf(far)).toEqual([]);
}, 60_000);

it('a browser that is gone for good: a named session comes back on another one, logged in as before', async () => {
  const [first, second] = [await farBrowser(), await farBrowser()];
  const kit = await serverOn([first.line.endpoint, second.line.endpoint]);
  await kit.ok('navigate', { url: `${kit.site.url}/`, session: 'work' });
  await kit.ok('evaluate', {
    expression: 'document.cookie = "login=ann"; localStorage.cart = "3"; 0',
    session: 'work',
  });
  expect(await pagesOf(first)).toHaveLength(1);
  const { saver } = kit.server.list()[0] ?? {};
  await saver?.finish();
  const gone = once(first.process, 'exit');
  first.process.kill('SIGKILL');
  await gone;
  const state = await kit.call('evaluate', { expression: 'document.cookie + localStorage.cart', session: 'work' });
  const after = state.ok
    ? state.text
    : await kit.ok('evaluate', { expression: 'document.cookie + localStorage.cart', session: 'work' });
  expect(after).toContain('login=ann3');
  expect(await pagesOf(second)).toHaveLength(1);
}, 60_000);

it('refs in a frame of another site go on too', async () => {
  const { far, kit } = await connected();
  await kit.open('/');
  const other = kit.site.url.replace('127.0.0.1', 'localhost');
  await kit.ok('evaluate', shows(`<iframe src="${other}/?framed"></iframe><iframe src="${other}/?two"></iframe>`));
  await expect.poll(async () => (await kit.ok('snapshot')).match(/link /g)?.length ?? 0).toBeGreaterThan(3);
  const text = await kit.ok('snapshot');
  const [ref] = /@e\d+(?=\][^\n]*$)/.exec(text.slice(text.lastIndexOf('link '))) ?? [''];
  await cut(far, kit);
  await kit.ok('tab_list');
  expect(await kit.ok('hover', { selector: ref })).toContain(ref);
}, 60_000);
