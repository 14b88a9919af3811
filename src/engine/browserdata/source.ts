// Where history and bookmarks come from, and how that is said.
import type { Context } from '../tab/context.ts';

/** A profile folder, a browser that was attached to, or only the session itself. */
export type DataSource = 'profile' | 'browser' | 'session';

export function sourceOf({ isBorrowed, chrome }: Context): DataSource {
  if (!isBorrowed) return 'session';
  return chrome.options.cdpEndpoint === undefined ? 'profile' : 'browser';
}
