// session_create, session_list and session_close: named browser states with an owner, shared or not, and their clean end.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Result } from '../../src/call/call.ts';
import type { SessionInfo } from '../../src/session/manage-sessions.ts';
import { type Kit, startKit } from '../kit.ts';
import { contextIds } from '../session/contexts.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit('--max-sessions-per-caller', '3', '--shared-sessions', 'team');
  // Its page is where the browser is asked from.
  await kit.call('navigate', { url: kit.site.url }, { caller: 'witness' });
});
afterAll(() => kit.close());

const as = (caller: string, name: string, args: Record<string, unknown> = {}): Promise<Result> =>
  kit.call(name, args, { caller });
const ok = async (caller: string, name: string, args: Record<string, unknown> = {}): Promise<string> => {
  const result = await as(caller, name, args);
  expect(result.ok, `${name} ${JSON.stringify(args)}: ${result.text}`).toBe(true);
  return result.text;
};
const rows = async (caller: string): Promise<SessionInfo[]> =>
  ((await as(caller, 'session_list')).data as { sessions: SessionInfo[] }).sessions;
const open = (caller: string, session: string, page: string) =>
  ok(caller, 'navigate', { session, url: `${kit.site.url}/${page}` });
const message = async (result: Promise<Result>) => (await result).failure?.message;

describe('session_create', () => {
  it('S3-14, S3-15: makes one by name, or one with a handle that nobody can guess; an own one is reused', async () => {
    expect(await ok('ann', 'session_create', { name: 'a' })).toBe('Made session a.');
    expect(await ok('ann', 'session_create', { name: 'a' })).toBe('Using session a.');
    const { name } = (await as('ann', 'session_create')).data as { name: string };
    expect(name).toMatch(/^[0-9a-f-]{36}$/);
    await open('ann', name, 'tables.html');
    expect(await ok('ann', 'title', { session: name })).toBe('Tables');
    expect(await message(as('bob', 'title', { session: name }))).toBe(`Access denied to session: ${name}`);
    await ok('ann', 'session_close', { all: true });
  });

  it('S3-15, S3-17: a shared one is reused by others, until its owner stops sharing it', async () => {
    const denied = 'Access denied to session: ours@ann';
    await open('ann', 'ours', 'tables.html');
    expect(await message(as('bob', 'session_create', { name: 'ours@ann', shared: true }))).toBe(denied);
    expect(await ok('ann', 'session_create', { name: 'ours', shared: true })).toBe(
      'Using session ours, shared with all callers.',
    );
    expect(await ok('bob', 'session_create', { name: 'ours@ann', shared: true })).toMatch(
      /^Using session ours@ann, shared/,
    );
    expect(await ok('bob', 'title', { session: 'ours@ann' })).toMatch(/\nTables$/);
    expect(await message(as('bob', 'session_create', { name: 'ours@ann', shared: false }))).toBe(denied);
    expect(await message(as('bob', 'session_close', { session: 'ours@ann' }))).toBe(denied);
    await ok('ann', 'session_create', { name: 'ours', shared: false });
    expect(await message(as('bob', 'title', { session: 'ours@ann' }))).toBe(denied);
    await ok('ann', 'session_close', { session: 'ours' });
  });

  it('S3-17: --shared-sessions are shared whatever their maker says', async () => {
    await open('ann', 'team', 'tables.html');
    expect(await ok('bob', 'title', { session: 'team' })).toMatch(/^Session team is one of ann, shared: .*\nTables$/);
    expect(await message(as('ann', 'session_create', { name: 'team', shared: false }))).toContain('--shared-sessions');
    await ok('ann', 'session_close', { session: 'team' });
  });

  it('S3-20: tells which sessions a caller has, and how to end one, when it has too many', async () => {
    for (const name of ['a', 'b', 'c']) await ok('ann', 'session_create', { name });
    for (const call of [as('ann', 'session_create'), as('ann', 'navigate', { session: 'd', url: kit.site.url })])
      expect((await call).failure).toMatchObject({
        code: 'refused',
        rule: '--max-sessions-per-caller',
        hint: 'Use one of yours (a, b, c), or end one with session_close.',
      });
    await ok('ann', 'session_close', { session: 'b' });
    await ok('ann', 'session_create', { name: 'd' });
    expect(await ok('ann', 'session_close', { all: true })).toBe('Closed a, c, d: nothing of it is kept.');
  });

  it.each([
    [{ name: 'default', shared: true }, 'bad_input'],
    [{ name: 'a b' }, 'bad_input'],
    [{ name: '6f1c0e9e-0000-4000-8000-0123456789ab' }, 'no_session'],
  ])('refuses %j', async (args, code) => {
    expect((await as('ann', 'session_create', args)).failure?.code).toBe(code);
  });
});

