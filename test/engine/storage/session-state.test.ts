// What a session state takes from a browser, and what it leaves: bounds of storage and databases, origins that were left, frames.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Limits, unlimited, within } from '../../../src/engine/limits.ts';
import type { SavedState } from '../../../src/engine/storage/saved-state.ts';
import { type SavedStateLimits, SessionState } from '../../../src/engine/storage/session-state.ts';
import { Failure } from '../../../src/errors.ts';
import { type Kit, startKit } from '../../kit.ts';

const SMALL: SavedStateLimits = {
  origins: 2,
  chars: 1_000,
  tabChars: 100,
  databases: { databases: 9, records: 3, chars: 500 },
};

let kit: Kit;
beforeAll(async () => {
  kit = await startKit('--timeout-action', '20000');
});
afterAll(() => kit.close());

const session = 'watched';
let sessionState: SessionState;
let limits: Limits & { done(): void };
beforeEach(async () => {
  limits?.done();
  limits = within(unlimited(), 60_000, () => new Failure('timeout', 'late'));
  await kit.call('session_close', { session });
  await kit.ok('navigate', { session, url: `${kit.site.url}/tables.html` });
  sessionState = new SessionState(undefined, SMALL);
  for (const tab of context().tabs.values()) sessionState.follow(tab);
});

function context() {
  const found = kit.server.list().find(({ name }) => name === session)?.context;
  if (!found) throw new Error('the session is not open');
  return found;
}

function read(): Promise<SavedState> {
  const { active, tabs } = context();
  if (!active) throw new Error('no tab is active');
  return sessionState.read(active.page.context(), [...tabs.values()], active, limits);
}

/** A page that does not answer in time is read the next time. */
const reads = (check: (state: SavedState) => void): Promise<void> =>
  vi.waitFor(async () => check(await read()), { timeout: 25_000, interval: 100 });

const js = (expression: string) => kit.ok('evaluate', { session, expression });
const go = (url: string) => kit.ok('navigate', { session, url });
const localOf = ({ origins }: SavedState, origin: string) => origins.find(row => row.origin === origin)?.local;

/** A database with one store and that many records, each made by the expression. */
const database = (name: string, count: number, record: string) => `(async () => {
  const request = indexedDB.open('${name}', 1);
  request.onupgradeneeded = () => request.result.createObjectStore('all');
  await new Promise((resolve, reject) => Object.assign(request, { onsuccess: resolve, onerror: reject }));
  const value = ${record};
  const work = request.result.transaction('all', 'readwrite');
  for (let at = 0; at < ${count}; at++) work.objectStore('all').put(value, at);
  await new Promise(resolve => { work.oncomplete = resolve; });
  request.result.close();
  return 'done';
})()`;

