// Pages that try to use the server which drives them: without a token, whoever reaches it may do everything.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toolPath } from '../../src/surfaces/rest/contract.ts';
import { otherBrowser } from '../other-browser.ts';
import { type Site, startSite } from '../site/serve.ts';
import { startBin, streamableAgent } from '../surfaces/browseros/bin.ts';
import { ask } from '../surfaces/http/ask.ts';
import { Served } from '../surfaces/http/served.ts';
import { temporaryFolder } from '../surfaces/process.ts';

const folder = temporaryFolder();
let served: Served;
let site: Site;
beforeAll(async () => {
  [served, site] = await Promise.all([new Served(folder.path, '--no-auth').ready(), startSite()]);
}, 60_000);
afterAll(async () => {
  await served?.kill('SIGTERM');
  await site?.close();
  folder.remove();
});

async function call(tool: string, args: Record<string, unknown>): Promise<{ data?: unknown; code?: string }> {
  const answer = await fetch(new URL(toolPath('default', tool), served.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(args),
  });
  return (await answer.json()) as { data?: unknown; code?: string };
}

const HOSTS = ['127.0.0.1', 'localhost', 'a.localhost', '[::1]', '0.0.0.0', '2130706433', '[::ffff:127.0.0.1]'];

it('15.2 the own port of the server is refused to calls, however it is written', async () => {
  const urls = HOSTS.map(host => `http://${host}:${served.port}/health`);
  for (const url of urls)
    for (const tool of ['navigate', 'request'])
      expect((await call(tool, { url })).code, `${tool} ${url}`).toBe('refused');
}, 60_000);

it('15.2 the own port of the server is closed to pages', async () => {
  await call('navigate', { url: `${site.url}/signup.html` });
  const expression = `Promise.all(${JSON.stringify(HOSTS)}.map(host =>
    fetch('http://' + host + ':${served.port}/health', { mode: 'no-cors' }).then(() => [host], () => [])
  )).then(rows => rows.flat())`;
  expect(((await call('evaluate', { expression })).data as { value?: unknown }).value).toEqual([]);
}, 60_000);

it('15.2 browseros-mcp, which asks for no token, is closed to the pages of its browser', async () => {
  const browser = await otherBrowser();
  const { bin, port, url } = await startBin('Node', Number(new URL(browser.endpoint).port), { home: folder.path });
  const agent = await streamableAgent(url);
  await agent.ok('navigate_page', { url: `${site.url}/signup.html` });
  const reached = await agent.ok('evaluate_script', {
    function: `() => fetch('http://127.0.0.1:${port}/health', { mode: 'no-cors' }).then(() => 'reached', () => 'blocked')`,
  });
  expect(reached).toContain('blocked');
  await agent.close();
  await bin.kill('SIGINT');
  await browser.end();
}, 60_000);

it('15.18 pages of another port of this machine may send nothing to a server without tokens', async () => {
  const from = (origin: string) =>
    ask(new URL(toolPath('default', 'tab_list'), served.url).href, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: '{}',
    });
  const other = new URL(site.url).port;
  for (const origin of [
    `http://127.0.0.1:${other}`,
    `http://localhost:${other}`,
    'http://localhost',
    'https://127.0.0.1',
  ])
    expect((await from(origin)).status, origin).toBe(403);
  for (const origin of [`http://127.0.0.1:${served.port}`, `http://localhost:${served.port}`])
    expect((await from(origin)).status, origin).toBe(200);
}, 60_000);
