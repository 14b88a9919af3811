// What people who follow a session are told of a call: that it has begun, and how it ended.
import { defined } from '../defined.ts';
import { redact } from '../policy/mask.ts';
import { isOwn } from '../session/names.ts';
import type { TimelineEntry } from '../session/timeline.ts';
import type { Result } from './message.ts';
import { maskedArgs } from './shown-arguments.ts';
import type { CallState } from './state.ts';

/** When its session and its tab are known. */
export function tellBegun(state: CallState): void {
  if (state.session) state.entry ??= entryOf(state, state.session.name, Date.now());
}

/** Also of a call that was refused before it could begin. One that a person is asked about comes again. */
export function tellEnded(state: CallState, result: Result): void {
  const { server, tab } = state;
  const session = state.session?.name ?? meantSession(state);
  if (session === undefined || result.ask) return;
  const entry = state.entry ?? entryOf(state, session, Date.now() - result.ms);
  if (tab) entry.tab = tab.id;
  const { ms, text, failure } = result;
  server.timeline.end(entry, defined({ ms, text, failure, url: tab && redact(tab.url) }));
}

const entryOf = ({ server, call, tab, tool, known }: CallState, session: string, began: number): TimelineEntry =>
  server.timeline.begin({
    ...defined({ tab: tab?.id }),
    session,
    caller: call.caller.id,
    tool: tool?.name ?? call.name.slice(0, 64),
    args: maskedArgs(tool, known.decoded?.args ?? call.args),
    began,
  });

/** The open session that the call names, if it is one of the caller's or shared. */
function meantSession({ server, call: { caller }, known: { decoded } }: CallState): string | undefined {
  if (!decoded || decoded.tool.on === 'server' || decoded.tool.on === 'calls') return undefined;
  const isMeant = (one: { name: string; owner: string; shared: boolean }) =>
    (isOwn(one, caller) || one.shared) &&
    (one.name === decoded.session || server.sessions.nameFor(one.name, caller) === (decoded.session ?? 'default'));
  return server.list().find(isMeant)?.name;
}
