// Chrome starts before what a call needs is loaded: with the first navigation, or with --eager-browser as soon as there is a client.
import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { isAlive, Process, temporaryFolder } from '../process.ts';

const folder = temporaryFolder();
const started: Process[] = [];

function start(...args: string[]): Process {
  const server = new Process(args, folder.path);
  started.push(server);
  return server;
}

afterAll(async () => {
  await Promise.all(started.map(server => server.kill('SIGKILL')));
  folder.remove();
});

const PAGE = 'data:text/html,<title>first</title>';

/** The browsers that the server has started: each is one child of it. */
const browsers = ({ pid }: Process): number[] =>
  execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map(row => row.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));

describe('--eager-browser', () => {
  it('starts Chrome for a client that has only introduced itself, and the first call uses it', async () => {
    const server = start('--eager-browser');
    await server.initialize();
    await expect.poll(() => browsers(server).length, { timeout: 10_000 }).toBe(1);
    const first = browsers(server);
    const { result } = await server.request('tools/call', { name: 'navigate', arguments: { url: PAGE } });
    expect(JSON.stringify(result)).toContain('first');
    expect(browsers(server)).toEqual(first);
  });

  it('ends Chrome with a client that never called', async () => {
    const server = start('--eager-browser');
    await server.initialize();
    await expect.poll(() => browsers(server).length, { timeout: 10_000 }).toBe(1);
    const pids = server.descendants();
    expect(await server.endInput()).toEqual({ code: 0, signal: null });
    await expect.poll(() => pids.filter(isAlive), { timeout: 5_000 }).toEqual([]);
  });
});

describe('without it', () => {
  it('starts no Chrome for a client that only lists the tools', async () => {
    const server = start();
    await server.initialize();
    await server.request('tools/list');
    await server.request('ping');
    expect(browsers(server)).toEqual([]);
  });

  it('starts one Chrome for a first navigation, also when that is refused', async () => {
    const server = start();
    await server.initialize();
    const { result } = await server.request('tools/call', {
      name: 'navigate',
      arguments: { url: 'file:///etc/passwd' },
    });
    expect(result?.isError).toBe(true);
    const next = await server.request('tools/call', { name: 'navigate', arguments: { url: PAGE } });
    expect(JSON.stringify(next.result)).toContain('first');
    expect(browsers(server)).toHaveLength(1);
  });
});
