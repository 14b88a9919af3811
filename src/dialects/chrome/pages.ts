// The old tools for tabs and for what a page holds.
import type { NativeStep, ToolMapping } from '../definition.ts';
import { onTab, onWindow } from './sources.ts';

/** What a page shows, or its markup without scripts and styles. */
const CONTENT = `({ selector, html }) => {
  const root = selector === undefined ? document.documentElement : document.querySelector(selector);
  if (!root) throw new Error('Nothing matches ' + selector);
  if (html) {
    const copy = root.cloneNode(true);
    for (const part of copy.querySelectorAll('script, style, noscript, link, meta')) part.remove();
    return copy.outerHTML;
  }
  const text = (selector === undefined ? document.body : root)?.innerText ?? '';
  return selector === undefined ? document.title + '\\n' + location.href + '\\n\\n' + text : text;
}`;

const content: NativeStep = {
  tool: 'evaluate',
  constants: { expression: CONTENT, args: [{}] },
  args: { 'args.0.selector': 'selector', 'args.0.html': 'htmlContent', ...onTab },
};

const logs: NativeStep = {
  tool: 'console',
  args: {
    level: { from: 'onlyErrors', values: { true: ['error'], false: undefined } },
    pattern: 'pattern',
    include_exceptions: 'includeExceptions',
    max_messages: ['limit', 'maxMessages'],
    clear_after_read: 'clearAfterRead',
    ...onWindow,
  },
};

const opened: NativeStep = { tool: 'navigate', args: { url: 'url', ...onTab } };
const moved = (action: string): NativeStep => ({ tool: 'navigate', constants: { action }, args: onWindow });

const picture: NativeStep = {
  tool: 'screenshot',
  args: {
    selector: 'selector',
    full_page: { from: 'fullPage', when: { selector: { is: 'missing' } } },
    ...onWindow,
  },
};

export const pages = {
  get_windows_and_tabs: { tool: 'tab_list' },
  chrome_navigate: {
    cases: [
      { when: { refresh: true }, ...moved('reload') },
      { when: { url: 'back' }, ...moved('back') },
      { when: { url: 'forward' }, ...moved('forward') },
      {
        tool: 'navigate',
        args: {
          url: 'url',
          new_window: [
            { value: true, when: { width: { is: 'given' } } },
            { value: true, when: { height: { is: 'given' } } },
            'newWindow',
          ],
          'window_size.width': 'width',
          'window_size.height': 'height',
          background: 'background',
          ...onWindow,
        },
      },
    ],
  },
  chrome_screenshot: {
    cases: [
      {
        when: { storeBase64: false, savePng: true },
        tool: 'screenshot',
        args: { save_path: { from: 'name', convert: (name, { now }) => `${name}-${now}.png` }, ...picture.args },
      },
      picture,
    ],
  },
  chrome_close_tabs: { tool: 'tab_close', args: { tabId: 'tabIds', url: 'url' } },
  chrome_switch_tab: { tool: 'tab_switch', args: onTab },
  chrome_read_page: {
    tool: 'snapshot',
    args: {
      mode: { from: 'filter', values: { all: 'full', '': 'full' } },
      depth: { from: 'depth', values: { 0: 1 } },
      selector: 'refId',
      ...onWindow,
    },
  },
  chrome_get_web_content: { cases: [{ when: { url: { is: 'missing' } }, ...content }, { calls: [opened, content] }] },
  chrome_get_interactive_elements: {
    cases: [
      {
        when: { textQuery: { is: 'given' } },
        tool: 'find',
        args: { text: 'textQuery', selector: 'selector', include_bounds: 'includeCoordinates' },
      },
      {
        tool: 'snapshot',
        constants: { mode: 'interactive' },
        args: { selector: 'selector', include_bounds: 'includeCoordinates' },
      },
    ],
  },
  chrome_javascript: {
    tool: 'evaluate',
    args: { expression: 'code', timeout: 'timeoutMs', max_output_size: 'maxOutputBytes', ...onTab },
  },
  chrome_console: {
    cases: [
      { when: { clear: true }, tool: 'console', constants: { action: 'clear' }, args: onWindow },
      { when: { url: { is: 'missing' } }, ...logs },
      { calls: [opened, logs] },
    ],
  },
} as const satisfies Record<string, ToolMapping>;
