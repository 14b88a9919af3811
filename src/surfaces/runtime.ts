// Runs the calls of one process. What a call needs (tools, schemas, sessions, browser) is loaded with the first one.
import { EventEmitter } from 'node:events';
import type { Call, Result } from '../call/call.ts';
import type { Question } from '../call/message.ts';
import type { Log } from '../config/log.ts';
import type { Options } from '../config/options.ts';
import type { LaunchedChrome } from '../engine/browser/launcher.ts';
import { unlimited, within } from '../engine/limits.ts';
import { Failure } from '../errors.ts';
import type { Policy } from '../policy/decide.ts';
import type { TextMask } from '../policy/secrets/text-mask.ts';
import { Journal } from '../session/journal.ts';
import { People } from '../session/people.ts';
import { APPROVAL_MS } from '../session/rules/approvals.ts';
import type { Caller, Server } from '../session/server.ts';
import type { Session } from '../session/session.ts';
import { Timeline } from '../session/timeline.ts';
import { boundHeap } from './heap.ts';
import { settle } from './mcp/ask-person.ts';
import type { ResourceSource } from './mcp/resources.ts';

export class Runtime implements ResourceSource {
  readonly changes: ResourceSource['changes'] = new EventEmitter();
  readonly offered: ReadonlySet<string>;
  readonly commonNames: ResourceSource['commonNames'];
  readonly journal: Journal;
  readonly timeline = new Timeline();
  readonly people = new People();
  #server: Server | undefined;
  #parts: ReturnType<typeof load> | undefined;
  /** Chrome, when it was started before the first call had what it needs. */
  #ahead: Promise<LaunchedChrome | undefined> | undefined;
  readonly #options: Options;
  readonly #log: Log;
  readonly #policy: Policy | undefined;

  /** `policy` is what the file that the options name says. */
  constructor(options: Options, offered: Iterable<string>, log: Log, policy?: Policy) {
    this.#options = options;
    this.#policy = policy;
    this.offered = new Set(offered);
    this.commonNames = options.sharedSessions;
    // One for each connection that listens; connections have their own limit.
    this.changes.setMaxListeners(0);
    this.#log = log;
    this.journal = new Journal(options.journalFile, log);
  }

  /** Bound to its runtime: surfaces pass it on. */
  readonly run = async (call: Call): Promise<Result> => {
    const { run, adapterFor, host } = await this.#loaded();
    const adapter = call.dialect && (await adapterFor(call.dialect));
    const read = adapter ? { ...call, adapter } : call;
    // A client that puts questions to its person does so itself; for others, somebody at the page may answer.
    if (call.asks || this.people.approvers === 0) return run(host, read);
    const asking = { ...read, asks: true };
    return settle(
      await run(host, asking),
      approval => run(host, { ...asking, approval }),
      (ask, result) => this.#askPeople(call, ask, result),
    );
  };

  #askPeople({ caller, name, signal }: Call, { rule, question }: Question, { session: given }: Result) {
    const session = given === undefined ? undefined : this.#server?.sessions.keyOf(given, caller);
    return this.people.ask({ session, caller: caller.id, tool: name, rule, question }, APPROVAL_MS, signal);
  }

  /** Reaches the browser now, within so many ms, not only with the first call. `gone` is told when it ends by itself. */
  async connect(ms: number, gone: (why: string) => void): Promise<void> {
    const { chrome } = (await this.#loaded()).host.server;
    chrome.events.on('gone', gone);
    const limits = within(unlimited(), ms, () => new Failure('timeout', `There was no answer within ${ms} ms.`));
    await chrome.connect(limits).finally(() => limits.done());
  }

  /** Starts Chrome now, and settles when that is under way: it takes longer than to load what a call needs. Never rejects. */
  async launchAhead(): Promise<void> {
    // With a policy, nobody knows yet whether a call will be allowed.
    if (this.#ahead || this.#parts || this.#policy) return;
    this.#ahead = launchAhead(this.#options, this.#log);
    await this.#ahead;
  }

  /** Ends what a caller has open who will not come back. Never rejects. */
  async leave(caller: Caller): Promise<void> {
    await this.#server?.leave(caller);
  }

  /** Ends what keeps others waiting for a caller who seems to have gone. */
  disconnected(caller: Caller): void {
    this.#server?.disconnected(caller);
  }

  /** Undefined until the first call has come. */
  get server(): Server | undefined {
    return this.#server;
  }

  async sessions(): Promise<readonly Session[]> {
    const parts = await this.#parts;
    return parts?.host.server.list() ?? [];
  }

  maskFor({ id }: Caller): TextMask | undefined {
    return this.#server?.secrets.of(id, () => undefined).mask;
  }

  /** How much is open. */
  state(): { sessions: number; browsers: number } {
    const browsers = (this.#server?.browsers ?? []).reduce((sum, { running }) => sum + running, 0);
    return { sessions: this.#server?.list().length ?? 0, browsers };
  }

  /** Ends the sessions and the browser, if there ever were any. */
  async close(): Promise<void> {
    const parts = await this.#parts;
    if (!parts) await (await this.#ahead)?.child.close();
    await (parts?.host.server ?? this.journal).close();
  }

  #loaded(): ReturnType<typeof load> {
    this.#parts ??= this.#load();
    return this.#parts;
  }

  async #load(): ReturnType<typeof load> {
    const parts = await load(this.#options, this.offered, this.#log, this.#policy, this);
    boundHeap();
    this.#server = parts.host.server;
    if (this.#ahead) this.#server.chrome.adopt(this.#ahead);
    parts.host.server.changes.on('change', (...change) => {
      this.changes.emit('change', ...change);
      if (change[1] === 'ended') this.people.forget(change[0].name);
    });
    return parts;
  }
}

/** The rules of the policy file, if there is one. A mistake in it, or in the patterns of urls, must stop the start. */
export async function policyOf(options: Options): Promise<Policy | undefined> {
  const { policy, allowUrls, blockUrls } = options;
  if (allowUrls.length + blockUrls.length > 0) (await import('../policy/url-rules.ts')).urlRulesOf(options);
  if (policy === undefined) return undefined;
  const { readPolicy } = await import('./policy-file.ts');
  return readPolicy(policy);
}

/** Undefined when it is not started ahead, or cannot be: the call that needs it says why. */
async function launchAhead(options: Options, log: Log): Promise<LaunchedChrome | undefined> {
  const { ChromeLauncher } = await import('../engine/browser/launcher.ts');
  const launcher = new ChromeLauncher(options, log);
  return launcher.isPlain ? launcher.launch().catch(() => undefined) : undefined;
}

async function load(
  options: Options,
  offered: ReadonlySet<string>,
  log: Log,
  policy: Policy | undefined,
  { journal, timeline }: Pick<Runtime, 'journal' | 'timeline'>,
) {
  const [{ run }, { adapterFor, oldNames }, { Rules }, { Server }, { TOOLS, UNLISTED_TOOLS }] = await Promise.all([
    import('../call/call.ts'),
    import('../dialects/index.ts'),
    import('../session/rules/rules.ts'),
    import('../session/server.ts'),
    import('../tools/index.ts'),
  ]);
  return {
    run,
    adapterFor,
    host: {
      server: new Server(options, log, new Rules(options, policy), journal, timeline),
      tools: [...TOOLS.filter(tool => offered.has(tool.name)), ...UNLISTED_TOOLS],
      oldNames,
    },
  };
}
