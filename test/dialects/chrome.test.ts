// The old names (S1-70…S1-94): every tool and argument is mapped, ignored or refused with a reason, and calls mean what they meant.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adapterOf } from '../../src/dialects/adapter.ts';
import { DEFINITION as CHROME } from '../../src/dialects/chrome/definition.ts';
import { namesIn, stepsOf, toNative, toolsOf } from '../../src/dialects/decode.ts';
import type { DialectTool } from '../../src/dialects/definition.ts';
import { Failure } from '../../src/errors.ts';
import type { Server } from '../../src/session/server.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { OLD_TOOLS } from './old-tools.ts';

const NOW = 1_700_000_000_000;
const rowOf = (name: string): DialectTool => {
  const row = CHROME.tools[name];
  if (!row) throw new Error(`there is no ${name}`);
  return row;
};
const ours = (name: string, args: Record<string, unknown> = {}) => {
  const { tool, args: given } = toNative(name, rowOf(name), args, NOW);
  return [tool, given];
};
const refusal = (name: string, args: Record<string, unknown>): string => {
  try {
    toNative(name, rowOf(name), args, NOW);
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
  throw new Error('it was taken');
};

/** The arguments of theirs that decide anything. */
function used({ cases }: DialectTool): Set<string> {
  const sources = cases
    .flatMap(stepsOf)
    .flatMap(({ args = {}, oneOf = [] }) => [
      ...Object.values(args),
      ...oneOf.flat().flatMap(choice => Object.values(choice)),
    ]);
  return new Set([...sources.flatMap(namesIn), ...conditionsIn(cases)]);
}

function conditionsIn(value: unknown): string[] {
  return Object.entries(Object(value)).flatMap(([key, inside]) =>
    key === 'when' ? Object.keys(Object(inside)) : typeof inside === 'object' ? conditionsIn(inside) : [],
  );
}

const cases = Object.entries(OLD_TOOLS).flatMap(([id, tools]) =>
  Object.entries(tools).map(([name, args]) => ({ id, name, args })),
);

describe('the table', () => {
  it.each(cases)('S1-$id $name: every argument is mapped, ignored or refused', ({ name, args }) => {
    const row = rowOf(name);
    const { ignored = {}, refused = {} } = row;
    expect(Object.keys(row.arguments).sort()).toEqual([...args].sort());
    const mapped = used(row);
    expect(args.filter(arg => !mapped.has(arg) && !ignored[arg] && !refused[arg])).toEqual([]);
    expect([...Object.keys(ignored), ...Object.keys(refused)].filter(arg => mapped.has(arg))).toEqual([]);
    for (const arg of row.required ?? []) expect(args).toContain(arg);
  });

  it('has no other tools', () => {
    expect(Object.keys(CHROME.tools).sort()).toEqual(cases.map(({ name }) => name).sort());
  });

  it('leads to tools and arguments of ours that exist', () => {
    const byName = new Map(TOOLS.map(tool => [tool.name, tool]));
    const steps = Object.values(CHROME.tools).flatMap(({ cases: all }) => all.flatMap(stepsOf));
    expect(steps.map(step => step.tool).filter(name => !byName.has(name))).toEqual([]);
    for (const { tool: name, args = {}, oneOf = [], constants = {} } of steps) {
      const tool = byName.get(name);
      if (!tool) continue;
      // A window stands for its last tab: the path of a call sees to it.
      const known = [...Object.keys(tool.input), ...(tool.on === 'tab' ? ['windowId'] : [])];
      const given = [args, constants, ...oneOf.flat()].flatMap(part => Object.keys(part)).map(key => key.split('.')[0]);
      expect(
        given.filter(key => !known.includes(key ?? '')),
        name,
      ).toEqual([]);
    }
  });

  it('names a tool of its own for each of ours that it uses, so that hints can', () => {
    const needed = new Set(Object.values(CHROME.tools).flatMap(toolsOf));
    expect([...needed].filter(name => !CHROME.names[name])).toEqual([]);
    for (const name of Object.values(CHROME.names)) expect(Object.keys(CHROME.tools)).toContain(name);
  });

  it('S1-94 resolves names, by their arguments where one became many', () => {
    const resolve = (name: string, args = {}) => ours(name, args)[0];
    expect(resolve('chrome_navigate')).toBe('navigate');
    expect(resolve('chrome_click_element')).toBe('click');
    expect(resolve('chrome_read_page')).toBe('snapshot');
    expect(resolve('chrome_computer', { action: 'left_click_drag' })).toBe('drag');
    expect(resolve('chrome_keyboard', { keys: 'Hello' })).toBe('type');
    const request = { args: {}, caller: { id: 'ann' }, server: {} as Server, tools: TOOLS };
    for (const name of ['click', 'no_such_tool', 'constructor', '__proto__'])
      expect(adapterOf('chrome', CHROME).decode({ ...request, name })).toBeUndefined();
  });
});

describe('the examples of the migration guide', () => {
  it('S1-72 chrome_navigate in a new window', () => {
    expect(ours('chrome_navigate', { url: 'https://example.com', newWindow: true, width: 1280, height: 720 })).toEqual([
      'navigate',
      { url: 'https://example.com', new_window: true, window_size: { width: 1280, height: 720 }, background: false },
    ]);
  });

  it('S1-76 chrome_computer with Control held', () => {
    const args = { action: 'left_click', ref: 'ref_5', modifiers: { ctrlKey: true } };
    expect(ours('chrome_computer', args)).toEqual(['click', { selector: 'ref_5', modifiers: ['Control'] }]);
  });

  it('S1-75 chrome_read_page of one element', () => {
    expect(ours('chrome_read_page', { filter: 'interactive', depth: 3, refId: 'ref_12' })).toEqual([
      'snapshot',
      { mode: 'interactive', depth: 3, selector: 'ref_12' },
    ]);
  });
});

type Example = [id: string, name: string, args: Record<string, unknown>, tool: string, ours: Record<string, unknown>];

const EXAMPLES: Example[] = [
  ['S1-72', 'chrome_navigate', { url: 'back', tabId: 3 }, 'navigate', { action: 'back', tabId: 3 }],
  ['S1-72', 'chrome_navigate', { url: 'x.test', refresh: true }, 'navigate', { action: 'reload' }],
  [
    ...(['S1-72', 'chrome_navigate', { url: 'x.test', width: 900 }, 'navigate'] as const),
    { url: 'x.test', new_window: true, window_size: { width: 900 }, background: false },
  ],
  ['S1-73', 'chrome_screenshot', { storeBase64: true }, 'screenshot', { full_page: true }],
  ['S1-73', 'chrome_screenshot', { savePng: false, fullPage: false }, 'screenshot', { full_page: false }],
  [
    ...(['S1-73', 'chrome_screenshot', { name: 'cart', selector: '#cart' }, 'screenshot'] as const),
    { save_path: `cart-${NOW}.png`, selector: '#cart' },
  ],
  ['S1-74', 'chrome_close_tabs', { tabIds: [1, 2] }, 'tab_close', { tabId: [1, 2] }],
  ['S1-74', 'chrome_switch_tab', { tabId: 2, windowId: 9 }, 'tab_switch', { tabId: 2 }],
  ['S1-75', 'chrome_read_page', { filter: 'all', depth: 0 }, 'snapshot', { mode: 'full', depth: 1 }],
  [
    ...(['S1-76', 'chrome_computer', { action: 'left_click', ref: 'ref_1', coordinates: { x: 1, y: 2 } }] as const),
    ...(['click', { selector: 'ref_1' }] as const),
  ],
  [
    ...([
      'S1-76',
      'chrome_computer',
      { action: 'left_click_drag', startRef: 'ref_1', coordinates: { x: 1, y: 2 } },
    ] as const),
    ...(['drag', { source: 'ref_1', target_coordinates: { x: 1, y: 2 } }] as const),
  ],
  [
    'S1-76',
    'chrome_computer',
    { action: 'triple_click', ref: 'ref_1' },
    'click',
    { selector: 'ref_1', click_count: 3 },
  ],
  [
    ...(['S1-76', 'chrome_computer', { action: 'scroll', coordinates: { x: 1, y: 2 } }, 'scroll'] as const),
    { coordinates: { x: 1, y: 2 }, direction: 'down', amount: 300 },
  ],
  [
    ...(['S1-76', 'chrome_computer', { action: 'key', text: 'cmd+a Delete', repeat: 2 }, 'press'] as const),
    { key: 'cmd+a Delete', repeat: 2 },
  ],
  ['S1-76', 'chrome_computer', { action: 'fill', ref: 'ref_1', value: 7 }, 'fill', { selector: 'ref_1', value: '7' }],
  [
    ...(['S1-76', 'chrome_computer', { action: 'fill_form', elements: [{ ref: 'ref_1', value: 'a' }] }] as const),
    ...(['fill_form', { fields: [{ selector: 'ref_1', value: 'a' }] }] as const),
  ],
  [
    ...(['S1-76', 'chrome_computer', { action: 'wait', text: 'Done', appear: false }, 'wait'] as const),
    { for: 'text_hidden', text: 'Done', timeout: 10_000 },
  ],
  [
    ...(['S1-76', 'chrome_computer', { action: 'wait', duration: 1.5 }, 'wait'] as const),
    { for: 'timeout', duration: 1_500, timeout: 31_000 },
  ],
  [
    ...(['S1-76', 'chrome_computer', { action: 'zoom', region: { x0: 10, y0: 20, x1: 110, y1: 70 } }] as const),
    ...(['screenshot', { clip: { x: 10, y: 20, width: 100, height: 50 } }] as const),
  ],
  ['S1-76', 'chrome_computer', { action: 'resize_page', width: 8, height: 6 }, 'viewport', { width: 8, height: 6 }],
  [
    ...(['S1-77', 'chrome_click_element', { selector: '//b', selectorType: 'xpath', double: true }, 'click'] as const),
    { selector: 'xpath=//b', click_count: 2, button: 'left', timeout: 5_000 },
  ],
  [
    ...(['S1-77', 'chrome_click_element', { selector: '#b', waitForNavigation: false }, 'click'] as const),
    { selector: '#b', click_count: 1, button: 'left', no_wait_after: true, timeout: 5_000 },
  ],
  [
    ...(['S1-78', 'chrome_fill_or_select', { ref: 'ref_2', selector: '#x', value: true }, 'fill'] as const),
    { selector: 'ref_2', value: 'true' },
  ],
  ['S1-79', 'chrome_keyboard', { keys: 'Ctrl+C' }, 'press', { key: 'Ctrl+C', delay: 50 }],
  ['S1-79', 'chrome_keyboard', { keys: 'Tab, Shift+Tab,Enter' }, 'press', { key: 'Tab Shift+Tab Enter', delay: 50 }],
  ['S1-79', 'chrome_keyboard', { keys: 'Hello World', delay: 0 }, 'type', { text: 'Hello World', delay: 0 }],
  ['S1-79', 'chrome_keyboard', { keys: 'End of story' }, 'type', { text: 'End of story', delay: 50 }],
  [
    ...(['S1-80', 'chrome_javascript', { code: 'return 1' }, 'evaluate'] as const),
    { expression: 'return 1', timeout: 15_000, max_output_size: 51_200 },
  ],
  [
    ...(['S1-81', 'chrome_console', { onlyErrors: true, limit: 5, mode: 'buffer', clearAfterRead: true }] as const),
    ...(['console', { level: ['error'], include_exceptions: true, max_messages: 5, clear_after_read: true }] as const),
  ],
  ['S1-81', 'chrome_console', { clear: true, tabId: 4 }, 'console', { action: 'clear', tabId: 4 }],
  [
    ...(['S1-81', 'chrome_console', { url: 'x.test' }, 'batch'] as const),
    {
      calls: [
        { tool: 'navigate', args: { url: 'x.test' } },
        { tool: 'console', args: { include_exceptions: true, max_messages: 100, clear_after_read: false } },
      ],
    },
  ],
  [
    ...(['S1-82', 'chrome_network_capture', { action: 'start', inactivityTimeout: 0 }, 'capture'] as const),
    {
      action: 'start',
      mode: 'network',
      include_bodies: false,
      max_capture_time: 180_000,
      filter: { resource_types: ['document', 'xhr', 'fetch', 'websocket', 'other'] },
    },
  ],
  [
    ...(['S1-82', 'chrome_network_debugger_start', { includeStatic: true }, 'capture'] as const),
    { action: 'start', mode: 'network', include_bodies: true, max_capture_time: 180_000, inactivity_time: 60_000 },
  ],
  [
    ...(['S1-83', 'chrome_network_request', { url: 'x.test', method: 'post', body: 'a' }, 'request'] as const),
    { url: 'x.test', method: 'POST', body: 'a', timeout: 30_000 },
  ],
  [
    'S1-83',
    'chrome_network_request',
    {
      url: 'x.test',
      body: 'unused',
      formData: {
        fields: { a: 1 },
        files: [
          { name: 'f', base64Data: 'eA==', filename: 'x.txt', contentType: 'text/plain' },
          { name: 'f', filePath: 'y.txt' },
        ],
      },
    },
    'request',
    {
      url: 'x.test',
      method: 'GET',
      timeout: 30_000,
      form_data: { a: 1, f: [{ base64: 'eA==', name: 'x.txt', mime_type: 'text/plain' }, { path: 'y.txt' }] },
    },
  ],
  [
    ...(['S1-84', 'chrome_history', { text: 'cats' }, 'history'] as const),
    { query: 'cats', start_time: '24 hours ago', max_results: 100, exclude_current_tabs: false },
  ],
  [
    ...(['S1-85', 'chrome_bookmark_add', { title: 'A', parentId: 'Work', createFolder: true }, 'bookmarks'] as const),
    { action: 'add', title: 'A', parent_folder: 'Work', create_folder: true },
  ],
  [
    ...(['S1-85', 'chrome_bookmark_delete', { url: 'x.test' }, 'bookmarks'] as const),
    { action: 'delete', url: 'x.test' },
  ],
  [
    ...(['S1-86', 'chrome_upload_file', { selector: '#f', base64Data: 'eA==' }, 'upload'] as const),
    { selector: '#f', files: [{ base64: 'eA==', name: 'uploaded-file' }] },
  ],
  [
    ...(['S1-86', 'chrome_upload_file', { selector: '#f', filePath: 'a.txt', multiple: true }, 'upload'] as const),
    { selector: '#f', files: [{ path: 'a.txt' }] },
  ],
  [
    ...(['S1-87', 'chrome_handle_dialog', { action: 'accept', promptText: 'Ada' }, 'dialog'] as const),
    { action: 'accept', prompt_text: 'Ada' },
  ],
  [
    ...(['S1-88', 'chrome_handle_download', { filenameContains: 'csv' }, 'wait'] as const),
    { for: 'download', filename_contains: 'csv', timeout: 60_000, wait_for_complete: true },
  ],
  [
    ...([
      'S1-89',
      'chrome_gif_recorder',
      { action: 'start', enhancedRendering: { labels: { enabled: false } } },
    ] as const),
    'record',
    {
      ...{ action: 'start', mode: 'fixed_fps', format: 'gif', fps: 5, max_duration: 5_000, max_frames: 50 },
      ...{ width: 800, height: 600 },
      overlays: { click_indicators: true, drag_paths: true, action_labels: false },
    },
  ],
  [
    ...(['S1-89', 'chrome_gif_recorder', { action: 'auto_start', filename: 'demo' }, 'record'] as const),
    {
      ...{ action: 'start', mode: 'auto_capture', format: 'gif', max_duration: 3_600_000, max_frames: 100 },
      ...{ width: 800, height: 600, save_path: 'demo.gif' },
      overlays: { click_indicators: false, drag_paths: false, action_labels: false },
    },
  ],
  [
    ...(['S1-92', 'chrome_request_element_selection', { requests: [{ name: 'Save' }], timeoutMs: 9_000 }] as const),
    ...(['query', { requests: [{ name: 'Save' }], timeout: 9_000 }] as const),
  ],
  [
    ...(['S1-91', 'chrome_get_interactive_elements', { textQuery: 'Save', selector: 'form' }, 'find'] as const),
    { text: 'Save', selector: 'form', include_bounds: true },
  ],
  [
    ...(['S1-91', 'chrome_get_interactive_elements', { selector: 'form' }, 'snapshot'] as const),
    { mode: 'interactive', selector: 'form', include_bounds: true },
  ],
  [
    ...(['S1-93', 'performance_start_trace', { autoStop: true }, 'capture'] as const),
    { action: 'start', mode: 'trace', max_capture_time: 5_000 },
  ],
  [
    ...(['S1-93', 'performance_stop_trace', { filenamePrefix: 'home' }, 'capture'] as const),
    { action: 'stop', mode: 'trace', save_path: `traces/home-${NOW}.json` },
  ],
];

describe('a call', () => {
  it.each(EXAMPLES)('%s %s %j', (_id, name, args, tool, expected) => {
    expect(ours(name, args)).toEqual([tool, expected]);
  });

  it('passes arguments of ours along, to what is done at last', () => {
    expect(ours('chrome_read_page', { max_chars: 500 })).toEqual(['snapshot', { max_chars: 500 }]);
    expect(ours('chrome_get_web_content', { url: 'x.test', sanitize: false })[1]).toMatchObject({
      calls: [{ args: { url: 'x.test' } }, { tool: 'evaluate', args: { sanitize: false } }],
    });
  });

  it('is refused where nothing of ours does it, with the reason', () => {
    expect(refusal('chrome_gif_recorder', { action: 'export', ref: 'ref_1' })).toMatch(/cannot take ref: .*upload/);
    expect(refusal('chrome_gif_recorder', { action: 'clear' })).toMatch(/kept until it is saved/);
    expect(refusal('chrome_computer', {})).toMatch(/^chrome_computer: action must be one of left_click, .*missing/);
    expect(refusal('chrome_computer', { action: 'fly' })).toMatch(/got "fly"/);
  });

  it('does not touch what it is given', () => {
    const args = Object.freeze({ selector: '#a', htmlContent: true });
    const first = ours('chrome_get_web_content', args);
    expect(ours('chrome_get_web_content')).not.toEqual(first);
    expect(args).toEqual({ selector: '#a', htmlContent: true });
  });

  it('answers anything with a call or a Failure', () => {
    const names = Object.keys(CHROME.tools);
    const args = fc.dictionary(
      fc.constantFrom(...new Set(cases.flatMap(one => one.args)), '__proto__', 'x'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.constantFrom(...names), args, (name, given) => {
        try {
          expect(typeof toNative(name, rowOf(name), given, NOW).tool).toBe('string');
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
        }
      }),
    );
  });
});

describe('names for messages', () => {
  it('are those of the caller', () => {
    const argument = (name: string, args: Record<string, unknown>, path: string) =>
      toNative(name, rowOf(name), args, NOW).names.argument?.(path);
    expect(argument('chrome_navigate', { width: 'x' }, 'window_size.width')).toBe('width');
    expect(argument('chrome_click_element', {}, 'selector')).toBe('ref or selector');
    expect(argument('chrome_click_element', { selector: 5 }, 'selector')).toBe('selector');
    expect(argument('chrome_network_request', { formData: [] }, 'form_data')).toBe('formData');
    expect(argument('chrome_history', {}, 'unknown_thing')).toBe('unknown_thing');
  });
});
