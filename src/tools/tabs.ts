// Tools for tabs and windows.
import { z } from 'zod';
import { titleOf } from '../engine/effects.ts';
import type { Limits } from '../engine/limits.ts';
import { gotoInNew } from '../engine/navigate.ts';
import type { Tab } from '../engine/tab.ts';
import { listTabs, type TabRow, tabInWindow } from '../engine/tabs.ts';
import { urlMatcher } from '../engine/wait.ts';
import { Failure } from '../errors.ts';
import { pageUrl, urlPattern, windowId } from './arguments.ts';
import { tool } from './tool.ts';
import { pageLine } from './words.ts';

function lines(tabs: TabRow[]): string[] {
  const hasWindows = new Set(tabs.map(row => row.windowId)).size > 1;
  return tabs.map(row => {
    const dialog = row.dialog === undefined ? '' : ` [${row.dialog} dialog open]`;
    return `${row.active ? '*' : '-'} ${row.tabId}: ${pageLine(row)}${dialog}${hasWindows ? ` [window ${row.windowId}]` : ''}`;
  });
}

const opened = async (tab: Tab, url: string | undefined, limits: Limits): Promise<{ url: string; title: string }> =>
  url === undefined ? { url: tab.url, title: '' } : gotoInNew(tab, url, 'load', undefined, limits);

export const tab_new = tool({
  name: 'tab_new',
  group: 'tabs',
  summary: 'Open a new tab.',
  on: 'session',
  effect: 'write',
  time: 'navigation',
  input: { url: pageUrl.optional(), active: z.boolean().default(true), windowId },
  async run(session, input, limits) {
    const { context } = session;
    const tab =
      input.windowId === undefined ? await context.newTab(limits) : await tabInWindow(context, input.windowId, limits);
    const page = await opened(tab, input.url, limits);
    if (input.active) context.activate(tab);
    return { ...page, tabId: tab.id };
  },
  text: data => `Opened tab ${data.tabId}: ${pageLine(data)}`,
});

export const tab_list = tool({
  name: 'tab_list',
  group: 'tabs',
  core: true,
  summary: 'List the open tabs; * marks the active one.',
  on: 'session',
  effect: 'read',
  free: true,
  time: 'action',
  input: { windowId },
  async run(session, input, limits) {
    const tabs = await listTabs(session.context, limits);
    return { tabs: input.windowId === undefined ? tabs : tabs.filter(row => row.windowId === input.windowId) };
  },
  text: data => (data.tabs.length === 0 ? 'No tab is open.' : lines(data.tabs).join('\n')),
});

export const tab_switch = tool({
  name: 'tab_switch',
  group: 'tabs',
  core: true,
  summary: 'Make a tab the active one.',
  on: 'session',
  effect: 'write',
  time: 'action',
  input: { tabId: z.int().optional(), index: z.int().min(0).optional().describe('0-based') },
  oneOf: [['tabId', 'index']],
  async run({ context }, input, limits) {
    const ids = [...context.tabs.keys()];
    const id = input.tabId ?? ids[input.index ?? 0];
    if (id === undefined)
      throw new Failure(
        'no_tab',
        `There is no tab with index ${input.index}; ${ids.length} are open.`,
        'See tab_list.',
      );
    const tab = await context.tab(id, limits);
    context.activate(tab);
    if (!tab.dialog) await context.toFront(tab, limits);
    return { tabId: tab.id, url: tab.url, title: await titleOf(tab, limits) };
  },
  text: data => `Tab ${data.tabId} is active: ${pageLine(data)}`,
});

export const tab_close = tool({
  name: 'tab_close',
  group: 'tabs',
  summary: 'Close the active tab, or tabs by id or url.',
  on: 'session',
  effect: 'write',
  free: true,
  time: 'action',
  input: {
    tabId: z.union([z.int(), z.array(z.int()).min(1).max(1_000)]).optional(),
    url: urlPattern.optional().describe('With * and **'),
  },
  async run({ context }, input, limits) {
    const matches = input.url === undefined ? undefined : urlMatcher(input.url);
    const ids = input.tabId === undefined ? [] : [input.tabId].flat();
    const missing = ids.filter(id => !context.tabs.has(id));
    if (missing.length > 0)
      throw new Failure('no_tab', `There is no tab ${missing.join(', ')}. Nothing was closed.`, 'See tab_list.');
    const wanted = [...context.tabs.values()].filter(tab =>
      ids.length > 0 || matches ? ids.includes(tab.id) || matches?.(tab.url) : tab === context.active,
    );
    if (wanted.length === 0) throw new Failure('no_tab', 'No open tab matches.', 'See tab_list.');
    for (const tab of wanted) await context.closeTab(tab, limits);
    return { closed: wanted.map(tab => tab.id), active: context.active?.id };
  },
  text: data =>
    `Closed tab ${data.closed.join(', ')}; ${data.active === undefined ? 'none is open' : `tab ${data.active} is active`}.`,
});

export const window_new = tool({
  name: 'window_new',
  group: 'tabs',
  summary: 'Open a window; incognito has cookies of its own.',
  on: 'session',
  effect: 'write',
  time: 'navigation',
  input: {
    url: pageUrl.optional(),
    width: z.int().min(1).max(10_000).default(1280),
    height: z.int().min(1).max(10_000).default(720),
    incognito: z.boolean().default(false),
  },
  async run({ context }, input, limits) {
    const size = { width: input.width, height: input.height };
    const tab = input.incognito ? await context.newPrivateTab(size, limits) : await context.newWindow(size, limits);
    const page = await opened(tab, input.url, limits);
    context.activate(tab);
    return { ...page, tabId: tab.id };
  },
  text: data => `Opened a window with tab ${data.tabId}: ${pageLine(data)}`,
});
