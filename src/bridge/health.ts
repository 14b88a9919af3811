// The health check: the program, its version, whether it is a supported one, and whether a browser starts.
import { randomUUID } from 'node:crypto';
import { binaryOf, INSTALL, locate } from './cli/binary.ts';
import { type Truncated, truncate } from './cli/output.ts';
import { faultsOf, type Standing, standing, versionIn } from './cli/versions.ts';
import { TESTED } from './constants.ts';
import type { Runner } from './tools/tool.ts';
import type { BridgeSettings, CliGlobalOptions, CliRunResult } from './types.ts';

interface Health {
  bin: string;
  /** Where the program was found; null when it was not. */
  path: string | null;
  version: string | null;
  tested: typeof TESTED;
  standing: Standing | null;
  /** Known faults of that version. */
  faults: string[];
  /** Null when no start was tried. */
  browser: { starts: boolean; error?: string } | null;
}

/** Looking at the version takes no longer than that. */
const VERSION_MS = 15_000;

/** Runs the program for its version. */
export const askVersion = (runner: Runner, most = VERSION_MS): Promise<CliRunResult> =>
  runner({ argv: ['--version'], globals: { json: false, timeout_ms: Math.min(most, VERSION_MS) } });

export async function checkHealth(
  startBrowser: boolean,
  globals: CliGlobalOptions,
  runner: Runner,
  settings: BridgeSettings,
): Promise<CliRunResult> {
  const bin = binaryOf(settings);
  const asked = await askVersion(runner, globals.timeout_ms);
  const version = asked.ok ? (versionIn(asked.stdout) ?? null) : null;
  const opened = startBrowser && version !== null ? await tryBrowser(globals, runner) : undefined;
  const reason = reasonIn(version === null ? asked.stderr : errorIn(opened), settings.limit);
  const health: Health = {
    bin,
    path: locate(bin, settings) ?? null,
    version,
    tested: TESTED,
    standing: version === null ? null : standing(version),
    faults: version === null ? [] : faultsOf(version),
    browser: opened ? { starts: opened.ok, ...(!opened.ok && { error: reason.text }) } : null,
  };
  return {
    ...asked,
    ok: version !== null && opened?.ok !== false,
    stdout: JSON.stringify(health),
    parsedJson: health,
    stderr: adviceFor(health, reason.text),
    truncated: reason.cut,
  };
}

/** Shorter than what a run may say, so that the advice around it fits as well. */
const reasonIn = (text: string, limit: number): Truncated => truncate(text, Math.floor(limit / 2));

/** In a session of its own, which is ended either way. */
async function tryBrowser(globals: CliGlobalOptions, runner: Runner): Promise<CliRunResult> {
  const { cdp_port: _, ...own } = globals;
  const session = `health-${randomUUID().slice(0, 8)}`;
  const opened = await runner({ argv: ['open', 'about:blank'], globals: { ...own, session, json: true } });
  await runner({ argv: ['close'], globals: { session } });
  return opened;
}

/** Empty when nothing failed. */
function errorIn(opened: CliRunResult | undefined): string {
  if (!opened || opened.ok) return '';
  const { parsedJson, stderr, stdout } = opened;
  const told = [Object(parsedJson).error, stderr, stdout].find(text => typeof text === 'string' && text !== '');
  return told ?? 'no reason given';
}

function adviceFor({ version, standing, faults, browser }: Health, reason: string): string {
  if (version === null) return reason || `agent-browser told no version. Install it again: ${INSTALL}`;
  if (browser?.starts === false)
    return `No browser starts: ${browser.error}\nInstall one with: agent-browser install (on Linux: agent-browser install --with-deps). Or attach to a running Chrome with agent_browser_connect.`;
  if (standing !== 'supported')
    return `Version ${version} is not one of those tested, ${TESTED.oldest} to ${TESTED.newest}.`;
  return faults.length > 0
    ? `Known faults of version ${version}: ${faults.join('; ')}. Newer ones do better: ${INSTALL}`
    : '';
}
