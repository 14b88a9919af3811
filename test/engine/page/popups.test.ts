// Tabs that pages open: however they are opened and whatever becomes of them, each is told of, usable at once, and gone when it is.
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Answering, answering } from '../../dialects/answering.ts';
import { type Kit, startKit } from '../../kit.ts';
import { pageAt } from './far-and-near.ts';

let kit: Kit;
/** Files that come when a test lets them. */
let files: Answering;
let held: (answer: ServerResponse) => void = () => undefined;
beforeAll(async () => {
  kit = await startKit();
  files = await answering(({ url }, answer) => (url === '/late.csv' ? held(answer) : answer.end()));
});
afterAll(async () => {
  await kit.close();
  await files.close();
});
afterEach(async () => {
  const others = (await rows()).slice(1).map(({ tabId }) => tabId);
  if (others.length > 0) await kit.ok('tab_close', { tabId: others });
});

interface Row {
  tabId: number;
  url: string;
  title: string;
}
const rows = async (): Promise<Row[]> => ((await kit.call('tab_list')).data as { tabs: Row[] }).tabs;
const titles = async (): Promise<string[]> => (await rows()).map(({ title }) => title);
const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Opens a page with a link and a button that runs the script. */
const opener = (url: string, script: string, link = ''): Promise<string> =>
  kit.open(
    pageAt(
      kit,
      'here',
      'Opener',
      `<a href="${attribute(url)}" ${link}>Link</a><button onclick="${attribute(script)}">Button</button>`,
    ),
  );
const press = (what: 'Link' | 'Button', more = {}) => kit.call('click', { selector: `text:${what}`, ...more });

/** The dialog blocks the opener too, which is in the same process: whether the click ends before that, is chance. */
async function pressIntoDialog(): Promise<void> {
  const { failure, ms, text } = await press('Button');
  expect([undefined, 'dialog_open'], text).toContain(failure?.code);
  expect(ms).toBeLessThan(10_000);
}

const near = () => pageAt(kit, 'here', 'Near');
const far = () => pageAt(kit, 'there', 'Far');

