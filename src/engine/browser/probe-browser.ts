// Whether a browser really starts: asks it for its version. A file that can be run may still be a stub, lack libraries or hang.
import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ProgramResult, runProgram } from '../run-program.ts';
import { runnable } from './find-browser.ts';

export interface WorkingBrowser {
  path: string;
  version: string;
}

export interface BrokenBrowser {
  path: string;
  /** Follows "The browser at … ". */
  problem: string;
}

/** A sound browser answers in less than a second, also on a slow machine in a few. */
const PROBE_MS = 10_000;

/** Versions of Chromium-based browsers have four numbers; those of other programs have three. */
const VERSION = /\b\d+\.\d+\.\d+\.\d+\b/;

export const works = (tried: WorkingBrowser | BrokenBrowser): tried is WorkingBrowser => 'version' in tried;

export async function probe(
  path: string,
  signal?: AbortSignal,
  platform: NodeJS.Platform = process.platform,
): Promise<WorkingBrowser | BrokenBrowser> {
  if (!runnable(path)) return { path, problem: existsSync(path) ? 'cannot be run' : 'does not exist' };
  if (platform === 'win32') return probeFolder(path);
  const ran = await runProgram(path, ['--version'], { ms: PROBE_MS, ...(signal && { signal }) });
  const version = ran.ok ? named(ran.output) : undefined;
  return version ? { path, version } : { path, problem: problemOf(ran) };
}

/** On Windows --version opens a window; the version is the name of a folder beside the program. */
function probeFolder(path: string): WorkingBrowser | BrokenBrowser {
  const version = readdirSync(dirname(path)).find(name => VERSION.test(name));
  return { path, version: version ?? 'of unknown version' };
}

/** The line with the version, without where it was built: "Chromium 156.0.8078.79". */
function named(output: string): string | undefined {
  const line = output.split('\n').find(text => VERSION.test(text));
  return line && /^.*?\d+\.\d+\.\d+\.\d+/.exec(line)?.[0].trim();
}

function problemOf({ ok, output, problem, startError }: ProgramResult): string {
  const library = /error while loading shared libraries: ([^:\s]+)/.exec(output)?.[1];
  if (library) return `lacks a library that it needs: ${library}`;
  if (/\bsnap\b/.test(output) && !ok) return 'is only a stub that asks for its snap package';
  if (startError?.code === 'ENOENT') return 'cannot be run on this system: its interpreter or loader is missing';
  if (startError) return `cannot be run: ${problem}`;
  if (ok) return 'is no browser: it told no version';
  const last = output.split('\n').at(-1);
  return `does not start: ${problem.replace(/^it /, '')}${last ? ` (${last.slice(0, 200)})` : ''}`;
}
