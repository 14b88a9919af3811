// Caller: who sends a call.
import type { Permissions } from '../policy/decide.ts';

/** A connection or a token's holder. The id is no secret: names and the journal show it. */
export interface Caller {
  id: string;
  /** What it may do; everything when left out. */
  may?: Permissions;
  /** Most sessions at once, and most calls per minute; those of the options when left out. */
  maxSessions?: number;
  rateLimit?: number;
}
