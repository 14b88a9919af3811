// What is on the page: as a list of elements, as pictures, as text, by scripts, and as PDF.
import type { NativeStep, Sources } from '../definition.ts';
import type { Args } from '../dialect.ts';
import { CONTEXT } from './dom-context.ts';
import { onElement } from './sources.ts';
import type { BrowsionMapping, Template } from './template.ts';

/** Most elements in an answer, unless `limit` asks for more. */
const MOST_NODES = 100;
const LONGEST_TEXT = 50_000;
/** Longest value of a script, in bytes. */
const MOST_VALUE = 1_000_000;

const NODE = ['role', 'name', 'description', 'value', 'focused', 'disabled', 'checked', 'selected'];
const tree: Template = {
  each: 'nodes',
  item: { ref_id: 'ref', ...Object.fromEntries(NODE.map(member => [member, member])) },
};
const nodes: NativeStep = { tool: 'snapshot', args: { nodes: ['limit', { value: MOST_NODES }] } };

const picture = (quality: number, args: Sources): NativeStep => ({
  tool: 'screenshot',
  args: {
    ...args,
    quality: ['quality', { value: quality }],
    format: 'format',
    max_side: 'max_side',
    max_bytes: 'max_bytes',
  },
});
const pictureTemplate: Template = {
  format: facts => String(Object(facts.picture).mimeType).replace('image/', ''),
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
    // NaN, a symbol or a function has no JSON: its text is the value.
    return said;
  }
}

export const content = {
  get_page_state: {
    ...nodes,
    template: { url: 'url', title: 'title', element_count: 'total', ax_tree: tree },
  },
  get_ax_tree: { ...nodes, template: tree },
  screenshot: { ...picture(80, { full_page: 'full_page' }), template: pictureTemplate },
  screenshot_element: { ...picture(85, onElement), template: pictureTemplate },
  get_dom_context: {
    tool: 'evaluate',
    constants: { expression: CONTEXT, max_output_size: MOST_VALUE },
    template: valueIn,
  },
  extract_data: { tool: 'query', args: { selectors: 'selectors' }, template: 'values' },
  get_page_text: {
    tool: 'read',
    constants: { plain: true, max_chars: LONGEST_TEXT },
    template: { text: 'text', length: 'total' },
  },
  evaluate_js: {
    tool: 'evaluate',
    constants: { max_output_size: MOST_VALUE },
    args: { expression: 'expression' },
    template: { result: valueIn },
  },
  print_to_pdf: {
    tool: 'pdf',
    constants: { save_path: '-' },
    args: { landscape: 'landscape', print_background: 'print_background', scale: 'scale' },
    template: { data: 'base64', format: () => 'pdf', pages: 'pages', bytes: 'bytes' },
  },
} as const satisfies Record<string, BrowsionMapping>;
