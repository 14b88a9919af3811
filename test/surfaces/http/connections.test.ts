// Clients that share one token: each has a default session where its protocol has sessions; names, REST and 2026-07-28 are shared.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Site, startSite } from '../../site/serve.ts';
import type { Agent } from '../agents.ts';
import { temporaryFolder } from '../process.ts';
import { HTTP_AGENTS, Served, SSE_AGENTS } from './served.ts';

const folder = temporaryFolder();
const open: Agent[] = [];
let served: Served;
let site: Site;

beforeAll(async () => {
  site = await startSite();
  // The clients of all tests stay connected.
  served = await new Served(folder.path, '--max-sessions', '20').ready();
});
afterAll(async () => {
  await Promise.all(open.map(agent => agent.close()));
  await served.kill('SIGKILL');
  await site.close();
  folder.remove();
});

async function connect(kind: (url: string, token: string) => Promise<Agent>, path = '/mcp'): Promise<Agent> {
  const agent = await kind(served.url.replace('/mcp', path), served.token);
  open.push(agent);
  return agent;
}
const streamable = () => connect(HTTP_AGENTS['second generation, older revisions']!);
const sessionless = () => connect(HTTP_AGENTS['second generation, newest revision only']!);
const sse = () => connect(SSE_AGENTS['first generation']!, '/sse');

async function rest(tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const response = await fetch(served.url.replace('/mcp', `/api/v1/sessions/default/tools/${tool}`), {
    method: 'POST',
    headers: { authorization: `Bearer ${served.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(args),
  });
  return response.text();
}

const page = (name: string) => ({ url: `${site.url}/${name}.html` });

it('14.14 clients of one token have a default session each, and meet in one that they name', async () => {
  const [one, two, three] = [await streamable(), await streamable(), await sse()];
  await one.ok('navigate', page('signup'));
  await two.ok('navigate', page('article'));
  await three.ok('navigate', page('table'));
  expect(await one.ok('tab_list')).toContain('signup.html');
  expect(await one.ok('tab_list')).not.toContain('article.html');
  expect(await two.ok('tab_list')).not.toContain('signup.html');
  expect(await three.ok('tab_list')).not.toContain('article.html');

  await one.ok('navigate', { ...page('signup'), session: 'common' });
  expect(await two.ok('tab_list', { session: 'common' })).toContain('signup.html');
  const sessions = await two.ok('session_list');
  expect(sessions).toContain('common');
  expect(sessions.match(/\bdefault\b/g)).toHaveLength(1);
  expect(sessions).toContain('article.html');
  expect(sessions).not.toContain('table.html');

  await two.ok('session_close', { all: true });
  expect(await one.ok('tab_list')).toContain('signup.html');
  expect(await three.ok('tab_list')).toContain('table.html');
});

it('14.14 REST and clients without sessions go on sharing that of the token', async () => {
  const [one, two, other] = [await sessionless(), await sessionless(), await streamable()];
  await one.ok('navigate', page('signup'));
  expect(await two.ok('tab_list')).toContain('signup.html');
  expect(await rest('tab_list')).toContain('signup.html');
  expect(await other.ok('session_list')).not.toContain('signup.html');
});

it('14.14 the default session of a client ends with its connection, and more clients than sessions per caller work', async () => {
  for (let round = 0; round < 5; round++) {
    const agent = await streamable();
    await agent.ok('navigate', page('signup'));
    expect(await agent.ok('tab_list')).toContain('signup.html');
  }
  const brief = await sse();
  await brief.ok('navigate', page('article'));
  const count = async () => Number(/^tabwright_sessions (\d+)/m.exec(await metrics())?.[1]);
  const before = await count();
  await brief.close();
  await expect.poll(count).toBe(before - 1);
});

it.each([
  ['HTTP+SSE', sse],
  ['Streamable HTTP, which need not say that it goes', streamable],
])('14.17 the trace of a client ends with its connection, and another client can record: %s', async (_name, client) => {
  const [gone, next] = [await client(), await streamable()];
  await gone.ok('navigate', page('signup'));
  await next.ok('navigate', page('article'));
  const start = { action: 'start', mode: 'trace' };
  await gone.ok('capture', start);
  expect(await next.call('capture', start)).toMatchObject({ isError: true });
  await gone.close();
  await expect.poll(async () => (await next.call('capture', start)).isError ?? false).toBe(false);
  await next.ok('evaluate', { expression: 'for (const end = performance.now() + 120; performance.now() < end; );' });
  expect(await next.ok('capture', { action: 'stop', mode: 'trace' })).toMatch(/^Trace of .*article\.html/);
});

async function metrics(): Promise<string> {
  const headers = { authorization: `Bearer ${served.token}` };
  return (await fetch(served.url.replace('/mcp', '/metrics'), { headers })).text();
}
