// Scrolling, and waiting for what pages do.
import { type BrowsionRow, DONE, first, firstMatch, ms, onPage, place, selector, text, wildcard } from './row.ts';

const timeout = { timeout: 'timeout_ms' };
const WAITED = { ok: true } as const;

export const WAITING: Readonly<Record<string, BrowsionRow>> = {
  scroll: onPage({
    category: 'Scroll/Wait',
    summary: 'Scroll the page.',
    takes: {
      direction: { type: 'string', enum: ['up', 'down', 'left', 'right'] },
      amount: { type: 'number', default: 500, description: 'CSS pixels' },
    },
    required: ['direction'],
    at: 'POST scroll',
    cases: [{ to: 'scroll', args: { direction: 'direction', amount: 'amount' } }],
    gives: DONE,
  }),
  scroll_element: onPage({
    category: 'Scroll/Wait',
    summary: 'Turn the mouse wheel over an element.',
    takes: {
      selector: text('CSS or a ref; "window" for the page'),
      delta_x: { type: 'number', default: 0, description: 'CSS pixels to the right' },
      delta_y: { type: 'number', default: 0, description: 'CSS pixels down' },
    },
    required: ['selector'],
    at: 'POST scroll_element',
    cases: [
      {
        to: 'scroll',
        args: {
          selector: { from: 'selector', values: { window: undefined }, as: firstMatch },
          'wheel.x': 'delta_x',
          'wheel.y': 'delta_y',
        },
      },
    ],
    gives: DONE,
  }),
  scroll_into_view: onPage({
    category: 'Scroll/Wait',
    summary: 'Scroll until an element is in the middle of the view.',
    takes: selector,
    required: ['selector'],
    at: 'POST scroll_into_view',
    cases: [{ to: 'scroll', set: { into_view: true, block: 'center' }, args: { selector: first('selector') } }],
    gives: DONE,
  }),
  wait_for_element: onPage({
    category: 'Scroll/Wait',
    summary: 'Wait until an element is in the page.',
    takes: { ...selector, timeout_ms: ms(5_000) },
    required: ['selector'],
    at: 'POST wait_for',
    cases: [{ to: 'wait', set: { for: 'selector', state: 'attached' }, args: { selector: 'selector', ...timeout } }],
    gives: WAITED,
  }),
  wait_for_text: onPage({
    category: 'Scroll/Wait',
    summary: 'Wait until the page shows a text.',
    takes: { text: text('Any part of what the page shows'), timeout_ms: ms(30_000) },
    required: ['text'],
    at: 'POST wait_for_text',
    cases: [{ to: 'wait', set: { for: 'text' }, args: { text: 'text', ...timeout } }],
    gives: WAITED,
  }),
  wait_for_url: onPage({
    category: 'Scroll/Wait',
    summary: 'Wait until the address of the page matches.',
    takes: { pattern: text('A part of the address, or all of it with * for anything'), timeout_ms: ms(15_000) },
    required: ['pattern'],
    at: 'POST wait_for_url',
    cases: [{ to: 'wait', set: { for: 'url' }, args: { url: { from: 'pattern', as: wildcard }, ...timeout } }],
    gives: { url: 'page.url' },
  }),
  wait: {
    category: 'Utility',
    summary: 'Do nothing for a time. To wait for something, the other waits are better.',
    takes: { duration_ms: { type: 'number', description: 'Milliseconds' } },
    also: { profile_id: { type: 'string' } },
    aliases: { ms: 'duration_ms' },
    required: ['duration_ms'],
    at: [place('POST /wait'), place('POST wait')],
    cases: [
      {
        when: { profile_id: { is: 'given' } },
        to: 'wait',
        set: { for: 'timeout', timeout: 3_600_000 },
        args: { duration: 'duration_ms' },
      },
      { to: 'pause', args: { duration: 'duration_ms' } },
    ],
    gives: { ok: true, waited_ms: 'ms' },
  },
};
