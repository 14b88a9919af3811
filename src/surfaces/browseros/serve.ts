// browseros-mcp: attaches to the browser, listens, and serves until a signal or the end of the browser.
import type { Call, Result } from '../../call/call.ts';
import { currentEnvironment } from '../../config/environment.ts';
import { merge, readVariables } from '../../config/load.ts';
import type { Log } from '../../config/log.ts';
import type { Options } from '../../config/options.ts';
import { ownPorts } from '../../policy/closed-places.ts';
import { maskArgs, redact } from '../../policy/mask.ts';
import { closeRuntime, exitOnNextSignal, keepGoing, signalled } from '../cli/command.ts';
import { hostOriginCheck } from '../http/auth/host-origin.ts';
import { noAuth } from '../http/auth/token-store.ts';
import { LIMITS } from '../http/limits.ts';
import { type Listening, listen } from '../http/listen.ts';
import type { ToolEntry } from '../listing/listing.ts';
import { type Toolset, toolsetFor, usable } from '../listing/toolset.ts';
import { Runtime } from '../runtime.ts';
import { Clients, SESSIONLESS } from './clients.ts';
import { logFor, type Ports, print, printError, Stop } from './process.ts';

/** How long, in ms, connecting to the browser may take. */
const CONNECT_MS = 8_000;

/** Only this machine can connect. */
const HOST = '127.0.0.1';

const cdpUrl = ({ cdpPort }: Ports): string => `http://${HOST}:${cdpPort}`;

/** No token tells clients apart: they are one caller, which has all places but those kept for others. */
const HTTP_LIMITS = {
  ...LIMITS,
  messages: 2 * LIMITS.messages,
  messagesPerCaller: LIMITS.messages,
  calls: 2 * LIMITS.calls,
  sessionsPerCaller: LIMITS.sessions,
};

/** The ports decide, and the folders of this machine; no config file and no other variable of Tabwright is read. */
function optionsFor(ports: Ports): Options {
  const environment = currentEnvironment();
  return merge(
    [
      readVariables(environment, ['stateDir', 'uploadDirs']),
      {
        dialect: 'devtools',
        cdpEndpoint: cdpUrl(ports),
        shareBrowser: true,
        // One for each protocol session, one for clients without, and those that are just ending.
        maxSessions: 2 * HTTP_LIMITS.sessions,
        // A selected page lasts as long as the protocol session; that has an end of its own.
        sessionIdle: HTTP_LIMITS.listening,
      },
    ],
    environment,
  );
}

/** Resolves with the exit code; rejects with a Stop when it could not start, or the browser has ended. */
export async function serve(ports: Ports, version: string): Promise<number> {
  const log = logFor(process.env.DEBUG);
  keepGoing(log);
  const ended = signalled();
  const options = optionsFor(ports);
  // The browser is told what is closed to its pages when it is connected to, which comes first.
  ownPorts.add(ports.mcpPort);
  const runtime = new Runtime(options, usable(options.tools), log);
  const clients = new Clients(runtime);
  const browser = connect(runtime, ports);
  const state: { listening?: Listening; isEnding?: true } = {};
  const start = async () => {
    // The tools are listed while the browser answers.
    const [toolset] = await Promise.all([toolsetFor(options), browser.connected]);
    if (state.isEnding) return;
    print(`Connected to CDP at ${cdpUrl(ports)}`);
    state.listening = await listenFor({ runtime, clients, toolset, version, log }, ports.mcpPort);
    if (state.isEnding) return;
    print(`MCP Server ready at ${state.listening.url}`);
    print(`Ready at ${state.listening.url}`);
  };
  try {
    await Promise.race([start(), ended]);
    await Promise.race([browser.lost, ended]);
  } catch (error) {
    state.isEnding = true;
    // Connected clients notice by the end of their streams.
    state.listening?.stop();
    await state.listening?.end();
    throw error;
  }
  state.isEnding = true;
  exitOnNextSignal(0);
  print('Shutting down server...');
  print(`Closing ${clients.size} active sessions`);
  // The running calls are answered before the streams are closed.
  state.listening?.stop();
  if (state.listening) await closeRuntime(runtime, log);
  await state.listening?.end();
  print('Server shutdown complete');
  return 0;
}

