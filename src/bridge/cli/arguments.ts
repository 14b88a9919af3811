// The command line of one run: the global flags, and the last look at every argument.
import { z } from 'zod';
import { defined } from '../../defined.ts';
import { Failure, refusedBy } from '../../errors.ts';
import { file, relativeFile, session } from '../argument-kinds.ts';
import { ARG_LIMIT, ARGV_LIMIT, COMMAND_LINE_LIMIT, DEFAULT_TIMEOUT_MS, LONGEST_TIMEOUT_MS } from '../constants.ts';
import type { BridgeSettings, CliGlobalOptions } from '../types.ts';

/** What every tool takes beside its own arguments. */
export const COMMON_INPUT = {
  session: session.optional(),
  cdp_port: z.int().min(1).max(65_535).optional(),
  headed: z.boolean().optional(),
  debug: z.boolean().optional(),
  executable_path: file.optional(),
  json: z.boolean().default(true),
  timeout_ms: z.int().min(1).max(LONGEST_TIMEOUT_MS).default(DEFAULT_TIMEOUT_MS),
  save_output_path: relativeFile.optional(),
};

/** The session that a call is for; the CLI has one of its own when nothing names one. */
export function sessionName(
  { session: given }: CliGlobalOptions,
  { env, defaults }: BridgeSettings,
): string | undefined {
  const named = given ?? defaults.session ?? (env.AGENT_BROWSER_SESSION?.trim() || undefined);
  if (named === undefined || session.safeParse(named).success) return named;
  throw new Failure(
    'bad_input',
    `AGENT_BROWSER_SESSION ${JSON.stringify(named.slice(0, 100))} cannot be the name of a session.`,
    'Use letters, digits, "_", "-" and ".", at most 64.',
  );
}

/** The flags that stand before the command, in this order. */
export function globalArgs(globals: CliGlobalOptions, settings: BridgeSettings): string[] {
  const { cdp_port, headed, debug, executable_path, json } = { ...settings.defaults, ...defined(globals) };
  const named = sessionName(globals, settings);
  return [
    ...flag('--session', named),
    ...flag('--cdp', cdp_port),
    ...flag('--headed', headed),
    ...flag('--debug', debug),
    ...flag('--executable-path', executable_path),
    ...flag('--json', json !== false),
  ];
}

const RULE = '--allow-executables';

/** Any other program would be run as the user of this server. */
export function checkExecutable({ executable_path: given }: CliGlobalOptions, { executables }: BridgeSettings): void {
  if (given === undefined || executables.includes(given)) return;
  throw refusedBy(
    RULE,
    `executable_path ${JSON.stringify(given.slice(0, 200))} is not one of the programs that the operator named: rule "${RULE}".`,
    executables.length > 0 ? `Use one of ${executables.join(', ')}, or leave it out.` : 'Leave it out.',
  );
}

/** A flag and its value, when there is a value; a flag alone for true. */
export const flag = (name: string, value: string | number | boolean | undefined): string[] =>
  value === undefined || value === false ? [] : value === true ? [name] : [name, String(value)];

/** The argument as it is, or a Failure. */
export function sanitizeArg(arg: string): string {
  if (arg.includes('\0')) throw refusedArg('holds a NUL character', arg);
  if (arg.length > ARG_LIMIT) throw refusedArg(`has ${arg.length} characters, at most ${ARG_LIMIT} are allowed`, arg);
  return arg;
}

export function sanitizeArgs(args: readonly string[]): string[] {
  const length = args.reduce((sum, arg) => sum + arg.length, 0);
  if (args.length > ARGV_LIMIT) throw new Failure('bad_input', `At most ${ARGV_LIMIT} arguments, got ${args.length}.`);
  if (length > COMMAND_LINE_LIMIT)
    throw new Failure(
      'bad_input',
      `The arguments have ${length} characters, at most ${COMMAND_LINE_LIMIT} are allowed.`,
    );
  return args.map(sanitizeArg);
}

const refusedArg = (why: string, arg: string): Failure =>
  new Failure('bad_input', `The argument ${JSON.stringify(arg.slice(0, 60))} is refused: it ${why}.`);
