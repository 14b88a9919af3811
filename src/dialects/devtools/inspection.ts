// The tools that inspect a page: snapshot, picture, script, console, requests, traces.
import type { NativeStep, ReadContext, Source, ToolMapping } from '../definition.ts';
import { consoleLines } from './console.ts';
import { requestLines, requestList } from './requests.ts';
import { element, onTabOf } from './sources.ts';
import { noText, screenshotText, scriptText, traceText } from './texts.ts';

/** A larger picture is saved, because chats refuse it. */
const MOST_BYTES = 2_000_000;

const script = (expression: Source): NativeStep => ({
  tool: 'evaluate',
  args: { expression, elements: { each: 'args', item: element('uid') }, ...onTabOf('args') },
});

/** How many requests a part of the list has when only its number is given. */
const PART = 20;
const startOf = (part: unknown, { given: { pageSize = PART } }: ReadContext): unknown =>
  typeof part === 'number' ? part * Number(pageSize) : part;
const offset: Source = { from: 'pageIdx', convert: startOf };
const types = { types: 'resourceTypes' };
const requests = (constants: object): Pick<NativeStep, 'tool' | 'constants'> => ({
  tool: 'network_log',
  constants: { since_navigation: true, ...constants },
});

const startTrace = {
  tool: 'capture',
  constants: { action: 'start', mode: 'trace' },
  args: { reload: 'reload', auto_stop: 'autoStop' },
  text: traceText,
  tolerated: { refused: message => `Error: ${message} Use performance_stop_trace to stop it.` },
} as const satisfies ToolMapping;

export const inspection = {
  take_snapshot: {
    sections: ['content'],
    tool: 'snapshot',
    constants: { style: 'uids', compact: true },
    text: noText,
  },
  take_screenshot: {
    cases: [
      { when: { uid: { is: 'given' }, fullPage: true }, wrong: 'Give either "uid" or "fullPage", not both' },
      {
        tool: 'screenshot',
        constants: { max_bytes: 100_000_000, save_above: MOST_BYTES },
        args: {
          selector: element('uid'),
          full_page: 'fullPage',
          format: 'format',
          quality: 'quality',
          save_path: 'filePath',
          ...onTabOf('uid'),
        },
      },
    ],
    text: screenshotText,
  },
  evaluate_script: { ...script('function'), text: scriptText },
  execute_script: { ...script(['function', 'script']), text: scriptText },
  list_console_messages: {
    tool: 'console',
    constants: { max_messages: 1_000, since_navigation: true },
    text: noText,
    footer: consoleLines,
  },
  get_network_request: { ...requests({}), args: { details: 'url' }, text: requestLines },
  list_network_requests: {
    cases: [
      {
        when: { pageSize: { is: 'given' } },
        ...requests({}),
        args: { max_requests: 'pageSize', offset: [offset, { value: 0 }], ...types },
      },
      { when: { pageIdx: { is: 'given' } }, ...requests({ max_requests: PART }), args: { offset, ...types } },
      { ...requests({ max_requests: 1_000, offset: 0 }), args: types },
    ],
    text: noText,
    footer: requestList,
  },
  performance_start_trace: startTrace,
  start_performance_trace: startTrace,
  performance_stop_trace: {
    tool: 'capture',
    constants: { action: 'stop', mode: 'trace' },
    text: traceText,
    tolerated: { refused: message => `${message} Use performance_start_trace to start one.` },
  },
  performance_analyze_insight: {
    tool: 'capture',
    constants: { action: 'insight' },
    args: { insight: 'insightName' },
    tolerated: {
      refused: message => `${message} Use performance_start_trace to record one.`,
      bad_input: message => message,
    },
  },
} as const satisfies Record<string, ToolMapping>;
