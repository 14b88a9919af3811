// The command: argv → options → one surface.
import packageJson from '../package.json' with { type: 'json' };
import { ANY_TOOL, type CommandName, readCommand } from './config/commands.ts';
import { bridgeHelp, commandHelp, help } from './config/help.ts';
import { load, readHelpRequest } from './config/load.ts';
import { makeLog } from './config/log.ts';
import { readForeignConfig } from './dialects/config-files.ts';
import { Failure, WRONG_USAGE } from './errors.ts';
import { describe, keepGoing, type Run } from './surfaces/cli/command.ts';
import { TOOL_WORDS } from './surfaces/listing/tool-words.ts';

const { version } = packageJson;

/** Each command is loaded only when it runs: a start must not pay for the others. */
const COMMAND_FILES: Record<CommandName, () => Promise<{ run: Run }>> = {
  [ANY_TOOL]: () => import('./surfaces/cli/shell/tool.ts'),
  run: () => import('./surfaces/cli/shell/run.ts'),
  repl: () => import('./surfaces/cli/shell/repl.ts'),
  attach: () => import('./surfaces/cli/shell/attach.ts'),
  status: () => import('./surfaces/cli/shell/status.ts'),
  stop: () => import('./surfaces/cli/shell/stop.ts'),
  skills: () => import('./surfaces/cli/shell/skills.ts'),
  mcp: () => import('./surfaces/cli/mcp.ts'),
  serve: () => import('./surfaces/cli/serve.ts'),
  view: () => import('./surfaces/cli/view.ts'),
  call: () => import('./surfaces/cli/call/call.ts'),
  tools: () => import('./surfaces/cli/tools.ts'),
  install: () => import('./surfaces/cli/install.ts'),
  doctor: () => import('./surfaces/cli/doctor/doctor.ts'),
  config: () => import('./surfaces/cli/config/config.ts'),
  token: () => import('./surfaces/cli/token/token.ts'),
  secret: () => import('./surfaces/cli/secret/secret.ts'),
  completion: () => import('./surfaces/cli/completion.ts'),
};

async function main(argv: string[]): Promise<number> {
  const asked = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  if (asked.some(word => word === '--help' || word === '-h')) return print(await helpFor(asked));
  if (asked.some(word => word === '--version' || word === '-v')) return print(version);
  const loaded = await load(argv, undefined, readForeignConfig, TOOL_WORDS);
  const log = makeLog(loaded.options.logLevel, undefined, loaded.options.logFormat);
  for (const warning of loaded.warnings) log.warn(warning);
  keepGoing(log);
  // A command waits for this one: it loads nothing of HTTP.
  const isBackground = loaded.flags['--background'] === true;
  const { run } = await (isBackground ? import('./surfaces/socket/background.ts') : COMMAND_FILES[loaded.command]());
  return run({ ...loaded, version, log });
}

async function helpFor(asked: string[]): Promise<string> {
  const { word, dialect } = readHelpRequest(asked);
  if (word !== undefined && TOOL_WORDS.includes(word)) return (await import('./surfaces/cli/tools.ts')).helpOf(word);
  if (word !== undefined) return commandHelp(readCommand(word, TOOL_WORDS));
  return dialect === 'agent-browser' ? bridgeHelp(version) : help(version);
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

/** 2 for what cannot be right as it was typed, 1 for what could not be done. */
function explain(error: unknown): number {
  const isFailure = error instanceof Failure;
  const line = isFailure ? [error.message, error.hint].filter(Boolean).join(' ') : describe(error);
  process.stderr.write(`tabwright: ${line}\n`);
  return isFailure && WRONG_USAGE.includes(error.code) ? 2 : 1;
}

main(process.argv.slice(2))
  .catch(explain)
  // What was written must be out before the end, also through a pipe.
  .then(code => process.stdout.write('', () => process.exit(code)));
