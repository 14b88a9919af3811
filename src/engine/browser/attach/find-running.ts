// Finds a browser of the user that allows debugging: each such browser writes its port into its data folder.
import { readFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import type { Environment } from '../../../config/environment.ts';

/** Where browsers keep the data of the user, below the folder of the system; the most usual first. */
const DATA_FOLDERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: [
    'Google/Chrome',
    'Google/Chrome Beta',
    'Google/Chrome Canary',
    'Chromium',
    'Microsoft Edge',
    'BraveSoftware/Brave-Browser',
  ],
  win32: [
    ...[
      'Google/Chrome',
      'Google/Chrome Beta',
      'Google/Chrome SxS',
      'Chromium',
      'Microsoft/Edge',
      'BraveSoftware/Brave-Browser',
    ].map(name => `${name}/User Data`),
  ],
};
const ON_LINUX = [
  'google-chrome',
  'google-chrome-beta',
  'google-chrome-unstable',
  'chromium',
  'microsoft-edge',
  'BraveSoftware/Brave-Browser',
];

const CONNECT_MS = 1_000;

/** The address of the first that answers. */
export async function findDebugged(environment: Environment): Promise<string | undefined> {
  for (const folder of dataFolders(environment)) {
    const text = await readFile(join(folder, 'DevToolsActivePort'), 'utf8').catch(() => ''); // it is not allowed there
    const [, port, path] = /^(\d+)\s+(\/devtools\/browser\/\S+)/.exec(text) ?? [];
    // A browser that was killed leaves its file.
    if (port && (await answers(Number(port)))) return `ws://127.0.0.1:${port}${path}`;
  }
  return undefined;
}

function dataFolders({ platform, home, env }: Environment): string[] {
  const below = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'),
  }[platform as string];
  const names = DATA_FOLDERS[platform] ?? ON_LINUX;
  return names.map(name => join(below ?? (env.XDG_CONFIG_HOME || join(home, '.config')), name));
}

function answers(port: number): Promise<boolean> {
  const socket = createConnection({ host: '127.0.0.1', port, timeout: CONNECT_MS });
  return new Promise<boolean>(resolve => {
    socket.once('connect', () => resolve(true));
    for (const event of ['error', 'timeout']) socket.once(event, () => resolve(false));
  }).finally(() => socket.destroy());
}
