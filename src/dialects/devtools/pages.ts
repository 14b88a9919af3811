// The tools for pages: open, select, close, move in them, wait for them, and what they pretend to be.
import type { ToolMapping } from '../definition.ts';
import type { Args } from '../dialect.ts';
import { page, timeout } from './sources.ts';
import { navigationText, noText } from './texts.ts';

const sections = ['pages'] as const;
const opened = { url: 'url', timeout };

const notMoved = (message: string, { navigate }: Args): string =>
  `Unable to navigate ${navigate} in currently selected page. ${message}`;

/** Their names for our networks. */
export const NETWORKS: Readonly<Record<string, string>> = {
  'No emulation': 'none',
  'Slow 3G': 'slow_3g',
  'Fast 3G': 'fast_3g',
  'Slow 4G': 'slow_4g',
  'Fast 4G': '4g',
};

export const pages = {
  list_pages: { sections, tool: 'tab_list', text: noText },
  select_page: { sections, tool: 'tab_switch', args: { tabId: page }, text: noText },
  close_page: {
    sections,
    tool: 'tab_close',
    constants: { keep_last: true },
    args: { tabId: page },
    text: ({ kept }) => (kept === undefined ? '' : 'The last open page cannot be closed, so it stays.'),
  },
  new_page: { sections, tool: 'tab_new', args: opened, text: navigationText },
  navigate_page: { sections, tool: 'navigate', args: opened, text: navigationText },
  navigate_page_history: {
    sections,
    tool: 'navigate',
    args: { action: 'navigate', timeout },
    text: navigationText,
    tolerated: { navigation_failed: notMoved, no_history: notMoved, timeout: notMoved, page_unresponsive: notMoved },
  },
  wait_for: {
    sections: ['content'],
    time: 'action',
    tool: 'wait',
    constants: { for: 'text_or_name' },
    args: { text: 'text', timeout },
    text: ({ input }, { caused }) => `Element with text "${Object(input).text}" found.${caused}`,
  },
  resize_page: {
    sections,
    tool: 'viewport',
    constants: { in_window: true },
    args: { width: 'width', height: 'height' },
    text: noText,
  },
  emulate_cpu: { tool: 'emulate', args: { cpu_throttle: 'throttlingRate' }, text: noText },
  emulate_network: {
    tool: 'emulate',
    args: { network_throttle: { from: 'throttlingOption', values: NETWORKS } },
    text: noText,
  },
} as const satisfies Record<string, ToolMapping>;
