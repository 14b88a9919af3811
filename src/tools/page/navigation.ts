// Tools that load pages and tell where the tab is.
import { z } from 'zod';
import { titleOf } from '../../engine/actions/effects.ts';
import type { Limits } from '../../engine/limits.ts';
import {
  goto,
  gotoInNewTab,
  historyStep,
  type NavigationResult,
  reload as reloadPage,
  startNavigation,
  WAITS,
} from '../../engine/navigation/navigate.ts';
import { lastInWindow, tabInWindow } from '../../engine/tab/list-tabs.ts';
import type { Tab } from '../../engine/tab/tab.ts';
import { Failure } from '../../errors.ts';
import { calledTool, type Phrase, phrase } from '../../text.ts';
import { about, headers, off, pageUrl, side, tabId, timeout, windowId } from '../arguments.ts';
import { did, pageLine, stillLoading } from '../effects-text.ts';
import { tool } from '../tool.ts';

const LOADED =
  'When the page counts as loaded; without a timeout, load is waited for at most 5 s after the DOM is ready';

function arrived(deed: string, data: NavigationResult): Phrase {
  if (data.stayed !== undefined) return did(phrase`${stayed(data.stayed, data)}; still at ${pageLine(data)}`, data);
  const status = data.status !== undefined && data.status >= 400 ? ` (HTTP ${data.status})` : '';
  return did(phrase`${deed} ${pageLine(data)}${status}${stillLoading(data)}`, data);
}

const stayed = (asked: string, { download }: NavigationResult): string =>
  download === undefined ? `Not left yet for ${asked}` : `${asked} is a download, not a page`;

const DEEDS = { goto: 'Opened', back: 'Back at', forward: 'Forward at', reload: 'Reloaded' } as const;

export const navigate = tool({
  core: true,
  summary: 'Open a url, or go back, forward or reload.',
  example: ['https://example.com'],
  answer: {
    data: { url: 'https://example.com/', title: 'Example Domain', tabId: 1, status: 200, reason: 'OK' },
    text: 'Opened https://example.com/ "Example Domain".',
    ms: 412,
  },
  captioned: true,
  effect: 'write',
  time: 'navigation',
  input: {
    url: about('The page to open; https:// may be left out', pageUrl.optional()),
    action: about(
      'goto opens the url; the others need none',
      z.enum(['goto', 'back', 'forward', 'reload']).default('goto'),
    ),
    wait_until: about(LOADED, z.enum([...WAITS, 'none']).default('load')),
    timeout: timeout(30_000),
    new_tab: about('Open it in a new tab', off),
    new_window: about('Open it in a new window', off),
    window_size: about(
      'The size of the new window',
      z.strictObject({ width: side.default(1280), height: side.default(720) }).optional(),
    ),
    background: about('The new tab does not become the active one', off),
    headers: about('Further HTTP headers, for this navigation only', headers.optional()),
    tabId,
    windowId,
  },
  async run(tab, input, limits) {
    const wait = input.wait_until === 'none' ? 'domcontentloaded' : input.wait_until;
    if (input.action !== 'goto') {
      limits.judge?.check([tab.url]); // a url beside it leads nowhere
      return go(tab, input.action, wait, limits);
    }
    if (input.url === undefined)
      throw new Failure(
        'bad_input',
        phrase`${calledTool('navigate')} needs "url" (or an action other than goto).`,
        'Give a url.',
      );
    const place = await placeFor(tab, input, limits);
    const isNew = input.new_tab || input.new_window;
    if (!isNew && input.wait_until === 'none' && !input.headers) return startNavigation(place, input.url, limits);
    const destination = { url: input.url, waitUntil: wait, headers: input.headers };
    if (!isNew) return goto(place, destination, limits);
    const data = await gotoInNewTab(place, destination, limits);
    if (!input.background) tab.context.activate(place);
    return { ...data, opened: { tabId: place.id, url: '' } };
  },
  text: (data, input) => arrived(DEEDS[input.action], data),
});

function go(
  tab: Tab,
  action: 'back' | 'forward' | 'reload',
  wait: (typeof WAITS)[number],
  limits: Limits,
): Promise<NavigationResult> {
  return action === 'reload'
    ? reloadPage(tab, wait, limits)
    : historyStep(tab, action === 'back' ? -1 : 1, wait, limits);
}

async function inWindow(tab: Tab, windowId: number, isNew: boolean, limits: Limits): Promise<Tab> {
  return isNew ? tabInWindow(tab.context, windowId, limits) : lastInWindow(tab.context, windowId, limits);
}

interface Where {
  tabId?: number | undefined;
  windowId?: number | undefined;
  new_tab: boolean;
  new_window: boolean;
  window_size?: { width: number; height: number } | undefined;
  background: boolean;
}

async function placeFor(tab: Tab, input: Where, limits: Limits): Promise<Tab> {
  if (input.windowId !== undefined && input.tabId === undefined && !input.new_window)
    return inWindow(tab, input.windowId, input.new_tab, limits);
  if (!input.new_tab && !input.new_window) return tab;
  const place = input.new_window
    ? await tab.context.newWindow(input.window_size ?? { width: 1280, height: 720 }, limits)
    : await tab.context.newTab(limits);
  return place;
}

/** Short names for what navigate does without a url. */
const stepTool = (name: 'back' | 'forward' | 'reload', summary: string) =>
  tool({
    summary,
    captioned: true,
    effect: 'write',
    time: 'navigation',
    input: {
      tabId,
      timeout: timeout(30_000),
      wait_until: z.enum(WAITS).default('load').meta({ docs: LOADED }),
    },
    run: (tab, input, limits) => go(tab, name, input.wait_until, limits),
    text: data => arrived(DEEDS[name], data),
  });

export const back = stepTool('back', 'Go back in the history.');
export const forward = stepTool('forward', 'Go forward in the history.');
export const reload = stepTool('reload', 'Load the page again.');

export const url = tool({
  summary: 'The address of the page.',
  effect: 'read',
  despiteDialog: true,
  input: { tabId },
  run: async tab => ({ url: tab.url }),
  text: data => data.url,
});

export const title = tool({
  summary: 'The title of the page.',
  answer: { data: { title: 'Example Domain' }, text: 'Example Domain', ms: 3 },
  effect: 'read',
  input: { tabId },
  run: async (tab, _input, limits) => ({ title: await titleOf(tab, limits) }),
  text: data => data.title,
});
