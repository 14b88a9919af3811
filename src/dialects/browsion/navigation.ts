// Navigation, and waiting for it.
import { type BrowsionRow, ms, onPage, PAGE, text } from './row.ts';

const timeout = { timeout: 'timeout_ms' };

export const NAVIGATION: Readonly<Record<string, BrowsionRow>> = {
  navigate: onPage({
    category: 'Navigation',
    summary: 'Open a url and wait until the page has loaded.',
    takes: {
      url: text('What to open'),
      wait_until: {
        type: 'string',
        enum: ['load', 'domcontentloaded', 'networkidle', 'none'],
        default: 'load',
        description: 'networkidle: no request for 500 ms; none: do not wait',
      },
      timeout_ms: ms(15_000),
    },
    required: ['url'],
    at: ['POST navigate_wait', 'POST navigate'],
    cases: [{ to: 'navigate', args: { url: 'url', wait_until: 'wait_until', ...timeout } }],
    gives: PAGE,
  }),
  go_back: onPage({
    category: 'Navigation',
    summary: 'Go one step back in the history of the tab.',
    at: 'POST back',
    cases: [{ to: 'back' }],
    gives: PAGE,
  }),
  go_forward: onPage({
    category: 'Navigation',
    summary: 'Go one step forward in the history of the tab.',
    at: 'POST forward',
    cases: [{ to: 'forward' }],
    gives: PAGE,
  }),
  reload: onPage({
    category: 'Navigation',
    summary: 'Load the page again.',
    at: 'POST reload',
    cases: [{ to: 'reload' }],
    gives: PAGE,
  }),
  wait_for_navigation: onPage({
    category: 'Navigation',
    summary: 'Wait until the tab has gone to another page and loaded it: by the last action, or from now on.',
    takes: { timeout_ms: ms(15_000) },
    at: ['POST wait_for_nav', 'POST wait_for_navigation'],
    cases: [{ to: 'wait', set: { for: 'navigation' }, args: timeout }],
    gives: { url: 'page.url', title: 'page.title' },
  }),
  get_current_url: onPage({
    category: 'Navigation',
    summary: 'The address of the page.',
    at: 'GET url',
    cases: [{ to: 'url' }],
    gives: { url: 'url' },
  }),
  get_page_title: onPage({
    category: 'Navigation',
    summary: 'The title of the page.',
    at: 'GET title',
    cases: [{ to: 'title' }],
    gives: { title: 'title' },
  }),
};
