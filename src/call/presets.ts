// Script rules of a call: those of the server, and the preset of the dialect that the call is in.
import { DIALECTS } from '../dialects/index.ts';
import { stepsOf } from '../dialects/translation.ts';
import { type ScriptRules, scriptRules } from '../policy/scripts.ts';
import type { Server } from '../session/server.ts';
import type { Call } from './message.ts';

const presets = new Map<string, ScriptRules['blocked']>();

/** A server that was started for the dialect has the preset among its options, where it can be changed. */
export function scriptsFor(dialect: Call['dialect'], { rules, options }: Server): ScriptRules {
  if (dialect === undefined || dialect === options.dialect) return rules.scripts;
  const { allowed, blocked } = rules.scripts;
  return { allowed, blocked: [...blocked, ...(presets.get(dialect) ?? blockedIn(dialect))] };
}

function blockedIn(dialect: string): ScriptRules['blocked'] {
  const { blocked } = scriptRules(true, DIALECTS[dialect]?.preset?.blockScripts ?? []);
  presets.set(dialect, blocked);
  return blocked;
}

let ours: ReadonlySet<unknown> | undefined;

/** Without the scripts that dialects bring along: no caller wrote them. */
export function withoutOurs(scripts: readonly string[]): string[] {
  if (scripts.length === 0) return [];
  ours ??= new Set(
    Object.values(DIALECTS)
      .flatMap(({ rows }) => Object.values(rows))
      .flatMap(({ cases }) => cases.flatMap(stepsOf))
      .flatMap(({ set = {} }) => Object.values(set)),
  );
  return scripts.filter(script => !ours?.has(script));
}
