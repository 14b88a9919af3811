// Names of sessions: one caller shares a session under a usual name, and waits for another to use it unaware.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit('--shared-sessions', 'team');
});
afterAll(() => kit.close());

const as = (caller: string, name: string, args: Record<string, unknown> = {}) => kit.call(name, args, { caller });
const open = (caller: string, session: string) =>
  as(caller, 'navigate', { session, url: `${kit.site.url}/signup.html` });
const cookies = async (caller: string, session: string) =>
  JSON.stringify((await as(caller, 'cookies', { session, action: 'export' })).data);
const setCookie = (caller: string, session: string, value: string) =>
  as(caller, 'cookies', { session, action: 'set', name: 'sid', value });

it.each([
  ['a guest', 'mallory', 'victim'],
  ['a guest', 'mallory', 'local'],
  ['the owner', 'local', 'victim'],
])('15.12 what %s shares under a name (%s) is not what another (%s) means by that name', async (_, sharer, user) => {
  await as(sharer, 'session_create', { name: 'work', shared: true });
  await open(sharer, 'work');
  expect((await open(user, 'work')).ok).toBe(true);
  await setCookie(user, 'work', 'secret-of-user');
  expect(await cookies(user, 'work')).toContain('secret-of-user');
  expect(await cookies(sharer, 'work')).not.toContain('secret-of-user');
  for (const caller of [sharer, user]) await as(caller, 'session_close', { all: true });
});

it('15.12 a session of another caller is joined by NAME@CALLER only, when it is shared, and told once', async () => {
  await open('ann', 'work');
  const refused = {
    code: 'refused',
    message: 'Access denied to session: work@ann',
    rule: 'a session belongs to its owner',
  };
  expect((await as('bob', 'title', { session: 'work@ann' })).failure).toMatchObject(refused);
  expect((await as('bob', 'session_close', { session: 'work@ann' })).failure).toMatchObject(refused);
  // Nor is it told which sessions another has.
  expect((await as('bob', 'title', { session: 'none@ann' })).failure?.message).toBe(
    'Access denied to session: none@ann',
  );
  await as('ann', 'session_create', { name: 'work', shared: true });
  const told = 'Session work@ann is one of ann, shared: whoever uses it sees its pages, cookies and what is typed.';
  const first = await as('bob', 'title', { session: 'work@ann' });
  expect(first).toMatchObject({ ok: true, session: 'work@ann', text: expect.stringMatching(`^${told}\n`) });
  expect((await as('bob', 'title', { session: 'work@ann' })).text).not.toContain(told);
  expect((await as('ann', 'title', { session: 'work' })).text).not.toContain(told);
  expect((await as('ann', 'title', { session: 'work@ann' })).session).toBe('work');
  expect((await as('bob', 'session_list')).text).toMatch(/^work@ann \(another caller's, shared\)/);
  expect((await as('bob', 'session_close', { session: 'work@ann' })).failure?.code).toBe('refused');
  await as('ann', 'session_close', { all: true });
});

it('15.12 the clients of the owner are one caller; what the owner shares is NAME@local', async () => {
  await open('local', 'mine');
  expect((await as('http', 'url', { session: 'mine' })).text).toContain('/signup.html');
  expect((await as('bob', 'url', { session: 'mine@local' })).failure?.code).toBe('refused');
  await as('http', 'session_create', { name: 'mine', shared: true });
  for (const session of ['mine@local', 'mine@http'])
    expect((await as('bob', 'url', { session })).text).toContain('/signup.html');
  expect((await as('bob', 'session_list')).text).toMatch(/^mine@local /);
  await kit.ok('session_close', { all: true });
});

it('15.12 names of --shared-sessions mean one session for all, which others are told', async () => {
  await open('ann', 'team');
  const { text, session } = await as('bob', 'url', { session: 'team' });
  expect(session).toBe('team');
  expect(text).toMatch(/^Session team is one of ann, shared: .*\n.*\/signup\.html$/);
  await as('ann', 'session_close', { all: true });
});

it('15.12 saved sessions of earlier versions are found by those who made them, and by no other', async () => {
  const folder = join(kit.server.options.stateDir, 'sessions');
  mkdirSync(folder, { recursive: true });
  const times = { createdAt: 1, lastActivity: 1 };
  const state = { at: 1, cookies: [], origins: [], tabs: [] };
  const save = (name: string, owner: string) => {
    const tabs = [{ id: 1, url: `${kit.site.url}/tables.html`, title: '', active: true, session: [] }];
    const saved = { version: 1, name, owner, shared: false, ...times, state: { ...state, tabs } };
    writeFileSync(join(folder, `s-${name}.json`), JSON.stringify(saved));
  };
  save('old', 'local');
  save('hers', 'ann');
  save('theirs', 'ann');
  expect((await as('ann', 'session_list')).text.match(/^\w+ /gm)).toEqual(['hers ', 'theirs ']);
  expect((await as('ann', 'url', { session: 'old' })).text).toBe('about:blank');
  expect(await kit.ok('url', { session: 'old' })).toContain('/tables.html');
  expect(await kit.ok('url', { session: 'hers' })).toBe('about:blank');
  expect((await as('ann', 'url', { session: 'hers' })).text).toContain('/tables.html');
  expect((await as('ann', 'url', { session: 'theirs' })).text).toContain('/tables.html');
  for (const caller of ['ann', 'local']) await as(caller, 'session_close', { all: true });
  expect(readdirSync(folder)).toEqual([]);
});
