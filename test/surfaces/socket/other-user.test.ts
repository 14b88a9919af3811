// Another user of the machine does not get through to the server, and nobody's commands go to a server of another user.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { BUNDLE, cleanEnv } from '../process.ts';
import { page, Shell } from './shell.ts';

/** nobody, on most systems; a user needs no name to be another one. */
const OTHER = 65_534;
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

const shell = new Shell();
afterAll(() => shell.end());

const asOther = (args: string[], env = {}) =>
  spawnSync('setpriv', [`--reuid=${OTHER}`, `--regid=${OTHER}`, '--clear-groups', process.execPath, ...args], {
    encoding: 'utf8',
    cwd: '/',
    env: { ...cleanEnv(shell.stateDir), HOME: '/nonexistent', ...env },
    timeout: 20_000,
  });

const CONNECT = `require('net').createConnection(process.argv[1]).on('connect', () => console.log('connected')).on('error', error => console.log(error.code))`;

it.skipIf(!isRoot)('another user gets through neither the folder nor the socket', async () => {
  await shell.out('open', page('<title>Mine</title>'));
  const run = join(shell.stateDir, 'run');
  const socket = join(run, 'background.sock');
  // All that lies above is open, so that nothing else protects it.
  for (const folder of [shell.folder.path, shell.stateDir]) chmodSync(folder, 0o755);
  expect(asOther(['-e', 'console.log(process.getuid())']).stdout).toBe(`${OTHER}\n`);
  expect(asOther(['-e', CONNECT, socket]).stdout).toBe('EACCES\n');
  chmodSync(run, 0o755);
  expect(asOther(['-e', CONNECT, socket]).stdout).toBe('EACCES\n');
  chmodSync(run, 0o700);
  const { status, stdout, stderr } = asOther([BUNDLE, 'title']);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^tabwright: .* belongs to another user\..*\n$/);
  expect(await shell.out('title')).toBe('Mine\n');
});

it.skipIf(!isRoot)('a command sends nothing to a server in the folder of another user', async () => {
  const trap = new Shell();
  const run = join(trap.stateDir, 'run');
  mkdirSync(run, { recursive: true });
  const heard: string[] = [];
  const server = createServer(socket => socket.on('data', data => heard.push(String(data))));
  await new Promise<void>(resolve => server.listen(join(run, 'background.sock'), resolve));
  // Were it one's own, the command would go there.
  writeFileSync(join(run, 'background.json'), '{"pid":1,"began":"","version":""}');
  chownSync(run, OTHER, OTHER);
  const { code, stderr } = await trap.run(['fill', '@e1', 'secret']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^tabwright: .* belongs to another user\..*\n$/);
  expect(heard).toEqual([]);
  server.close();
  trap.folder.remove();
});
