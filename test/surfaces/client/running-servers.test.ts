// Which server runs: told in a file, found by asking, forgotten when it is gone.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { announce, findRunning } from '../../../src/surfaces/client/running-servers.ts';
import { temporaryFolder } from '../process.ts';

let folder: ReturnType<typeof temporaryFolder>;
const servers: Server[] = [];

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  folder.remove();
});

/** Something that listens; without an answer it stays silent. Gives the url of its /mcp. */
async function listening(health?: string): Promise<string> {
  const server = createServer((req, res) => {
    if (health !== undefined) res.end(req.url === '/health' ? health : '');
  });
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const OK = '{"status":"ok","name":"tabwright"}';
const { pid } = process;
const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;
const fileOf = (url: string) => join(folder.path, 'serve', `${new URL(url).port}.json`);

describe('an announcement', () => {
  it('is a file for its owner only, and goes with the server', () => {
    const url = 'http://127.0.0.1:9223/mcp';
    const withdraw = announce(folder.path, { url, pid, tokenFile: '/t' });
    expect(JSON.parse(readFileSync(fileOf(url), 'utf8'))).toEqual({ url, pid, tokenFile: '/t' });
    expect(statSync(fileOf(url)).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder.path, 'serve'))).toEqual(['9223.json']);
    withdraw();
    expect(existsSync(fileOf(url))).toBe(false);
    withdraw();
  });

  it('of a later server on the same port stays', () => {
    const url = 'http://127.0.0.1:9223/mcp';
    const withdraw = announce(folder.path, { url, pid: 1 });
    announce(folder.path, { url, pid });
    withdraw();
    expect(existsSync(fileOf(url))).toBe(true);
  });
});

describe('a search', () => {
  it('finds nothing where nothing was told', async () => {
    expect(await findRunning(join(folder.path, 'none'))).toBeUndefined();
  });

  it('finds the newest server that answers', async () => {
    const [old, silent, newest] = [await listening(OK), await listening(), await listening(OK)];
    announce(folder.path, { url: old, pid, tokenFile: '/old' });
    announce(folder.path, { url: newest, pid });
    announce(folder.path, { url: silent, pid });
    for (const [seconds, url] of [old, newest, silent].entries()) utimesSync(fileOf(url), seconds, seconds);
    expect(await findRunning(folder.path)).toEqual({ url: newest, pid });
    utimesSync(fileOf(old), 10, 10);
    expect(await findRunning(folder.path)).toEqual({ url: old, pid, tokenFile: '/old' });
  });

  it('waits for no answer longer than a second', async () => {
    announce(folder.path, { url: await listening(), pid });
    const started = performance.now();
    expect(await findRunning(folder.path)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('forgets a server whose process is gone, and only that', async () => {
    const [gone, closed] = [await listening(OK), 'http://127.0.0.1:9/mcp'];
    announce(folder.path, { url: gone, pid: deadPid() });
    announce(folder.path, { url: closed, pid });
    expect(await findRunning(folder.path)).toBeUndefined();
    expect([existsSync(fileOf(gone)), existsSync(fileOf(closed))]).toEqual([false, true]);
  });

  it.each(['{"status":"ok","name":"other"}', 'tabwright', '', '[]', `{"name":"${'x'.repeat(5_000)}"}`])(
    'does not take %.40s for a Tabwright',
    async health => {
      announce(folder.path, { url: await listening(health), pid });
      expect(await findRunning(folder.path)).toBeUndefined();
    },
  );

  it.each(['', 'no json', '{}', '{"url":"here","pid":1}', 'null', '{"url":5,"pid":"6"}'])(
    'passes over a file that says %j',
    async text => {
      mkdirSync(join(folder.path, 'serve'));
      writeFileSync(join(folder.path, 'serve', '1.json'), text);
      expect(await findRunning(folder.path)).toBeUndefined();
      const url = await listening(OK);
      announce(folder.path, { url, pid });
      expect(await findRunning(folder.path)).toEqual({ url, pid });
    },
  );
});
