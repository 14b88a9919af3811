// Session: a named, isolated browser state with an owner and one queue of calls.
import type { Context } from '../engine/context.ts';
import { Queue } from './queue.ts';

export class Session {
  readonly queue = new Queue();
  /** Callers other than the owner may use it. */
  shared = false;

  constructor(
    readonly name: string,
    /** The id of the caller who made it. */
    readonly owner: string,
    readonly context: Context,
  ) {}
}
