// Fake programs for the tests of find, install and doctor: browsers that are broken in all the usual ways, and one that works.
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const BODIES = {
  working: 'echo "Chromium 150.0.1.2 built on Debian"',
  failing: 'echo "something is wrong" >&2; exit 1',
  /** Takes no hint, and has a child, whose id it writes down. */
  hanging: 'trap "" TERM; sleep 1000 & echo $! > "$0.child"; wait',
  lacking:
    'echo "$0: error while loading shared libraries: libnss3.so: cannot open shared object file: No such file or directory" >&2; exit 127',
  stub: 'echo "Command \'$0\' requires the chromium snap to be installed." >&2; exit 1',
  other: 'echo v20.1.0',
} as const;

/** The child of a hanging one. */
export const childOf = (path: string): number => Number(readFileSync(`${path}.child`, 'utf8'));

/** False also for one that has ended and only waits to be forgotten, which in a container may take long. */
export const runs = (pid: number): boolean =>
  /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim());

/** An executable script of that name. */
export function fake(folder: string, name: string, body: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}
