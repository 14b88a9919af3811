// browseros-mcp: attaches to the browser, listens, and serves until a signal or the end of the browser.
import type { Call, Result } from '../../call/call.ts';
import { currentEnvironment } from '../../config/environment.ts';
import { merge } from '../../config/load.ts';
import type { Log } from '../../config/log.ts';
import type { Options } from '../../config/options.ts';
import { maskArgs, redact } from '../../policy/mask.ts';
import { closeRuntime, exitOnNextSignal, keepGoing, signalled } from '../cli/command.ts';
import { hostOriginCheck } from '../http/auth/host-origin.ts';
import { noAuth } from '../http/auth/token-store.ts';
import { type HttpLimits, LIMITS, type Listening, listen } from '../http/listen.ts';
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

/** No token tells clients apart, so the limits of one caller are the limits of all. */
const HTTP_LIMITS: HttpLimits = {
  ...LIMITS,
  messagesPerCaller: LIMITS.messages,
  sessionsPerCaller: LIMITS.sessions,
};

/** The ports decide, and nothing else: no config file and no variable of Tabwright is read. */
const optionsFor = (ports: Ports): Options =>
  merge(
    [
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
    currentEnvironment(),
  );

/** Resolves with the exit code; rejects with a Stop when it could not start, or the browser has ended. */
export async function serve(ports: Ports, version: string): Promise<number> {
  const log = logFor(process.env.DEBUG);
  keepGoing(log);
  const ended = signalled();
  const serving = new Serving(ports, version, log);
  try {
    await Promise.race([serving.start(), ended]);
    await Promise.race([serving.gone, ended]);
  } catch (error) {
    await serving.cut();
    throw error;
  }
  exitOnNextSignal(0);
  await serving.end();
  return 0;
}

class Serving {
  /** Rejects with a Stop when the browser ends by itself. */
  readonly gone: Promise<never>;
  readonly #ports: Ports;
  readonly #version: string;
  readonly #log: Log;
  readonly #runtime: Runtime;
  readonly #clients: Clients;
  readonly #options: ReturnType<typeof optionsFor>;
  #listening: Listening | undefined;
  #isEnding = false;
  #rejectGone: (why: string) => void = () => undefined;

  constructor(ports: Ports, version: string, log: Log) {
    this.#ports = ports;
    this.#version = version;
    this.#log = log;
    this.#options = optionsFor(ports);
    this.#runtime = new Runtime(this.#options, usable(this.#options.tools), log);
    this.#clients = new Clients(caller => void this.#runtime.leave(caller));
    this.gone = new Promise((_, reject) => {
      this.#rejectGone = why => reject(new Stop('cdp', `Error: Lost the browser at ${cdpUrl(ports)}: ${why}`));
    });
    // Nothing awaits it before the start is done.
    this.gone.catch(() => undefined);
  }

  /** The tools are listed while the browser answers. */
  async start(): Promise<void> {
    const [toolset] = await Promise.all([toolsetFor(this.#options), this.#connect()]);
    if (this.#isEnding) return;
    print(`Connected to CDP at ${cdpUrl(this.#ports)}`);
    this.#listening = await this.#listen(toolset);
    if (this.#isEnding) return;
    print(`MCP Server ready at ${this.#listening.url}`);
    print(`Ready at ${this.#listening.url}`);
  }

  /** Answers the running calls, closes every stream, disconnects from the browser. */
  async end(): Promise<void> {
    this.#isEnding = true;
    print('Shutting down server...');
    print(`Closing ${this.#clients.size} active sessions`);
    await this.#close();
    print('Server shutdown complete');
  }

  async #close(): Promise<void> {
    if (!this.#listening) return;
    this.#listening.stop();
    await closeRuntime(this.#runtime, this.#log);
    await this.#listening.end();
  }

  /** Ends the streams of connected clients, so that they notice. */
  async cut(): Promise<void> {
    this.#isEnding = true;
    this.#listening?.stop();
    await this.#listening?.end();
  }

  async #connect(): Promise<void> {
    try {
      await this.#runtime.connect(CONNECT_MS, why => this.#rejectGone(why));
    } catch (error) {
      throw new Stop('cdp', `Error: Failed to connect to CDP at ${cdpUrl(this.#ports)}`, `Cause: ${causeOf(error)}`);
    }
  }

  async #listen(toolset: Toolset): Promise<Listening> {
    const port = this.#ports.mcpPort;
    const served = {
      offer: { version: this.#version, ...toolset, run: (call: Call) => this.#run(call, toolset) },
      guard: hostOriginCheck({ host: HOST, allowedHosts: [], allowedOrigins: [], isFixed: true }),
      keys: noAuth(SESSIONLESS),
      log: this.#log,
      journal: this.#runtime.journal,
      lobby: this.#clients,
      only: ['/mcp', '/health'],
      plainStreams: true,
    };
    return listen({ host: HOST, port }, served, HTTP_LIMITS).catch(error => Promise.reject(notBound(port, error)));
  }

  async #run(call: Call, { tools }: Toolset): Promise<Result> {
    print(requestLine(call, tools));
    const result = await this.#runtime.run(call);
    if (!result.ok) printError(errorLine(call, result));
    this.#log.debug(`${result.tool} took ${result.ms} ms and answered ${result.text.length} characters`);
    // The call may have opened something after its client disconnected.
    if (!this.#clients.isConnected(call.caller)) await this.#runtime.leave(call.caller);
    return result;
  }
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
