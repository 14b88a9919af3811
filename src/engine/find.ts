// Finds a Chrome or Chromium on this machine.
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Failure } from '../errors.ts';

const NAMES = [
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
];

const MAC_APPS = ['Google Chrome', 'Chromium', 'Google Chrome Canary', 'Microsoft Edge'];

const WINDOWS_APPS = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];

export interface Machine {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}

/** Every place where a browser may be, best first. */
export function places({ platform, env }: Machine): string[] {
  if (platform === 'darwin')
    return MAC_APPS.flatMap(app =>
      ['', env.HOME ?? ''].map(home => `${home}/Applications/${app}.app/Contents/MacOS/${app}`),
    );
  if (platform === 'win32')
    return [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA]
      .filter(folder => folder !== undefined)
      .flatMap(folder => WINDOWS_APPS.map(app => `${folder}\\${app}`));
  const folders = [
    ...(env.PATH ?? '').split(delimiter),
    '/usr/bin',
    '/usr/local/bin',
    '/opt/google/chrome',
    '/snap/bin',
  ];
  return NAMES.flatMap(name => folders.filter(Boolean).map(folder => join(folder, name)));
}

const runnable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * The browser to start: the given one, else one of the machine's own, else the one Playwright downloaded.
 * @param downloaded where Playwright keeps its own, whether it is there or not
 */
export function findBrowser(given: string | undefined, downloaded: string, machine: Machine = process): string {
  if (given !== undefined) {
    if (runnable(given)) return given;
    throw new Failure(
      'browser_missing',
      `The browser at ${given} ${existsSync(given) ? 'cannot be run' : 'does not exist'}.`,
      'Check --executable-path, or leave it out to use the browser of this machine.',
    );
  }
  const found = [...places(machine), downloaded].find(runnable);
  if (found !== undefined) return found;
  throw new Failure(
    'browser_missing',
    'No Chrome or Chromium was found on this machine.',
    'Install one (Debian or Ubuntu: apt-get install chromium; elsewhere: npx playwright-core install chromium), or give --executable-path.',
  );
}