describe('session_list', () => {
  it('shows own and shared ones with their tabs and times, and no others', async () => {
    await open('ann', 'mine', 'tables.html');
    await ok('ann', 'navigate', { url: `${kit.site.url}/signup.html` });
    await open('bob', 'ours', 'signup.html');
    await ok('bob', 'session_create', { name: 'ours', shared: true });
    await open('bob', 'hidden', 'tables.html');
    const seen = await rows('ann');
    expect(seen.map(({ name, own, shared, open: isOpen }) => ({ name, own, shared, isOpen }))).toEqual([
      { name: 'mine', own: true, shared: false, isOpen: true },
      { name: 'default', own: true, shared: false, isOpen: true },
      { name: 'ours@bob', own: false, shared: true, isOpen: true },
    ]);
    expect(seen[0]?.tabs).toMatchObject([{ tabId: 1, url: `${kit.site.url}/tables.html`, active: true }]);
    const [{ lastActivity = '', idleEnd = '' } = {}] = seen;
    expect(Date.parse(idleEnd) - Date.parse(lastActivity)).toBe(30 * 60_000);
    const text = await ok('ann', 'session_list');
    expect(text).toMatch(/^mine \(yours\): 1 tab, last call \d+ s ago, ends in \d+ min without a call$/m);
    expect(text).toMatch(/^ours@bob \(another caller's, shared\)/m);
    expect(text).not.toContain('hidden');
    for (const caller of ['ann', 'bob']) await ok(caller, 'session_close', { all: true });
  });

  it('never waits: not for a call that holds a session, nor for a browser', async () => {
    await open('ann', 'busy', 'tables.html');
    const waiting = as('ann', 'wait', { session: 'busy', for: 'text', text: 'never', timeout: 60_000 });
    await vi.waitFor(async () => expect((await rows('ann'))[0]).not.toHaveProperty('idleEnd'));
    expect(await ok('ann', 'session_close', { session: 'busy' })).toBe('Closed busy: nothing of it is kept.');
    expect((await waiting).failure).toMatchObject({
      code: 'cancelled',
      message: 'Session busy was closed during this call.',
    });
  });
});

describe('session_close', () => {
  it('S3-16: fails for an unknown one, in the words of the seed', async () => {
    const { failure } = await as('ann', 'session_close', { session: 'nowhere' });
    expect(failure).toMatchObject({ code: 'no_session', message: 'Session not found: nowhere' });
    expect(failure?.hint).toContain('session_list');
  });

  it('leaves no browser state behind, also of windows of its own and of one that has just been asked for', async () => {
    const before = await contextIds(kit);
    await open('ann', 'a', 'tables.html');
    await ok('ann', 'window_new', { session: 'a', incognito: true });
    await open('bob', 'b', 'tables.html');
    expect((await contextIds(kit)).length).toBe(before.length + 3);
    const late = as('ann', 'navigate', { session: 'late', url: kit.site.url });
    await vi.waitFor(() => expect(kit.server.list().some(({ name }) => name === 'late@ann')).toBe(true));
    const all = await Promise.all(
      [
        ['ann', 'a'],
        ['ann', 'late'],
        ['bob', 'b'],
      ].map(([caller = '', session]) => as(caller, 'session_close', { session })),
    );
    expect(all.map(({ ok: isOk }) => isOk)).toEqual([true, true, true]);
    expect((await late).failure?.code).toBe('cancelled');
    await vi.waitFor(async () => expect(await contextIds(kit)).toEqual(before));
  });

  it('graceful: calls that run may finish first, new ones are refused', async () => {
    await open('ann', 'a', 'tables.html');
    const running = as('ann', 'evaluate', {
      session: 'a',
      expression: 'new Promise(resolve => setTimeout(resolve, 1000, "done"))',
    });
    await vi.waitFor(() => expect(kit.server.list().find(({ name }) => name === 'a@ann')?.isBusy).toBe(true));
    const closing = as('ann', 'session_close', { session: 'a', graceful: true });
    await vi.waitFor(() => expect(kit.server.list().find(({ name }) => name === 'a@ann')?.refusal).toBeDefined());
    const refused = await as('ann', 'title', { session: 'a' });
    expect(refused.failure).toMatchObject({ code: 'no_session', message: 'Session a is being closed.' });
    expect((await running).text).toBe('done');
    expect((await closing).ok).toBe(true);
    expect(await ok('ann', 'url', { session: 'a' })).toBe('about:blank');
    await ok('ann', 'session_close', { all: true });
  });

  it('of the default session: the next call begins anew', async () => {
    await ok('ann', 'navigate', { url: `${kit.site.url}/signup.html` });
    await ok('ann', 'session_close', { session: 'default' });
    expect(await ok('ann', 'url')).toBe('about:blank');
    await ok('ann', 'session_close', { session: 'default' });
  });

  it('wants to know which', async () => {
    expect((await as('ann', 'session_close')).failure?.code).toBe('bad_input');
    expect((await as('ann', 'session_close', { session: 'a', all: true })).failure?.code).toBe('bad_input');
    expect(await ok('ann', 'session_close', { all: true })).toBe('No session to close.');
  });
});

describe('an idle end', () => {
  it('S3-19: leaves no browser state behind', async () => {
    const before = await contextIds(kit);
    await open('ann', 'idle', 'tables.html');
    expect((await contextIds(kit)).length).toBe(before.length + 1);
    const session = kit.server.list().find(({ name }) => name === 'idle@ann');
    if (session) session.lastActivity = 0;
    // Another session that is opened makes the server look at once.
    await ok('bob', 'session_create', { name: 'other' });
    await vi.waitFor(async () => expect(await contextIds(kit)).toEqual(before), { timeout: 10_000 });
    expect(kit.server.list().map(({ name }) => name)).not.toContain('idle@ann');
    await ok('ann', 'session_close', { session: 'idle' });
    await ok('bob', 'session_close', { all: true });
  });
});
