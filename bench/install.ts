// Installs the peers from npm into a cache folder, once per set of versions.
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import versions from './peers.json' with { type: 'json' };
import { agentBrowserFile } from './servers.ts';

const INSTALL_MS = 5 * 60_000;

const cacheFolder = (): string => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tabwright', 'bench');

/** The folder with the packages of the peers. */
export const installPeers = (note: (text: string) => void): Promise<string> => installPackages(versions, note);

/** The folder with these packages; agent-browser is one of them. */
export async function installPackages(
  versions: Readonly<Record<string, string>>,
  note: (text: string) => void,
): Promise<string> {
  const wanted = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  const folder = join(cacheFolder(), wanted.join('+').replaceAll('/', '-'));
  const packages = join(folder, 'node_modules');
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return packages;
  note(`installing ${wanted.join(', ')} into ${folder}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: versions }));
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', args, { cwd: folder, timeout: INSTALL_MS, shell: process.platform === 'win32' });
  // What its own script would do after the install.
  chmodSync(join(packages, 'agent-browser/bin', agentBrowserFile()), 0o755);
  writeFileSync(complete, '');
  return packages;
}
