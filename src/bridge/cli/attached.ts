// Sessions that are attached to a Chrome of somebody else, and what their runs must not be told.
import type { Settings } from '../types.ts';

/**
 * They choose the browser to start. Versions before 0.41 start it for the next command of an attached session,
 * which is then attached no more.
 */
const LAUNCH_VARIABLES = [
  'AGENT_BROWSER_EXECUTABLE_PATH',
  'AGENT_BROWSER_ARGS',
  'AGENT_BROWSER_EXTENSIONS',
  'AGENT_BROWSER_PROFILE',
  'AGENT_BROWSER_HEADED',
];

/** More sessions than anybody has; the oldest are forgotten. */
const MOST = 1_000;

export class Attached {
  readonly #sessions = new Set<string>();

  has(session: string): boolean {
    return this.#sessions.has(session);
  }

  /** What a command that succeeded means for its session. */
  note(session: string, root: string | undefined): void {
    if (root === 'connect') this.#sessions.add(session);
    if (root && ['close', 'quit', 'exit'].includes(root)) this.#sessions.delete(session);
    const [oldest] = this.#sessions;
    if (this.#sessions.size > MOST && oldest !== undefined) this.#sessions.delete(oldest);
  }
}

/** The same settings, without anything about a browser to start. */
export function withoutLaunch(settings: Settings): Settings {
  const { headed: _, executable_path: __, ...defaults } = settings.defaults;
  const kept = Object.entries(settings.env).filter(([name]) => !LAUNCH_VARIABLES.includes(name));
  return { ...settings, env: Object.fromEntries(kept), defaults };
}
