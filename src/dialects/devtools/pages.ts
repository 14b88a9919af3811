// The tools for pages: open, select, close, move in them, wait for them, and what they pretend to be.
import type { DialectTool } from '../definition.ts';
import type { Args } from '../dialect.ts';
import { choice, number, page, pageIdx, text, time, timeout } from './arguments.ts';
import { arrived } from './words.ts';

const pages = ['pages'] as const;
const quiet = (): string => '';

export const list_pages: DialectTool = {
  summary: 'List the open pages; the selected one is marked.',
  takes: {},
  includes: pages,
  readOnly: true,
  cases: [{ to: 'tab_list' }],
  says: quiet,
};

export const select_page: DialectTool = {
  summary: 'Select the page that later calls are about, and bring it to the front.',
  takes: { pageIdx },
  required: ['pageIdx'],
  includes: pages,
  readOnly: true,
  cases: [{ to: 'tab_switch', args: { tabId: page } }],
  says: quiet,
};

export const close_page: DialectTool = {
  summary: 'Close a page. The last one stays open.',
  takes: { pageIdx },
  required: ['pageIdx'],
  includes: pages,
  cases: [{ to: 'tab_close', set: { keep_last: true }, args: { tabId: page } }],
  says: ({ kept }) => (kept === undefined ? '' : 'The last open page cannot be closed, so it stays.'),
};

export const new_page: DialectTool = {
  summary: 'Open a url in a new page, and select it.',
  takes: { url: text('What to open'), timeout },
  required: ['url'],
  includes: pages,
  cases: [{ to: 'tab_new', args: { url: 'url', timeout: time } }],
  says: arrived,
};

export const navigate_page: DialectTool = {
  summary: 'Open a url in the selected page.',
  takes: { url: text('What to open'), timeout },
  required: ['url'],
  includes: pages,
  cases: [{ to: 'navigate', args: { url: 'url', timeout: time } }],
  says: arrived,
};

const unable = (message: string, { navigate }: Args): string =>
  `Unable to navigate ${navigate} in currently selected page. ${message}`;

export const navigate_page_history: DialectTool = {
  summary: 'Go back or forward in the history of the selected page.',
  takes: { navigate: choice(['back', 'forward'], 'Where to go'), timeout },
  required: ['navigate'],
  includes: pages,
  cases: [{ to: 'navigate', args: { action: 'navigate', timeout: time } }],
  says: arrived,
  tolerated: { navigation_failed: unable, timeout: unable, page_unresponsive: unable },
};

export const wait_for: DialectTool = {
  summary: 'Wait until a text is to be seen on the selected page, in any of its frames.',
  takes: { text: text('The text to wait for'), timeout },
  required: ['text'],
  includes: ['content'],
  readOnly: true,
  time: 'action',
  cases: [{ to: 'wait', set: { for: 'text_or_name' }, args: { text: 'text', timeout: time } }],
  says: ({ input }, { caused }) => `Element with text "${Object(input).text}" found.${caused}`,
};

export const resize_page: DialectTool = {
  summary: 'Set the size of the selected page.',
  takes: { width: number('In pixels'), height: number('In pixels') },
  required: ['width', 'height'],
  includes: pages,
  cases: [{ to: 'viewport', set: { in_window: true }, args: { width: 'width', height: 'height' } }],
  says: quiet,
};

export const emulate_cpu: DialectTool = {
  summary: 'Let the selected page run on a slower processor.',
  takes: { throttlingRate: { type: 'number', minimum: 1, maximum: 20, description: 'Times slower; 1 ends it' } },
  required: ['throttlingRate'],
  cases: [{ to: 'emulate', args: { cpu_throttle: 'throttlingRate' } }],
  says: quiet,
};

/** Their names for our networks. */
export const NETWORKS: Readonly<Record<string, string>> = {
  'No emulation': 'none',
  'Slow 3G': 'slow_3g',
  'Fast 3G': 'fast_3g',
  'Slow 4G': 'slow_4g',
  'Fast 4G': '4g',
};

export const emulate_network: DialectTool = {
  summary: 'Let the selected page load over a slower network.',
  takes: { throttlingOption: choice(Object.keys(NETWORKS), 'Which network; "No emulation" ends it') },
  required: ['throttlingOption'],
  cases: [{ to: 'emulate', args: { network_throttle: { from: 'throttlingOption', values: NETWORKS } } }],
  says: quiet,
};
