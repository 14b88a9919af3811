// The path of one call: translate, validate, decide, queue, run, record, present. Straight down and straight back.
import { setMaxListeners } from 'node:events';
import type { Options } from '../config/options.ts';
import { type Limits, type Progress, under, within } from '../engine/limits.ts';
import type { Tab } from '../engine/tab.ts';
import { lastInWindow } from '../engine/tabs.ts';
import type { Picture } from '../engine/values.ts';
import { type Code, Failure } from '../errors.ts';
import { decide } from '../policy/decide.ts';
import { maskArgs, TYPED } from '../policy/mask.ts';
import { now } from '../session/journal.ts';
import type { Turn, TurnKind } from '../session/queue.ts';
import type { Caller, Server } from '../session/server.ts';
import type { Session } from '../session/session.ts';
import type { AnyTool, Calls } from '../tools/tool.ts';
import { type Bounds, boundCall, lateRun, lateStart, lateTab, timeFor } from './bounds.ts';
import { explain, ownAnswer } from './late.ts';
import { failureText, fitBudget, type Structured, takePictures } from './present.ts';
import { sayData, sayFailure, sayText } from './speak.ts';
import { type ToolIndex, translate } from './translate.ts';
import { type Input, validate } from './validate.ts';

export type { ToolIndex } from './translate.ts';

export interface Call {
  name: string;
  args: unknown;
  /** In whose words the caller is answered; in ours when left out. */
  dialect?: Options['dialect'];
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
  /** As our tool takes them. */
  args?: Input;
  /** The window whose tab is meant when no tab is named. */
  window?: number | undefined;
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
    const failure = sayFailure(call, way.tool, await explain(error, way.tab, server.log));
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

async function descend(server: Server, table: ToolIndex, call: Call, way: Way, bounds: Bounds): Promise<Answer> {
  const { tool, args, session, window, naming } = translate(table, call.name, call.args, call.dialect);
  Object.assign(way, { tool, args, window });
  way.input = validate(tool, args, naming);
  permit(tool);
  const doors: Doors = {
    session: () => server.session(session, call.caller),
    calls: () => inner(server, table, call, session, bounds),
  };
  const data = await attempt(server, tool, doors, way.input, way, bounds).catch(error => {
    // A read has done nothing: when the browser ends under it, it begins again with the new one.
    if (tool.effect !== 'read' || !(error instanceof Failure) || error.code !== 'browser_gone') throw error;
    way.turn?.end();
    return attempt(server, tool, doors, way.input ?? {}, way, bounds);
  });
  const text = tool.text(data, way.input);
  if (tool.effect !== 'read') way.tab?.events.emit('acted', tool.name, text);
  const { data: facts, pictures } = takePictures(data);
  return { text: sayText(call, tool, text), data: sayData(call, tool, facts), pictures };
}

/** Ways to what run() is given. */
interface Doors {
  session(): Session;
  calls(): Calls;
}

/** Further calls of the same caller, in the same session. They end with the outer one, which holds no turn meanwhile. */
function inner(server: Server, table: ToolIndex, outer: Call, session: string | undefined, { signal }: Bounds): Calls {
  const leaves = table.filter(({ on }) => on !== 'calls');
  const home = session === undefined ? {} : { session };
  return {
    check(name, args) {
      const translated = translate(leaves, name, args);
      validate(translated.tool, translated.args, translated.naming);
    },
    send: (name, args) => run(server, leaves, { name, args: { ...home, ...args }, caller: outer.caller, signal }),
  };
}

async function attempt(server: Server, tool: AnyTool, doors: Doors, input: Input, way: Way, bounds: Bounds) {
  const place = await reach(server, tool, doors, way, bounds);
  return perform(tool, place, input, bounds, server.options);
}

function permit({ name, effect }: AnyTool): void {
  const decision = decide(effect);
  if (!decision.allow) throw new Failure('refused', `${name} is refused: rule "${decision.rule}".`);
}

const kindOf = ({ free, effect }: AnyTool): TurnKind => (free ? 'free' : effect === 'read' ? 'read' : 'write');

/** What run() is given, when its turn in the session has come. */
async function reach(server: Server, tool: AnyTool, doors: Doors, way: Way, bounds: Bounds) {
  if (tool.on === 'server') return server;
  if (tool.on === 'calls') return doors.calls();
  const session = doors.session();
  way.session = session;
  way.turn = await session.queue.turn(kindOf(tool), bounds.signal);
  return tool.on === 'session' ? session : reachTab(session, tool, way, bounds, server.options);
}

/** May start a browser or open lost pages again, so it has the time of a navigation. */
async function reachTab(session: Session, tool: AnyTool, way: Way, bounds: Bounds, options: Options): Promise<Tab> {
  const limits = within(bounds, options.timeoutNavigation, () => lateTab(options.timeoutNavigation));
  try {
    const wanted = await wantedTab(session, way, limits);
    way.tab = await under(limits.signal, session.context.tab(wanted, limits));
  } finally {
    limits.done();
  }
  if (!tool.despiteDialog) way.tab.checkDialog();
  return way.tab;
}

async function wantedTab(session: Session, { input, window }: Way, limits: Limits): Promise<number | undefined> {
  if (typeof input?.tabId === 'number') return input.tabId;
  return window === undefined ? undefined : (await lastInWindow(session.context, window, limits)).id;
}

/** The tool's own time begins here: it is not spent in the queue, nor by the start of a browser. */
async function perform(
  tool: AnyTool,
  place: Tab | Session | Server | Calls,
  input: Input,
  bounds: Bounds,
  options: Options,
) {
  const ms = timeFor(tool, input, options);
  if (ms > options.timeoutCall) bounds.extend(ms);
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
  const { max_chars: asked, max_output_size: bytes } = way.input ?? {};
  // A caller who names the size of a script's output gets it, and the words around it.
  const atLeast = typeof bytes === 'number' ? bytes + 1_000 : 0;
  const budget = typeof asked === 'number' ? asked : Math.max(options.maxChars, atLeast);
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
  const args = way.args ?? call.args;
  const names = Object.keys(Object(args));
  const input = way.tool?.input ?? {};
  // An argument that the tool does not know may be a secret under a wrong name.
  const secret = [...(TYPED[way.tool?.name ?? ''] ?? []), ...names.filter(name => !(name in input))];
  server.journal.write({
    time,
    caller: call.caller.id,
    ...(session !== undefined && { session }),
    tool: way.tool?.name ?? call.name.slice(0, 64),
    args: maskArgs(args, secret),
    ms,
    ok,
    ...(failure && { code: failure.code }),
    chars: text.length,
  });
}