interface BrowserLink {
  connected: Promise<void>;
  /** Rejects with a Stop when the browser ends by itself. */
  lost: Promise<never>;
}

function connect(runtime: Runtime, ports: Ports): BrowserLink {
  let onLost: (why: string) => void = () => undefined;
  const lost = new Promise<never>((_, reject) => {
    onLost = why => reject(new Stop('cdp', `Error: Lost the browser at ${cdpUrl(ports)}: ${why}`));
  });
  // Nothing awaits it before the start is done.
  lost.catch(() => undefined);
  const connected = runtime
    .connect(CONNECT_MS, why => onLost(why))
    .catch(error => {
      throw new Stop('cdp', `Error: Failed to connect to CDP at ${cdpUrl(ports)}`, `Cause: ${causeOf(error)}`);
    });
  return { connected, lost };
}

interface Serving {
  runtime: Runtime;
  clients: Clients;
  toolset: Toolset;
  version: string;
  log: Log;
}

function listenFor(serving: Serving, port: number): Promise<Listening> {
  const { runtime, clients, toolset, version, log } = serving;
  const served = {
    mcp: { version, ...toolset, run: (call: Call) => runCall(serving, call) },
    checkHostOrigin: hostOriginCheck({ host: HOST, allowedHosts: [], allowedOrigins: [], isFixed: true }),
    tokens: noAuth(SESSIONLESS),
    log,
    journal: runtime.journal,
    sessionHooks: clients,
    only: ['/mcp', '/health'],
    plainStreams: true,
  };
  return listen({ host: HOST, port }, served, HTTP_LIMITS).catch(error => Promise.reject(notBound(port, error)));
}

async function runCall({ runtime, clients, toolset, log }: Serving, call: Call): Promise<Result> {
  print(requestLine(call, toolset.tools));
  const result = await runtime.run(call);
  if (!result.ok) printError(errorLine(call, result));
  log.debug(`${result.tool} took ${result.ms} ms and answered ${result.text.length} characters`);
  // The call may have opened something after its client disconnected.
  if (!clients.isConnected(call.caller)) await runtime.leave(call.caller);
  return result;
}

const causeOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  return text.split(': ').at(-1) ?? text;
};

/** Both lines where both are true: a parent may look for either. */
function notBound(port: number, { code, message }: NodeJS.ErrnoException): Stop {
  const why = code === 'EADDRINUSE' ? `Error: Port ${port} already in use` : `Cause: ${message}`;
  return new Stop('bind', `Error: Failed to bind HTTP server on port ${port}`, why);
}

/** Text typed into pages may be a secret. */
const TYPED_ARGUMENTS = ['value', 'promptText'];
const MAX_LINE = 2_000;
const MAX_NAME = 64;

/** An argument that the tool does not list may be a secret under another name. */
export function requestLine({ name, args }: Pick<Call, 'name' | 'args'>, tools: readonly ToolEntry[]): string {
  const listed = Object(tools.find(tool => tool.name === name)?.inputSchema.properties);
  const unknown = Object.keys(Object(args)).filter(key => !Object.hasOwn(listed, key));
  const masked = JSON.stringify(maskArgs(args ?? {}, [...TYPED_ARGUMENTS, ...unknown]));
  return `${printable(name)} request: ${oneLine(masked)}`;
}

export const errorLine = ({ name }: Pick<Call, 'name'>, { text }: Result): string =>
  `${printable(name)} error: ${oneLine(redact(text.slice(0, MAX_LINE)))}`;

const printable = (name: string): string => name.slice(0, MAX_NAME).replace(/[^\w.-]/g, '?');

function oneLine(text: string): string {
  const line = text.trim().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}