describe('a tab that a page opens', () => {
  it.each<[string, () => Promise<unknown>, string]>([
    ['by a link', () => opener(near(), '', 'target="_blank" rel="opener"').then(() => press('Link')), 'Near'],
    [
      'by a link without an opener',
      () => opener(near(), '', 'target="_blank" rel="noopener"').then(() => press('Link')),
      'Near',
    ],
    ['by a link to another site', () => opener(far(), '', 'target="_blank"').then(() => press('Link')), 'Far'],
    ['by a click with Ctrl', () => opener(near(), '').then(() => press('Link', { modifiers: ['Control'] })), 'Near'],
    [
      'by a click with the middle button',
      () => opener(far(), '').then(() => press('Link', { button: 'middle' })),
      'Far',
    ],
    ['by a script', () => opener('', `window.open('${near()}')`).then(() => press('Button')), 'Near'],
    [
      'by a script without an opener',
      () => opener('', `window.open('${far()}', '', 'noopener')`).then(() => press('Button')),
      'Far',
    ],
    [
      'as a window',
      () => opener('', `window.open('${far()}', '', 'popup,width=300,height=200')`).then(() => press('Button')),
      'Far',
    ],
    [
      'empty, and written by its opener',
      () =>
        opener('', `window.open('').document.write('<title>Written</title><p>Text of Written</p>')`).then(() =>
          press('Button'),
        ),
      'Written',
    ],
  ])('%s is told of with the click and can be used', async (_, click, title) => {
    const { text } = (await click()) as { text: string };
    expect(text).toMatch(/opened tab \d+/i);
    await expect.poll(titles).toEqual(['Opener', title]);
    const tabId = (await rows())[1]?.tabId;
    expect(await kit.ok('snapshot', { tabId })).toContain(`Text of ${title}`);
    expect(await kit.ok('evaluate', { expression: 'document.title', tabId })).toBe(title);
    expect(await kit.ok('title', { tabId: (await rows())[0]?.tabId })).toBe('Opener');
  });

  it('does not keep the script that opened it waiting', async () => {
    await opener('', '');
    const expression = `const began = performance.now(); const tab = open('${near()}'); [tab !== null, performance.now() - began < 3000].join()`;
    expect(await kit.ok('evaluate', { expression })).toContain('true,true');
    await expect.poll(titles).toEqual(['Opener', 'Near']);
  });

  it('from a server that never answers is listed; neither it nor its opener holds up a call', async () => {
    await opener('', `window.open('${kit.site.url}/never-answers')`);
    const { ok, ms } = await press('Button');
    expect([ok, ms < 10_000]).toEqual([true, true]);
    expect(await rows()).toHaveLength(2);
    expect(await kit.ok('evaluate', { expression: 'document.title' })).toBe('Opener');
    const tabId = (await rows())[1]?.tabId;
    await kit.ok('navigate', { url: near(), tabId });
    expect(await kit.ok('title', { tabId })).toBe('Near');
  });

  it('for a download alone goes again, and the download is that of the session', async () => {
    await opener('', `window.open('${kit.site.url}/download/report.csv')`);
    expect((await press('Button')).ok).toBe(true);
    const { ok, text } = await kit.call('wait', { for: 'download', filename_contains: 'report', timeout: 10_000 });
    expect([ok, text]).toEqual([true, expect.stringContaining('report.csv is downloaded')]);
    await expect.poll(titles).toEqual(['Opener']);
  });

  it('and closes at once leaves nothing behind', async () => {
    await opener('', `for (let at = 0; at < 5; at++) window.open('${far()}').close()`);
    const { ok, ms } = await press('Button');
    expect([ok, ms < 10_000]).toEqual([true, true]);
    await expect.poll(titles).toEqual(['Opener']);
    expect(await kit.ok('snapshot')).toContain('Text of Opener');
  });

  it('with a dialog as the first thing is told of, and its dialog answered there', async () => {
    await opener('', `window.open('${kit.site.url}/alert-on-load')`);
    await pressIntoDialog();
    await expect.poll(() => kit.ok('tab_list')).toContain('alert dialog open');
    const tabId = (await rows())[1]?.tabId;
    expect(await kit.ok('dialog', { action: 'accept', tabId })).toContain('Accepted: alert');
    expect(await kit.ok('snapshot', { tabId })).toContain('after the alert');
  });

  it('with a dialog that its opener shows in it is told of, and the dialog answered', async () => {
    await opener('', `window.open('').alert('From outside')`);
    await pressIntoDialog();
    await expect.poll(() => kit.ok('tab_list')).toContain('dialog open');
    const tabs = await rows();
    const results = await Promise.all(tabs.map(({ tabId }) => kit.call('dialog', { action: 'accept', tabId })));
    expect(results.map(({ text }) => text).join()).toContain('From outside');
    expect(await kit.ok('title', { tabId: tabs[0]?.tabId })).toBe('Opener');
  });

  it('in an endless loop holds up no other', async () => {
    await opener('', `window.open('${pageAt(kit, 'there', 'Loop', '<script>for (;;);</script>')}', '', 'noopener')`);
    expect((await press('Button')).ms).toBeLessThan(15_000);
    expect(await kit.ok('evaluate', { expression: 'document.title' })).toBe('Opener');
    const tabId = (await rows())[1]?.tabId;
    await kit.ok('navigate', { url: near(), tabId });
    expect(await kit.ok('title', { tabId })).toBe('Near');
  }, 60_000);
});

it('a page that was rendered in advance is no tab, and is used as soon as it is shown', async () => {
  const rules = JSON.stringify({ prerender: [{ source: 'list', urls: [near()], eagerness: 'immediate' }] });
  await opener(near(), '');
  await kit.ok('evaluate', {
    expression: `const rules = document.createElement('script'); rules.type = 'speculationrules'; rules.text = ${JSON.stringify(rules)}; document.head.append(rules); 1`,
  });
  await expect
    .poll(() => kit.site.requests.some(({ headers }) => headers['sec-purpose']?.includes('prerender')))
    .toBe(true);
  expect(await titles()).toEqual(['Opener']);
  expect((await press('Link')).ok).toBe(true);
  expect(await kit.ok('snapshot')).toContain('Text of Near');
  await kit.ok('evaluate', { expression: 'console.log("shown now")' });
  expect(await kit.ok('console')).toContain('shown now');
  await kit.open(far());
  expect(await kit.ok('title')).toBe('Far');
});

it('a download is kept when its tab is closed while it comes', async () => {
  const asked = new Promise<ServerResponse>(resolve => {
    held = resolve;
  });
  await opener('', '');
  await kit.ok('tab_new', { url: files.url });
  await kit.ok('evaluate', {
    expression: `Object.assign(document.createElement('a'), { href: '/late.csv', download: '' }).click()`,
  });
  const answer = await asked;
  answer.writeHead(200, { 'content-type': 'text/csv', 'content-length': 3 }).write('1,');
  await expect.poll(() => kit.ok('downloads')).toContain('late.csv is loading');
  await kit.ok('tab_close');
  answer.end('2');
  const { ok, text } = await kit.call('wait', { for: 'download', filename_contains: 'late', timeout: 10_000 });
  expect([ok, text]).toEqual([true, expect.stringContaining('is downloaded (3 bytes)')]);
});
