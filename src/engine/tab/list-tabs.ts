// The list of a session's tabs, with their windows. Never waits long for a tab that does not answer.
import { Failure } from '../../errors.ts';
import { phrase, tabName, toolName } from '../../text.ts';
import { knownTitle } from '../actions/effects.ts';
import { type Limits, under, within } from '../limits.ts';
import type { Tab, TabHome } from './tab.ts';

export interface TabRow {
  tabId: number;
  url: string;
  title: string;
  active: boolean;
  windowId: number;
  /** Chrome's own name for it; '' while that is not known. */
  targetId: string;
  dialog?: string;
}

/** A tab that is stuck must not hold up the list; one on a busy machine must not be told without its window. */
const EACH_MS = 1_500;

export async function listTabs(home: TabHome, limits: Limits): Promise<TabRow[]> {
  if (home.hasUnseenTabs) await home.look(limits);
  return seenTabs(home, limits);
}

/** Those that are there; to look starts no browser. */
export function seenTabs(home: TabHome, limits: Limits): Promise<TabRow[]> {
  const { active } = home;
  return Promise.all(
    [...home.tabs.values()].map(async tab => {
      const [title, windowId, targetId] = await Promise.all([
        shortly(limits, bound => knownTitle(tab, bound), ''),
        shortly(limits, bound => windowOf(tab, bound), 0),
        shortly(limits, bound => targetOf(tab, bound), ''),
      ]);
      const dialog = tab.dialog && { dialog: tab.dialog.type };
      return { tabId: tab.id, url: tab.url, title, active: tab === active, windowId, targetId, ...dialog };
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

/** The main frame of a page has the name of its target. */
async function targetOf(tab: Tab, limits: Limits): Promise<string> {
  if (tab.target) return tab.target.id;
  await tab.ready(limits);
  return tab.main.root;
}

/** The tab that Chrome knows by that name. */
export async function byTarget(home: TabHome, targetId: string, limits: Limits): Promise<Tab> {
  if (home.hasUnseenTabs) await home.look(limits);
  const tabs = [...home.tabs.values()];
  const targets = await Promise.all(tabs.map(tab => shortly(limits, bound => targetOf(tab, bound), '')));
  const found = tabs[targets.indexOf(targetId)];
  if (found) return found;
  throw new Failure(
    'no_tab',
    `There is no tab ${JSON.stringify(targetId.slice(0, 64))}. Tabs: ${targets.filter(Boolean).join(', ')}.`,
    phrase`See ${toolName('tab_list')}.`,
  );
}

async function shortly<T>(limits: Limits, ask: (bound: Limits) => Promise<T>, otherwise: T): Promise<T> {
  const bound = within(limits, EACH_MS, () => new Failure('timeout', 'no answer'));
  try {
    return await ask(bound);
  } catch (error) {
    limits.signal.throwIfAborted();
    if (error instanceof Failure || error instanceof Error) return otherwise;
    throw error;
  } finally {
    bound.done();
  }
}

/** The latest tab of the window of that id. */
export async function lastInWindow(home: TabHome, windowId: number, limits: Limits): Promise<Tab> {
  const rows = await listTabs(home, limits);
  const row = rows.findLast(other => other.windowId === windowId);
  const tab = row && home.tabs.get(row.tabId);
  if (tab) return tab;
  const windows = [...new Set(rows.map(other => other.windowId))].join(', ');
  throw new Failure(
    'no_tab',
    `There is no window ${windowId}. Windows: ${windows}.`,
    phrase`See ${toolName('tab_list')}.`,
  );
}

/** A new tab in the window of that id: opened by a tab that stands there. */
export async function tabInWindow(home: TabHome, windowId: number, limits: Limits): Promise<Tab> {
  const opener = await home.tab((await lastInWindow(home, windowId, limits)).id, limits);
  const [page] = await opener.race(
    limits,
    Promise.all([
      opener.page.context().waitForEvent('page', { timeout: 0 }),
      opener.main.send('Runtime.evaluate', {
        expression: "void open('about:blank', '_blank', 'noopener')",
        userGesture: true,
      }),
    ]),
  );
  const tab = home.tabFor(page);
  if (!tab) throw new Failure('no_tab', 'The new tab was closed at once.', 'Try again.');
  await tab.ready(limits);
  return tab;
}

export function noTab(tabs: ReadonlyMap<number, Tab>, tabId: number): Failure {
  const ids = [...tabs.keys()];
  const known = ids.length === 0 ? 'No tab is open.' : `Open tabs: ${ids.join(', ')}.`;
  const hint = phrase`See ${toolName('tab_list')}, or leave tabId out for the active tab.`;
  return new Failure('no_tab', phrase`There is no ${tabName(tabId)}. ${known}`, hint);
}
