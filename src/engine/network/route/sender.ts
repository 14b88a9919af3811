// Which page sends a request.
import type { Page, Request } from 'playwright-core';

/** None for a service worker, and none yet for the first request of a new tab. */
export function pageOf(request: Request): Page | undefined {
  if (request.serviceWorker()) return undefined;
  try {
    return request.frame().page();
  } catch {
    return undefined;
  }
}
