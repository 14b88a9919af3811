// What breaks between two commands: one clear line, and the next command works.
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { BUNDLE, descendantsOf, isAlive, temporaryFolder } from '../process.ts';
import { page, Shell } from './shell.ts';

const HELLO = page('<title>Hello</title><h1>Hello</h1>');
const isRoot = process.getuid?.() === 0;

let shell = new Shell();
afterEach(async () => {
  await shell.end();
  shell = new Shell();
});
afterAll(() => shell.end());

const gone = (pids: number[]) => vi.waitUntil(() => !pids.some(isAlive), { timeout: 10_000 });

describe('a server that was killed', () => {
  it('is replaced by the next command, which says so; its Chrome is gone', async () => {
    await shell.out('open', HELLO);
    const pid = shell.pid() ?? 0;
    const browser = descendantsOf(pid);
    process.kill(pid, 'SIGKILL');
    await gone([pid, ...browser]);
    const { code, stdout, stderr } = await shell.run(['open', HELLO]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('"Hello"') });
    expect(stderr).toBe(
      'tabwright: the background server had been killed; a new one is started, its pages are gone.\n',
    );
    expect(shell.pid()).not.toBe(pid);
    expect(await shell.run(['title'])).toEqual({ code: 0, stdout: 'Hello\n', stderr: '' });
  });

  it('while a command runs is told, with exit code 1', async () => {
    await shell.out('open', HELLO);
    const waiting = shell.run(['wait', 'timeout', 'duration=60000']);
    await expect.poll(async () => JSON.parse(await shell.out('status', '--json')).data.running).toBe(2);
    process.kill(shell.pid() ?? 0, 'SIGKILL');
    expect(await waiting).toEqual({
      code: 1,
      stdout: '',
      stderr: 'tabwright: The server ended before it had answered. The next command starts a new one.\n',
    });
  });
});

it('a Chrome that was killed is started anew by the next command, which says so', async () => {
  const site = createServer((_request, response) => response.end('<title>Site</title>')).listen(0, '127.0.0.1');
  await once(site, 'listening');
  await shell.out('open', `http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  const [chrome = 0] = descendantsOf(shell.pid() ?? 0);
  process.kill(chrome, 'SIGKILL');
  await gone([chrome]);
  const { code, stdout, stderr } = await shell.run(['title']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Site\n' });
  expect(stderr).toMatch(/^The browser had ended and was started again: [^\n]*\n$/);
  site.close();
});

describe('a socket that nobody listens on', () => {
  it('is removed', async () => {
    const folder = join(shell.stateDir, 'run');
    mkdirSync(folder, { recursive: true });
    // A socket file stays when its process is killed.
    const listenAndDie = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
    const { pid } = spawnSync(process.execPath, ['-e', listenAndDie, join(folder, 'background.sock')]);
    writeFileSync(join(folder, 'background.json'), JSON.stringify({ pid, began: '1', version: '1' }));
    expect(await shell.run(['open', HELLO])).toEqual({
      code: 0,
      stdout: expect.stringContaining('"Hello"'),
      stderr: 'tabwright: the background server had been killed; a new one is started, its pages are gone.\n',
    });
  });

  it('nor was described by a file: no harm', async () => {
    const folder = join(shell.stateDir, 'run');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'background.sock'), '');
    writeFileSync(join(folder, 'background.json'), '{"pid":');
    expect(await shell.run(['open', HELLO])).toMatchObject({ code: 0, stdout: expect.stringContaining('"Hello"') });
  });
});

describe('two versions', () => {
  it('the newer command replaces the server, and says so', async () => {
    const other = temporaryFolder();
    const bundle = join(other.path, 'dist', 'tabwright.js');
    cpSync(dirname(BUNDLE), dirname(bundle), { recursive: true, filter: path => !path.endsWith('.map') });
    cpSync('package.json', join(other.path, 'package.json'));
    const [build = ''] = /"[0-9a-f]{16}"/.exec(readFileSync(BUNDLE, 'utf8')) ?? [];
    for (const file of [
      bundle,
      ...readdirSync(join(dirname(bundle), 'parts')).map(name => join(dirname(bundle), 'parts', name)),
    ]) {
      const text = readFileSync(file, 'utf8');
      if (text.includes(build)) writeFileSync(file, text.replaceAll(build, '"another-build"'));
    }
    await shell.out('open', HELLO);
    const pid = shell.pid() ?? 0;
    const { code, stderr } = await shell.run(['open', HELLO], { bundle });
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^tabwright: the background server was of another version \(\S+\); a new one is started, its pages are gone\.\n$/,
    );
    await gone([pid]);
    expect(await shell.run(['title'], { bundle })).toEqual({ code: 0, stdout: 'Hello\n', stderr: '' });
    other.remove();
  });
});

describe('a state folder', () => {
  it('that cannot be made is told in one line', async () => {
    const file = join(shell.folder.path, 'file');
    writeFileSync(file, '');
    const { code, stdout, stderr } = await shell.run(['title'], { env: { TABWRIGHT_STATE_DIR: join(file, 'state') } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^tabwright: The state folder cannot be used: ENOTDIR.*--state-dir\.\n$/);
  });

  it.skipIf(!isRoot)('on a full disk is told in one line, and works when there is room', async () => {
    const disk = join(shell.folder.path, 'disk');
    mkdirSync(disk);
    const mounted = mount(disk);
    if (!mounted) return console.log('no disk could be mounted here: not tried');
    const env = { TABWRIGHT_STATE_DIR: join(disk, 'state'), TABWRIGHT_OUTPUT_DIR: join(shell.folder.path, 'output') };
    try {
      fillUp(join(disk, 'filler'));
      const { code, stdout, stderr } = await shell.run(['open', HELLO], { env });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^tabwright: The state folder cannot be used: ENOSPC.*\n$/);
      rmSync(join(disk, 'filler'));
      expect(await shell.run(['open', HELLO], { env })).toMatchObject({ code: 0, stderr: '' });
      fillUp(join(disk, 'filler'));
      expect(await shell.run(['title'], { env })).toMatchObject({ code: 0, stdout: 'Hello\n' });
      expect(await shell.run(['screenshot', 'state.png'], { env, cwd: disk })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/the disk is full/),
      });
      expect(await shell.run(['stop'], { env })).toMatchObject({ code: 0 });
      expect(existsSync(join(disk, 'state/run/background.sock'))).toBe(false);
    } finally {
      await shell.run(['stop'], { env });
      execFileSync('umount', [disk]);
    }
  });
});

/** False where that is not allowed, as in most containers. */
function mount(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=0700', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function fillUp(file: string): void {
  try {
    writeFileSync(file, Buffer.alloc(2 * 1024 * 1024));
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
  }
}

it('a server that hangs is told, and killed by stop', async () => {
  const folder = join(shell.stateDir, 'run');
  await shell.out('open', HELLO);
  const pid = shell.pid() ?? 0;
  process.kill(pid, 'SIGSTOP');
  const { code, stdout } = await shell.run(['stop']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'The background server did not answer, and was killed.\n' });
  await gone([pid]);
  expect(readdirSync(folder)).toEqual([]);
  expect(await shell.run(['open', HELLO])).toMatchObject({ code: 0, stderr: '' });
}, 60_000);
