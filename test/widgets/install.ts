// The packages that the pages are built from: installed outside the tree, once per lock file.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const INSTALL_MS = 5 * 60_000;
const HERE = fileURLToPath(new URL('.', import.meta.url));

/** `small` is what the tests need (dependencies), `all` what `npm run widgets` needs (devDependencies too). */
export type Extent = 'small' | 'all';

function folderOf(extent: Extent): string {
  const lock = createHash('sha256')
    .update(readFileSync(join(HERE, 'package-lock.json')))
    .digest('hex');
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, 'tabwright', 'widgets', `${lock.slice(0, 12)}-${extent}`);
}

const markOf = (folder: string): string => join(folder, 'complete');

/** The folder of the packages, if they are there. */
export function installed(extent: Extent): string | undefined {
  const folder = folderOf(extent);
  return existsSync(markOf(folder)) ? join(folder, 'node_modules') : undefined;
}

/** Installs what is missing; gives the folder of the packages. */
export async function install(extent: Extent, note: (text: string) => void): Promise<string> {
  const there = installed(extent);
  if (there !== undefined) return there;
  const folder = folderOf(extent);
  note(`installing the packages of test/widgets (${extent}) into ${folder}`);
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(HERE, name), join(folder, name));
  const args = ['ci', '--ignore-scripts', '--loglevel=error', ...(extent === 'small' ? ['--omit=dev'] : [])];
  await promisify(execFile)('npm', args, { cwd: folder, timeout: INSTALL_MS, shell: process.platform === 'win32' });
  writeFileSync(markOf(folder), '');
  return join(folder, 'node_modules');
}
