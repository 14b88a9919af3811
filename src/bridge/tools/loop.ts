// The loop: open a page, take a snapshot, act by ref, take a snapshot again.
import { z } from 'zod';
import { headers, selector, target, text, url, word } from '../argument-kinds.ts';
import { flag } from '../cli/arguments.ts';
import { losesElements } from '../cli/versions.ts';
import { type BridgeTool, DESTROYS, MOVES, READS, toolsOf } from './tool.ts';

const tool = toolsOf('loop');

export const LOOP: readonly BridgeTool[] = [
  tool({
    name: 'open',
    core: true,
    summary: 'Open a url.',
    hints: MOVES,
    input: { url, headers: headers.optional().describe("Sent to this url's origin only") },
    words: ({ url, headers }) => [url, ...flag('--headers', headers && JSON.stringify(headers))],
  }),
  tool({
    name: 'snapshot',
    core: true,
    summary:
      'List what is on the page, with a ref such as @e5 for each element to act on. Take a new one when the page has changed.',
    hints: READS,
    input: {
      interactive: z.boolean().default(true).describe('Only what can be acted on'),
      compact: z.boolean().default(true).describe('Without empty containers'),
      depth: z.int().min(1).max(1_000).default(5),
      selector: selector.optional(),
    },
    words: async ({ interactive, compact, depth, selector }, { version }) => [
      ...flag('-i', interactive),
      ...flag('-c', compact && !losesElements(await version())),
      ...flag('-d', depth),
      ...flag('-s', selector),
    ],
  }),
  tool({ name: 'click', core: true, summary: 'Click an element.', hints: DESTROYS, input: { target } }),
  tool({
    name: 'fill',
    core: true,
    summary: 'Clear a field and enter a value.',
    hints: DESTROYS,
    input: { target, value: text },
  }),
  tool({
    name: 'type',
    core: true,
    summary: 'Type into a field, without clearing it.',
    hints: DESTROYS,
    input: { target, text: word },
  }),
  tool({
    name: 'press',
    core: true,
    summary: 'Press a key or a combination.',
    hints: DESTROYS,
    input: { key: word.describe('Enter, Tab, Control+a') },
  }),
];
