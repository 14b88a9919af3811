// The list of a session's tabs, with their windows. Never waits long for a tab that does not answer.
import { Failure, refusedBy } from '../../errors.ts';
import { showsFile } from '../../policy/urls.ts';
import { phrase, tabName, toolName } from '../../text.ts';
import { knownTitle } from '../actions/effects.ts';
import { type Limits, tryFor, under } from '../limits.ts';
import type { Page } from '../page/page.ts';
import type { Tab, TabContext } from './tab.ts';

export interface TabRow {
  tabId: number;
  url: string;
  title: string;
  active: boolean;
  windowId: number;
  /** Chrome's own id; '' while that is not known. */
  targetId: string;
  dialog?: string;
}

/** A stuck tab must not hold up the list; one on a busy machine must not be listed without its window. */
const EACH_MS = 1_500;

export async function listTabs(context: TabContext, limits: Limits): Promise<TabRow[]> {
  if (context.hasUnseenTabs) await context.refresh(limits);
  return seenTabs(context, limits);
}

/** The tabs that are known, but for those with files of this machine; starts no browser. */
export function seenTabs(context: TabContext, limits: Limits): Promise<TabRow[]> {
  const { active } = context;
  return Promise.all(
    [...context.tabs.values()]
      .filter(({ url }) => !showsFile(url))
      .map(async tab => {
        const [title, windowId, targetId] = await Promise.all([
          tryFor(limits, EACH_MS, bound => knownTitle(tab, bound)),
          tryFor(limits, EACH_MS, bound => windowOf(tab, bound)),
          tryFor(limits, EACH_MS, bound => targetOf(tab, bound)),
        ]);
        return {
          tabId: tab.id,
          url: tab.url,
          title: title ?? '',
          active: tab === active,
          windowId: windowId ?? 0,
          targetId: targetId ?? '',
          ...(tab.dialog && { dialog: tab.dialog.type }),
        };
      }),
  );
}

async function windowOf(tab: Tab, limits: Limits): Promise<number> {
  // The attached browser knows, whatever its tab does.
  if (tab.target) return under(limits.signal, tab.target.windowId());
  await tab.ready(limits);
  const { windowId } = await tab.send(limits, tab.main, 'Browser.getWindowForTarget');
  return windowId;
}

/** The main frame of a page has the id of its target. */
async function targetOf(tab: Tab, limits: Limits): Promise<string> {
  if (tab.target) return tab.target.id;
  await tab.ready(limits);
  return tab.main.root;
}

/** The tab with that target id. */
export async function byTarget(context: TabContext, targetId: string, limits: Limits): Promise<Tab> {
  if (context.hasUnseenTabs) await context.refresh(limits);
  const tabs = [...context.tabs.values()];
  const targets = await Promise.all(tabs.map(tab => tryFor(limits, EACH_MS, bound => targetOf(tab, bound))));
  const found = tabs[targets.indexOf(targetId)];
  if (found) return found;
  throw new Failure(
    'no_tab',
    `There is no tab ${JSON.stringify(targetId.slice(0, 64))}. Tabs: ${targets.filter(Boolean).join(', ')}.`,
    phrase`See ${toolName('tab_list')}.`,
  );
}

/** The latest tab of the window of that id. */
export async function lastInWindow(context: TabContext, windowId: number, limits: Limits): Promise<Tab> {
  const rows = await listTabs(context, limits);
  const row = rows.findLast(other => other.windowId === windowId);
  const tab = row && context.tabs.get(row.tabId);
  if (tab) return tab;
  throw noWindow(rows, windowId);
}

export function noWindow(rows: readonly TabRow[], windowId: number): Failure {
  const windows = [...new Set(rows.map(other => other.windowId))].join(', ');
  const hint = phrase`See ${toolName('tab_list')}.`;
  return new Failure('no_tab', `There is no window ${windowId}. Windows: ${windows || 'none'}.`, hint);
}

/** A new tab in the window of that id: opened by a tab that stands there. */
export async function tabInWindow(context: TabContext, windowId: number, limits: Limits): Promise<Tab> {
  const opener = await context.tab((await lastInWindow(context, windowId, limits)).id, limits);
  const [page] = await opener.race(
    limits,
    Promise.all([
      new Promise<Page>(resolve => opener.page.context().once('page', resolve)),
      opener.main.send('Runtime.evaluate', {
        expression: "void open('about:blank', '_blank', 'noopener')",
        userGesture: true,
      }),
    ]),
  );
  const tab = context.tabFor(page);
  if (!tab) throw new Failure('no_tab', 'The new tab was closed at once.', 'Try again.');
  await tab.ready(limits);
  return tab;
}

/** A person has opened the file: it is none of what a caller may read. */
export const fileTab = (tabId: number): Failure =>
  refusedBy(
    'no file:',
    phrase`${tabName(tabId)} shows a file of this machine: rule "no file:".`,
    phrase`Use another tab: see ${toolName('tab_list')} and ${toolName('tab_new')}.`,
  );

export function noTab(tabs: ReadonlyMap<number, Tab>, tabId: number): Failure {
  const ids = [...tabs.keys()];
  const known = ids.length === 0 ? 'No tab is open.' : `Open tabs: ${ids.join(', ')}.`;
  const hint = phrase`See ${toolName('tab_list')}, or leave tabId out for the active tab.`;
  return new Failure('no_tab', phrase`There is no ${tabName(tabId)}. ${known}`, hint);
}
