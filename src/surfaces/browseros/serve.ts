// browseros-mcp at work: attaches to the browser, listens, and serves until somebody or the browser ends it.
import type { Call, Result } from '../../call/call.ts';
import type { Log } from '../../config/log.ts';
import { closeCalls, keepGoing, signalled } from '../cli/command.ts';
import { hostOriginCheck } from '../http/auth/host-origin.ts';
import { noAuth } from '../http/auth/token-store.ts';
import { type Listening, listen } from '../http/listen.ts';
import { type Toolset, toolsetFor, usable } from '../listing/toolset.ts';
import { Runtime } from '../runtime.ts';
import type { Ports } from './arguments.ts';
import { Clients, SESSIONLESS } from './clients.ts';
import { cdpUrl, HOST, HTTP_LIMITS, optionsFor } from './options.ts';
import { logFor, print, printError } from './output.ts';
import { errorLine, requestLine } from './requests.ts';
import { Stop } from './stop.ts';

/** How long, in ms, the browser may take to let us in. */
const CONNECT_MS = 8_000;

/** Gives the exit code; a Stop when it could not begin, or the browser has gone. */
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
  endAtOnceNextTime();
  await serving.end();
  return 0;
}

class Serving {
  /** Rejects with a Stop when the browser ends by itself. */
  readonly gone: Promise<never>;
  readonly #ports: Ports;
  readonly #version: string;
  readonly #log: Log;
  readonly #calls: Runtime;
  readonly #clients: Clients;
  readonly #options: ReturnType<typeof optionsFor>;
  #listening: Listening | undefined;
  #isEnding = false;
  #tellGone: (why: string) => void = () => undefined;

  constructor(ports: Ports, version: string, log: Log) {
    this.#ports = ports;
    this.#version = version;
    this.#log = log;
    this.#options = optionsFor(ports);
    this.#calls = new Runtime(this.#options, usable(this.#options.tools), log);
    this.#clients = new Clients(caller => void this.#calls.leave(caller));
    this.gone = new Promise((_, reject) => {
      this.#tellGone = why => reject(new Stop('cdp', `Error: Lost the browser at ${cdpUrl(ports)}: ${why}`));
    });
    // Nobody waits for it before the start is over.
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

  /** Answers what runs, closes every stream, lets go of the browser. */
  async end(): Promise<void> {
    this.#isEnding = true;
    print('Shutting down server...');
    print(`Closing ${this.#clients.size} active sessions`);
    await this.#close();
    print('Server shutdown complete');
  }

  /** Before it listened there was no call; a browser that does not answer is not waited for. */
  async #close(): Promise<void> {
    if (!this.#listening) return;
    this.#listening.stop();
    await closeCalls(this.#calls, this.#log);
    await this.#listening.end();
  }

  /** Ends the streams of those who are connected, so that they know. */
  async cut(): Promise<void> {
    this.#isEnding = true;
    this.#listening?.stop();
    await this.#listening?.end();
  }

  async #connect(): Promise<void> {
    try {
      await this.#calls.connect(CONNECT_MS, why => this.#tellGone(why));
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
      journal: this.#calls.journal,
      lobby: this.#clients,
      only: ['/mcp', '/health'],
      plainStreams: true,
    };
    return listen({ host: HOST, port }, served, HTTP_LIMITS).catch(error => Promise.reject(notBound(port, error)));
  }

  async #run(call: Call, { tools }: Toolset): Promise<Result> {
    print(requestLine(call, tools));
    const result = await this.#calls.run(call);
    if (!result.ok) printError(errorLine(call, result));
    this.#log.debug(`${result.tool} took ${result.ms} ms and answered ${result.text.length} characters`);
    // It may have opened something after its client had gone.
    if (!this.#clients.isHere(call.caller)) await this.#calls.leave(call.caller);
    return result;
  }
}

const causeOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  return text.split(': ').at(-1) ?? text;
};

/** Both are told where both are true: a parent may look for either. */
function notBound(port: number, { code, message }: NodeJS.ErrnoException): Stop {
  const why = code === 'EADDRINUSE' ? `Error: Port ${port} already in use` : `Cause: ${message}`;
  return new Stop('bind', `Error: Failed to bind HTTP server on port ${port}`, why);
}

/** Who asks twice does not want to wait. */
function endAtOnceNextTime(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(0));
}
