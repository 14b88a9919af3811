// Saved logins (S1-51): a login survives the server; every parameter; nothing secret is printed; names are checked.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { AGENTS, type Agent } from '../surfaces/agents.ts';
import { temporaryFolder } from '../surfaces/process.ts';
import { LOCAL_SECRET, type LoginSite, startLoginSite } from './login-site.ts';
import { js, textOf } from './page.ts';

let kit: Kit;
let site: LoginSite;
let folder: string;
beforeAll(async () => {
  kit = await startKit();
  site = await startLoginSite();
  folder = join(kit.server.options.stateDir, 'auth');
});
afterAll(async () => {
  await kit.close();
  await site.close();
});

const use = (action: string, more: Record<string, unknown> = {}) => kit.ok('auth_state', { action, ...more });
async function logIn(): Promise<void> {
  await kit.open(`${site.url}/login`);
  await kit.ok('click', { selector: 'role:button' });
  expect(await textOf(kit, '#who')).toBe('Hello ada');
}
async function forget(): Promise<void> {
  await kit.open(site.url);
  await js(kit, 'localStorage.clear(); sessionStorage.clear()');
  await kit.ok('cookies', { action: 'clear' });
}

describe('S1-51 auth_state', () => {
  it('a login that was saved is there in a new session of a new server process', async () => {
    const state = temporaryFolder();
    const connect = AGENTS['second generation, choosing by itself'];
    if (!connect) throw new Error('no such agent');
    let agent: Agent = await connect(state.path);
    try {
      await agent.ok('navigate', { url: `${site.url}/login` });
      await agent.ok('click', { selector: 'role:button' });
      expect(await agent.ok('title')).toBe('Hello ada');
      const saved = await agent.ok('auth_state', { action: 'save', name: 'ada' });
      expect(saved).toBe(`Saved "ada": 2 cookies, 1 local, 0 session storage items of ${site.url}.`);
      await agent.close();

      agent = await connect(state.path);
      await agent.ok('navigate', { url: site.url });
      expect(await agent.ok('title')).toBe('Please log in');
      const there = { session: 'work' };
      expect(await agent.ok('auth_state', { action: 'list', ...there })).toContain(
        `ada: ${site.url} (2 cookies, saved `,
      );
      expect(await agent.ok('auth_state', { action: 'load', name: 'ada', ...there })).toBe(
        `Loaded "ada": 2 cookies, 1 local, 0 session storage items of ${site.url}.`,
      );
      await agent.ok('navigate', { url: site.url, ...there });
      expect(await agent.ok('title', there)).toBe('Hello ada');
      expect(await agent.ok('tab_list', there)).not.toContain('\n');
      await agent.ok('navigate', { url: site.url });
      expect(await agent.ok('title')).toBe('Please log in');
    } finally {
      await agent.close();
      state.remove();
    }
  }, 60_000);

  it('save, list, load and delete; the file is for its owner only; nothing secret is printed', async () => {
    await logIn();
    const texts = [await use('save', { name: 'a.b-c_1' })];
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'a.b-c_1.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['a.b-c_1.json']);
    texts.push(await use('save', { name: 'a.b-c_1' }));
    expect(texts[1]).toMatch(/It replaces an older one/);
    texts.push(await use('list'));
    await forget();
    texts.push(await use('load', { name: 'a.b-c_1' }));
    expect(texts.at(-1)).toMatch(/Reload the page to use it\.$/);
    await kit.ok('reload');
    expect(await textOf(kit, '#who')).toBe('Hello ada');
    texts.push(await use('delete', { name: 'a.b-c_1' }));
    expect(await use('list')).toBe('No login is saved.');
    const said = texts.join('\n');
    expect(said).not.toContain(site.secret);
    expect(said).not.toContain(LOCAL_SECRET);
    const { text, code } = await kit.fails('auth_state', { action: 'load', name: 'a.b-c_1' });
    expect([code, text]).toEqual(['not_found', expect.stringMatching(/no saved login "a\.b-c_1"\. None is saved/)]);
    expect((await kit.fails('auth_state', { action: 'delete', name: 'a.b-c_1' })).code).toBe('not_found');
  });

  it('include_local_storage: false keeps and loads cookies only', async () => {
    await logIn();
    expect(await use('save', { name: 'cookies', include_local_storage: false })).toMatch(/2 cookies, 0 local/);
    await use('save', { name: 'both' });
    for (const load of [{ name: 'cookies' }, { name: 'both', include_local_storage: false }]) {
      await forget();
      await use('load', load);
      expect(await js(kit, 'localStorage.length')).toBe('0');
      await kit.open(site.url);
      expect(site.seen.at(-1)).toContain(`login=${site.secret}`);
    }
  });

  it('include_session_storage: in the tab, at once or when it comes to the site; once only', async () => {
    await logIn();
    expect(await use('save', { name: 'step', include_session_storage: true })).toMatch(/1 session storage items/);
    await forget();
    expect(await use('load', { name: 'step' })).toMatch(/1 session storage items were left out/);
    expect(await js(kit, 'sessionStorage.length')).toBe('0');
    await use('load', { name: 'step', include_session_storage: true });
    expect(await js(kit, 'sessionStorage.step')).toBe('two');
    const { tabId } = (await kit.call('tab_new')).data as { tabId: number };
    for (let times = 0; times < 3; times++) await use('load', { name: 'step', include_session_storage: true, tabId });
    await kit.open('/article.html');
    await kit.open(site.url);
    expect(await js(kit, 'sessionStorage.step')).toBe('two');
    await js(kit, "sessionStorage.setItem('step', 'three')");
    await kit.ok('reload');
    expect(await js(kit, 'sessionStorage.step')).toBe('three');
    await kit.ok('tab_close', { tabId });
  });

  it('origins: others than the page, also those that no tab shows; cookies of domains above belong to them', async () => {
    await kit.open('/article.html');
    await js(kit, "localStorage.setItem('here', '1')");
    await kit.open(`${kit.site.otherSiteUrl}/article.html`);
    await js(kit, "localStorage.setItem('there', '1')");
    await kit.ok('cookies', { action: 'set', name: 'up', value: '1', domain: 'example.test' });
    await kit.ok('cookies', { action: 'set', name: 'side', value: '1', url: 'https://www.example.test' });
    await kit.open(site.url);
    const origins = [kit.site.url, `${kit.site.otherSiteUrl}/article.html`, 'https://app.example.test'];
    const before = site.seen.length;
    expect(await use('save', { name: 'many', origins })).toMatch(/^Saved "many": [1-9]\d* cookies?, 2 local/);
    const state = JSON.parse(readFileSync(join(folder, 'many.json'), 'utf8'));
    expect(state.origins.map((row: { origin: string }) => row.origin)).toEqual([
      kit.site.url,
      kit.site.otherSiteUrl,
      'https://app.example.test',
    ]);
    const names = state.cookies.map((row: { name: string }) => row.name);
    expect(names).toContain('up');
    expect(names).not.toContain('side');
    for (const url of [kit.site.url, kit.site.otherSiteUrl]) {
      await kit.open(`${url}/article.html`);
      await js(kit, 'localStorage.clear()');
    }
    expect(await use('load', { name: 'many', origins: [kit.site.otherSiteUrl] })).toContain(
      `1 local, 0 session storage items of ${kit.site.otherSiteUrl}.`,
    );
    // Chrome tells a page of another process a moment later.
    await kit.ok('wait', { for: 'function', function: "return localStorage.there === '1'", timeout: 5_000 });
    await kit.open('/article.html');
    expect(await js(kit, 'localStorage.length')).toBe('0');
    expect(site.seen.length).toBe(before);
    expect((await kit.fails('auth_state', { action: 'load', name: 'many', origins: ['b.test'] })).text).toMatch(
      /does not hold https:\/\/b\.test/,
    );
  });

  it('tabId: of that tab', async () => {
    await logIn();
    const { tabId } = (await kit.call('tab_new', { url: `${kit.site.otherSiteUrl}/article.html` })).data as {
      tabId: number;
    };
    await js(kit, "localStorage.setItem('k', '1')");
    expect(await use('save', { name: 'tab', tabId })).toContain(`of ${kit.site.otherSiteUrl}.`);
    await kit.ok('tab_close', { tabId });
    expect((await kit.fails('auth_state', { action: 'save', name: 'tab', tabId })).code).toBe('no_tab');
  });

  it.each([
    [{ action: 'save' }, 'bad_input', /needs name/],
    [{ action: 'load' }, 'bad_input', /needs name/],
    [{ action: 'delete' }, 'bad_input', /needs name/],
    [{ action: 'save', name: '../x' }, 'bad_input', /no name for a saved login/],
    [{ action: 'load', name: '/etc/passwd' }, 'bad_input', /no name/],
    [{ action: 'delete', name: '.hidden' }, 'bad_input', /no name/],
    [{ action: 'load', name: 'a\0b' }, 'bad_input', /no name/],
    [{ action: 'save', name: 'x'.repeat(65) }, 'bad_input', /no name/],
    [{ action: 'save', name: 'x', origins: ['file:///etc'] }, 'refused', /no file:/],
    [{ action: 'save', name: 'x', origins: ['data:,x'] }, 'bad_input', /no origin of a site/],
    [{ action: 'save', name: 'x', origins: ['https://nothing.test'] }, 'not_found', /Nothing was saved/],
    [{ action: 'keep', name: 'x' }, 'bad_input', /action must be one of/],
  ])('refuses %j', async (args, code, words) => {
    await kit.open(site.url);
    const files = existsSync(folder) ? readdirSync(folder) : [];
    const failed = await kit.fails('auth_state', args);
    expect(failed.text).toMatch(words);
    expect(failed.code).toBe(code);
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual(files);
  });

  it('a page without a site cannot be saved; a damaged file is told; an expired cookie is left out', async () => {
    await kit.ok('navigate', { url: 'about:blank' });
    expect((await kit.fails('auth_state', { action: 'save', name: 'x' })).text).toMatch(/no site to be logged in to/);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'bad.json'), '{"version":1,"cookies":[{}]}');
    expect((await kit.fails('auth_state', { action: 'load', name: 'bad' })).text).toMatch(/its file is damaged/);
    expect(await use('list')).toMatch(/^bad: .*damaged/m);
    await use('delete', { name: 'bad' });
    const cookie = { domain: 'a.test', path: '/', httpOnly: false, secure: false, size: 1, priority: 'Medium' };
    const cookies = [
      { ...cookie, name: 'old', value: '1', session: false, expires: 1000 },
      { ...cookie, name: 'new', value: '1', session: true, expires: -1 },
      { ...cookie, name: 'odd', value: 'a;b', session: true, expires: -1 },
    ];
    const origins = [{ origin: 'http://a.test', local: [], session: [] }];
    writeFileSync(join(folder, 'made.json'), JSON.stringify({ version: 1, saved: '', cookies, origins }));
    expect(await use('load', { name: 'made' })).toMatch(
      /: 1 cookie, .* 1 cookie had expired\. Chrome did not take: odd\./,
    );
    expect(await kit.ok('cookies', { action: 'get_all', domain_filter: 'a.test' })).toMatch(/^new=1;/);
  });

  it('a link in the folder does not lead a save elsewhere', async () => {
    await logIn();
    mkdirSync(folder, { recursive: true });
    const victim = join(kit.folder, 'victim.txt');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, join(folder, 'link.json'));
    await use('save', { name: 'link' });
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });

  it('works while a dialog blocks the tab, and leaves no hidden page behind when it is cancelled', async () => {
    await logIn();
    await js(kit, "setTimeout(() => alert('stop'), 0)").catch(() => undefined);
    await expect.poll(() => kit.ok('dialog', { action: 'get_message' })).toContain('stop');
    expect(await use('save', { name: 'blocked' })).toMatch(/2 cookies, 1 local/);
    const more = { name: 'blocked', include_session_storage: true };
    expect((await kit.fails('auth_state', { action: 'save', ...more })).code).toBe('dialog_open');
    await kit.ok('dialog', { action: 'accept' });
    const stop = new AbortController();
    const saving = kit.call('auth_state', { action: 'save', name: 'stopped' }, { signal: stop.signal });
    setImmediate(() => stop.abort());
    expect((await saving).failure?.code).toBe('cancelled');
    const browser = kit.server.list()[0]?.context.active?.page.context().browser();
    const session = await browser?.openBrowserSession();
    const others = async () =>
      (await session?.send('Target.getTargets', { filter: [{}] }))?.targetInfos.filter(({ type }) => type === 'other');
    await expect.poll(others).toEqual([]);
  });
});
