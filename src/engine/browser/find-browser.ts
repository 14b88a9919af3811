// Finds a Chrome or Chromium on this machine.
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Failure } from '../../errors.ts';

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

/** Where programs are, whatever PATH says. */
const FOLDERS = ['/usr/bin', '/usr/local/bin', '/opt/google/chrome', '/snap/bin'];

/** Bytes: a longer script does more than ask for a snap. */
const MOST_STUB = 4_000;

export interface Machine {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** Instead of the folders that are looked into beside those of PATH. */
  folders?: readonly string[];
}

/** Every place where a browser may be, best first. */
export function places({ platform, env, folders: others = FOLDERS }: Machine): string[] {
  if (platform === 'darwin')
    return MAC_APPS.flatMap(app =>
      ['', env.HOME ?? ''].map(home => `${home}/Applications/${app}.app/Contents/MacOS/${app}`),
    );
  if (platform === 'win32')
    return [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA]
      .filter(folder => folder !== undefined)
      .flatMap(folder => WINDOWS_APPS.map(app => `${folder}\\${app}`));
  const folders = new Set([...(env.PATH ?? '').split(delimiter), ...others]);
  return NAMES.flatMap(name => [...folders].filter(Boolean).map(folder => join(folder, name)));
}

/** The program of a downloaded browser, in a folder such as chrome-linux64. */
const DOWNLOADED: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['Google Chrome for Testing', 'Chromium'].map(app => `${app}.app/Contents/MacOS/${app}`),
  win32: ['chrome.exe'],
};

/** Where @puppeteer/browsers keeps browsers for every program of the user, and `tabwright install` has them put. */
export const downloadFolder = ({ env }: Machine): string | undefined => {
  const home = env.HOME ?? env.USERPROFILE;
  return env.PUPPETEER_CACHE_DIR ?? (home && join(home, '.cache', 'puppeteer'));
};

/** Where Playwright keeps its browsers. */
function playwrightFolder({ platform, env }: Machine): string | undefined {
  if (env.PLAYWRIGHT_BROWSERS_PATH) return env.PLAYWRIGHT_BROWSERS_PATH;
  const caches = {
    win32: env.LOCALAPPDATA,
    darwin: env.HOME && join(env.HOME, 'Library', 'Caches'),
    linux: env.XDG_CACHE_HOME ?? (env.HOME && join(env.HOME, '.cache')),
  };
  const cache = caches[platform as keyof typeof caches];
  return cache && join(cache, 'ms-playwright');
}

/** Browsers that were downloaded for the user, the newest of each kind first. */
export function downloads(machine: Machine): string[] {
  const own = downloadFolder(machine);
  const theirs = playwrightFolder(machine);
  const programs = DOWNLOADED[machine.platform] ?? ['chrome'];
  return [...newest(own && join(own, 'chrome'), /-[\d.]+$/), ...newest(theirs, /^chromium-\d+$/)].flatMap(version =>
    newest(version, /^chrome-/).flatMap(folder => programs.map(program => join(folder, program))),
  );
}

/** The folders of such a name, highest number first; none where there is no such folder. */
function newest(folder: string | undefined, name: RegExp): string[] {
  if (!folder || !existsSync(folder)) return [];
  return readdirSync(folder)
    .filter(entry => name.test(entry))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map(entry => join(folder, entry));
}

export const runnable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/** Ubuntu's chromium-browser is a script that only asks for a snap package. */
function isStub(path: string): boolean {
  if (statSync(path).size > MOST_STUB) return false;
  const text = readFileSync(path, 'latin1');
  return text.startsWith('#!') && /\bsnap\b/.test(text);
}

/** Where `tabwright install` keeps the path of the browser that starts, when it is not the first one that is found. */
export const choiceFile = (stateDir: string): string => join(stateDir, 'browser');

const chosen = (stateDir: string | undefined): string | undefined => {
  const file = stateDir === undefined ? undefined : choiceFile(stateDir);
  return file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
};

/** What decides which browser is started. */
export interface Wanted {
  executablePath?: string | undefined;
  stateDir?: string | undefined;
}

/**
 * The browser to start: the given one, else the choice of `tabwright install`, else one of the machine's own, else one
 * that was downloaded. A quick look: nothing is started to find it.
 */
export function findBrowser(wanted: Wanted, machine: Machine = process): string {
  const { executablePath: given, stateDir } = wanted;
  if (given !== undefined) {
    if (runnable(given)) return given;
    throw new Failure(
      'browser_missing',
      `The browser at ${given} ${existsSync(given) ? 'cannot be run' : 'does not exist'}.`,
      'Check --executable-path, or leave it out to use the browser of this machine.',
    );
  }
  const isBrowser = (path: string) => runnable(path) && !isStub(path);
  const own = [chosen(stateDir) ?? '', ...places(machine)].find(isBrowser);
  const found = own ?? downloads(machine).find(isBrowser);
  if (found !== undefined) return found;
  throw new Failure(
    'browser_missing',
    'No Chrome or Chromium was found on this machine.',
    'Run: npx tabwright install, or give --executable-path.',
  );
}
