// Rules about urls: a caller who may open a site, and do nothing on it, tries to reach it from pages that are allowed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';

/** The bank is the site on localhost, at any port and scheme; opening it is allowed. */
const POLICY = {
  rules: [
    { decision: 'allow', tool: ['navigate', 'tab_new', 'session_close'] },
    { name: 'hands off the bank', decision: 'deny', url: 'localhost' },
  ],
};

let kit: Kit;
let folder: string;
let bank: string;
let news: string;
let bankTab = 0;
let newsTab = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabwright-policy-'));
  const policy = join(folder, 'policy.json');
  writeFileSync(policy, JSON.stringify(POLICY));
  kit = await startKit('--policy', policy);
  bank = kit.site.otherSiteUrl;
  news = kit.site.url;
});
afterAll(async () => {
  await kit.close();
  rmSync(folder, { recursive: true });
});

const LOGIN = `<title>Bank</title><script>document.cookie = "login=of-the-bank; max-age=1000"; console.log("balance 12")</script>`;
const bankPage = (): string => `${bank}/html?of=${encodeURIComponent(LOGIN)}`;

/** A tab at the bank, where a cookie was set and a message written, and another, active one with the news. */
async function open(): Promise<void> {
  await kit.ok('session_close', { all: true });
  const openTab = async (url: string) => ((await kit.call('tab_new', { url })).data as { tabId: number }).tabId;
  bankTab = await openTab(bankPage());
  newsTab = await openTab(`${news}/article.html`);
}

const refused = async (name: string, args: Record<string, unknown>) => {
  const { failure, text } = await kit.call(name, args);
  expect([name, args, failure?.rule, text]).toEqual([name, args, 'hands off the bank', expect.anything()]);
};

it('15.10 cookies are judged by the sites whose they are, whatever url is given and from whatever tab', async () => {
  await open();
  const harmless = { url: `${news}/article.html` };
  const row = { name: 'login', value: 'mine', domain: 'localhost' };
  for (const args of [
    { action: 'export', ...harmless },
    { action: 'export' },
    { action: 'get_all' },
    { action: 'get_all', domain_filter: 'localhost' },
    { action: 'clear' },
    { action: 'set', ...row, url: `${bank}/` },
    { action: 'import', ...harmless, data: JSON.stringify([row]) },
    { action: 'get', name: 'login', url: `${bank}/` },
  ])
    await refused('cookies', args);
  await kit.ok('cookies', { action: 'set', name: 'theme', value: 'dark' });
  expect(await kit.ok('cookies', { action: 'get_all', ...harmless })).toContain('theme=dark');
});

it('15.10 a rule with a port or a path holds for the cookies of its host', async () => {
  const strict = join(folder, 'strict.json');
  writeFileSync(
    strict,
    JSON.stringify({ rules: [{ name: 'bank', decision: 'deny', tool: 'cookies', url: `${bank}/html/**` }] }),
  );
  const other = await startKit('--policy', strict);
  try {
    await other.ok('navigate', { url: bankPage() });
    await other.open('/article.html');
    expect((await other.call('cookies', { action: 'export' })).failure?.rule).toBe('bank');
  } finally {
    await other.close();
  }
});

it('15.10 routes are judged by the urls that their pattern names, and by each request', async () => {
  await open();
  const response = { body: '<title>Mine</title>', headers: { 'content-type': 'text/html' } };
  const add = { action: 'add', handler: 'fulfill', response };
  await refused('route', { ...add, url_pattern: `${bank}/**` });
  await refused('route', { ...add, url_pattern: bank });
  await kit.ok('route', { ...add, url_pattern: '**/article.html*' });
  await kit.ok('route', { ...add, url_pattern: '/.*article.*/' });
  expect(await kit.ok('navigate', { url: `${bank}/article.html` })).not.toContain('Mine');
  expect(await kit.ok('navigate', { url: `${news}/article.html` })).toContain('Mine');
  await kit.ok('route', { action: 'clear' });
});

it('15.10 tabs are judged by their page when another one is active', async () => {
  await open();
  await refused('tab_close', { tabId: bankTab });
  await refused('tab_close', { tabId: [newsTab, bankTab] });
  await refused('tab_close', { url: '**/html*' });
  await refused('tab_switch', { tabId: bankTab });
  await refused('console', { all_tabs: true });
  await kit.ok('tab_switch', { tabId: newsTab });
});

it('15.10 what is kept of an earlier page is judged by that page', async () => {
  await open();
  await kit.ok('capture', { action: 'start', include_bodies: true });
  await kit.ok('record', { action: 'start' });
  await kit.ok('navigate', { url: bankPage() });
  await refused('capture', { action: 'stop', url: news });
  await kit.ok('navigate', { url: `${news}/article.html` });
  await refused('console', {});
  await kit.ok('console', { since_navigation: true });
  await refused('capture', { action: 'stop' });
  await refused('record', { action: 'stop' });
  await refused('back', {});
});

it('15.10 frames are judged by their own url', async () => {
  await open();
  await kit.ok('navigate', { url: `${news}/frame-cross-site.html` });
  const { frames } = (await kit.call('tab_list', { frames: true })).data as {
    frames: { frameId: number; url: string }[];
  };
  const inside = frames.find(({ url }) => url.startsWith(bank));
  await refused('evaluate', { expression: 'document.body.innerText', frameId: inside?.frameId });
  await refused('read', { selector: 'body', frameId: inside?.frameId });
  await refused('click', { selector: await kit.ref('button', 'Far down') });
  await kit.ok('evaluate', { expression: 'document.title' });
});

it('15.10 a request is judged by each place that it is sent on to', async () => {
  await open();
  await refused('request', { url: `${news}/redirect?to=${encodeURIComponent(bankPage())}` });
});

it('15.10 a function that is waited for does not go on in a page where it may not run', async () => {
  await open();
  await kit.ok('navigate', {
    url: `${news}/html?of=${encodeURIComponent(`<script>setTimeout(() => location.href = ${JSON.stringify(bankPage())}, 300)</script>`)}`,
  });
  await refused('wait', { for: 'function', function: 'return document.title === "Bank"' });
});

it('15.10 a saved login is judged by the sites that it holds', async () => {
  await open();
  await kit.ok('cookies', { action: 'set', name: 'theme', value: 'dark' });
  await kit.ok('auth_state', { action: 'save', name: 'news' });
  await refused('auth_state', { action: 'save', name: 'bank', origins: [bank] });
  writeFileSync(
    join(kit.server.options.stateDir, 'auth', 'bank.json'),
    JSON.stringify({
      version: 1,
      saved: '',
      cookies: [{ name: 'login', value: 'older', domain: 'localhost', path: '/', session: true }],
      origins: [{ origin: bank, local: [], session: [] }],
    }),
  );
  await refused('auth_state', { action: 'load', name: 'bank' });
  await kit.ok('auth_state', { action: 'load', name: 'news' });
});
