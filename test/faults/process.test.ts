// Processes: a browser dies with its server, an attached one never does, and two servers run side by side.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startKit } from '../kit.ts';
import { otherBrowser } from '../other-browser.ts';
import { type Site, startSite } from '../site/serve.ts';
import { STUCK } from '../site/stuck.ts';
import { isAlive, Process, temporaryFolder } from '../surfaces/process.ts';

let site: Site;
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  site = await startSite();
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(() => site.close());

async function started(...flags: string[]): Promise<Process> {
  const folder = temporaryFolder();
  const child = new Process(flags, folder.path);
  ends.push(async () => {
    await child.kill('SIGKILL');
    folder.remove();
  });
  await child.initialize();
  return child;
}

const call = async (child: Process, name: string, args: Record<string, unknown> = {}) => {
  const { result } = await child.request('tools/call', { name, arguments: args });
  return JSON.stringify(result);
};

/** None of the processes is there after 10 s. */
const areGone = (pids: number[]) => expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([]);

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('%s of the server: no process left after 10 s', async signal => {
  const child = await started();
  expect(await call(child, 'navigate', { url: `${site.url}/loop.html` })).toContain('Opened');
  await call(child, 'evaluate', { expression: STUCK });
  const pids = child.descendants();
  expect(pids.length).toBeGreaterThan(2);
  child.signal(signal);
  await areGone(pids);
  if (signal !== 'SIGKILL') expect((await child.ended).code).toBe(0);
});

test('the client is killed: server and browser end', async () => {
  const folder = temporaryFolder();
  ends.push(() => folder.remove());
  // A client that starts the server, opens a page through it, and then does nothing more.
  const program = `
    const { spawn } = require('node:child_process');
    const server = spawn(process.execPath, ['dist/tabwright.js'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const send = message => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } } });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'navigate', arguments: { url: '${site.url}/signup.html' } } });
    server.stdout.on('data', text => String(text).includes('"id":2') && console.log(server.pid));`;
  const client = spawn(process.execPath, ['-e', program], {
    env: { ...process.env, TABWRIGHT_STATE_DIR: folder.path },
  });
  const [line] = await once(client.stdout, 'data');
  const server = Number(String(line));
  const pids = [server, ...childrenOf(server)];
  expect(pids.length).toBeGreaterThan(2);
  client.kill('SIGKILL');
  await areGone(pids);
});

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return children.flatMap(child => [child, ...childrenOf(child)]);
}

test('attached over CDP: drives the tab that is there, and never closes the browser', async () => {
  const other = await otherBrowser();
  ends.push(() => other.end());
  const kit = await startKit('--cdp-endpoint', other.endpoint);
  expect(await kit.ok('tab_list')).toContain('about:blank');
  await kit.open('/signup.html');
  const ref = await kit.ref('Full name');
  expect(await kit.ok('fill', { selector: ref, value: 'Ada' })).toContain('Filled');
  await kit.close();
  expect(other.process.exitCode).toBeNull();
  const pages = (await (await fetch(`${other.endpoint}/json/list`)).json()) as { type: string; url: string }[];
  expect(pages.some(page => page.url.endsWith('/signup.html'))).toBe(true);
});

test('two servers with default settings run side by side', async () => {
  const folder = temporaryFolder();
  ends.push(() => folder.remove());
  const both = [new Process([], folder.path), new Process([], folder.path)];
  for (const child of both) ends.push(() => child.kill('SIGKILL'));
  await Promise.all(both.map(child => child.initialize()));
  const texts = await Promise.all(
    both.map((child, at) => call(child, 'navigate', { url: `${site.url}/${at ? 'signup' : 'tables'}.html` })),
  );
  expect(texts[0]).toContain('Tables');
  expect(texts[1]).toContain('Sign up');
});

test('a profile folder keeps what the page stored', async () => {
  const folder = temporaryFolder();
  ends.push(() => folder.remove());
  const flags = ['--user-data-dir', join(folder.path, 'profile')];
  for (const expected of ['null', 'kept']) {
    const child = await started(...flags);
    await call(child, 'navigate', { url: `${site.url}/signup.html` });
    expect(await call(child, 'evaluate', { expression: "localStorage.getItem('x')" })).toContain(expected);
    await call(child, 'evaluate', { expression: "localStorage.setItem('x', 'kept')" });
    await child.endInput();
  }
});
