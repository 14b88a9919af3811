// Tools for what a browser remembers: history and bookmarks.
import { z } from 'zod';
import { counted } from '../../engine/amounts.ts';
import type { Bookmark, BookmarkFolder } from '../../engine/browserdata/bookmark-tree.ts';
import { ACTIONS, bookmarks as useBookmarks } from '../../engine/browserdata/bookmarks.ts';
import type { DataSource } from '../../engine/browserdata/extension.ts';
import { history as readHistory } from '../../engine/browserdata/history.ts';
import type { VisitedPage } from '../../engine/browserdata/session-data.ts';
import { about, int, off, pageUrl, someText, text } from '../arguments.ts';
import { pageLine } from '../effects-text.ts';
import { tool } from '../tool.ts';

const words = text(1_000).optional();

const HISTORY_OF: Readonly<Record<DataSource, string>> = {
  profile: 'in the history of the browser profile',
  browser: 'in the history of the attached browser',
  session: 'visited in this session, which is isolated and has no browser history',
};

const pageRow = (page: VisitedPage): string =>
  `${new Date(page.last).toISOString().replace(/\.\d+Z$/, 'Z')} ${pageLine(page)}${page.visits > 1 ? ` (${page.visits} visits)` : ''}`;

export const history = tool({
  summary: 'Search the visited pages.',
  on: 'session',
  effect: 'read',
  time: 'navigation',
  input: {
    query: about('Words in the address or the title', words),
    start_time: about('Visited since: an ISO time, "2 hours ago", "today"', words, 'ISO, "2 hours ago", "today"'),
    end_time: about('Visited before that', words),
    max_results: about('Most pages in the answer', int(1, 1_000).default(100)),
    exclude_current_tabs: about('Leave out pages that are open', off),
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
  summary: 'Search, add or delete bookmarks.',
  example: ['search', 'query=recipes'],
  on: 'session',
  effect: 'write',
  time: 'navigation',
  input: {
    action: about('What to do', z.enum(ACTIONS)),
    query: about('Words in the address or the title', words),
    folder: about(
      'Only below this folder: its path ("Bookmarks bar/Work") or id',
      words,
      'Path ("Bookmarks bar/Work") or id',
    ),
    max_results: about('Most bookmarks in the answer', int(1, 1_000).default(50)),
    url: about('The page to add, or whose bookmark to delete', pageUrl.optional()),
    title: about('The title of the new bookmark; that of the page if left out', words),
    parent_folder: about('Where to add it: path or id of a folder', words),
    create_folder: about('Make that folder if there is none', off),
    bookmark_id: about('The bookmark to delete', someText(100).optional()),
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
