// Named sessions that are kept: what comes back with the next server, after an idle end and after a crash, and what does not.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { STUCK } from '../site/stuck.ts';
import { type LoginSite, startLoginSite } from '../tools/login-site.ts';
import { killChrome } from './chrome-process.ts';

/** How long an action takes is not what is tested here. */
const PATIENT = ['--timeout-action', '20000'];

let kit: Kit;
let login: LoginSite;
beforeAll(async () => {
  login = await startLoginSite();
  kit = await startKit(...PATIENT);
});
afterAll(async () => {
  await kit.close();
  await login.close();
});

const folder = () => join(kit.folder, 'state', 'sessions');
const fileOf = (name: string) => join(folder(), `s-${name}.json`);
const keptText = (name: string): string => (existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8') : '');
/** Until the save after the last call has been written. */
const saved = (name: string, ...texts: string[]) =>
  vi.waitFor(
    () =>
      texts.every(text => keptText(name).includes(text)) || Promise.reject(new Error(keptText(name).slice(0, 2_000))),
    {
      timeout: 20_000,
      interval: 50,
    },
  );

async function logIn(session: string): Promise<void> {
  await kit.ok('navigate', { session, url: `${login.url}/login` });
  await kit.ok('click', { session, selector: 'role:button' });
  expect(await kit.ok('title', { session })).toContain('Hello ada');
}

const DATABASE = `new Promise((resolve, reject) => {
  const request = indexedDB.open('auth', 3);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('users', { keyPath: 'uid' }).createIndex('mail', 'mail', { unique: true });
    request.result.createObjectStore('log', { autoIncrement: true });
  };
  request.onsuccess = () => {
    const stores = request.result.transaction(['users', 'log'], 'readwrite');
    stores.objectStore('users').put({ uid: '1', mail: 'a@b', when: new Date(5), bytes: new Uint8Array([1, 250]), more: new Map([['x', 5n]]) });
    stores.objectStore('log').put('first');
    stores.oncomplete = () => { request.result.close(); resolve('done'); };
  };
  request.onerror = reject;
})`;

const READ_DATABASE = `new Promise((resolve, reject) => {
  const request = indexedDB.open('auth');
  request.onsuccess = () => {
    const stores = request.result.transaction(['users', 'log']);
    const user = stores.objectStore('users').index('mail').get('a@b');
    const lines = stores.objectStore('log').getAll();
    stores.oncomplete = () => {
      const { uid, when, bytes, more } = user.result;
      resolve([request.result.version, uid, when.getTime(), bytes[1], String(more.get('x')), lines.result].join(' '));
      request.result.close();
    };
  };
  request.onerror = reject;
})`;

describe('the next server', () => {
  it('S3-18: has the cookies, storage, databases and tabs of a named session again, and says so', async () => {
    const session = 'work';
    await logIn(session);
    await kit.ok('evaluate', { session, expression: DATABASE });
    await kit.ok('tab_new', { session, url: `${kit.site.otherSiteUrl}/signup.html` });
    await kit.ok('evaluate', { session, expression: "localStorage.setItem('left', 'behind')" });
    await kit.ok('navigate', { session, url: `${kit.site.url}/tables.html` });
    await kit.ok('tab_new', { session, url: `${kit.site.url}/signup.html` });
    await kit.ok('tab_switch', { session, tabId: 2 });
    await kit.restart();
    const first = await kit.ok('title', { session });
    expect(first).toMatch(
      /^Session "work" came back: 3 tabs, 2 cookies and the storage of 2 sites, as of \d+ s ago\.\nTables$/,
    );
    expect(
      (await kit.ok('tab_list', { session })).split('\n').map(line => line.replace(/http:\/\/[\w.:]+/, '')),
    ).toEqual(['- 1: / "Hello ada"', '* 2: /tables.html "Tables"', '- 3: /signup.html "Sign up"']);
    expect(await kit.ok('evaluate', { session, tabId: 1, expression: "sessionStorage.getItem('step')" })).toBe('two');
    expect(await kit.ok('evaluate', { session, tabId: 1, expression: READ_DATABASE })).toBe('3 1 5 250 5 first');
    await kit.ok('navigate', { session, url: `${kit.site.otherSiteUrl}/tables.html` });
    expect(await kit.ok('evaluate', { session, expression: "localStorage.getItem('left')" })).toBe('behind');
    expect(await kit.ok('cookies', { session, action: 'get_all' })).toMatch(
      /login=.*domain=127\.0\.0\.1; path=\/; .*http_only/,
    );
    expect(await kit.ok('tab_new', { session })).toContain('tab 4');
    await kit.ok('session_close', { session });
  }, 60_000);

  it('S3-18: what was kept once comes back twice, also when it was not used in between', async () => {
    await logIn('twice');
    await kit.restart();
    expect(await kit.ok('session_create', { name: 'twice' })).toContain('1 tab of it comes back at its first use');
    await kit.restart();
    expect(await kit.ok('title', { session: 'twice' })).toContain('Hello ada');
    await kit.restart();
    expect(await kit.ok('title', { session: 'twice' })).toContain('Hello ada');
    await kit.ok('session_close', { session: 'twice' });
  }, 60_000);

  it('is shown only to the owner of what was kept, also when another caller asks for it', async () => {
    await logIn('mine');
    await kit.restart();
    for (const [name, args] of [
      ['title', { session: 'mine@local' }],
      ['session_create', { name: 'mine@local' }],
      ['session_close', { session: 'mine@local' }],
    ] as const) {
      const { failure } = await kit.call(name, args, { caller: 'eve' });
      expect(failure, name).toMatchObject({ code: 'refused', message: 'Access denied to session: mine@local' });
    }
    expect((await kit.call('session_list', {}, { caller: 'eve' })).text).toBe('No sessions.');
    expect(await kit.ok('title', { session: 'mine' })).toContain('Hello ada');
    await kit.ok('session_create', { name: 'mine', shared: true });
    await kit.restart();
    expect((await kit.call('session_list', {}, { caller: 'eve' })).text).toMatch(
      /^mine@local \(another caller's, shared, not open, kept\)/,
    );
    expect((await kit.call('title', { session: 'mine@local' }, { caller: 'eve' })).text).toContain('Hello ada');
    expect((await kit.call('session_close', { session: 'mine@local' }, { caller: 'eve' })).failure?.code).toBe(
      'refused',
    );
    await kit.ok('session_close', { session: 'mine' });
    expect(keptText('mine')).toBe('');
  }, 60_000);

  it('keeps no default session and none without a name', async () => {
    await kit.open('/signup.html');
    const made = await kit.call('session_create');
    const { name } = made.data as { name: string };
    await kit.ok('navigate', { session: name, url: `${kit.site.url}/signup.html` });
    await kit.restart();
    expect(existsSync(folder()) ? readdirSync(folder()) : []).toEqual([]);
    expect((await kit.fails('title', { session: name })).code).toBe('no_session');
    expect(await kit.ok('session_list')).toBe('No sessions.');
  });

  it('a tab whose site is down is told, and tried again the next time', async () => {
    const session = 'down';
    const other = await startLoginSite();
    await kit.ok('navigate', { session, url: `${other.url}/login` });
    await kit.ok('tab_new', { session, url: `${kit.site.url}/tables.html` });
    await other.close();
    await kit.restart();
    const text = await kit.ok('title', { session });
    expect(text).toContain(`${other.url}/login could not be opened again`);
    expect(text).toContain('came back: 2 tabs');
    await kit.restart();
    expect(await kit.ok('session_list')).toContain(`- 1: ${other.url}/login`);
    await kit.ok('session_close', { session });
  }, 60_000);
});

describe('a call that is cancelled while its session comes back', () => {
  it('does not stop it: the next one finds everything', async () => {
    const session = 'patient';
    await logIn(session);
    await kit.ok('tab_new', { session, url: `${kit.site.url}/tables.html` });
    await kit.restart();
    const stop = new AbortController();
    const first = kit.call('title', { session }, { signal: stop.signal });
    await vi.waitFor(() => expect(kit.server.list().length).toBe(1), { interval: 1 });
    stop.abort();
    expect((await first).failure?.code).toBe('cancelled');
    const text = await kit.ok('title', { session, tabId: 1 });
    expect(text).toMatch(/Hello ada$/);
    expect(await kit.ok('tab_list', { session })).toMatch(/1: .*\n\* 2: .*tables/);
    await kit.ok('session_close', { session });
  }, 60_000);
});

describe('what is on disk', () => {
  it('is for its owner only, written whole, a moment after the call', async () => {
    const session = 'File.Name';
    await logIn(session);
    const file = join(folder(), 's-~46ile~2e~4eame.json');
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain(login.secret), { timeout: 20_000 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder()).filter(name => name.includes('.part'))).toEqual([]);
    await kit.ok('session_close', { session });
    expect(existsSync(file)).toBe(false);
  }, 60_000);

  it('that is damaged is put aside and told; the session begins anew', async () => {
    await kit.ok('navigate', { session: 'torn', url: `${kit.site.url}/tables.html` });
    await kit.restart();
    writeFileSync(fileOf('torn'), keptText('torn').slice(0, -20));
    expect(await kit.ok('session_list')).toBe('No sessions.');
    const text = await kit.ok('url', { session: 'torn' });
    expect(text).toContain('What was kept of session "torn" cannot be read (it is no JSON); it was put aside');
    expect(text).toContain('The session begins anew.');
    expect(text).toContain('about:blank');
    expect(readdirSync(folder())).toContain('s-torn.json.broken');
    await kit.ok('session_close', { session: 'torn' });
    rmSync(`${fileOf('torn')}.broken`);
  }, 60_000);

  it('cannot be written: calls go on', async () => {
    await kit.ok('navigate', { session: 'full', url: `${kit.site.url}/tables.html` });
    await saved('full', 'tables.html');
    rmSync(folder(), { recursive: true });
    writeFileSync(folder(), 'in the way');
    await kit.ok('navigate', { session: 'full', url: `${kit.site.url}/signup.html` });
    expect(await kit.ok('title', { session: 'full' })).toBe('Sign up');
    await kit.restart();
    rmSync(folder());
    expect(await kit.ok('session_list')).toBe('No sessions.');
  }, 60_000);
});

describe('a page that does not answer', () => {
  it('holds up neither calls nor the end, and what else there is comes back', async () => {
    const session = 'stuck';
    await logIn(session);
    await kit.ok('tab_new', { session, url: `${kit.site.otherSiteUrl}/loop.html` });
    await kit.ok('evaluate', { session, expression: STUCK });
    const started = performance.now();
    expect(await kit.ok('title', { session, tabId: 1 })).toBe('Hello ada');
    await saved(session, 'loop.html', login.secret);
    await kit.restart();
    expect(performance.now() - started).toBeLessThan(25_000);
    expect(await kit.ok('title', { session, tabId: 1 })).toContain('Hello ada');
    expect(await kit.ok('tab_list', { session })).toContain('loop.html');
    await kit.ok('session_close', { session });
  }, 60_000);

  it('because of a dialog: its storage is read beside it', async () => {
    const session = 'asked';
    await kit.ok('navigate', { session, url: `${login.url}/login` });
    await kit.ok('evaluate', {
      session,
      expression: "localStorage.setItem('token', 'x'); setTimeout(() => alert('hm'), 0)",
    });
    await vi.waitFor(async () => expect((await kit.call('snapshot', { session })).failure?.code).toBe('dialog_open'));
    await saved(session, '["token","x"]');
    await kit.ok('session_close', { session });
  }, 60_000);
});

describe('a browser that is killed', () => {
  it('a named session has its logins again, and is told so', async () => {
    const session = 'crash';
    await logIn(session);
    await saved(session, login.secret, 'Hello ada');
    killChrome();
    const text = await kit.ok('title', { session });
    expect(text).toMatch(
      /started again: .* back are 2 cookies and the storage of 1 site, as of \d+ s ago\.\nHello ada$/,
    );
    expect(text).not.toContain('may be lost');
    expect(await kit.ok('evaluate', { session, expression: "sessionStorage.getItem('step')" })).toBe('two');
    await kit.ok('session_close', { session });
  }, 60_000);

  it('while a session comes back: it comes back all the same, with everything', async () => {
    const session = 'again';
    await logIn(session);
    await kit.ok('tab_new', { session, url: `${kit.site.url}/tables.html` });
    await kit.restart();
    const first = kit.call('title', { session });
    await vi.waitFor(() => expect(kit.server.list()[0]?.context.tabs.size).toBeGreaterThan(0), {
      interval: 1,
      timeout: 20_000,
    });
    killChrome();
    await first;
    expect(await kit.ok('title', { session, tabId: 1 })).toContain('Hello ada');
    expect(await kit.ok('title', { session, tabId: 2 })).toBe('Tables');
    expect((await kit.ok('tab_list', { session })).split('\n')).toHaveLength(2);
    await kit.ok('session_close', { session });
  }, 60_000);

  it('a default session may have lost them, and is told so', async () => {
    await kit.open('/tables.html');
    killChrome();
    expect(await kit.ok('title')).toMatch(/logins may be lost\.\nTables$/);
    await kit.ok('session_close', { session: 'default' });
  }, 60_000);
});

describe('options', () => {
  it('S3-19: after an idle end a named session comes back, and its context is gone until then', async () => {
    const own = await startKit('--session-idle', '1500', ...PATIENT);
    try {
      await own.ok('navigate', { session: 'idle', url: `${login.url}/login` });
      await own.ok('click', { session: 'idle', selector: 'role:button' });
      await vi.waitFor(() => expect(own.server.list().map(({ name }) => name)).toEqual([]), { timeout: 20_000 });
      expect(await own.ok('session_list')).toContain('idle (yours, not open, kept): 1 tab');
      expect(await own.ok('title', { session: 'idle' })).toMatch(/^Session "idle" came back: 1 tab, .*\nHello ada$/);
    } finally {
      await own.close();
    }
  }, 60_000);

  it('--no-keep-sessions keeps nothing, and looks at nothing', async () => {
    const own = await startKit('--no-keep-sessions', ...PATIENT);
    try {
      await own.ok('navigate', { session: 'gone', url: `${own.site.url}/tables.html` });
      await own.restart();
      expect(existsSync(join(own.folder, 'state', 'sessions'))).toBe(false);
      expect(await own.ok('url', { session: 'gone' })).toBe('about:blank');
    } finally {
      await own.close();
    }
  }, 60_000);

  it('--no-session-sharing: what was shared before is not any more', async () => {
    await kit.ok('navigate', { session: 'ours', url: `${kit.site.url}/tables.html` });
    await kit.ok('session_create', { name: 'ours', shared: true });
    await kit.restart();
    const { options } = kit.server;
    Object.assign(options, { sessionSharing: false });
    try {
      expect((await kit.call('title', { session: 'ours@local' }, { caller: 'eve' })).failure?.message).toBe(
        'Access denied to session: ours@local',
      );
      expect(await kit.fails('session_create', { name: 'ours', shared: true })).toMatchObject({
        code: 'refused',
        text: expect.stringContaining('--no-session-sharing'),
      });
    } finally {
      Object.assign(options, { sessionSharing: true });
      await kit.ok('session_close', { session: 'ours' });
    }
  }, 60_000);
});
