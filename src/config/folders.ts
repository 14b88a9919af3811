// Where the programs of a user keep settings and state, by the system.
import { isAbsolute, join } from 'node:path';
import type { Surroundings } from './kinds.ts';

/** Where the programs of a user keep their settings. */
export function settingsFolder({ env, platform, home }: Surroundings): string {
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : join(home, '.config');
}

export function stateFolder({ env, platform, home }: Surroundings): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'tabwright');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'tabwright');
  return join(env.XDG_STATE_HOME || join(home, '.local', 'state'), 'tabwright');
}
