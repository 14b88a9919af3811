// The path of one call: translate, validate, decide, queue, run, record, present. Straight down and straight back.
import { setMaxListeners } from 'node:events';
import type { Options } from '../config/options.ts';
import { within } from '../engine/limits.ts';
import type { Tab } from '../engine/tab/tab.ts';
import { Failure } from '../errors.ts';
import { now } from '../session/journal.ts';
import type { Server } from '../session/server.ts';
import type { Session } from '../session/session.ts';
import type { AnyTool, InnerCalls } from '../tools/tool.ts';
import { checkAddresses } from './addresses.ts';
import { type Answer, answerOf, lenientAnswer, spokenIn } from './answer.ts';
import { type Bounds, boundCall, lateRun, lateStart } from './bounds.ts';
import { Gate } from './gate.ts';
import { explain, ownAnswer } from './late.ts';
import { shownTo } from './manners.ts';
import type { Call, Result } from './message.ts';
import { failureText, fitBudget } from './present.ts';
import { type Doors, reach, type Way } from './reach.ts';
import { maskedArgs } from './record.ts';
import { refsOf, sayFailure } from './speak.ts';
import { timeFor, timesOf } from './times.ts';
import { type ToolIndex, translate } from './translate.ts';
import { type Input, validate } from './validate.ts';

export type { Call, Result } from './message.ts';
export type { ToolIndex } from './translate.ts';

/** An answer in JSON is worth nothing when it is cut: it has this many characters, whatever the options say. */
const LONGEST_JSON = 200_000;

/** Never rejects: a failure is a result too. */
export const run = (server: Server, table: ToolIndex, call: Call): Promise<Result> => carry(server, table, call);

/** `outer` is the gate of the batch that the call stands in. */
async function carry(server: Server, table: ToolIndex, call: Call, outer?: Gate): Promise<Result> {
  const time = now();
  const started = performance.now();
  const way: Way = {};
  const bounds = bound(server, call, way);
  const beat = heartbeat(call, bounds);
  let answer: Answer;
  try {
    await server.rules.rates.take(call.caller);
    answer = await descend(server, table, call, way, bounds, outer);
  } catch (error) {
    const failure = sayFailure(spokenIn({ call, way }), way.tool, await explain(error, way.tab, server.log));
    answer = { text: failureText(failure), data: undefined, pictures: [], failure };
  } finally {
    clearInterval(beat);
    way.turn?.end();
    bounds.done();
  }
  const result = present(server, call, way, answer, Math.round(performance.now() - started));
  record(server, call, way, result, time);
  return result;
}

/** A caller that asked for progress hears every second that the call lives; many clients then wait longer. */
function heartbeat(call: Call, bounds: Bounds): NodeJS.Timeout | undefined {
  if (!call.progress) return undefined;
  let seconds = 0;
  return setInterval(() => bounds.progress({ done: ++seconds, message: `${call.name}: ${seconds} s` }), 1_000).unref();
}

function bound(server: Server, call: Call, way: Way): Bounds {
  const most = server.options.timeoutCall;
  const late = () => {
    const hasBegun = way.turn !== undefined || way.tool?.on === 'calls';
    return way.tool && hasBegun ? lateRun(way.tool, most, server.options) : lateStart(call.name, most);
  };
  return boundCall(
    { most, late, cancel: call.signal, ending: server.ending },
    step => call.progress?.(step),
    () => way.turn?.waiting(),
  );
}

async function descend(
  server: Server,
  table: ToolIndex,
  call: Call,
  way: Way,
  bounds: Bounds,
  outer: Gate | undefined,
): Promise<Answer> {
  const shown = shownTo(server, call);
  const { tool, args, session, mustExist, window, naming, row } = translate(
    table,
    call.name,
    call.args,
    call.dialect,
    shown,
  );
  Object.assign(way, { tool, args, window, row });
  way.input = validate(tool, args, naming);
  const gate = new Gate(server, { call, tool, args, input: way.input, session }, outer);
  way.gate = gate;
  await gate.enter();
  checkAddresses(call, server, tool, way.input);
  const doors: Doors = {
    call,
    gate,
    session: () => server.session(session, call.caller, mustExist),
    calls: () => inner(server, table, call, session, gate, bounds),
  };
  const scene = { server, table, call, way, bounds };
  try {
    return await answerOf({ ...scene, data: await attemptTwice(server, tool, doors, way.input, way, bounds) });
  } catch (error) {
    const answer = await lenientAnswer(scene, error);
    if (!answer) throw error;
    return answer;
  }
}

