// `npm start`, in a small project of its own with a stand-in for npm and for the built command: what is run, and how it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../surfaces/process.ts';

let folder: ReturnType<typeof temporaryFolder>;
const at = (path: string) => join(folder.path, path);

function put(path: string, text: string, minutesAgo = 0): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
  const time = new Date(Date.now() - minutesAgo * 60_000);
  utimesSync(at(path), time, time);
}

/** Notes what it was asked for. As `serve` it stays until it is told to end, and says so. */
const COMMAND = `import { appendFileSync } from 'node:fs';
const note = text => appendFileSync('log', text + '\\n');
note(process.argv.slice(2).join(' '));
if (process.argv[2] === 'serve') {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => { note(signal); process.exit(7); });
  setInterval(() => undefined, 1000);
}`;

beforeEach(() => {
  folder = temporaryFolder();
  put('package.json', JSON.stringify({ type: 'module', engines: { node: '>=20.19' } }), 5);
  mkdirSync(at('scripts'));
  copyFileSync('scripts/start.js', at('scripts/start.js'));
  put('scripts/build.ts', '', 5);
  put('src/main.ts', '', 5);
  put('package-lock.json', '{}', 5);
  put('node_modules/.package-lock.json', '{}', 4);
  put('dist/tabwright.js', COMMAND, 3);
  put('npm-cli.js', COMMAND);
});
afterEach(() => folder.remove());

const log = (): string => (existsSync(at('log')) ? readFileSync(at('log'), 'utf8') : '');

function start(...args: string[]) {
  const env = { ...process.env, npm_execpath: at('npm-cli.js'), npm_lifecycle_event: '' };
  const child = spawn(process.execPath, ['scripts/start.js', ...args], { cwd: folder.path, env });
  let stderr = '';
  child.stderr.on('data', text => {
    stderr += text;
  });
  return { child, ended: once(child, 'close').then(([code]) => ({ code, stderr })) };
}

async function serves(...args: string[]) {
  const started = start(...args);
  await vi.waitUntil(() => /^serve/m.test(log()), { timeout: 10_000 });
  return started;
}

it('installs a browser and serves, with the further options', async () => {
  const { child, ended } = await serves('--port', '0', '--welcome');
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 7, stderr: '' });
  expect(log()).toBe('install --port 0\nserve --welcome --port 0\nSIGTERM\n');
});

it('installs packages and builds when they are older than what they are made from', async () => {
  put('package-lock.json', '{}');
  put('src/deep/new.ts', '');
  const { child, ended } = await serves();
  child.kill('SIGINT');
  expect(await ended).toEqual({ code: 7, stderr: 'Installing packages…\nBuilding…\n' });
  expect(log().split('\n').slice(0, 3)).toEqual([
    'ci --no-audit --no-fund --loglevel=error',
    'run --silent build',
    'install',
  ]);
});

it('ends with what a failing step said', async () => {
  put('package-lock.json', '{}');
  put('npm-cli.js', 'console.log("no network"); process.exit(3)');
  expect(await start().ended).toEqual({
    code: 3,
    stderr: 'Installing packages…\nno network\n\nThat failed: the lines above say why.\n',
  });
  expect(log()).toBe('');
});

it('does not serve when no browser could be installed', async () => {
  put('dist/tabwright.js', 'process.exit(4)');
  expect(await start().ended).toMatchObject({ code: 4 });
});

it('says in one line that Node is too old', async () => {
  put('package.json', JSON.stringify({ type: 'module', engines: { node: '>=99.1' } }));
  const { code, stderr } = await start().ended;
  expect(stderr).toBe(`Tabwright needs Node 99.1 or newer; this is ${process.versions.node}.\n`);
  expect(code).toBe(1);
});
