// The path of one call: translate, validate, decide, queue, run, record, present. Straight down and straight back.
import { setMaxListeners } from 'node:events';
import type { Options } from '../config/options.ts';
import { type Progress, under, within } from '../engine/limits.ts';
import type { Tab } from '../engine/tab.ts';
import type { Picture } from '../engine/values.ts';
import { type Code, Failure } from '../errors.ts';
import { decide } from '../policy/decide.ts';
import { maskArgs, TYPED } from '../policy/mask.ts';
import { now } from '../session/journal.ts';
import type { Turn, TurnKind } from '../session/queue.ts';
import type { Caller, Server } from '../session/server.ts';
import type { Session } from '../session/session.ts';
import type { AnyTool } from '../tools/tool.ts';
import { type Bounds, boundCall, lateRun, lateStart, lateTab, timeFor } from './bounds.ts';
import { explain, ownAnswer } from './late.ts';
import { failureText, fitBudget, type Structured, takePictures } from './present.ts';
import { type ToolIndex, translate } from './translate.ts';
import { type Input, validate } from './validate.ts';

export type { ToolIndex } from './translate.ts';

export interface Call {
  name: string;
  args: unknown;
  caller: Caller;
  signal?: AbortSignal;
  progress?: (step: Progress) => void;
}

export interface Result {
  ok: boolean;
  tool: string;
  session?: string;
  text: string;
  data?: unknown;
  failure?: { code: Code; message: string; hint?: string };
  pictures: Picture[];
  ms: number;
}

/** How far a call has come: what must be told and given back, however it ends. */
interface Way {
  tool?: AnyTool;
  input?: Input;
  session?: Session;
  turn?: Turn;
  tab?: Tab;
}

interface Answer extends Structured {
  text: string;
  failure?: Failure;
}

/** Never rejects: a failure is a result too. */
export async function run(server: Server, table: ToolIndex, call: Call): Promise<Result> {
  const time = now();
  const started = performance.now();
  const way: Way = {};
  const bounds = bound(server, call, way);
  const beat = heartbeat(call, bounds);
  let answer: Answer;
  try {
    answer = await descend(server, table, call, way, bounds);
  } catch (error) {
    const failure = await explain(error, way.tab, server.log);
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
  const late = () => (way.tool && way.turn ? lateRun(way.tool, most, server.options) : lateStart(call.name, most));
  return boundCall(
    { most, late, cancel: call.signal, ending: server.ending },
    step => call.progress?.(step),
    () => way.turn?.waiting(),
  );
}

async function descend(server: Server, table: ToolIndex, call: Call, way: Way, bounds: Bounds): Promise<Answer> {
  const { tool, args, session } = translate(table, call.name, call.args);
  way.tool = tool;
  way.input = validate(tool, args);
  permit(tool);
  const open = () => server.session(session, call.caller);
  const data = await attempt(server, tool, open, way.input, way, bounds).catch(error => {
    // A read has done nothing: when the browser ends under it, it begins again with the new one.
    if (tool.effect !== 'read' || !(error instanceof Failure) || error.code !== 'browser_gone') throw error;
    way.turn?.end();
    return attempt(server, tool, open, way.input ?? {}, way, bounds);
  });
  return { text: tool.text(data, way.input), ...takePictures(data) };
}

async function attempt(server: Server, tool: AnyTool, open: () => Session, input: Input, way: Way, bounds: Bounds) {
  const place = await reach(server, tool, open, way, bounds);
  return perform(tool, place, input, bounds, server.options);
}

function permit({ name, effect }: AnyTool): void {
  const decision = decide(effect);
  if (!decision.allow) throw new Failure('refused', `${name} is refused: rule "${decision.rule}".`);
}

const kindOf = ({ free, effect }: AnyTool): TurnKind => (free ? 'free' : effect === 'read' ? 'read' : 'write');

/** What run() is given, when its turn in the session has come. */
async function reach(server: Server, tool: AnyTool, open: () => Session, way: Way, bounds: Bounds) {
  if (tool.on === 'server') return server;
  const session = open();
  way.session = session;
  way.turn = await session.queue.turn(kindOf(tool), bounds.signal);
  return tool.on === 'session' ? session : reachTab(session, tool, way, bounds, server.options);
}

/** May start a browser or open lost pages again, so it has the time of a navigation. */
async function reachTab(session: Session, tool: AnyTool, way: Way, bounds: Bounds, options: Options): Promise<Tab> {
  const tabId = way.input?.tabId;
  const wanted = typeof tabId === 'number' ? tabId : undefined;
  const limits = within(bounds, options.timeoutNavigation, () => lateTab(options.timeoutNavigation));
  try {
    way.tab = await under(limits.signal, session.context.tab(wanted, limits));
  } finally {
    limits.done();
  }
  if (!tool.despiteDialog) way.tab.checkDialog();
  return way.tab;
}

/** The tool's own time begins here: it is not spent in the queue, nor by the start of a browser. */
async function perform(tool: AnyTool, place: Tab | Session | Server, input: Input, bounds: Bounds, options: Options) {
  const ms = timeFor(tool, input, options);
  const limits = within(bounds, ms, () => lateRun(tool, ms, options));
  setMaxListeners(0, limits.signal);
  try {
    return await ownAnswer(tool.run(place, input, limits), limits.signal);
  } finally {
    limits.done();
  }
}

function present({ options }: Server, call: Call, way: Way, answer: Answer, ms: number): Result {
  const { text, data, pictures, failure } = answer;
  const notes = way.session?.context.takeNotes() ?? [];
  const asked = way.input?.max_chars;
  const budget = typeof asked === 'number' ? asked : options.maxChars;
  return {
    ok: !failure,
    tool: call.name,
    ...(way.session && { session: way.session.name }),
    text: fitBudget([...notes, text].join('\n'), budget, 'max_chars' in (way.tool?.input ?? {})),
    ...(data !== undefined && { data }),
    ...(failure && { failure: { code: failure.code, message: failure.message, ...hintOf(failure) } }),
    pictures,
    ms,
  };
}

const hintOf = ({ hint }: Failure) => (hint === undefined ? {} : { hint });

function record(server: Server, call: Call, way: Way, result: Result, time: string): void {
  const { ok, session, ms, text, failure } = result;
  const names = Object.keys(Object(call.args));
  const input = way.tool?.input ?? {};
  // An argument that the tool does not know may be a secret under a wrong name.
  const secret = [...(TYPED[way.tool?.name ?? ''] ?? []), ...names.filter(name => !(name in input))];
  server.journal.write({
    time,
    caller: call.caller.id,
    ...(session !== undefined && { session }),
    tool: call.name.slice(0, 64),
    args: maskArgs(call.args, secret),
    ms,
    ok,
    ...(failure && { code: failure.code }),
    chars: text.length,
  });
}