async function attemptTwice(server: Server, tool: AnyTool, doors: Doors, input: Input, way: Way, bounds: Bounds) {
  try {
    return await attempt(server, tool, doors, input, way, bounds);
  } catch (error) {
    // A read has done nothing: when the browser ends under it, it begins again with the new one.
    if (tool.effect !== 'read' || !(error instanceof Failure) || error.code !== 'browser_gone') throw error;
    way.turn?.end();
    return attempt(server, tool, doors, input, way, bounds);
  }
}

/** Further calls of the same caller, in the same session. They end with the outer one, which holds no turn meanwhile. */
function inner(
  server: Server,
  table: ToolIndex,
  outer: Call,
  session: string | undefined,
  gate: Gate,
  { signal }: Bounds,
): InnerCalls {
  const leaves = table.filter(({ on }) => on !== 'calls');
  const home = session === undefined ? {} : { session };
  const called = (name: string, args: Input): Call => ({
    name,
    args: { ...home, ...args },
    caller: outer.caller,
    signal,
    ...(outer.dialect !== undefined && { answerIn: outer.dialect }),
  });
  return {
    async check(name, args) {
      const call = called(name, args);
      const { naming, ...one } = translate(leaves, name, call.args);
      const input = validate(one.tool, one.args, naming);
      await new Gate(server, { ...one, call, input }, gate).enter();
    },
    send(name, args) {
      gate.begin();
      return carry(server, leaves, called(name, args), gate);
    },
  };
}

async function attempt(server: Server, tool: AnyTool, doors: Doors, input: Input, way: Way, bounds: Bounds) {
  const place = await reach(server, tool, doors, way, bounds);
  const ms = timeFor(tool, input, server.options, timesOf(doors.call, server.options, way.tab), way.row);
  return perform(tool, place, doors.call, way.session, input, bounds, ms, server.options);
}

/** The tool's own time begins here: it is not spent in the queue, nor by the start of a browser. */
async function perform(
  tool: AnyTool,
  place: Tab | Session | Server | InnerCalls,
  { caller, dialect, answerIn = dialect }: Call,
  session: Session | undefined,
  input: Input,
  bounds: Bounds,
  ms: number,
  options: Options,
) {
  if (ms > options.timeoutCall) bounds.extend(ms);
  const limits = within(bounds, ms, () => lateRun(tool, ms, options));
  setMaxListeners(0, limits.signal);
  try {
    return await ownAnswer(
      tool.run(place, input, Object.assign(limits, { caller, ...refsOf(answerIn, session) })),
      limits.signal,
    );
  } finally {
    limits.done();
  }
}

function present({ options }: Server, call: Call, way: Way, answer: Answer, ms: number): Result {
  const { text, data, pictures, failure, lenient = false } = answer;
  // Beside a question nobody would read them; they stay for the next answer.
  const notes = way.gate?.ask ? [] : (way.session?.context.takeNotes() ?? []);
  const { max_chars: asked, max_output_size: bytes } = way.input ?? {};
  // A caller who names the size of a script's output gets it, and the words around it.
  const atLeast = typeof bytes === 'number' ? bytes + 1_000 : 0;
  const whole = way.row?.gives === undefined ? 0 : LONGEST_JSON;
  const budget = Math.max(whole, typeof asked === 'number' ? asked : Math.max(options.maxChars, atLeast));
  return {
    ok: !failure || lenient,
    tool: call.name,
    ...(way.session && { session: way.session.name }),
    text: fitBudget(
      answer.print?.(notes) ?? [...notes, text].join('\n'),
      budget,
      'max_chars' in (way.tool?.input ?? {}) && !way.row,
    ),
    ...(data !== undefined && { data }),
    ...(way.row?.gives !== undefined && notes.length > 0 && { notes }),
    ...(failure && { failure: { code: failure.code, message: failure.message, ...moreOf(failure) } }),
    ...(way.gate?.ask && { ask: way.gate.ask }),
    pictures,
    ms,
  };
}

const moreOf = ({ hint, rule }: Failure) => ({
  ...(hint !== undefined && { hint }),
  ...(rule !== undefined && { rule }),
});

function record(server: Server, call: Call, way: Way, result: Result, time: string): void {
  const { session, ms, text, failure } = result;
  server.journal.write({
    time,
    caller: call.caller.id,
    ...(session !== undefined && { session }),
    tool: way.tool?.name ?? call.name.slice(0, 64),
    args: maskedArgs(way.tool, way.args ?? call.args),
    ms,
    ok: !failure,
    ...(failure && { code: failure.code }),
    ...(failure?.rule !== undefined && { rule: failure.rule }),
    ...way.gate?.ruled,
    chars: text.length,
  });
}
