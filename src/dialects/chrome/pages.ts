// The old tools for tabs and for what a page holds.
import type { DialectTool } from '../definition.ts';
import { choice, flag, list, NO_FOCUS, number, onPlace, onTab, place, tab, text } from './arguments.ts';

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

const content = {
  to: 'evaluate',
  set: { expression: CONTENT, args: [{}] },
  args: { 'args.0.selector': 'selector', 'args.0.html': 'htmlContent', ...onTab },
} as const;

const logs = {
  to: 'console',
  args: {
    level: { from: 'onlyErrors', values: { true: ['error'], false: undefined } },
    pattern: 'pattern',
    include_exceptions: 'includeExceptions',
    max_messages: ['limit', 'maxMessages'],
    clear_after_read: 'clearAfterRead',
    ...onPlace,
  },
} as const;

export const pages: Readonly<Record<string, DialectTool>> = {
  get_windows_and_tabs: {
    summary: 'List the open tabs with ids, urls and titles; * marks the active one.',
    takes: {},
    cases: [{ to: 'tab_list' }],
  },
  chrome_navigate: {
    summary: 'Open a url, or go back, forward or reload.',
    takes: {
      url: text('Also "back" and "forward"'),
      newWindow: flag(false),
      ...place,
      background: flag(false, 'Leave the active tab as it is'),
      width: number(undefined, 'Opens a window of that size'),
      height: number(),
      refresh: flag(false, 'Reload instead'),
    },
    cases: [
      { when: { refresh: true }, to: 'navigate', set: { action: 'reload' }, args: onPlace },
      { when: { url: 'back' }, to: 'navigate', set: { action: 'back' }, args: onPlace },
      { when: { url: 'forward' }, to: 'navigate', set: { action: 'forward' }, args: onPlace },
      {
        to: 'navigate',
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
          ...onPlace,
        },
      },
    ],
  },
  chrome_screenshot: {
    summary: 'Take a picture of the page or an element. To act, chrome_read_page is cheaper and has refs.',
    takes: {
      name: { ...text('Of the file'), default: 'screenshot' },
      selector: text(),
      ...place,
      background: flag(false),
      width: number(800),
      height: number(600),
      storeBase64: flag(false, 'Show it, instead of keeping it in a file'),
      fullPage: flag(true),
      savePng: flag(true),
      maxDimension: number(),
    },
    ignored: {
      background: NO_FOCUS,
      width: 'the picture has the size of what it shows',
      height: 'the picture has the size of what it shows',
      maxDimension: 'a picture that is shown is shrunk to what a model can take anyway',
    },
    cases: [
      {
        when: { storeBase64: false, savePng: true },
        to: 'screenshot',
        args: {
          save_path: { from: 'name', as: (name, { now }) => `${name}-${now}.png` },
          selector: 'selector',
          full_page: { from: 'fullPage', when: { selector: { is: 'missing' } } },
          ...onPlace,
        },
      },
      {
        to: 'screenshot',
        args: {
          selector: 'selector',
          full_page: { from: 'fullPage', when: { selector: { is: 'missing' } } },
          ...onPlace,
        },
      },
    ],
  },
  chrome_close_tabs: {
    summary: 'Close tabs, by id or by url; the active one if neither is given.',
    takes: { tabIds: list(number()), url: text() },
    cases: [{ to: 'tab_close', args: { tabId: 'tabIds', url: 'url' } }],
  },
  chrome_switch_tab: {
    summary: 'Make a tab the active one.',
    takes: { tabId: number(), windowId: number() },
    required: ['tabId'],
    ignored: { windowId: 'the id of a tab says which window it is in' },
    cases: [{ to: 'tab_switch', args: onTab }],
  },
  chrome_read_page: {
    summary:
      'Read the page as text, with a ref (ref_1) for everything that can be acted on. Start here, and look again after changes.',
    takes: {
      filter: text('"interactive": only what can be acted on'),
      depth: number(),
      refId: text('Only what is inside this element'),
      ...place,
    },
    cases: [
      {
        to: 'snapshot',
        args: {
          mode: { from: 'filter', values: { all: 'full', '': 'full' } },
          depth: { from: 'depth', values: { 0: 1 } },
          selector: 'refId',
          ...onPlace,
        },
      },
    ],
  },
  chrome_get_web_content: {
    summary: 'Read the text or the HTML of the page or an element.',
    takes: {
      url: text('Opened first'),
      ...tab,
      background: flag(false),
      htmlContent: flag(false),
      textContent: flag(true),
      selector: text('CSS'),
    },
    ignored: {
      background: NO_FOCUS,
      textContent: 'text is what is given unless htmlContent is asked for',
    },
    cases: [
      { when: { url: { is: 'missing' } }, ...content },
      { calls: [{ to: 'navigate', args: { url: 'url', ...onTab } }, content] },
    ],
  },
  chrome_get_interactive_elements: {
    summary: 'List what can be acted on, with refs.',
    takes: {
      textQuery: text('Only those with this text'),
      selector: text('Only what is inside this element'),
      includeCoordinates: flag(true),
    },
    cases: [
      {
        when: { textQuery: { is: 'given' }, selector: { is: 'missing' } },
        to: 'find',
        args: { text: 'textQuery' },
      },
      {
        to: 'snapshot',
        set: { mode: 'interactive' },
        args: { selector: 'selector', include_bounds: 'includeCoordinates' },
      },
    ],
  },
  chrome_javascript: {
    summary: 'Run JavaScript in the page and get its value.',
    takes: {
      code: text('Expression or function body; may await'),
      ...tab,
      timeoutMs: number(15_000),
      maxOutputBytes: number(51_200),
    },
    required: ['code'],
    cases: [
      {
        to: 'evaluate',
        args: { expression: 'code', timeout: 'timeoutMs', max_output_size: 'maxOutputBytes', ...onTab },
      },
    ],
  },
  chrome_console: {
    summary: 'Read the console messages and exceptions of the page.',
    takes: {
      url: text('Opened first'),
      ...place,
      background: flag(false),
      includeExceptions: flag(true),
      maxMessages: number(100),
      mode: choice(['snapshot', 'buffer'], 'snapshot'),
      buffer: flag(false),
      clear: flag(false, 'Forget what was said so far'),
      clearAfterRead: flag(false),
      pattern: text('Regular expression'),
      onlyErrors: flag(false),
      limit: number(undefined, 'Goes before maxMessages'),
    },
    ignored: {
      background: NO_FOCUS,
      mode: 'messages are always kept, so that there is nothing to wait for',
      buffer: 'messages are always kept',
    },
    cases: [
      { when: { clear: true }, to: 'console', set: { action: 'clear' }, args: onPlace },
      { when: { url: { is: 'missing' } }, ...logs },
      { calls: [{ to: 'navigate', args: { url: 'url', ...onTab } }, logs] },
    ],
  },
};
