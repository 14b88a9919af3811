// Why a command of the protocol has no result: Chrome refused it, or what it was sent to has ended.

/** A command was refused, or not answered because its session, its target or the connection ended. */
export class CdpError extends Error {
  constructor(
    readonly method: string,
    message: string,
    /** The session has ended, its target crashed, or the connection is closed: there will be no answer. */
    readonly isTargetGone = false,
  ) {
    super(message);
  }

  /** The node, its document or its script world is no longer there. */
  get isGone(): boolean {
    return GONE.test(this.message);
  }
}

const GONE =
  /No node with given id|does not belong|Could not find node|Cannot find context|Execution context was destroyed|Could not find object|Node is detached|uniqueContextId not found|Cannot find default execution context|No frame (?:with|for) given id|Frame .* not found|Inspected target navigated/i;

/** Whether the error says that page or browser is not there any more. */
export const isTargetGone = (error: unknown): boolean => error instanceof CdpError && error.isTargetGone;
