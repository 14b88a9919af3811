// Acquires what run() is given (a tab, a session, the server) when its turn has come, if it may act on the page that is there.
import { type Limits, under, within } from '../engine/limits.ts';
import { lastInWindow } from '../engine/tab/list-tabs.ts';
import type { Tab } from '../engine/tab/tab.ts';
import type { TurnKind } from '../session/queue.ts';
import type { Server } from '../session/server.ts';
import type { Session } from '../session/session.ts';
import type { AnyTool } from '../tools/tool.ts';
import { lateTab } from './bounds.ts';
import type { CallState } from './state.ts';
import type { Input } from './validate.ts';

const turnKind = ({ free, effect }: AnyTool): TurnKind => (free ? 'free' : effect === 'read' ? 'read' : 'write');

export async function acquireTarget(state: CallState, tool: AnyTool, input: Input): Promise<Tab | Session | Server> {
  const {
    server,
    call,
    known: { decoded },
  } = state;
  if (tool.on === 'server') return server;
  const session = await server.session(decoded?.session, call.caller, decoded?.mustExist);
  state.session = session;
  const acts = tool.effect !== 'read';
  // Without a lease nothing is waited for: calls take their turns in the order in which they came.
  if (acts && session.lease.state) await session.lease.free(state.bounds.signal);
  if (acts) session.context.renewShares();
  // A call that begins again keeps its turn.
  state.turn ??= await session.turn(turnKind(tool), state.bounds);
  if (acts) session.lease.checkFree();
  return tool.on === 'tab' ? acquireTab(state, tool, input, session) : acquireSession(state, tool, input, session);
}

async function acquireSession(state: CallState, tool: AnyTool, input: Input, session: Session): Promise<Session> {
  const { context } = session;
  const { adapter } = state.call;
  // Of a session that was kept, the tabs come back first; an attached browser has its own.
  if (context.kind.sessionState?.isPending || context.isAttached)
    await preparing(state, limits => context.open(limits));
  if (adapter?.beforeSession) await preparing(state, async limits => adapter.beforeSession?.(session, limits));
  state.known.policy?.onPage(tool.onPage ? pageOf(session, input) : undefined, session.deeds);
  return session;
}

/** For a tool on the session that acts on the page of one of its tabs. */
const pageOf = ({ context }: Session, { tabId }: Input): string | undefined =>
  (typeof tabId === 'number' ? context.tabs.get(tabId) : context.active)?.url;

async function acquireTab(state: CallState, tool: AnyTool, input: Input, session: Session): Promise<Tab> {
  const { adapter } = state.call;
  if (input.tabId === undefined) adapter?.beforeActiveTab?.(session);
  const tab = await preparing(state, async limits => {
    const found = await session.context.tab(await wantedTab(state, session, limits), limits, tool.evenStuck);
    limits.signal.throwIfAborted();
    state.tab = found;
    // Before anything is done to the page, or told of it.
    state.known.policy?.onPage(found.url, session.deeds);
    await adapter?.beforeTab?.(found, limits);
    // A call that names no frame means the one that was chosen for the tab.
    if (found.frame !== 0 && 'frameId' in tool.input) input.frameId ??= found.frame;
    return found;
  });
  if (!tool.despiteDialog) tab.checkDialog();
  return tab;
}

async function wantedTab(
  { known: { input, decoded } }: CallState,
  session: Session,
  limits: Limits,
): Promise<number | undefined> {
  if (typeof input?.tabId === 'number') return input.tabId;
  const { window } = decoded ?? {};
  return window === undefined ? undefined : (await lastInWindow(session.context, window, limits)).id;
}

/** May start a browser or open lost pages again, so it has the time of a navigation. */
async function preparing<T>({ bounds, server, call }: CallState, prepare: (limits: Limits) => Promise<T>): Promise<T> {
  const ms = Math.max(server.options.timeoutNavigation, call.adapter?.startTime ?? 0);
  const limits = within(bounds, ms, () => lateTab(ms));
  try {
    return await under(limits.signal, prepare(limits));
  } finally {
    limits.done();
  }
}
