// Browsers of profiles outlive the server, however it ends; the next one takes them over.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Site, startSite } from '../../site/serve.ts';
import { Process, temporaryFolder } from '../../surfaces/process.ts';
import { endAll, killGroup, runs } from './browsers.ts';

const folder = temporaryFolder();
let site: Site;
let server: Process;
beforeAll(async () => {
  site = await startSite();
});
afterAll(async () => {
  await server.kill('SIGKILL');
  await endAll(folder.path);
  await site.close();
  folder.remove();
});

interface Row {
  id: string;
  is_running: boolean;
  run?: { pid: number; cdp_port: number; launched_at: number };
}

async function start(): Promise<void> {
  server = new Process(['--structured'], folder.path);
  await server.initialize();
}

async function call(name: string, args: Record<string, unknown> = {}): Promise<{ text: string; data: unknown }> {
  const { result } = await server.request('tools/call', { name, arguments: args });
  const { content, structuredContent } = result as {
    content: { text: string }[];
    structuredContent: { data: unknown };
  };
  return { text: content[0]?.text ?? '', data: structuredContent.data };
}

const rows = async () => ((await call('profile_list')).data as { profiles: Row[] }).profiles;
const runOf = async (id: string) => (await rows()).find(row => row.id === id)?.run;
const textOf = async (name: string, args: Record<string, unknown>) => (await call(name, args)).text;

it('after kill -9 of the server both are listed as running and can be driven', async () => {
  await start();
  for (const id of ['one', 'two']) {
    await call('profile', { action: 'create', id, name: id });
    await call('profile', { action: 'launch', id });
    await call('navigate', { session: `profile@${id}`, url: `${site.url}/tables.html` });
    await call('evaluate', { session: `profile@${id}`, expression: `document.title = "of ${id}"` });
  }
  const before = await rows();
  expect(before.map(({ is_running }) => is_running)).toEqual([true, true]);
  const seconds = Date.now() / 1_000;
  for (const { run } of before) expect(Math.abs(seconds - (run?.launched_at ?? 0))).toBeLessThan(120);
  await server.kill('SIGKILL');
  await start();
  expect(await rows()).toEqual(before);
  expect(await textOf('session_list', {})).toMatch(/^profile@one \(browser of a profile, not used yet\)/m);
  for (const id of ['one', 'two']) {
    expect(await textOf('title', { session: `profile@${id}` })).toBe(`of ${id}`);
    expect(await textOf('navigate', { session: `profile@${id}`, url: `${site.url}/signup.html` })).toContain('signup');
  }
}, 90_000);

it('a browser that was killed is listed as stopped, and can be launched again', async () => {
  const old = await runOf('one');
  killGroup(old?.pid ?? 0);
  await vi.waitFor(async () => expect((await rows()).map(row => row.is_running)).toEqual([false, true]), 20_000);
  const title = () => textOf('title', { session: 'profile@one' });
  await vi.waitFor(async () => expect(await title()).toContain('The browser of profile one does not run.'), 10_000);
  await vi.waitFor(async () => expect(await textOf('session_list', {})).not.toContain('profile@one'), 10_000);
  expect(await textOf('profile', { action: 'launch', id: 'one' })).toMatch(/^Launched one /);
  expect((await runOf('one'))?.pid).not.toBe(old?.pid);
  expect(await textOf('url', { session: 'profile@one' })).toBe('about:blank');
}, 60_000);

it('the end of a server in order leaves them running, and another one ends them', async () => {
  const pids = (await rows()).map(({ run }) => run?.pid ?? 0);
  expect((await server.endInput()).code).toBe(0);
  expect(pids.map(runs)).toEqual([true, true]);
  await start();
  expect(await textOf('title', { session: 'profile@two' })).toContain('ign');
  for (const id of ['one', 'two']) expect(await textOf('profile', { action: 'kill', id })).toMatch(/^Ended /);
  expect(pids.map(runs)).toEqual([false, false]);
}, 60_000);

it('two servers: what one has launched, the other uses and ends', async () => {
  const other = server;
  await call('profile', { action: 'launch', id: 'one' });
  await start();
  expect(await textOf('profile', { action: 'launch', id: 'one' })).toContain('Profile one runs already');
  await call('navigate', { session: 'profile@one', url: `${site.url}/tables.html` });
  expect(await textOf('profile', { action: 'kill', id: 'one' })).toMatch(/^Ended /);
  const { result } = await other.request('tools/call', { name: 'title', arguments: { session: 'profile@one' } });
  expect(JSON.stringify(result)).toContain('browser_not_running');
  await other.kill('SIGKILL');
}, 60_000);
