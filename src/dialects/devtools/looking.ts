// The tools that look at a page: snapshot, picture, script, console, requests, traces.
import type { DialectTool, ReadContext } from '../definition.ts';
import { choice, element, flag, object, onPage, text, uid } from './arguments.ts';
import { consoleLines } from './console.ts';
import { requestLines, requestList } from './requests.ts';
import { pictured, returned, traced } from './words.ts';

const quiet = (): string => '';

export const take_snapshot: DialectTool = {
  summary: 'Read the selected page as text; each element has a uid. Uids of earlier snapshots no longer count.',
  takes: {},
  includes: ['content'],
  readOnly: true,
  cases: [{ to: 'snapshot', set: { style: 'uids', compact: true } }],
  says: quiet,
};

/** A larger picture is saved, because chats refuse it. */
const MOST_BYTES = 2_000_000;

export const take_screenshot: DialectTool = {
  summary: 'Take a picture of the selected page, or of an element of it.',
  takes: {
    format: { ...choice(['png', 'jpeg', 'webp'], 'Of the picture'), default: 'png' },
    quality: { type: 'number', minimum: 0, maximum: 100, description: 'Of a jpeg or webp' },
    uid: text('Only this element; not together with fullPage'),
    fullPage: flag('true: all of the page, not only what the window shows'),
    filePath: text('Save it to this file instead'),
  },
  readOnly: true,
  cases: [
    {
      when: { uid: { is: 'given' }, fullPage: true },
      wrong: 'Give either "uid" or "fullPage", not both',
    },
    {
      to: 'screenshot',
      set: { whole: true, max_bytes: 100_000_000, save_above: MOST_BYTES },
      args: {
        selector: element('uid'),
        full_page: 'fullPage',
        format: 'format',
        quality: 'quality',
        save_path: 'filePath',
        tabId: { ...onPage.tabId, when: { uid: { is: 'given' } } },
      },
    },
  ],
  says: pictured,
};

export const evaluate_script: DialectTool = {
  summary: 'Run a JavaScript function in the selected page and get its value as JSON.',
  takes: {
    function: text('The function, such as `(el) => el.innerText`'),
    args: { type: 'array', items: object({ uid }), description: 'Elements that it is given' },
  },
  required: ['function'],
  readOnly: false,
  cases: [
    {
      to: 'evaluate',
      args: {
        expression: 'function',
        elements: { each: 'args', item: element('uid') },
        tabId: { ...onPage.tabId, when: { args: { is: 'given' } } },
      },
    },
  ],
  says: returned,
};

export const list_console_messages: DialectTool = {
  summary: 'List what the selected page has said on the console since it was loaded.',
  takes: {},
  readOnly: true,
  cases: [{ to: 'console', set: { max_messages: 1_000, since_navigation: true } }],
  says: quiet,
  ends: consoleLines,
};

export const get_network_request: DialectTool = {
  summary: 'Show one request of the selected page: headers, bodies, redirects.',
  takes: { url: text('The url of the request') },
  required: ['url'],
  readOnly: true,
  cases: [{ to: 'network_log', set: { since_navigation: true }, args: { details: 'url' } }],
  says: requestLines,
};

const TYPES = [
  ...['document', 'stylesheet', 'image', 'media', 'font', 'script', 'texttrack', 'xhr', 'fetch', 'prefetch'],
  ...['eventsource', 'websocket', 'manifest', 'signedexchange', 'ping', 'cspviolationreport', 'preflight'],
  ...['fedcm', 'other'],
];

/** How many a page has when only its number is given. */
const PAGE = 20;
const startOf = (page: unknown, { given: { pageSize = PAGE } }: ReadContext): unknown =>
  typeof page === 'number' ? page * Number(pageSize) : page;
const listed = { set: { since_navigation: true } };
const types = { types: 'resourceTypes' };

export const list_network_requests: DialectTool = {
  summary: 'List the requests of the selected page since it was loaded.',
  takes: {
    pageSize: { type: 'integer', exclusiveMinimum: 0, description: 'Most requests to list; all when left out' },
    pageIdx: { type: 'integer', minimum: 0, description: 'Which part of the list, from 0' },
    resourceTypes: {
      type: 'array',
      items: { type: 'string', enum: TYPES },
      description: 'Only these types; all when empty',
    },
  },
  readOnly: true,
  cases: [
    {
      when: { pageSize: { is: 'given' } },
      to: 'network_log',
      ...listed,
      args: {
        max_requests: 'pageSize',
        offset: [{ from: 'pageIdx', as: startOf }, { value: 0 }],
        ...types,
      },
    },
    {
      when: { pageIdx: { is: 'given' } },
      to: 'network_log',
      set: { ...listed.set, max_requests: PAGE },
      args: { offset: { from: 'pageIdx', as: startOf }, ...types },
    },
    { to: 'network_log', set: { ...listed.set, max_requests: 1_000, offset: 0 }, args: types },
  ],
  says: quiet,
  ends: requestList,
};

export const performance_start_trace: DialectTool = {
  summary: 'Record how the selected page performs.',
  takes: {
    reload: flag('true: load the page again while recording'),
    autoStop: flag('true: stop by itself after a few seconds, and sum up'),
  },
  required: ['reload', 'autoStop'],
  readOnly: true,
  cases: [
    { to: 'capture', set: { action: 'start', mode: 'trace' }, args: { reload: 'reload', auto_stop: 'autoStop' } },
  ],
  says: traced,
  tolerated: { refused: message => `Error: ${message} Use performance_stop_trace to stop it.` },
};

export const performance_stop_trace: DialectTool = {
  summary: 'Stop the recording, and sum it up.',
  takes: {},
  readOnly: true,
  cases: [{ to: 'capture', set: { action: 'stop', mode: 'trace' } }],
  says: traced,
  tolerated: { refused: message => `${message} Use performance_start_trace to start one.` },
};

export const performance_analyze_insight: DialectTool = {
  summary: 'Show the details of one insight of the last recording.',
  takes: { insightName: text('As the summary names it, such as "DocumentLatency" or "LCPBreakdown"') },
  required: ['insightName'],
  readOnly: true,
  cases: [{ to: 'capture', set: { action: 'insight' }, args: { insight: 'insightName' } }],
  tolerated: {
    refused: message => `${message} Use performance_start_trace to record one.`,
    bad_input: message => message,
  },
};
