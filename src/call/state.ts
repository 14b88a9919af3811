// The state of one call: what is known of it so far, what ends it, and what must be given back however it ends.
import type { Dialect, RunningCall, Times } from '../dialects/dialect.ts';
import type { CallSecrets } from '../engine/secrets.ts';
import type { Tab } from '../engine/tab/tab.ts';
import type { Failure } from '../errors.ts';
import type { Turn } from '../session/queue.ts';
import type { Server } from '../session/server.ts';
import type { Session } from '../session/session.ts';
import type { TimelineEntry } from '../session/timeline.ts';
import type { Wording } from '../text.ts';
import type { AnyTool } from '../tools/tool.ts';
import { type Bounds, boundCall, lateRun, lateStart, timesOf } from './bounds.ts';
import type { Decoded } from './decode.ts';
import { aliasWording, explain, namedAsCalled } from './explain.ts';
import type { Call, CallHost } from './message.ts';
import { PolicyCheck } from './policy-check.ts';
import { type Structured, takePictures } from './present.ts';
import type { Input } from './validate.ts';

/** A call that may run. */
export interface Prepared {
  decoded: Decoded;
  /** The arguments after validation, with defaults. */
  input: Input;
  policy: PolicyCheck;
}

export class CallState implements RunningCall {
  readonly bounds: Bounds;
  /** How far its preparation has come. */
  known: Partial<Prepared> = {};
  session?: Session;
  turn?: Turn;
  tab?: Tab;
  /** For people who follow its session. */
  entry?: TimelineEntry;
  readonly secrets: CallSecrets;
  readonly #heartbeat: NodeJS.Timeout | undefined;

  constructor(
    readonly host: CallHost,
    readonly call: Call,
  ) {
    const { server } = host;
    this.secrets = server.secrets.of(call.caller.id, () => this.session);
    const most = server.options.timeoutCall;
    const late = () => {
      const hasBegun = this.turn !== undefined || this.tool?.on === 'calls';
      return this.tool && hasBegun ? lateRun(this.tool, most, server.options) : lateStart(call.name, most);
    };
    this.bounds = boundCall(
      { most, late, cancel: call.signal, ending: server.ending },
      step => call.progress?.(step),
      () => this.turn?.waiting(),
    );
    this.#heartbeat = call.progress && this.#beat();
  }

  /** A caller that asked for progress hears every second that the call lives; many clients then wait longer. */
  #beat(): NodeJS.Timeout {
    const { name } = this.call;
    let seconds = 0;
    const beat = () => this.bounds.progress({ done: ++seconds, message: `${name}: ${seconds} s` });
    return setInterval(beat, 1_000).unref();
  }

  get server(): Server {
    return this.host.server;
  }

  get tools(): readonly AnyTool[] {
    return this.host.tools;
  }

  get tool(): AnyTool | undefined {
    return this.known.decoded?.tool;
  }

  get input(): Input | undefined {
    return this.known.input;
  }

  times(tab = this.tab): Times {
    return timesOf(this.call.adapter, this.server.options, tab);
  }

  /** The dialect that the answer is written in. */
  get answerIn(): Dialect | undefined {
    return this.call.answerIn ?? this.call.adapter;
  }

  /** How names are written in the answer; undefined when the native ones are right. */
  wording(): Wording | undefined {
    const { tool, answerIn, call } = this;
    if (answerIn) return answerIn.wording(this);
    return tool && tool.name !== call.name ? aliasWording(tool, call.name) : undefined;
  }

  present(data: unknown, wording: Wording | undefined): Structured {
    return takePictures(data, wording);
  }

  explain(error: unknown, tab = this.tab): Promise<Failure> {
    return explain(error, tab, this.server.log);
  }

  /** The failure in the words of the caller. */
  encodeFailure(failure: Failure): Failure {
    return this.answerIn?.encodeFailure(this, failure) ?? namedAsCalled(failure, this.wording());
  }

  async checkAlso(tool: AnyTool, tab: Tab): Promise<void> {
    const check = new PolicyCheck(
      this.server,
      { call: this.call, tool, args: {}, input: {}, session: undefined },
      this.known.policy,
    );
    // Nobody can be asked any more: the action is done.
    this.known.policy?.begin();
    await check.beforeRun();
    check.onPage(tab.url);
  }

  /** Gives back what the call holds. */
  end(): void {
    clearInterval(this.#heartbeat);
    this.turn?.end();
    this.bounds.done();
  }
}
