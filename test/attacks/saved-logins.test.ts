// Saved logins: one caller tries to use those of another, or to carry secrets out with few rights.
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
  for (const caller of ['local', 'guest', 'other'])
    await as(caller, 'navigate', { url: `${kit.site.url}/signup.html` });
  await kit.ok('cookies', { action: 'set', name: 'session', value: 'owner-secret' });
  await kit.ok('auth_state', { action: 'save', name: 'bank' });
});
afterAll(() => kit.close());

const as = (caller: string, name: string, args: Record<string, unknown>) => kit.call(name, args, { caller });
const logins = (caller: string, action: string, name?: string) =>
  as(caller, 'auth_state', { action, ...(name && { name }) });

it('15.6 a guest neither lists, loads, deletes nor replaces the logins of the owner', async () => {
  expect((await logins('guest', 'list')).text).toBe('No login is saved.');
  for (const action of ['load', 'delete'])
    expect((await logins('guest', action, 'bank')).failure).toMatchObject({
      code: 'not_found',
      message: 'There is no saved login "bank". None is saved.',
    });
  await as('guest', 'cookies', { action: 'set', name: 'session', value: 'of-guest' });
  expect((await logins('guest', 'save', 'bank')).text).toMatch(/^Saved "bank"(?!.*replaces)/);
  await kit.ok('cookies', { action: 'clear' });
  await kit.ok('auth_state', { action: 'load', name: 'bank' });
  expect((await kit.call('cookies', { action: 'export' })).data).toMatchObject({
    exported: expect.stringContaining('owner-secret'),
  });
});

it('15.6 guests have logins of their own, whatever their names look like', async () => {
  for (const id of ['Ada', 'ada', '../local', 'local.', 'auth/../..']) {
    await as(id, 'navigate', { url: `${kit.site.url}/signup.html` });
    expect((await logins(id, 'list')).text).toBe('No login is saved.');
    await as(id, 'cookies', { action: 'set', name: 'session', value: String(id.length) });
    expect((await logins(id, 'save', 'own')).text).toMatch(/^Saved "own"(?!.*replaces)/);
    await as(id, 'session_close', { all: true });
  }
  const { stateDir } = kit.server.options;
  expect(readdirSync(join(stateDir, 'auth')).sort()).toEqual(['bank.json', 'callers']);
  expect(statSync(join(stateDir, 'auth', 'callers')).mode & 0o777).toBe(0o700);
});

it('15.6 logins of earlier versions stay those of the owner', async () => {
  const folder = join(kit.server.options.stateDir, 'auth');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'old.json'), JSON.stringify({ version: 1, saved: '', cookies: [], origins: [] }));
  expect(await kit.ok('auth_state', { action: 'list' })).toContain('old');
  expect((await logins('other', 'list')).text).toBe('No login is saved.');
});

it('15.6 the export of cookies with their values needs the right to danger', async () => {
  const may = { effects: ['read', 'write'] as const };
  const { failure } = await kit.call('cookies', { action: 'export' }, { may: { effects: [...may.effects] } });
  expect(failure).toMatchObject({ code: 'refused', rule: 'permissions of local' });
  expect((await kit.call('cookies', { action: 'get_all' }, { may: { effects: [...may.effects] } })).ok).toBe(true);
});
