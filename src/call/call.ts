// The path of one call: decode, validate, check the policy, queue, acquire the tab, run, render, record. Straight down and straight back.
import { setMaxListeners } from 'node:events';
import type { Options } from '../config/options.ts';
import { defined } from '../defined.ts';
import type { EncodedAnswer } from '../dialects/dialect.ts';
import { within } from '../engine/limits.ts';
import { BrowserJustEnded } from '../engine/tab/recovery.ts';
import { Failure } from '../errors.ts';
import { visible } from '../policy/foreign-text.ts';
import { foldersOf } from '../session/callers.ts';
import { now } from '../session/journal.ts';
import { inWording } from '../text.ts';
import type { InnerCalls } from '../tools/tool.ts';
import { acquireTarget } from './acquire-target.ts';
import { lateRun, timeFor } from './bounds.ts';
import { decode } from './decode.ts';
import { settled } from './explain.ts';
import { tellBegun, tellEnded } from './follow.ts';
import type { Call, CallHost, Result } from './message.ts';
import { PolicyCheck } from './policy-check.ts';
import { failureText, fitBudget, toldFailure } from './present.ts';
import { hidesText, maskedArgs } from './shown-arguments.ts';
import { CallState, type Prepared } from './state.ts';
import { validate } from './validate.ts';

export type { Call, Result } from './message.ts';

/** An answer in JSON is worth nothing when it is cut: it has this many characters, whatever the options say. */
const LONGEST_JSON = 200_000;

/** Runs a call. Never rejects: a failure is a result too. A step of a batch has its batch's check, and comes prepared. */
export async function run(host: CallHost, call: Call, outer?: PolicyCheck, prepared?: Prepared): Promise<Result> {
  const state = new CallState(host, call);
  const time = now();
  const started = performance.now();
  let answer: EncodedAnswer;
  try {
    await host.server.rules.rates.take(call.caller);
    const loading = host.server.secrets.load(host.server.log);
    if (loading) await loading;
    answer = await answerTo(state, prepared ?? (await prepare(host, call, outer, state.known)));
  } catch (error) {
    const failure = toldFailure(state.encodeFailure(await state.explain(error)));
    answer = { text: failureText(failure), data: undefined, pictures: [], failure };
  } finally {
    state.end();
  }
  const result = render(state, answer, Math.round(performance.now() - started));
  record(state, result, time);
  tellEnded(state, result);
  return result;
}

/** What can be said before anything is done: is the call right, and may it run? `known` has how far that went. */
async function prepare(
  host: CallHost,
  call: Call,
  outer?: PolicyCheck,
  known: Partial<Prepared> = {},
): Promise<Prepared> {
  const decoded = await decode(host, call);
  known.decoded = decoded;
  const input = validate(decoded.tool, decoded.args, decoded.names);
  const policy = new PolicyCheck(host.server, { ...decoded, call, input }, outer);
  Object.assign(known, { input, policy });
  await policy.beforeRun();
  return { decoded, input, policy };
}

async function answerTo(state: CallState, prepared: Prepared): Promise<EncodedAnswer> {
  state.known = prepared;
  const { adapter } = state.call;
  const {
    input,
    decoded: { tool },
  } = prepared;
  let data: unknown;
  try {
    data = await runTool(state, prepared);
  } catch (error) {
    const answer = await adapter?.tolerate(state, error);
    if (answer) return answer;
    throw error;
  }
  const text = tool.text(data, input);
  if (tool.effect !== 'read') state.tab?.events.emit('acted', tool.captioned ? text : tool.name);
  if (adapter) return adapter.encode(state, text, data);
  const wording = state.wording();
  return { text: inWording(text, wording), ...state.present(data, wording) };
}

/** When the browser has ended before anything was done, the call begins again with the new one: once. */
async function runTool(state: CallState, prepared: Prepared): Promise<unknown> {
  try {
    return await runOnce(state, prepared);
  } catch (error) {
    const isRead = prepared.decoded.tool.effect === 'read';
    const isLost =
      error instanceof BrowserJustEnded || (isRead && error instanceof Failure && error.code === 'browser_gone');
    if (!isLost) throw error;
    await state.session?.context.dropEnded();
    return runOnce(state, prepared);
  }
}

