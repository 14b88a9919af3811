// Which server runs: told in a file, found by asking, forgotten when it is gone.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { announce, findRunning, healthProof } from '../../../src/surfaces/client/running-servers.ts';
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
    const nonce = new URL(req.url ?? '', 'http://here').searchParams.get('nonce') ?? '';
    if (health !== undefined) res.end(health.replace('PROOF', healthProof(key, nonce)));
  });
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const key = 'k'.repeat(64);
const OK = '{"status":"ok","name":"tabwright","proof":"PROOF"}';
const { pid } = process;
const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;
const fileOf = (url: string) => join(folder.path, 'serve', `${new URL(url).port}.json`);

describe('an announcement', () => {
  it('is a file for its owner only, and goes with the server', () => {
    const url = 'http://127.0.0.1:9223/mcp';
    const withdraw = announce(folder.path, { url, pid, tokenFile: '/t', key });
    expect(JSON.parse(readFileSync(fileOf(url), 'utf8'))).toEqual({ url, pid, tokenFile: '/t', key });
    expect(statSync(fileOf(url)).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder.path, 'serve'))).toEqual(['9223.json']);
    withdraw();
    expect(existsSync(fileOf(url))).toBe(false);
    withdraw();
  });

  it('of a later server on the same port stays', () => {
    const url = 'http://127.0.0.1:9223/mcp';
    const withdraw = announce(folder.path, { url, pid: 1, key });
    announce(folder.path, { url, pid, key });
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
    announce(folder.path, { url: old, pid, tokenFile: '/old', key });
    announce(folder.path, { url: newest, pid, key });
    announce(folder.path, { url: silent, pid, key });
    for (const [seconds, url] of [old, newest, silent].entries()) utimesSync(fileOf(url), seconds, seconds);
    expect(await findRunning(folder.path)).toEqual({ url: newest, pid, key });
    utimesSync(fileOf(old), 10, 10);
    expect(await findRunning(folder.path)).toEqual({ url: old, pid, tokenFile: '/old', key });
  });

  it('waits for no answer longer than a second', async () => {
    announce(folder.path, { url: await listening(), pid, key });
    const started = performance.now();
    expect(await findRunning(folder.path)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('forgets a server whose process is gone, and only that', async () => {
    const [gone, closed] = [await listening(OK), 'http://127.0.0.1:9/mcp'];
    announce(folder.path, { url: gone, pid: deadPid(), key });
    announce(folder.path, { url: closed, pid, key });
    expect(await findRunning(folder.path)).toBeUndefined();
    expect([existsSync(fileOf(gone)), existsSync(fileOf(closed))]).toEqual([false, true]);
  });

  it.each([
    '{"status":"ok","name":"tabwright"}',
    '{"name":"tabwright","proof":"x"}',
    'tabwright',
    '',
    '[]',
    `{"name":"${'x'.repeat(5_000)}"}`,
  ])('does not take %.40s for a Tabwright', async health => {
    announce(folder.path, { url: await listening(health), pid, key });
    expect(await findRunning(folder.path)).toBeUndefined();
  });

  it.each([
    '',
    'no json',
    '{}',
    '{"url":"here","pid":1}',
    '{"url":"http://127.0.0.1:1/mcp","pid":1}',
    'null',
    '{"url":5,"pid":"6"}',
  ])('passes over a file that says %j', async text => {
    mkdirSync(join(folder.path, 'serve'));
    writeFileSync(join(folder.path, 'serve', '1.json'), text);
    expect(await findRunning(folder.path)).toBeUndefined();
    const url = await listening(OK);
    announce(folder.path, { url, pid, key });
    expect(await findRunning(folder.path)).toEqual({ url, pid, key });
  });
});