describe('a session state', () => {
  it('reads what a page stores, without anything of the page being changed', async () => {
    await js("localStorage.setItem('a', '1'); sessionStorage.setItem('b', '2'); document.cookie = 'c=3'");
    await reads(state => {
      expect(localOf(state, kit.site.url)).toEqual([['a', '1']]);
      expect(state.tabs).toEqual([
        { id: 1, url: `${kit.site.url}/tables.html`, title: 'Tables', active: true, session: [['b', '2']] },
      ]);
      expect(state.cookies).toMatchObject([{ name: 'c', value: '3', expires: -1 }]);
    });
    expect(await kit.ok('tab_list', { session })).not.toContain('\n');
    await js("localStorage.removeItem('a')");
    await reads(state => expect(state.origins).toEqual([]));
  });

  it('remembers origins that no tab shows any more, as they were left', async () => {
    await js("localStorage.setItem('a', 'seen')");
    await reads(state => expect(localOf(state, kit.site.url)).toEqual([['a', 'seen']]));
    await js("localStorage.setItem('a', 'changed since')");
    await go(`${kit.site.otherSiteUrl}/tables.html`);
    await reads(state => expect(localOf(state, kit.site.url)).toEqual([['a', 'changed since']]));
    await go('about:blank');
    const state = await read();
    expect(localOf(state, kit.site.url)).toEqual([['a', 'changed since']]);
    expect(state.tabs).toMatchObject([{ url: 'about:blank', session: [] }]);
  });

  it('keeps as many origins as there is room for, the latest', async () => {
    await js("localStorage.setItem('first', 'x'.repeat(600))");
    await reads(state => expect(localOf(state, kit.site.url)).toHaveLength(1));
    await go(`${kit.site.otherSiteUrl}/tables.html`);
    await js("localStorage.setItem('second', 'x'.repeat(600))");
    await reads(state => expect(state.origins.map(({ origin }) => origin)).toEqual([kit.site.otherSiteUrl]));
    await js("sessionStorage.setItem('small', 'x')");
    await reads(state => expect(state.tabs[0]?.session).toEqual([['small', 'x']]));
    await js("sessionStorage.setItem('large', 'x'.repeat(200))");
    await reads(state => expect(state.tabs[0]?.session).toEqual([]));
  });

  it('takes databases whole or not at all: not those that are too large, or that hold what cannot be kept', async () => {
    await js(database('small', 2, "({ date: new Date(7), list: [undefined, NaN, -0, 5n], set: new Set(['x']) })"));
    await js(database('many', 4, "'x'"));
    await js(database('key', 1, "await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])"));
    const names = ({ origins }: SavedState) => origins.flatMap(({ databases }) => databases.map(({ name }) => name));
    await reads(state => expect(names(state)).toEqual(['small']));
    const [record] = sessionState.state?.origins[0]?.databases[0]?.stores[0]?.records ?? [];
    expect(record).toEqual([
      0,
      {
        o: [
          ['date', { d: 7 }],
          ['list', { a: [{ u: 1 }, { f: 'NaN' }, { f: '-0' }, { n: '5' }] }],
          ['set', { s: ['x'] }],
        ],
      },
    ]);
    await js(database('large', 1, "'x'.repeat(600)"));
    await js(database('tiny', 1, "'x'"));
    await reads(state => expect(names(state)).toContain('tiny'));
    expect(names(sessionState.state as SavedState)).toEqual(['small', 'tiny']);
  });

  it('brings everything back into an empty state, and says what Chrome does not take', async () => {
    await js("localStorage.setItem('a', '1'); document.cookie = 'good=1'");
    await js(database('small', 2, "({ bytes: new Uint8Array([1, 2]).buffer, words: new Map([['x', 'y']]) })"));
    await reads(({ origins, cookies }) => {
      expect(cookies).toHaveLength(1);
      expect(origins[0]?.databases).toHaveLength(1);
    });
    const state = sessionState.state as SavedState;
    const bad = { ...state.cookies[0], name: '__Host-bad', value: 'x', secure: false } as SavedState['cookies'][number];
    const old = { ...bad, name: 'old', expires: 1 };
    const next = new SessionState({ ...state, cookies: [...state.cookies, bad, old] }, SMALL);
    await kit.ok('session_close', { session });
    await kit.ok('navigate', { session, url: 'about:blank' });
    const tab = context().active;
    if (!tab) throw new Error('no tab');
    expect(await next.restore(tab, limits)).toMatchObject({
      cookies: 1,
      expired: 1,
      sites: 1,
      missing: ['__Host-bad'],
    });
    await go(`${kit.site.url}/tables.html`);
    expect(await js("localStorage.getItem('a') + document.cookie")).toBe('1good=1');
    await reads(({ origins }) => expect(origins[0]?.databases).toEqual(state.origins[0]?.databases));
  });

  it('is done in time although a page does not answer, and has the rest', async () => {
    await js("localStorage.setItem('a', '1'); document.cookie = 'c=3'");
    await reads(state => expect(localOf(state, kit.site.url)).toEqual([['a', '1']]));
    await js('setTimeout(() => { for (;;); }, 0)');
    const bound = within(unlimited(), 2_000, () => new Failure('timeout', 'late'));
    const { active, tabs } = context();
    const state = await sessionState.read(active!.page.context(), [...tabs.values()], active, bound);
    bound.done();
    expect(localOf(state, kit.site.url)).toEqual([['a', '1']]);
    expect(state.cookies).toHaveLength(1);
    expect(state.tabs).toMatchObject([{ url: `${kit.site.url}/tables.html` }]);
  });
});
