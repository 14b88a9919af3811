// Tools for tabs and windows.
import { z } from 'zod';
import { titleOf } from '../../engine/actions/effects.ts';
import type { Limits } from '../../engine/limits.ts';
import { gotoInNewTab, type NavigationResult } from '../../engine/navigation/navigate.ts';
import type { Context } from '../../engine/tab/context.ts';
import { type FrameRow, listFrames, selectFrame } from '../../engine/tab/frames.ts';
import { byTarget, listTabs, noWindow, type TabRow, tabInWindow } from '../../engine/tab/list-tabs.ts';
import type { Tab } from '../../engine/tab/tab.ts';
import { Failure } from '../../errors.ts';
import { urlMatcher } from '../../policy/url-pattern.ts';
import { phrase, toolName } from '../../text.ts';
import { about, off, on, pageUrl, rare, side, someText, timeout, urlPattern, windowId } from '../arguments.ts';
import { pageLine, stillLoading } from '../effects-text.ts';
import { tool } from '../tool.ts';

function lines(tabs: TabRow[]): string[] {
  const hasWindows = new Set(tabs.map(row => row.windowId)).size > 1;
  return tabs.map(row => {
    const dialog = row.dialog === undefined ? '' : ` [${row.dialog} dialog open]`;
    return `${row.active ? '*' : '-'} ${row.tabId}: ${pageLine(row)}${dialog}${hasWindows ? ` [window ${row.windowId}]` : ''}`;
  });
}

/** Chrome's own name for a tab, as its debugging port tells it. */
const targetId = someText(100).optional().meta({ docs: 'CDP target id', unlisted: true });

const opened = async (tab: Tab, url: string | undefined, limits: Limits): Promise<NavigationResult> =>
  url === undefined
    ? { url: tab.url, title: '', tabId: tab.id }
    : gotoInNewTab(tab, { url, waitUntil: 'load' }, limits);

export const tab_new = tool({
  summary: 'Open a new tab.',
  example: ['https://example.com'],
  on: 'session',
  effect: 'write',
  time: 'navigation',
  input: {
    url: about('The page to open in it', pageUrl.optional()),
    active: about('It becomes the active one', on),
    timeout: timeout(30_000),
    windowId,
  },
  async run(session, input, limits) {
    const { context } = session;
    const tab =
      input.windowId === undefined ? await context.newTab(limits) : await tabInWindow(context, input.windowId, limits);
    const page = await opened(tab, input.url, limits);
    if (input.active) context.activate(tab);
    return { ...page, tabId: tab.id, targetId: tab.main.root };
  },
  text: data => phrase`Opened tab ${data.tabId}: ${pageLine(data)}${stillLoading(data)}`,
});

export const tab_list = tool({
  core: true,
  summary: 'List the open tabs; * marks the active one.',
  on: 'session',
  effect: 'read',
  free: true,
  input: {
    windowId: windowId.meta({ docs: 'Only the tabs of this window' }),
    frames: rare('Also the frames of the active tab', off),
  },
  async run({ context }, input, limits) {
    const rows = await listTabs(context, limits);
    const tabs = input.windowId === undefined ? rows : rows.filter(row => row.windowId === input.windowId);
    if (input.windowId !== undefined && tabs.length === 0) throw noWindow(rows, input.windowId);
    const { active } = context;
    return { tabs, ...(input.frames && { frames: active ? listFrames(active) : [] }) };
  },
  text: ({ tabs, frames = [] }) =>
    tabs.length === 0 ? 'No tab is open.' : [...lines(tabs), ...frames.map(frameLine)].join('\n'),
});

const frameLine = ({ frameId, url, name, selected }: FrameRow): string =>
  `  frame ${frameId}${name && ` ${JSON.stringify(name)}`}: ${url.slice(0, 300)}${selected ? ' [selected]' : ''}`;

