// History: the pages that were visited, from the browser's own history or, without one, from what the session has done.
import { Failure } from '../../errors.ts';
import type { Limits } from '../limits.ts';
import type { Context } from '../tab/context.ts';
import { listTabs } from '../tab/list-tabs.ts';
import { type DataSource, sourceOf, withExtension } from './extension.ts';
import type { VisitedPage } from './session-data.ts';
import { parseTime } from './times.ts';

export interface HistoryInput {
  query?: string | undefined;
  start_time?: string | undefined;
  end_time?: string | undefined;
  max_results: number;
  exclude_current_tabs: boolean;
}

export interface History {
  source: DataSource;
  /** Why the history of the browser could not be read, when the session's own visits stand in for it. */
  instead?: string;
  pages: VisitedPage[];
  /** There are more pages than max_results. */
  more: boolean;
}

interface Wanted {
  text: string;
  from: number;
  to: number;
  most: number;
}

/** A HistoryItem of Chrome. */
interface Item {
  url?: string;
  title?: string;
  lastVisitTime?: number;
  visitCount?: number;
}

export async function history(context: Context, input: HistoryInput, limits: Limits): Promise<History> {
  const from = input.start_time === undefined ? 0 : parseTime(input.start_time, 'start');
  const to = input.end_time === undefined ? Date.now() : parseTime(input.end_time, 'end');
  if (from > to) throw new Failure('bad_input', 'start_time lies after end_time.', 'Exchange them.');
  await context.open(limits);
  const tabs = await listTabs(context, limits);
  for (const { url, title } of tabs) context.own.visits.setTitle(url, title);
  const excluded = new Set(input.exclude_current_tabs ? tabs.map(({ url }) => url) : []);
  const most = input.max_results + excluded.size + 1;
  const found = await search(context, { text: input.query ?? '', from, to, most }, limits);
  const pages = found.pages.filter(({ url }) => !excluded.has(url));
  return { ...found, pages: pages.slice(0, input.max_results), more: pages.length > input.max_results };
}

async function search(context: Context, wanted: Wanted, limits: Limits): Promise<Omit<History, 'more'>> {
  const source = sourceOf(context);
  const own = (): VisitedPage[] => context.own.visits.search(wanted.text, wanted.from, wanted.to);
  if (source === 'session') return { source, pages: own() };
  try {
    return { source, pages: await ofBrowser(context, wanted, limits) };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'refused') throw error;
    return { source: 'session', instead: error.message, pages: own() };
  }
}

async function ofBrowser(context: Context, { text, from, to, most }: Wanted, limits: Limits): Promise<VisitedPage[]> {
  const query = { text, startTime: from, endTime: to, maxResults: most };
  const items = await withExtension(context, limits, ask =>
    ask<Item[]>(`chrome.history.search(${JSON.stringify(query)})`),
  );
  return items.map(({ url = '', title = '', lastVisitTime = 0, visitCount = 0 }) => ({
    url,
    title,
    last: lastVisitTime,
    visits: visitCount,
  }));
}
