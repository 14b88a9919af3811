// Folders for what the servers leave behind: one each, below one for the whole run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const remove = (path: string): void => rmSync(path, { recursive: true, force: true, maxRetries: 5 });

let root: string | undefined;

export interface Scratch {
  path: string;
  remove(): void;
}

export function makeScratch(): Scratch {
  root ??= mkdtempSync(join(tmpdir(), 'tabwright-bench-'));
  const path = mkdtempSync(join(root, 'server-'));
  return { path, remove: () => remove(path) };
}

/** All that is left of the run. */
export function removeScratch(): void {
  if (root !== undefined) remove(root);
  root = undefined;
}
