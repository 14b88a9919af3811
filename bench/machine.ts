// What the benchmark ran on.
import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem, type } from 'node:os';
import packageJson from '../package.json' with { type: 'json' };
import { findBrowser } from '../src/engine/browser/find-browser.ts';
import type { Server } from './servers.ts';

const VERSION_MS = 20_000;

export interface Machine {
  date: string;
  facts: [string, string][];
}

export const findChrome = (): string =>
  findBrowser({ executablePath: process.env.TABWRIGHT_EXECUTABLE_PATH || undefined });

/** Such as "Chromium 152.0.7500.1"; where a version cannot be asked for, the path says more than nothing. */
function browserVersion(browser: string): string {
  try {
    return execFileSync(browser, ['--version'], { encoding: 'utf8', timeout: VERSION_MS, stdio: 'pipe' }).trim();
  } catch {
    return browser;
  }
}

export function describeMachine(browser: string, peers: readonly Server[]): Machine {
  const processors = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    facts: [
      ['CPU', `${processors[0]?.model.trim() ?? 'unknown'}, ${processors.length} cores`],
      ['Memory', `${Math.round(totalmem() / 2 ** 30)} GB`],
      ['System', `${type()} ${release()}`],
      ['Node', process.version],
      ['Browser', browserVersion(browser)],
      ['Tabwright', packageJson.version],
      ...peers.map(({ name, version }): [string, string] => [name, version]),
    ],
  };
}
