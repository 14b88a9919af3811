// Makes a fresh machine ready for the tests: finds a Chromium, or installs one where that takes no questions.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { findBrowser } from '../src/engine/find.ts';

const PLAYWRIGHT = ['npx', 'playwright-core', 'install', 'chromium'];

/** How root installs a browser, by the ID of the Linux distribution. Ubuntu's own package needs snap, which containers lack. */
const INSTALL: Record<string, string[][]> = {
  debian: [
    ['apt-get', 'update', '-qq'],
    ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation'],
  ],
  ubuntu: [[...PLAYWRIGHT, '--with-deps']],
};

function distribution(): string {
  const about = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return /^ID="?(\w+)/m.exec(about)?.[1] ?? '';
}

/** Runs quietly; the output is shown only when the command fails. */
function quietly([command = '', ...args]: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stdout, stderr, error } = spawnSync(command, args, { env, encoding: 'utf8' });
  if (status !== 0) console.error(error?.message ?? stdout + stderr);
  return status === 0;
}

/** The path of the browser, or why there is none. */
function look(): { path?: string; problem?: string } {
  try {
    return { path: findBrowser(process.env.TABWRIGHT_EXECUTABLE_PATH, chromium.executablePath()) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function setUp(): { path?: string; problem?: string } {
  const first = look();
  const steps = INSTALL[distribution()];
  if (first.path || process.env.TABWRIGHT_EXECUTABLE_PATH) return first;
  if (!steps || process.getuid?.() !== 0) {
    const command = steps ? steps.map(words => `sudo ${words.join(' ')}`).join(' && ') : PLAYWRIGHT.join(' ');
    return { problem: `${first.problem} Run: ${command}` };
  }
  console.log(`No browser found, installing one: ${steps.at(-1)?.join(' ')}`);
  return steps.every(quietly) ? look() : { problem: 'The browser could not be installed.' };
}

const { path, problem } = setUp();
if (path) console.log(`browser: ${path}`);
else {
  console.error(problem);
  process.exitCode = 1;
}