export const tab_switch = tool({
  core: true,
  summary: 'Make a tab the active one.',
  example: ['2'],
  on: 'session',
  effect: 'write',
  input: {
    tabId: about('The tab, as tab_list shows it', z.int().optional()),
    index: about('Its place in the list, from 0', z.int().min(0).optional(), '0-based'),
    target_id: targetId,
    frame: rare(
      'A frame of the active tab instead, by number or CDP frame id: later calls without frameId mean it',
      someText(100).optional(),
    ),
  },
  oneOf: [['tabId', 'index', 'target_id', 'frame']],
  async run({ context }, input, limits) {
    const tab = await wantedTab(context, input, limits);
    limits.judge?.check([tab.url]);
    const frame = input.frame === undefined ? undefined : selectFrame(tab, input.frame);
    if (!frame) context.activate(tab);
    if (!frame && !tab.dialog) await context.toFront(tab, limits);
    return { tabId: tab.id, url: tab.url, title: await titleOf(tab, limits), ...(frame && { frame }) };
  },
  text: ({ frame, ...data }) =>
    frame
      ? `Frame ${frame.frameId} is selected: ${frame.url.slice(0, 300)}`
      : `Tab ${data.tabId} is active: ${pageLine(data)}`,
});

interface Choice {
  tabId?: number | undefined;
  index?: number | undefined;
  target_id?: string | undefined;
  frame?: string | undefined;
}

async function wantedTab(context: Context, input: Choice, limits: Limits): Promise<Tab> {
  if (input.frame !== undefined) return context.tab(undefined, limits);
  const named = input.target_id === undefined ? undefined : await byTarget(context, input.target_id, limits);
  const ids = [...context.tabs.keys()];
  const id = named?.id ?? input.tabId ?? ids[input.index ?? 0];
  if (id !== undefined) return context.tab(id, limits);
  throw new Failure(
    'no_tab',
    `There is no tab with index ${input.index}; ${ids.length} are open.`,
    phrase`See ${toolName('tab_list')}.`,
  );
}

export const tab_close = tool({
  summary: 'Close the active tab, or tabs by id or url.',
  on: 'session',
  effect: 'write',
  free: true,
  input: {
    tabId: about(
      'One tab, or several; the active one if left out',
      z.union([z.int(), z.array(z.int()).min(1).max(1_000)]).optional(),
    ),
    url: about('All tabs whose url fits: with * and **, or /regex/', urlPattern.optional(), 'With * and **'),
    target_id: targetId,
    keep_last: rare('Leave the last one open', off),
  },
  async run({ context }, input, limits) {
    const matches = input.url === undefined ? undefined : urlMatcher(input.url);
    const named = input.target_id === undefined ? [] : [(await byTarget(context, input.target_id, limits)).id];
    const ids = [...[input.tabId ?? []].flat(), ...named];
    const missing = ids.filter(id => !context.tabs.has(id));
    if (missing.length > 0)
      throw new Failure(
        'no_tab',
        `There is no tab ${missing.join(', ')}. Nothing was closed.`,
        phrase`See ${toolName('tab_list')}.`,
      );
    const wanted = [...context.tabs.values()].filter(tab =>
      ids.length > 0 || matches ? ids.includes(tab.id) || matches?.(tab.url) : tab === context.active,
    );
    if (wanted.length === 0) throw new Failure('no_tab', 'No open tab matches.', phrase`See ${toolName('tab_list')}.`);
    limits.judge?.check(wanted.map(tab => tab.url));
    const kept = input.keep_last && wanted.length === context.tabs.size ? wanted.pop() : undefined;
    for (const tab of wanted) await context.closeTab(tab, limits);
    return { closed: wanted.map(tab => tab.id), active: context.active?.id, ...(kept && { kept: kept.id }) };
  },
  text: ({ closed, active, kept }) => {
    const done = closed.length === 0 ? 'Nothing was closed' : `Closed tab ${closed.join(', ')}`;
    const left =
      active === undefined ? 'none is open' : `tab ${active} is ${kept === undefined ? 'active' : 'the last one'}`;
    return `${done}; ${left}.`;
  },
});

export const window_new = tool({
  summary: 'Open a window; incognito has cookies of its own.',
  example: ['https://example.com'],
  on: 'session',
  effect: 'write',
  time: 'navigation',
  input: {
    url: about('The page to open in it', pageUrl.optional()),
    width: about('In CSS pixels', side.default(1280)),
    height: about('In CSS pixels', side.default(720)),
    incognito: about('It has cookies and storage of its own, and forgets them when it is closed', off),
  },
  async run({ context }, input, limits) {
    const size = { width: input.width, height: input.height };
    const tab = input.incognito ? await context.newPrivateTab(size, limits) : await context.newWindow(size, limits);
    const page = await opened(tab, input.url, limits);
    context.activate(tab);
    return { ...page, tabId: tab.id };
  },
  text: data => phrase`Opened a window with tab ${data.tabId}: ${pageLine(data)}${stillLoading(data)}`,
});
