// Reach: what run() is given, when its turn has come, and if it may act on the page that is there.
import type { Row } from '../dialects/dialect.ts';
import { type Limits, under, within } from '../engine/limits.ts';
import { lastInWindow } from '../engine/tab/list-tabs.ts';
import type { Tab } from '../engine/tab/tab.ts';
import type { Turn, TurnKind } from '../session/queue.ts';
import type { Server } from '../session/server.ts';
import type { Session } from '../session/session.ts';
import type { AnyTool, InnerCalls } from '../tools/tool.ts';
import { checkPage } from './addresses.ts';
import { type Bounds, lateTab } from './bounds.ts';
import type { Gate } from './gate.ts';
import { checkSelected, meetDialogs, openPage } from './manners.ts';
import type { Call } from './message.ts';
import { startTime } from './times.ts';
import type { Input } from './validate.ts';

/** How far a call has come: what must be told and given back, however it ends. */
export interface Way {
  tool?: AnyTool;
  /** As our tool takes them. */
  args?: Input;
  /** The window whose tab is meant when no tab is named. */
  window?: number | undefined;
  input?: Input;
  /** Of a strict dialect. */
  row?: Row | undefined;
  gate?: Gate;
  session?: Session;
  turn?: Turn;
  tab?: Tab;
}

/** Ways to what run() is given, and who keeps them. */
export interface Doors {
  call: Call;
  gate: Gate;
  session(): Session | Promise<Session>;
  calls(): InnerCalls;
}

const kindOf = ({ free, effect }: AnyTool): TurnKind => (free ? 'free' : effect === 'read' ? 'read' : 'write');

/** What run() is given, when its turn in the session has come. */
export async function reach(server: Server, tool: AnyTool, doors: Doors, way: Way, bounds: Bounds) {
  if (tool.on === 'server') return server;
  if (tool.on === 'calls') return doors.calls();
  const session = await doors.session();
  way.session = session;
  way.turn = await session.turn(kindOf(tool), bounds);
  const time = startTime(doors.call, server.options);
  if (tool.on === 'tab') return reachTab(server, session, tool, doors, way, bounds, time);
  // Of a session that was kept, the tabs come back first; an attached browser has its own.
  if (session.context.kind.keeper?.isPending || session.context.isAttached)
    await preparing(bounds, time, limits => session.context.open(limits));
  await preparing(bounds, time, limits => openPage(doors.call, session, limits));
  admit(server, tool, doors, way, tool.onPage ? pageOf(session, way.input ?? {}) : undefined);
  return session;
}

/** The page is known now: it may be one that the call must not act on. */
function admit(server: Server, tool: AnyTool, { call, gate }: Doors, way: Way, page: string | undefined): void {
  gate.onPage(page);
  checkPage(call, server, tool, way.input ?? {}, page);
}

/** For a tool on the session that acts on the page of one of its tabs. */
const pageOf = ({ context }: Session, { tabId }: Input): string | undefined =>
  (typeof tabId === 'number' ? context.tabs.get(tabId) : context.active)?.url;

/** May start a browser or open lost pages again, so it has the time of a navigation. */
async function preparing<T>(bounds: Bounds, ms: number, prepare: (limits: Limits) => Promise<T>): Promise<T> {
  const limits = within(bounds, ms, () => lateTab(ms));
  try {
    return await under(limits.signal, prepare(limits));
  } finally {
    limits.done();
  }
}

async function reachTab(
  server: Server,
  session: Session,
  tool: AnyTool,
  doors: Doors,
  way: Way,
  bounds: Bounds,
  time: number,
): Promise<Tab> {
  if (way.input?.tabId === undefined) checkSelected(doors.call, session);
  const tab = await preparing(bounds, time, async limits => {
    const found = await session.context.tab(await wantedTab(session, way, limits), limits, tool.evenStuck);
    limits.signal.throwIfAborted();
    way.tab = found;
    // Before anything is done to the page, or told of it.
    admit(server, tool, doors, way, found.url);
    await meetDialogs(doors.call, found, limits);
    meanFrame(tool, way, found);
    return found;
  });
  if (!tool.despiteDialog) tab.checkDialog();
  return tab;
}

/** A call that names no frame means the one that was chosen for the tab. */
function meanFrame({ input: takes }: AnyTool, { input }: Way, { frame }: Tab): void {
  if (input && frame !== 0 && 'frameId' in takes) input.frameId ??= frame;
}

async function wantedTab(session: Session, { input, window }: Way, limits: Limits): Promise<number | undefined> {
  if (typeof input?.tabId === 'number') return input.tabId;
  return window === undefined ? undefined : (await lastInWindow(session.context, window, limits)).id;
}
