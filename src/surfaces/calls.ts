// Runs the calls of one process. What a call needs (tools, schemas, sessions, browser) is loaded with the first one.
import type { Call, Result } from '../call/call.ts';
import type { Log } from '../config/log.ts';
import type { Options } from '../config/options.ts';

export class Calls {
  #parts: ReturnType<typeof load> | undefined;
  readonly #options: Options;
  readonly #offered: ReadonlySet<string>;
  readonly #log: Log;

  constructor(options: Options, offered: Iterable<string>, log: Log) {
    this.#options = options;
    this.#offered = new Set(offered);
    this.#log = log;
  }

  async run(call: Call): Promise<Result> {
    this.#parts ??= load(this.#options, this.#offered, this.#log);
    const { run, server, table } = await this.#parts;
    return run(server, table, call);
  }

  /** Ends the sessions and the browser, if there ever were any. */
  async close(): Promise<void> {
    const parts = await this.#parts;
    await parts?.server.close();
  }
}

async function load(options: Options, offered: ReadonlySet<string>, log: Log) {
  const [{ run }, { Server }, { TOOLS }] = await Promise.all([
    import('../call/call.ts'),
    import('../session/server.ts'),
    import('../tools/index.ts'),
  ]);
  return { run, server: new Server(options, log), table: TOOLS.filter(tool => offered.has(tool.name)) };
}
