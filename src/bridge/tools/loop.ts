// The loop: open a page, take a snapshot, act by ref, take a snapshot again.
import { z } from 'zod';
import { headers, selector, target, text, url, word } from '../argument-kinds.ts';
import { losesElements } from '../cli/versions.ts';
import { type BridgeTool, bridgeTool, DESTROYS, MOVES, READS } from './tool.ts';

const open = bridgeTool({
  name: 'agent_browser_open',
  group: 'loop',
  core: true,
  summary: 'Open a url.',
  hints: MOVES,
  input: { url, headers: headers.optional().describe("Sent to this url's origin only") },
  argv: ({ url, headers }) => ['open', url, ...(headers ? ['--headers', JSON.stringify(headers)] : [])],
});

const snapshot = bridgeTool({
  name: 'agent_browser_snapshot',
  group: 'loop',
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
  argv: async ({ interactive, compact, depth, selector }, { version }) => [
    'snapshot',
    ...(interactive ? ['-i'] : []),
    ...(compact && !losesElements(await version()) ? ['-c'] : []),
    ...['-d', String(depth)],
    ...(selector === undefined ? [] : ['-s', selector]),
  ],
});

const click = bridgeTool({
  name: 'agent_browser_click',
  group: 'loop',
  core: true,
  summary: 'Click an element.',
  hints: DESTROYS,
  input: { target },
  argv: ({ target }) => ['click', target],
});

const fill = bridgeTool({
  name: 'agent_browser_fill',
  group: 'loop',
  core: true,
  summary: 'Clear a field and enter a value.',
  hints: DESTROYS,
  input: { target, value: text },
  argv: ({ target, value }) => ['fill', target, value],
});

const type = bridgeTool({
  name: 'agent_browser_type',
  group: 'loop',
  core: true,
  summary: 'Type into a field, without clearing it.',
  hints: DESTROYS,
  input: { target, text: word },
  argv: ({ target, text }) => ['type', target, text],
});

const press = bridgeTool({
  name: 'agent_browser_press',
  group: 'loop',
  core: true,
  summary: 'Press a key or a combination.',
  hints: DESTROYS,
  input: { key: word.describe('Enter, Tab, Control+a') },
  argv: ({ key }) => ['press', key],
});

export const LOOP: readonly BridgeTool[] = [open, snapshot, click, fill, type, press];
