// The fixed numbers and names of the bridge.
import packageJson from '../../package.json' with { type: 'json' };

export const SERVER_NAME = 'agent-browser-mcp-server';
export const SERVER_VERSION: string = packageJson.version;

/** The program, found in PATH unless AGENT_BROWSER_BIN names another. */
export const DEFAULT_BIN = 'agent-browser';

/** The oldest and the newest version that the tests were run with. */
export const TESTED = { oldest: '0.6.0', newest: '0.41.0' } as const;

export const DEFAULT_TIMEOUT_MS = 60_000;
export const LONGEST_TIMEOUT_MS = 3_600_000;

/** Longest stdout and stderr in a result, in characters; JSON that can be read stays whole. */
export const CHARACTER_LIMIT = 25_000;

/** Longest JSON that is kept for reading, in characters; longer output is cut like any other text. */
export const JSON_LIMIT = 8 * 1024 * 1024;

/** Most bytes that one run may write; past them it is ended. */
export const OUTPUT_LIMIT = 256 * 1024 * 1024;

/** Longest single argument, most arguments, and longest command line of one run. */
export const ARG_LIMIT = 16_384;
export const ARGV_LIMIT = 100;
export const COMMAND_LINE_LIMIT = 131_072;

/** Most calls that run or wait at the same time, over all sessions. */
export const CALL_LIMIT = 64;

/** Most commands inside one batch. */
export const BATCH_LIMIT = 50;

/** The exit code in the result of a call for which no process ran. */
export const NOT_RUN = -1;
