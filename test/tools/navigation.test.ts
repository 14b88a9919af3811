// Navigation: every parameter of navigate, back, forward, reload, url, title; what the server sees; how failures read.
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CERTIFICATE, KEY } from '../engine/egress/certificate.ts';
import { type Kit, startKit } from '../kit.ts';
import { js } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const at = (path: string): string => `${kit.site.url}${path}`;
const requestTo = (path: string) => kit.site.requests.findLast(request => request.url === path);
const opened = async (args: Record<string, unknown>): Promise<number> =>
  ((await kit.call('navigate', args)).data as { tabId: number }).tabId;

describe('S1-23 navigate', () => {
  it('says where it is, and the title', async () => {
    expect(await kit.ok('navigate', { url: at('/signup.html') })).toBe(`Opened ${at('/signup.html')} "Sign up".`);
    expect(await kit.ok('url')).toBe(at('/signup.html'));
    expect(await kit.ok('title')).toBe('Sign up');
  });

  it('action goto, back, forward, reload', async () => {
    await kit.open('/signup.html');
    await kit.ok('navigate', { url: at('/article.html'), action: 'goto' });
    expect(await kit.ok('navigate', { action: 'back' })).toMatch(/^Back at .*signup\.html "Sign up"/);
    expect(await kit.ok('navigate', { action: 'forward' })).toMatch(/^Forward at .*article\.html/);
    await js(kit, 'document.title = "touched"');
    expect(await kit.ok('navigate', { action: 'reload' })).toMatch(/^Reloaded .*article\.html "(?!touched)/);
  });

  it('S1-24 back, S1-25 forward, S1-26 reload', async () => {
    await kit.open('/signup.html');
    await kit.open('/article.html');
    expect(await kit.ok('back', { wait_until: 'load' })).toMatch(/signup\.html/);
    expect(await kit.ok('forward', { wait_until: 'domcontentloaded', timeout: 5000 })).toMatch(/article\.html/);
    expect(await kit.ok('reload', { wait_until: 'networkidle' })).toMatch(/article\.html/);
  });

  it('back within a page, without a new document', async () => {
    await kit.open('/signup.html');
    await js(kit, "history.pushState(0, '', '#step2')");
    expect(await kit.ok('back')).toMatch(/signup\.html "/);
    expect(await kit.ok('forward')).toContain('#step2');
  });

  it('no history: says so at once', async () => {
    const tabId = await opened({ url: at('/signup.html'), new_tab: true });
    const result = await kit.call('back', { tabId });
    expect(result).toMatchObject({ ok: false, failure: { code: 'no_history' } });
    expect(result.text).toMatch(/no earlier page/);
    expect((await kit.fails('forward', { tabId })).text).toMatch(/no later page/);
    await kit.ok('tab_close', { tabId });
  });

  it.each([
    ['load', 'complete'],
    ['domcontentloaded', 'interactive'],
    ['networkidle', 'complete'],
  ])('wait_until %s', async (wait_until, state) => {
    await kit.ok('navigate', { url: at('/slow-parts.html'), wait_until });
    expect(await js(kit, 'document.readyState')).toBe(state);
    expect((await kit.ok('title')) === 'fetched').toBe(wait_until === 'networkidle');
  });

  it('timeout: a page that never ends is told as there but unfinished; one that never answers fails', async () => {
    expect(await kit.ok('navigate', { url: at('/never'), timeout: 2_000 })).toMatch(
      /Never ends.*still loading: load has not fired/,
    );
    const result = await kit.call('navigate', { url: at('/never-answers'), timeout: 900 });
    expect(result.failure?.code).toBe('timeout');
    expect(result.ms).toBeLessThan(8_000);
    await kit.open('/signup.html');
  });

  it('16 without a timeout: answers at most 5 s after the DOM is ready, and tells what is still on its way', async () => {
    const never = `${at('/never-answers')}?picture`;
    const page = `<h1>Ready</h1><script>setTimeout(() => (window.late = true), 4000)</script><img src="${never}">`;
    const url = `${at('/html')}?of=${encodeURIComponent(page)}`;
    const { text, ms, data } = await kit.call('navigate', { url });
    expect(text).toMatch(/^Opened .*; still loading: load has not fired, waiting for \S+\/never-answers\?picture\.$/);
    expect(data).toMatchObject({ unfinished: 'load', underWay: { urls: [never], count: 1 }, status: 200 });
    expect([await js(kit, 'window.late'), ms < 9_000]).toEqual(['true', true]);
    await kit.open('/signup.html');
    expect(await kit.ok('back')).toContain('still loading: load has not fired, waiting for');
    expect(await kit.ok('tab_new', { url, timeout: 3_000 })).toMatch(
      /still loading: load has not fired, waiting for \S+$/,
    );
    await kit.ok('tab_close');
    const more = Array.from({ length: 5 }, (_, n) => `<img src="${never}${n}">`).join('');
    const busy = `${at('/html')}?of=${encodeURIComponent(more)}`;
    expect(await kit.ok('navigate', { url: busy, timeout: 3_000 })).toMatch(/waiting for \S+, \S+, \S+ and 2 more\.$/);
    await kit.open('/signup.html');
  });

  it('16 without a timeout: a server that never answers is given up after half of the time for a page', async () => {
    const brief = await startKit('--timeout-navigation', '3000');
    try {
      await brief.open('/signup.html');
      const { code, text } = await brief.fails('navigate', { url: `${brief.site.url}/never-answers` });
      expect([code, text]).toEqual([
        'timeout',
        expect.stringMatching(
          /never-answers was not there within 1\.5 s\. It did not answer and was given up; tab 1 is still at \S+signup\.html\./,
        ),
      ]);
      expect(await brief.open('/article.html')).toContain('article.html');
    } finally {
      await brief.close();
    }
  });

  it('new_tab, background and tabId', async () => {
    await kit.open('/signup.html');
    const behind = await opened({ url: at('/article.html'), new_tab: true, background: true });
    expect(await kit.ok('url')).toBe(at('/signup.html'));
    expect(await kit.ok('url', { tabId: behind })).toBe(at('/article.html'));
    const front = await opened({ url: at('/tables.html'), new_tab: true });
    expect(await kit.ok('url')).toBe(at('/tables.html'));
    await kit.ok('navigate', { url: at('/tabs.html'), tabId: behind });
    expect(await kit.ok('title', { tabId: behind })).not.toBe('');
    await kit.ok('tab_close', { tabId: [behind, front] });
  });

  it('new_window with window_size; its size by default', async () => {
    const small = await opened({ url: at('/signup.html'), new_window: true, window_size: { width: 640, height: 480 } });
    expect(await js(kit, '[innerWidth, innerHeight].join()')).toBe('640,480');
    const usual = await opened({ url: at('/signup.html'), new_window: true });
    expect(await js(kit, '[innerWidth, innerHeight].join()')).toBe('1280,720');
    const { data } = await kit.call('tab_list');
    const { tabs } = data as { tabs: { tabId: number; windowId: number }[] };
    expect(new Set(tabs.map(tab => tab.windowId)).size).toBeGreaterThanOrEqual(3);
    await kit.ok('tab_close', { tabId: [small, usual] });
  });

  it('windowId: the tab of that window', async () => {
    const other = await opened({ url: at('/signup.html'), new_window: true, background: true });
    const { tabs } = (await kit.call('tab_list')).data as { tabs: { tabId: number; windowId: number }[] };
    const windowId = tabs.find(tab => tab.tabId === other)?.windowId;
    await kit.ok('navigate', { url: at('/article.html'), windowId });
    expect(await kit.ok('url', { tabId: other })).toBe(at('/article.html'));
    await kit.ok('tab_close', { tabId: other });
  });

  it('headers go with this navigation only, also past a redirect', async () => {
    await kit.ok('navigate', {
      url: at('/redirect?to=/cards.html'),
      headers: { 'X-Trace': 'abc', 'Accept-Language': 'fr' },
    });
    expect(requestTo('/redirect?to=/cards.html')?.headers).toMatchObject({ 'x-trace': 'abc', 'accept-language': 'fr' });
    expect(await kit.ok('url')).toBe(at('/cards.html'));
    await kit.open('/signup.html');
    expect(requestTo('/signup.html')?.headers).not.toHaveProperty('x-trace');
  });

  it.each([
    ['/status/404', /HTTP 404/],
    ['/status/500', /HTTP 500/],
    ['/download/report.csv', /download started: report\.csv/],
    ['/alert-on-load', /alert dialog open: "Read this first"/],
  ])('%s is told', async (path, said) => {
    expect(await kit.ok('navigate', { url: at(path) })).toMatch(said);
    if (said.source.includes('alert')) await kit.ok('dialog', { action: 'accept' });
    if (said.source.includes('download')) await kit.ok('wait', { for: 'download', filename_contains: 'report' });
  });

  it('14.21 a navigation that times out names its own url, not that of the one before', async () => {
    await kit.open('/signup.html');
    await js(kit, `void (location.href = '/never-answers?first')`);
    // Only then the second one comes after it, and takes its place.
    await expect.poll(() => kit.server.list()[0]?.context.active?.pending?.url).toContain('first');
    const { failure, text } = await kit.call('navigate', { url: at('/never-answers?second'), timeout: 900 });
    expect(failure?.code).toBe('timeout');
    expect(text).toMatch(
      /^\S+second was not there within \d+ ms\. It did not answer and was given up; tab 1 is still at \S+signup\.html\.\n/,
    );
    expect(text).not.toContain('first');
  });

  it('14.19 a short timeout is not cut short', async () => {
    await kit.open('/signup.html');
    expect((await kit.call('wait', { for: 'text', text: 'never', timeout: 150 })).ms).toBeGreaterThanOrEqual(135);
    const late = await kit.call('navigate', { url: at('/never-answers'), timeout: 600 });
    expect([late.failure?.code, late.ms >= 550]).toEqual(['timeout', true]);
    await kit.open('/signup.html');
  });

  it('14.10 a url that is a download says so, and where the tab still is', async () => {
    await kit.open('/signup.html');
    // The line before it tells the end of a small file's download, when that came within the call.
    const said = await kit.ok('navigate', { url: at('/download/report.csv') });
    expect(said.split('\n').at(-1)).toBe(
      `${at('/download/report.csv')} is a download, not a page; still at ${at('/signup.html')} "Sign up"; download started: report.csv.`,
    );
  });

  it('14.10 a page that does not want to be left says so', async () => {
    const leave = async () => {
      await kit.open('/beforeunload');
      await kit.ok('fill', { selector: '#note', value: 'unsaved' });
      return kit.call('navigate', { url: at('/article.html') });
    };
    const asked = await leave();
    expect(asked.text).toBe(
      `Not left yet for ${at('/article.html')}; still at ${at('/beforeunload')} "Unsaved changes"; beforeunload dialog open: "Leave the page? Changes may not be saved."; answer it with the dialog tool.`,
    );
    await kit.ok('dialog', { action: 'dismiss' });
    await kit.ok('dialog', { action: 'get_message', auto_handle: { enabled: true, default_action: 'dismiss' } });
    const refused = await kit.call('navigate', { url: at('/article.html') });
    expect([refused.ok, refused.text]).toEqual([
      false,
      expect.stringMatching(/could not be opened: the page that is shown did not let itself be left \(beforeunload\)/),
    ]);
    await kit.ok('fill', { selector: '#note', value: '' });
    await kit.ok('dialog', { action: 'get_message', auto_handle: { enabled: false } });
  });

  it('14.10 certificates and an offline network: the hint says what helps', async () => {
    const secure = createServer({ key: KEY, cert: CERTIFICATE }, (_, res) => res.end('secret')).listen(0, '127.0.0.1');
    await once(secure, 'listening');
    const { port } = secure.address() as AddressInfo;
    const { text } = await kit.fails('navigate', { url: `https://127.0.0.1:${port}/` });
    secure.close();
    expect(text).toMatch(/certificate is not valid.*\n.*--chrome-arg=--ignore-certificate-errors/);
    await kit.open('/signup.html');
    await kit.ok('emulate', { offline: true });
    const offline = await kit.fails('navigate', { url: at('/article.html') });
    await kit.ok('emulate', { offline: false });
    expect(offline.text).toMatch(/there is no network.*\n.*emulate.*"offline":false/);
    await kit.open('/article.html');
  });

  it.each([
    ['http://127.0.0.1:1/', 'navigation_failed', /ERR_UNSAFE_PORT|refused/],
    ['http://nowhere.invalid/', 'navigation_failed', /host name is not known/],
    ['file:///etc/passwd', 'refused', /rule "no file:"/],
    ['javascript:alert(1)', 'refused', /rule "no javascript:"/],
    ['chrome://version', 'refused', /rule "no chrome:"/],
    ['not a url at all', 'bad_input', /no url/],
  ])('%s fails in words', async (url, code, said) => {
    const failed = await kit.fails('navigate', { url });
    expect(failed.code).toBe(code);
    expect(failed.text).toMatch(said);
  });

  it.each(['http://nowhere.invalid/', 'http://127.0.0.1:9/'])(
    'a failed navigation to %s does not spoil the next',
    async url => {
      for (let round = 0; round < 3; round++) {
        expect((await kit.fails('navigate', { url })).code).toBe('navigation_failed');
        await kit.open('/signup.html');
      }
    },
  );

  it('a host without a scheme is read as a person means it', async () => {
    expect(await kit.ok('navigate', { url: `${kit.site.url.slice('http://'.length)}/signup.html` })).toContain(
      '"Sign up"',
    );
  });

  it('goto without a url says so', async () => {
    expect((await kit.fails('navigate', {})).text).toMatch(/needs "url"/);
  });
});

describe('S1-27 url, S1-28 title', () => {
  it('follow what scripts change', async () => {
    await kit.open('/signup.html');
    await js(kit, "history.replaceState(0, '', '?x=1'); document.title = 'New <title>'");
    expect(await kit.ok('url')).toBe(at('/signup.html?x=1'));
    expect(await kit.ok('title')).toBe('New <title>');
  });

  it('of a tab that is not there', async () => {
    for (const tool of ['url', 'title']) {
      const { code, text } = await kit.fails(tool, { tabId: 9999 });
      expect(code).toBe('no_tab');
      expect(text).toContain('9999');
    }
  });
});
