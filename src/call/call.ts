// The path of one call: decode, validate, check the policy, queue, acquire the tab, run, render, record. Straight down and straight back.
import { setMaxListeners } from 'node:events';
import type { Dialect, EncodedAnswer } from '../dialects/dialect.ts';
import { within } from '../engine/limits.ts';
import { Failure } from '../errors.ts';
import { now } from '../session/journal.ts';
import type { Server } from '../session/server.ts';
import { inWording } from '../text.ts';
import type { AnyTool, InnerCalls } from '../tools/tool.ts';
import { acquireTarget } from './acquire-target.ts';
import { lateRun } from './bounds.ts';
import { decode } from './decode.ts';
import { settled } from './explain.ts';
import type { Call, Result } from './message.ts';
import { PolicyCheck } from './policy-check.ts';
import { failureText, fitBudget } from './present.ts';
import { maskedArgs } from './record.ts';
import { CallState } from './state.ts';
import { timeFor } from './times.ts';
import { type Input, validate } from './validate.ts';

export type { Call, Result } from './message.ts';

/** An answer in JSON is worth nothing when it is cut: it has this many characters, whatever the options say. */
const LONGEST_JSON = 200_000;

/** Runs a call. Never rejects: a failure is a result too. `oldNames` is the dialect whose tools native callers may use too. */
export const run = (
  server: Server,
  tools: readonly AnyTool[],
  call: Call,
  oldNames?: () => Promise<Dialect | undefined>,
): Promise<Result> => runCall(new CallState(server, tools, call, oldNames));

async function runCall(state: CallState): Promise<Result> {
  const { server, call } = state;
  const time = now();
  const started = performance.now();
  let answer: EncodedAnswer;
  try {
    await server.rules.rates.take(call.caller);
    answer = await answerTo(state);
  } catch (error) {
    const failure = state.encodeFailure(await state.explain(error));
    answer = { text: failureText(failure), data: undefined, pictures: [], failure };
  } finally {
    state.end();
  }
  const result = render(state, answer, Math.round(performance.now() - started));
  record(state, result, time);
  return result;
}

async function answerTo(state: CallState): Promise<EncodedAnswer> {
  const { server, call } = state;
  const decoded = await decode(state);
  const { tool } = decoded;
  Object.assign(state, { decoded, tool });
  const input = validate(tool, decoded.args, decoded.names);
  state.input = input;
  state.policy = new PolicyCheck(server, { ...decoded, call, input }, state.outer);
  await state.policy.beforeRun();
  let data: unknown;
  try {
    data = await runTool(state, tool, input);
  } catch (error) {
    const answer = await call.adapter?.tolerate(state, error);
    if (answer) return answer;
    throw error;
  }
  const text = tool.text(data, input);
  if (tool.effect !== 'read') state.tab?.events.emit('acted', tool.name, text);
  if (call.adapter) return call.adapter.encode(state, text, data);
  const wording = state.wording();
  return { text: inWording(text, wording), ...state.present(data, wording) };
}

async function runTool(state: CallState, tool: AnyTool, input: Input, isRetry = false): Promise<unknown> {
  const { options } = state.server;
  try {
    const target = tool.on === 'calls' ? innerCalls(state) : await acquireTarget(state, tool);
    // The tool's own time begins here: it is not spent in the queue, nor by the start of a browser.
    const ms = timeFor(tool, input, options, state.times(), state.decoded?.time);
    if (ms > options.timeoutCall) state.bounds.extend(ms);
    const limits = within(state.bounds, ms, () => lateRun(tool, ms, options));
    setMaxListeners(0, limits.signal);
    const refPrefix = state.answerIn?.refPrefix(state.session);
    const ofCaller = { caller: state.call.caller, ...(refPrefix !== undefined && { refPrefix }) };
    const running = tool.run(target, input, Object.assign(limits, ofCaller));
    return await settled(running, limits.signal).finally(() => limits.done());
  } catch (error) {
    // A read has done nothing: when the browser ends under it, it begins again with the new one.
    const mayRetry = tool.effect === 'read' && error instanceof Failure && error.code === 'browser_gone';
    if (!mayRetry || isRetry) throw error;
    state.turn?.end();
    return runTool(state, tool, input, true);
  }
}

/** Further calls of the same caller, in the same session. They end with the outer one, which holds no turn meanwhile. */
function innerCalls(outer: CallState): InnerCalls {
  const { server, oldNames, policy, bounds, decoded } = outer;
  const tools = outer.tools.filter(({ on }) => on !== 'calls');
  const home = decoded?.session === undefined ? {} : { session: decoded.session };
  const called = (name: string, args: Input): Call => ({
    name,
    args: { ...home, ...args },
    caller: outer.call.caller,
    signal: bounds.signal,
    ...(outer.answerIn && { answerIn: outer.answerIn }),
  });
  return {
    async check(name, args) {
      const call = called(name, args);
      const inner = await decode({ server, tools, call, oldNames });
      const input = validate(inner.tool, inner.args, inner.names);
      await new PolicyCheck(server, { ...inner, call, input }, policy).beforeRun();
    },
    send(name, args) {
      policy?.begin();
      return runCall(new CallState(server, tools, called(name, args), oldNames, policy));
    },
  };
}

function render(state: CallState, answer: EncodedAnswer, ms: number): Result {
  const { call, decoded, session, policy, input = {} } = state;
  const { text, data, pictures, failure, tolerated = false } = answer;
  // Beside a question nobody would read them; they stay for the next answer.
  const notes = policy?.ask ? [] : (session?.context.takeNotes() ?? []);
  const { max_chars: asked, max_output_size: bytes } = input;
  // A caller who names the size of a script's output gets it, and the words around it.
  const atLeast = typeof bytes === 'number' ? bytes + 1_000 : 0;
  const whole = decoded?.json ? LONGEST_JSON : 0;
  const budget = Math.max(whole, typeof asked === 'number' ? asked : Math.max(state.server.options.maxChars, atLeast));
  const canAskForMore = 'max_chars' in (state.tool?.input ?? {}) && !call.adapter?.strict;
  return {
    ok: !failure || tolerated,
    tool: call.name,
    ...(session && { session: session.name }),
    text: fitBudget(answer.print?.(notes) ?? [...notes, text].join('\n'), budget, canAskForMore),
    ...(data !== undefined && { data }),
    ...(decoded?.json && notes.length > 0 && { notes }),
    ...(failure && { failure: { code: failure.code, message: failure.message, ...hintAndRule(failure) } }),
    ...(policy?.ask && { ask: policy.ask }),
    pictures,
    ms,
  };
}

const hintAndRule = ({ hint, rule }: Failure) => ({
  ...(hint !== undefined && { hint }),
  ...(rule !== undefined && { rule }),
});

function record({ server, call, tool, decoded, policy }: CallState, result: Result, time: string): void {
  const { session, ms, text, failure } = result;
  server.journal.write({
    time,
    caller: call.caller.id,
    ...(session !== undefined && { session }),
    tool: tool?.name ?? call.name.slice(0, 64),
    args: maskedArgs(tool, decoded?.args ?? call.args),
    ms,
    ok: !failure,
    ...(failure && { code: failure.code }),
    ...(failure?.rule !== undefined && { rule: failure.rule }),
    ...policy?.ruled,
    chars: text.length,
  });
}
