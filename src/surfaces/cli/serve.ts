// `tabwright serve`: MCP and REST over HTTP, until somebody asks it to end.
import type { Options } from '../../config/options.ts';
import { dialectNames } from '../../dialects/registry.ts';
import { Failure } from '../../errors.ts';
import { OWNER_IDS } from '../../session/callers.ts';
import { browsion, checkEnabled } from '../browsion/route-group.ts';
import { announce, newKey, type RunningServer } from '../client/running-servers.ts';
import { hostOriginCheck, isLoopback, isWildcard } from '../http/auth/host-origin.ts';
import { FileTokenStore, noAuth, type TokenStore, tokenSource, tokensSource } from '../http/auth/token-store.ts';
import { listen, notListening } from '../http/listen.ts';
import type { SessionHooks } from '../http/mcp/mcp-sessions.ts';
import { ServerMetrics } from '../http/metrics/server-metrics.ts';
import { LISTED } from '../listing/listed.ts';
import { toolsetFor, usable } from '../listing/toolset.ts';
import type { McpServerConfig } from '../mcp/server-config.ts';
import { PATHS } from '../rest/contract.ts';
import { rest } from '../rest/routes.ts';
import { policyOf, Runtime } from '../runtime.ts';
import { claim } from '../socket/claim.ts';
import { doorServer } from '../socket/door.ts';
import { socketFolder } from '../socket/place.ts';
import { ownerAt, runWords } from '../socket/run-words.ts';
import { statusOf } from '../socket/status.ts';
import { view } from '../view/routes.ts';
import { closeRuntime, exitOnNextSignal, type Run, type Start, signalled } from './command.ts';
import { print } from './output/terminal.ts';

/** How long, in ms, running calls may go on after a signal. With the end of the browser it fits the 10 s that containers give. */
const FINISH_MS = 8_000;

export const run: Run = async start => {
  const { version, options, flags, log } = start;
  if (options.dialect === 'browsion') checkEnabled(start);
  const tokens = await tokensFor(start);
  const calls = new Runtime(options, usable(options.tools), log, await policyOf(options));
  const configFor = async (dialect: Options['dialect']): Promise<McpServerConfig> => ({
    version,
    ...(await toolsetFor({ ...options, dialect })),
    run: calls.run,
    resources: calls,
  });
  const config = await configFor(options.dialect);
  const metrics = new ServerMetrics();
  calls.journal.follow(metrics.record);
  const key = newKey();
  const listening = await listen(options, {
    healthKey: key,
    mcp: config,
    dialects: Object.fromEntries((['native', ...dialectNames] as const).map(name => [name, () => configFor(name)])),
    routeGroups: [
      browsion,
      rest({
        version,
        tools: LISTED.filter(({ tool }) => calls.offered.has(tool.name)),
        ...(options.dialect === 'browsion' && { described: describedBrowsion }),
      }),
      view(tokens, calls, version),
    ],
    checkHostOrigin: hostOriginCheck(options),
    tokens,
    sessionHooks: connectionsOf(calls, options),
    log,
    journal: calls.journal,
    metrics,
    state: () => calls.state(),
  }).catch(async error => Promise.reject(await notListening(error, options)));
  const at = {
    url: listening.url,
    ...(options.auth && options.token === undefined && { tokenFile: options.tokenFile }),
  };
  const closeDoor = await openDoor(start, calls);
  const withdraw = announceIn(options.stateDir, { ...at, pid: process.pid, key });
  const ended = signalled();
  for (const line of introduction(at, options)) print(line);
  if (flags['--welcome']) {
    const { welcome } = await import('./welcome.ts');
    await Promise.race([welcome(config.run, at, print, start), ended]);
  }
  await ended;
  exitOnNextSignal(1);
  withdraw();
  closeDoor();
  listening.stop();
  await listening.quiet(FINISH_MS);
  // What still runs is ended, and answered before its connection ends.
  await closeRuntime(calls, log);
  await listening.end();
  return 0;
};

/** The commands of the owner come by a socket, without a token. */
async function openDoor({ options, log, version }: Start, calls: Runtime): Promise<() => void> {
  const busy = { running: 0, since: 0 };
  // As the holder of the server's own token, whose sessions clients over HTTP have too.
  const host = { options, log, run: calls.run, caller: ownerAt(OWNER_IDS.http, options) };
  const server = doorServer(
    async (request, client) => {
      const [word] = request.words;
      if (word === 'status') return statusOf(host, version, busy, request);
      return runWords(host, request, client);
    },
    log,
    busy,
  );
  const claimed = await claim(server, socketFolder(options.stateDir), `serve-${process.pid}`, version);
  return () => claimed?.release();
}

/** Clients of one token have a default session each, unless the browser has one state of its own that all of them use. */
function connectionsOf(calls: Runtime, { cdpEndpoint, userDataDir, shareBrowser }: Options): SessionHooks {
  if (!shareBrowser && (cdpEndpoint ?? userDataDir) !== undefined) return {};
  let count = 0;
  return {
    // What the holder of the token may do can change while the client is connected.
    callerOf: (_id, opener) => Object.create(opener, { connection: { value: String(++count) } }),
    disconnected: ({ as }) => calls.disconnected(as),
    closed: ({ as }) => void calls.leave(as),
  };
}

/** No token is asked for only where this machine alone reaches it. */
async function tokensFor({ options, origins, log }: Start): Promise<TokenStore> {
  const { auth, host, token, tokenFile, tokensFile } = options;
  if (auth) {
    const sources = [tokenSource(tokenFile, token), tokensSource(tokensFile, origins.tokensFile === 'default')];
    return FileTokenStore.open(sources, log);
  }
  if (isLoopback(host)) return noAuth();
  throw new Failure(
    'refused',
    `--no-auth would let everybody who reaches ${host} use this browser.`,
    'Leave --no-auth out, or listen on a loopback address, such as --host 127.0.0.1.',
  );
}

function announceIn(stateDir: string, running: RunningServer): () => void {
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
  { url, tokenFile }: Pick<RunningServer, 'url' | 'tokenFile'>,
  { host, allowedHosts, auth, dialect }: Options,
): string[] {
  const unreachable = isWildcard(host) && allowedHosts.length === 0;
  return [
    `Tabwright serves MCP at ${url}`,
    ...(dialect === 'browsion' ? [`Browsion API: ${new URL('/api', url)}`] : []),
    `REST: ${new URL(PATHS.page, url)}`,
    `Token: ${tokenFile ? `in ${tokenFile}` : auth ? 'the one that was given' : 'none is asked for'}`,
    ...(unreachable ? ['Other machines: name this one with --allowed-hosts, or they are refused'] : []),
    'Stop: Ctrl+C',
  ];
}

/** Loaded with the first request for its document. */
const describedBrowsion = async () => (await import('../browsion/openapi.ts')).describeBrowsion();
