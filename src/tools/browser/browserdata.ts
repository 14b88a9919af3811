// Tools for what a browser remembers: history and bookmarks.
import { z } from 'zod';
import type { Bookmark, BookmarkFolder } from '../../engine/browserdata/bookmark-tree.ts';
import { ACTIONS, bookmarks as useBookmarks } from '../../engine/browserdata/bookmarks.ts';
import type { DataSource } from '../../engine/browserdata/extension.ts';
import { history as readHistory } from '../../engine/browserdata/history.ts';
import type { VisitedPage } from '../../engine/browserdata/session-data.ts';
import { pageUrl } from '../arguments.ts';
import { counted, pageLine } from '../effects-text.ts';
import { tool } from '../tool.ts';

const text = z.string().max(1_000).optional();

const HISTORY_OF: Readonly<Record<DataSource, string>> = {
  profile: 'in the history of the browser profile',
  browser: 'in the history of the attached browser',
  session: 'visited in this session, which is isolated and has no browser history',
};

const pageRow = (page: VisitedPage): string =>
  `${new Date(page.last).toISOString().replace(/\.\d+Z$/, 'Z')} ${pageLine(page)}${page.visits > 1 ? ` (${page.visits} visits)` : ''}`;

export const history = tool({
  name: 'history',
  group: 'data',
  summary: 'Search the visited pages.',
  on: 'session',
  effect: 'read',
  time: 'navigation',
  input: {
    query: text,
    start_time: text.describe('ISO, "2 hours ago", "today"'),
    end_time: text,
    max_results: z.int().min(1).max(1_000).default(100),
    exclude_current_tabs: z.boolean().default(false),
  },
  run: ({ context }, input, limits) => readHistory(context, input, limits),
  text({ source, instead, pages, more }) {
    const count = pages.length === 0 ? 'No pages' : `${counted(pages.length, 'page')}${more ? ' (and more)' : ''}`;
    const head = `${count} ${instead === undefined ? HISTORY_OF[source] : 'visited in this session'}`;
    return [
      ...(instead === undefined ? [] : [instead]),
      `${head}${pages.length === 0 ? '.' : ':'}`,
      ...pages.map(pageRow),
    ].join('\n');
  },
});

const KEPT_BY: Readonly<Record<DataSource, string>> = {
  profile: 'the browser profile',
  browser: 'the attached browser',
  session: 'this session only (it is isolated: they end with it; --user-data-dir keeps them)',
};

const bookmarkRow = ({ id, title, url, folder }: Bookmark): string =>
  `${id}: ${JSON.stringify(title.slice(0, 200))} ${url.slice(0, 300)} in ${folder}`;
const folderRow = ({ id, path, bookmarks: count }: BookmarkFolder): string =>
  `${id}: ${path} (${counted(count, 'bookmark')})`;

export const bookmarks = tool({
  name: 'bookmarks',
  group: 'data',
  summary: 'Search, add or delete bookmarks.',
  on: 'session',
  effect: 'write',
  time: 'navigation',
  input: {
    action: z.enum(ACTIONS),
    query: text,
    folder: text.describe('Path ("Bookmarks bar/Work") or id'),
    max_results: z.int().min(1).max(1_000).default(50),
    url: pageUrl.optional(),
    title: text,
    parent_folder: text,
    create_folder: z.boolean().default(false),
    bookmark_id: z.string().min(1).max(100).optional(),
  },
  run: ({ context }, input, limits) => useBookmarks(context, input, limits),
  text({ source, bookmarks: rows = [], folders, count = 0, made = [] }, { action }) {
    const [first] = rows;
    if (action === 'add' && first)
      return `Added ${bookmarkRow(first)}${made.length > 0 ? ` (made ${made.join('/')})` : ''}. Kept by ${KEPT_BY[source]}.`;
    if (action === 'delete' && first) return `Deleted ${bookmarkRow(first)}.`;
    const lines = folders ? folders.map(folderRow) : rows.map(bookmarkRow);
    const more = count > lines.length ? ` (the first ${lines.length} of them)` : '';
    const head = `${counted(count, folders ? 'folder' : 'bookmark')} of ${KEPT_BY[source]}${more}`;
    return lines.length === 0 ? `${head}.` : [`${head}:`, ...lines].join('\n');
  },
});
