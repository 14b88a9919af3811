// A program that took the port of a server which was killed, while another process has its id: it waits for the token of the next command.

import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startCommand } from '../surfaces/cli/command.ts';
import { Served } from '../surfaces/http/served.ts';
import { temporaryFolder } from '../surfaces/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

it('15.18 the command line sends no token to a program that only says it is Tabwright', async () => {
  const seen: (string | undefined)[] = [];
  const impostor = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end('{"status":"ok","name":"tabwright","proof":"x"}');
  });
  await new Promise<void>(resolve => impostor.listen(0, '127.0.0.1', resolve));
  const { port } = impostor.address() as AddressInfo;
  const tokenFile = join(folder.path, 'token');
  writeFileSync(tokenFile, 's'.repeat(64), { mode: 0o600 });
  mkdirSync(join(folder.path, 'serve'));
  const told = { url: `http://127.0.0.1:${port}/mcp`, pid: process.pid, tokenFile, key: 'k'.repeat(64) };
  writeFileSync(join(folder.path, 'serve', `${port}.json`), JSON.stringify(told));
  const { code } = await startCommand(folder.path, ['call', 'title']).printed;
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter(Boolean)).toEqual([]);
  expect(code).toBe(0); // in a browser of its own
  impostor.close();
}, 60_000);

it('15.18 it sends the token to the server that has the key', async () => {
  const served = await new Served(join(folder.path, 'real')).ready();
  await startCommand(join(folder.path, 'real'), ['call', 'navigate', 'data:text/html,<title>Real</title>']).printed;
  const { stdout } = await startCommand(join(folder.path, 'real'), ['call', 'title']).printed;
  expect(stdout).toContain('Real');
  await served.kill('SIGTERM');
}, 60_000);
