// From the changes of sessions to those of resources: by the caller's own names, and never in a flood.
import type { ChangeSubject } from '../../../engine/tab/change-events.ts';
import type { Caller } from '../../../session/server.ts';
import type { Session } from '../../../session/session.ts';
import { nameFor, type Open } from './open.ts';
import { KINDS, type Kind, uriOf } from './table.ts';

export type ResourceEvent = { kind: 'resources_list_changed' } | { kind: 'resource_updated'; uri: string };

/** `gone`: what changed cannot be read any more. */
export type Told = (event: ResourceEvent, gone: boolean) => void;

/** What happens within so many ms is told once. */
const PAUSE_MS = 250;
/** So many wait at most to be told of. */
const MOST = 1_000;

/** Tells the caller's changes until the returned function is called. */
export function watch(open: Open, caller: Caller, told: Told, wants: (uri: string) => boolean = () => true) {
  const waiting = new Map<string, boolean>();
  let listChanged = false;
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    timer = undefined;
    const updated = [...waiting];
    waiting.clear();
    if (listChanged) told({ kind: 'resources_list_changed' }, false);
    listChanged = false;
    for (const [uri, gone] of updated) told({ kind: 'resource_updated', uri }, gone);
  };
  const heard = (session: Session, subject: ChangeSubject, tabId?: number) => {
    const name = nameFor(session, caller);
    if (name === undefined) return;
    listChanged ||= CHANGES_LIST.includes(subject);
    for (const kind of KINDS.filter(one => concerns(subject, one))) {
      const uri = uriOf({ kind, session: name, tabId });
      if (wants(uri) && waiting.size < MOST) waiting.set(uri, waiting.get(uri) || subject !== kind.changesWith);
    }
    if (listChanged || waiting.size > 0) timer ??= setTimeout(tell, PAUSE_MS).unref();
  };
  open.changes.on('change', heard);
  return () => {
    open.changes.off('change', heard);
    clearTimeout(timer);
  };
}

const CHANGES_LIST: readonly ChangeSubject[] = ['opened', 'closed', 'ended'];

/** A tab takes all of its own along, and so does a session. */
const concerns = (subject: ChangeSubject, { of, changesWith }: Kind): boolean =>
  subject === changesWith || (subject === 'closed' && of === 'tab') || (subject === 'ended' && of === 'session');
