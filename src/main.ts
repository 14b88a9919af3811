// The command: argv → options → one surface.
import packageJson from '../package.json' with { type: 'json' };
import { COMMANDS, help } from './config/help.ts';
import { load } from './config/load.ts';
import { type Log, makeLog } from './config/log.ts';
import { nearest } from './config/nearest.ts';
import type { Options } from './config/options.ts';
import { Failure } from './errors.ts';

const { version } = packageJson;
/** How long a clean end may take before the process ends anyway. */
const CLOSE_MS = 5_000;

async function main(argv: string[]): Promise<void> {
  if (argv.some(word => word === '--help' || word === '-h')) return console.log(help(version));
  if (argv.some(word => word === '--version' || word === '-v')) return console.log(version);
  const { words, options } = load(argv);
  checkCommand(words);
  const log = makeLog(options.logLevel);
  keepGoing(log);
  await serve(options, log);
}

async function serve(options: Options, log: Log): Promise<void> {
  const [{ LISTED }, { offered }, { Calls }] = await Promise.all([
    import('./surfaces/listed.ts'),
    import('./surfaces/listing.ts'),
    import('./surfaces/calls.ts'),
  ]);
  const tools = offered(LISTED, options.tools);
  const { serveMcpOnStdio } = await import('./surfaces/stdio.ts');
  const calls = new Calls(
    options,
    tools.map(tool => tool.name),
    log,
  );
  const run = calls.run.bind(calls);
  const served = serveMcpOnStdio({ version, tools, structured: options.structured, run }, log);
  await Promise.race([served, signalled()]);
  const late = setTimeout(() => process.exit(0), CLOSE_MS);
  await calls.close().catch(error => log.error(`close: ${describe(error)}`));
  clearTimeout(late);
  process.exit(0);
}

function checkCommand(words: string[]): void {
  const [command = 'mcp', extra] = words;
  if (!(command in COMMANDS)) {
    const [close] = nearest(command, Object.keys(COMMANDS));
    const hint = close ? `Did you mean ${close}?` : `Commands: ${Object.keys(COMMANDS).join(', ')}.`;
    throw new Failure('bad_input', `Unknown command ${command}.`, `${hint} See tabwright --help`);
  }
  if (extra !== undefined) throw new Failure('bad_input', `Unexpected word ${extra} after ${command}.`);
}

const signalled = (): Promise<void> =>
  new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });

/** A fault in one call must not end the others. */
function keepGoing(log: Log): void {
  // Without a reader on stderr the log is lost; that is no reason to end.
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', error => log.error(`uncaught: ${describe(error)}`));
  process.on('unhandledRejection', error => log.error(`unhandled: ${describe(error)}`));
}

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

main(process.argv.slice(2)).catch(error => {
  const line = error instanceof Failure ? [error.message, error.hint].filter(Boolean).join(' ') : describe(error);
  process.stderr.write(`tabwright: ${line}\n`);
  process.exitCode = 1;
});