async function runOnce(state: CallState, { decoded: { tool, time }, input }: Prepared): Promise<unknown> {
  const { options } = state.server;
  const target = tool.on === 'calls' ? innerCalls(state) : await acquireTarget(state, tool, input);
  tellBegun(state);
  // The tool's own time begins here: it is not spent in the queue, nor by the start of a browser.
  const times = state.times();
  const ms = timeFor(tool, input, options, times, time);
  if (ms > options.timeoutCall) state.bounds.extend(ms);
  const limits = within(state.bounds, ms, () => lateRun(tool, ms, options));
  setMaxListeners(0, limits.signal);
  const { caller } = state.call;
  const { judge } = state.known.policy ?? {};
  const refPrefix = state.answerIn?.refPrefix(state.session);
  const isAsked = input.timeout !== undefined;
  const targetTime = isAsked ? undefined : times.action;
  const loadTime = isAsked || tool.time !== 'navigation' ? undefined : times.load;
  const { secrets } = state;
  const folders = foldersOf(caller.id, options, state.call.workFolder);
  // Dialects keep the answers of the servers whose names they speak.
  const asked = input.receipt as Options['receipt'] | undefined;
  const receipt = state.answerIn || !('receipt' in tool.input) ? undefined : (asked ?? options.receipt);
  const ofCaller = defined({ caller, folders, judge, secrets, refPrefix, receipt, targetTime, loadTime });
  if (state.session && state.known.policy?.effect !== 'read') state.session.deeds++;
  const running = tool.run(target, input, Object.assign(limits, ofCaller));
  return await settled(running, limits.signal).finally(() => limits.done());
}

/** Further calls of the same caller, in the same session. They end with the outer one, which holds no turn meanwhile. */
function innerCalls({
  host,
  call: { caller, workFolder },
  known: { policy, decoded },
  bounds,
  answerIn,
}: CallState): InnerCalls {
  const inner = { ...host, tools: host.tools.filter(({ on }) => on !== 'calls') };
  const home = defined({ session: decoded?.session });
  return {
    async prepare(name, args) {
      const call: Call = defined({
        name,
        args: { ...home, ...args },
        caller,
        workFolder,
        signal: bounds.signal,
        answerIn,
      });
      const prepared = await prepare(inner, call, policy);
      return () => {
        policy?.begin();
        return run(inner, call, policy, prepared);
      };
    },
  };
}

function render(state: CallState, answer: EncodedAnswer, ms: number): Result {
  const {
    call,
    session,
    known: { decoded, policy, input = {} },
  } = state;
  const { text, data, pictures, failure, tolerated = false } = answer;
  // Beside a question nobody would read them; they stay for the next answer.
  const notes = policy?.ask ? [] : notesOf(state);
  const { max_chars: asked, max_output_size: bytes } = input;
  // A caller who names the size of a script's output gets it, and the words around it.
  const atLeast = typeof bytes === 'number' ? bytes + 1_000 : 0;
  const least = decoded?.json ? LONGEST_JSON : 0;
  const budget = Math.max(least, typeof asked === 'number' ? asked : Math.max(state.server.options.maxChars, atLeast));
  const canAskForMore = 'max_chars' in (decoded?.tool.input ?? {}) && !call.adapter?.strict;
  const { mask } = state.secrets;
  const isApart = call.commandLine === true;
  const within = isApart ? [] : notes;
  const whole = answer.print?.(within) ?? [...within, text].join('\n');
  const told = defined({
    data,
    notes: (isApart || decoded?.json) && notes.length > 0 ? notes : undefined,
    failure:
      failure && defined({ code: failure.code, message: failure.message, hint: failure.hint, rule: failure.rule }),
    ask: policy?.ask,
  });
  return defined({
    ok: !failure || tolerated,
    tool: call.name,
    session: session && state.server.sessions.nameFor(session.name, call.caller),
    // Before anything is cut off: half of a secret would not be known as one.
    text: fitBudget(visible(mask?.text(whole) ?? whole), budget, canAskForMore),
    ...(mask?.data(told) ?? told),
    pictures,
    ms,
    hasTyped: isApart ? hidesText(decoded?.tool, decoded?.args ?? call.args) : undefined,
  });
}

function notesOf({ server, session, call: { caller } }: CallState): string[] {
  if (!session) return [];
  const joined = session.joinedBy(caller, server.sessions.nameFor(session.name, caller));
  return [...(joined === undefined ? [] : [joined]), ...session.context.takeNotes()];
}

function record(
  { server, call, session: used, known: { decoded, policy } }: CallState,
  result: Result,
  time: string,
): void {
  const { ms, text, failure } = result;
  const session = used?.name;
  server.journal.write({
    ...defined({ time, caller: call.caller.id, session, tool: decoded?.tool.name ?? call.name.slice(0, 64) }),
    args: maskedArgs(decoded?.tool, decoded?.args ?? call.args),
    ms,
    ok: !failure,
    ...defined({ code: failure?.code, rule: failure?.rule }),
    ...policy?.ruled,
    chars: text.length,
  });
}
