// The built command, run to its end in a home of its own.
import { spawnSync } from 'node:child_process';
import { BUNDLE, cleanEnv } from '../process.ts';

export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Only what the test says reaches the command: no settings of this machine. */
export function runIn(home: string, args: string[], env: Record<string, string> = {}, cwd = home): Ran {
  const { XDG_CONFIG_HOME: _config, XDG_STATE_HOME: _state, CLAUDE_CONFIG_DIR: _claude, ...clean } = cleanEnv('');
  const { TABWRIGHT_EXECUTABLE_PATH: _path, TABWRIGHT_STATE_DIR: _dir, FORCE_COLOR: _color, ...rest } = clean;
  const { status, stdout, stderr } = spawnSync(process.execPath, [BUNDLE, ...args], {
    cwd,
    env: { ...rest, HOME: home, ...env },
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { status, stdout, stderr };
}
