// Where history and bookmarks come from, and how that is said.
import type { Context } from '../tab/context.ts';

/** A profile folder, a browser that was attached to, or only the session itself. */
export type DataSource = 'profile' | 'browser' | 'session';

export function sourceOf({ isBorrowed, browser }: Context): DataSource {
  if (!isBorrowed) return 'session';
  return browser.options.cdpEndpoint === undefined ? 'profile' : 'browser';
}
