// Which project of vitest.config.ts a test file belongs to: it follows from what the file, or a helper it imports, starts.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { importsOf } from './imports.ts';

/**
 * `unit` starts nothing; `alone` neither, but replaces modules or sets a variable, so each file needs a process of its own;
 * `browser` starts a browser or a command; `bridge` is measured for coverage.
 */
export type Project = 'unit' | 'alone' | 'browser' | 'bridge';

const CHANGES_PROCESS = /\bvi\.mock\(|\bprocess\.env\.\w+ = /;
const STARTS_BROWSER = /\bpoolChrome\(|\bstartKit\(|\botherBrowser\(|\bnew ChromeProcess\(|\bchromium\.launch/;
const STARTS_COMMAND = /\bBUNDLE\b|\bnew Process\(|'node:child_process'/;
/** Has folders and message types for all, and starts the command only for those who ask for it by name. */
const COMMAND_HELPER = 'test/surfaces/process.ts';

/** The text of a file and of the files of test/ and bench/ that it imports, each once. */
function textsOf(path: string, seen = new Map<string, string>()): Map<string, string> {
  if (seen.has(path) || path === COMMAND_HELPER || !existsSync(path)) return seen;
  const text = readFileSync(path, 'utf8');
  seen.set(path, text);
  const near = importsOf(text)
    .filter(name => name.startsWith('.') && name.endsWith('.ts'))
    .map(name => posix.join(posix.dirname(path), name));
  for (const next of near.filter(name => !name.startsWith('src/'))) textsOf(next, seen);
  return seen;
}

export function projectOf(path: string): Project {
  if (path.startsWith('test/bridge/')) return 'bridge';
  const texts = [...textsOf(path).values()];
  const some = (pattern: RegExp): boolean => texts.some(text => pattern.test(text));
  if (some(CHANGES_PROCESS)) return 'alone';
  return some(STARTS_BROWSER) || some(STARTS_COMMAND) ? 'browser' : 'unit';
}

export const testFiles = (): string[] =>
  (readdirSync('test', { recursive: true, encoding: 'utf8' }) as string[])
    .map(name => posix.join('test', name.replaceAll('\\', '/')))
    .filter(path => path.endsWith('.test.ts'))
    .sort();
