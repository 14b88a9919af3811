// Folders of one test, with what is needed to put config files into them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Environment } from '../../src/config/environment.ts';

export interface Folders {
  place: Environment;
  /** The working folder. */
  working: string;
  /** The config folder of the user. */
  user: string;
  /** Writes a file, its folder too, and gives its path. */
  put(folder: string, name: string, content: string | Uint8Array): string;
}

export function makeFolders(env: Record<string, string> = {}): Folders {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tabwright-test-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, 'home');
  const working = join(root, 'work');
  mkdirSync(working);
  return {
    place: { env, platform: 'linux', home, cwd: working },
    working,
    user: join(home, '.config', 'tabwright'),
    put(folder, name, content) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
  };
}

export const FORMATS = ['yaml', 'toml', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** One key per line; in JSON the first key stands in line 2. */
export function inFormat(format: Format, values: Record<string, unknown>): string {
  const entries = Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)] as const);
  if (format === 'yaml') return entries.map(([key, value]) => `${key}: ${value}\n`).join('');
  if (format === 'json') return `{\n${entries.map(([key, value]) => `"${key}": ${value}`).join(',\n')}\n}\n`;
  return entries.map(([key, value]) => `${key} = ${value.replace(/"(\w+)":/g, '$1 = ')}\n`).join('');
}
