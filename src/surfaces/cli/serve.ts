// `tabwright serve`: MCP over HTTP, until somebody asks it to end.
import type { Options } from '../../config/options.ts';
import { Failure } from '../../errors.ts';
import { Calls } from '../calls.ts';
import { isLoopback, isWildcard, makeGuard } from '../http/guard.ts';
import { listen } from '../http/listen.ts';
import { openToken } from '../http/token.ts';
import { announce, type Running } from '../running.ts';
import { toolsetFor, usable } from '../toolset.ts';
import { closeCalls, type Run, signalled } from './command.ts';

export const run: Run = async start => {
  const { version, options, flags, log } = start;
  const toolset = await toolsetFor(options);
  const token = tokenFor(options);
  const calls = new Calls(options, usable(options.tools), log);
  const offer = { version, ...toolset, run: calls.run.bind(calls) };
  const guard = makeGuard({ ...options, token });
  const listening = await listen(options, offer, guard, log);
  const at = { url: listening.url, ...(token !== undefined && { tokenFile: options.tokenFile }) };
  const withdraw = tell(options.stateDir, { ...at, pid: process.pid });
  const ended = signalled();
  for (const line of introduction(at, options)) print(line);
  if (flags['--welcome']) {
    const { welcome } = await import('./welcome.ts');
    await Promise.race([welcome(offer.run, at, print, start), ended]);
  }
  await ended;
  endAtOnceNextTime();
  withdraw();
  listening.stop();
  // Running calls are answered before their connections end.
  await closeCalls(calls, log);
  await listening.end();
  return 0;
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Undefined when none is asked for, which only this machine may see. */
function tokenFor({ auth, host, tokenFile }: Options): string | undefined {
  if (auth) return openToken(tokenFile);
  if (isLoopback(host)) return undefined;
  throw new Failure(
    'refused',
    `--no-auth would let everybody who reaches ${host} use this browser.`,
    'Leave --no-auth out, or listen on a loopback address, such as --host 127.0.0.1.',
  );
}

function tell(stateDir: string, running: Running): () => void {
  try {
    return announce(stateDir, running);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('file_error', `The state folder cannot be written: ${why}.`, 'Choose another with --state-dir.', {
      cause,
    });
  }
}

function introduction(
  { url, tokenFile }: Pick<Running, 'url' | 'tokenFile'>,
  { host, allowedHosts }: Options,
): string[] {
  const unreachable = isWildcard(host) && allowedHosts.length === 0;
  return [
    `Tabwright serves MCP at ${url}`,
    tokenFile ? `Token: in ${tokenFile}` : 'Token: none is asked for',
    ...(unreachable ? ['Other machines: name this one with --allowed-hosts, or they are refused'] : []),
    'Stop: Ctrl+C',
  ];
}

/** Who asks twice does not want to wait. */
function endAtOnceNextTime(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
}
