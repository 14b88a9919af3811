// What is on the page: as a list of elements, as pictures, as text, and by scripts.
import type { Args } from '../dialect.ts';
import { CONTEXT } from './context.ts';
import { type BrowsionRow, first, onPage, selector, text } from './row.ts';
import type { Shape } from './shape.ts';

/** How many elements are told unless somebody asks for more. */
const MOST_NODES = 100;
const LONGEST_TEXT = 50_000;
/** Longest value of a script, in bytes. */
const MOST_VALUE = 1_000_000;

const node: Shape = {
  ref_id: 'ref',
  role: 'role',
  name: 'name',
  description: 'description',
  value: 'value',
  focused: 'focused',
  disabled: 'disabled',
  checked: 'checked',
};
const tree: Shape = { each: 'nodes', as: node };
const nodes = { to: 'snapshot', args: { nodes: ['limit', { value: MOST_NODES }] } };
/** For programs that want to see more than a chat can hold. */
const limit = { limit: { type: 'number' } };

const format = (usual: number) => ({
  format: { type: 'string', enum: ['png', 'jpeg', 'webp'], default: 'png' },
  quality: { type: 'number', description: `0 to 100, for jpeg and webp; ${usual} when left out` },
});
/** Largest picture, for whoever needs it smaller or larger than the server gives it. */
const bounds = { max_side: { type: 'number' }, max_bytes: { type: 'number' } };
const asGiven = { format: 'format', max_side: 'max_side', max_bytes: 'max_bytes' };
const shot: Shape = {
  format: ({ picture }) => String(Object(picture).mimeType).replace('image/', ''),
  width: 'width',
  height: 'height',
  missing: 'missing',
};

/** The value of a script: a text as it is, everything else as JSON. */
function valueIn({ type, text: said, cutFrom }: Args): unknown {
  if (type === 'undefined') return null;
  if (type === 'string' || cutFrom !== undefined) return said;
  try {
    return JSON.parse(String(said));
  } catch {
    // NaN, a symbol, a function: their names must do.
    return said;
  }
}

export const OBSERVING: Readonly<Record<string, BrowsionRow>> = {
  get_page_state: onPage({
    category: 'Observe',
    summary:
      'Look at the page: address, title, and its elements with a ref_id each. Start here, and look again after changes.',
    also: limit,
    at: 'GET page_state',
    cases: [nodes],
    gives: { url: 'url', title: 'title', element_count: 'total', ax_tree: tree },
  }),
  get_ax_tree: onPage({
    category: 'Observe',
    summary: 'Only the elements of get_page_state.',
    also: limit,
    at: 'GET ax_tree',
    cases: [nodes],
    gives: tree,
  }),
  screenshot: onPage({
    category: 'Observe',
    summary: 'Take a picture of the page.',
    takes: {
      full_page: { type: 'boolean', default: false, description: 'All of the page, not only what the window shows' },
      ...format(80),
    },
    also: bounds,
    at: 'GET screenshot',
    picture: 'image',
    cases: [{ to: 'screenshot', args: { full_page: 'full_page', quality: ['quality', { value: 80 }], ...asGiven } }],
    gives: shot,
  }),
  screenshot_element: onPage({
    category: 'Observe',
    summary: 'Take a picture of one element.',
    takes: { ...selector, ...format(85) },
    also: bounds,
    required: ['selector'],
    at: ['POST screenshot_element', 'GET screenshot_element'],
    picture: 'data',
    cases: [
      { to: 'screenshot', args: { selector: first('selector'), quality: ['quality', { value: 85 }], ...asGiven } },
    ],
    gives: shot,
  }),
  get_dom_context: onPage({
    category: 'Observe',
    summary:
      'Elements, form fields and links with tags, classes and CSS selectors. get_page_state says more in fewer words.',
    at: 'GET dom_context',
    cases: [{ to: 'evaluate', set: { expression: CONTEXT, max_output_size: MOST_VALUE } }],
    gives: valueIn,
  }),
  extract_data: onPage({
    category: 'Observe',
    summary: 'Read several elements at once, each by a CSS selector.',
    takes: {
      selectors: { type: 'object', additionalProperties: { type: 'string' }, description: '{label: CSS selector}' },
    },
    required: ['selectors'],
    at: 'POST extract',
    cases: [{ to: 'query', args: { selectors: 'selectors' } }],
    gives: 'values',
  }),
  get_page_text: onPage({
    category: 'Observe',
    summary: 'All text that the page shows, up to 50 000 characters.',
    at: 'GET page_text',
    cases: [{ to: 'read', set: { plain: true, max_chars: LONGEST_TEXT } }],
    gives: { text: 'text', length: 'total' },
  }),
  evaluate_js: onPage({
    category: 'JavaScript',
    summary: 'Run JavaScript in the page and get its value. Promises are awaited.',
    takes: { expression: text('An expression, a function, or statements') },
    required: ['expression'],
    at: 'POST evaluate',
    cases: [{ to: 'evaluate', set: { max_output_size: MOST_VALUE }, args: { expression: 'expression' } }],
    gives: { result: valueIn },
  }),
};
