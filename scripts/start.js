// `npm start` on a fresh clone: installs, builds, finds or installs a browser, serves, and drives the built-in page once.
// Plain JavaScript with no import but Node's own: it runs before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COMMAND = 'dist/tabwright.js';
const isWindows = process.platform === 'win32';

/** @type {import('node:child_process').ChildProcess | undefined} */
let child;
let isEnding = false;

/** In a group of its own, so that Ctrl-C reaches it once, through us, and not a second time from the terminal. */
function run(command, args, options) {
  return new Promise(resolve => {
    child = spawn(command, args, { cwd: ROOT, detached: !isWindows, ...options });
    child.once('error', error => resolve({ code: 1, output: error.message }));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (output += chunk));
    child.once('close', (code, signal) => resolve({ code: code ?? (signal ? 130 : 1), output }));
  });
}

/** The npm that runs this script, else the one of PATH, which on Windows is a batch file and needs a shell. */
function npm(...args) {
  const cli = process.env.npm_execpath;
  const options = { stdio: ['ignore', 'pipe', 'pipe'] };
  if (cli && basename(cli) === 'npm-cli.js') return run(process.execPath, [cli, ...args], options);
  return run('npm', args, { ...options, shell: isWindows });
}

/** One line while it runs; all it said only when it failed. */
async function quietly(line, work) {
  const start = Date.now();
  const seconds = () => `${Math.floor((Date.now() - start) / 1000)} s`;
  const isTerminal = process.stderr.isTTY;
  process.stderr.write(isTerminal ? line : `${line}…\n`);
  const timer = isTerminal && setInterval(() => process.stderr.write(`\r${line}  ${seconds()}`), 1000);
  const { code, output } = await work();
  if (timer) clearInterval(timer);
  if (isTerminal) process.stderr.write(`\r${line}  ${seconds()}\n`);
  if (code === 0 && !isEnding) return;
  if (!isEnding) process.stderr.write(`${output}\nThat failed: the lines above say why.\n`);
  process.exit(code || 130);
}

const timeOf = path => (existsSync(join(ROOT, path)) ? statSync(join(ROOT, path)).mtimeMs : 0);

function newestIn(folder) {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  const times = entries.map(entry => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? newestIn(path) : timeOf(path);
  });
  return Math.max(0, ...times);
}

function checkNode() {
  const least = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).engines.node.replace(/^\D+/, '');
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [leastMajor, leastMinor] = least.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  process.stderr.write(`Tabwright needs Node ${least} or newer; this is ${process.versions.node}.\n`);
  process.exit(1);
}

async function main(args) {
  checkNode();
  if (timeOf('node_modules/.package-lock.json') < timeOf('package-lock.json'))
    await quietly('Installing packages', () => npm('ci', '--no-audit', '--no-fund', '--loglevel=error'));
  const changed = Math.max(newestIn('src'), timeOf('package.json'), timeOf('scripts/build.ts'));
  if (timeOf(COMMAND) < changed) await quietly('Building', () => npm('run', '--silent', 'build'));
  const options = args.filter(arg => arg !== '--welcome');
  const installed = await run(process.execPath, [COMMAND, 'install', ...options], { stdio: 'inherit' });
  if (installed.code !== 0 || isEnding) return installed.code || 130;
  const served = await run(process.execPath, [COMMAND, 'serve', '--welcome', ...options], { stdio: 'inherit' });
  return served.code;
}

/** Passes a signal on; what comes a second time at once is the same one, sent by the terminal and by npm. */
let lastSignal = 0;
function end(signal) {
  isEnding = true;
  if (Date.now() - lastSignal < 1000) return;
  lastSignal = Date.now();
  if (!isWindows && child?.pid && child.exitCode === null && child.signalCode === null)
    process.kill(-child.pid, signal);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));

// When npm is told to end, it ends the shell between it and this script, but not this script.
const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === parent || !process.env.npm_lifecycle_event) return;
  clearInterval(watch);
  end('SIGTERM');
}, 1000).unref();

process.exit(await main(process.argv.slice(2)));
