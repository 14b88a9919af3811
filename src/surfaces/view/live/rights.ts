// What a person may see and do at the page: by the token whose code opened it.
import { type Caller, isOwner, isSameCaller } from '../../../session/callers.ts';
import type { Session } from '../../../session/session.ts';
import type { ViewRight } from '../protocol.ts';

/**
 * The owner may do everything. The holder of another token sees its own sessions and shared ones, and acts in them if it may
 * act at all; it answers no approvals, because it may be the very program whose calls a person is to approve.
 */
export function rightsOf({ id, may }: Caller): ViewRight[] {
  if (isOwner(id)) return ['watch', 'act', 'approve', 'admin'];
  const mayAct = may === undefined || (may.tools === undefined && (may.effects?.includes('write') ?? true));
  return mayAct ? ['watch', 'act'] : ['watch'];
}

export const maySee = ({ id }: Caller, { owner, shared }: Pick<Session, 'owner' | 'shared'>): boolean =>
  isOwner(id) || shared || isSameCaller(owner, id);
