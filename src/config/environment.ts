// The environment of a process: variables, platform, home and working folder; and the folders that follow from them.
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Passed to everything that depends on it, so that tests can choose it. */
export interface Environment {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  home: string;
  cwd: string;
}

export const currentEnvironment = (): Environment => ({
  env: process.env,
  platform: process.platform,
  home: homedir(),
  cwd: process.cwd(),
});

/** Where the programs of a user keep their settings. */
export function settingsFolder({ env, platform, home }: Environment): string {
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : join(home, '.config');
}

export function stateFolder({ env, platform, home }: Environment): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'tabwright');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'tabwright');
  return join(env.XDG_STATE_HOME || join(home, '.local', 'state'), 'tabwright');
}
