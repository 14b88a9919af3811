// A signal that aborts after a time, to be joined with others: Node 20 may forget one of AbortSignal.timeout within AbortSignal.any.

export function timeoutSignal(ms: number): AbortSignal {
  const late = new AbortController();
  // The timer holds on to the controller, and so to all who wait for it.
  setTimeout(() => late.abort(new DOMException(`not done within ${ms} ms`, 'TimeoutError')), ms).unref();
  return late.signal;
}
