// Elements: act on one, ask about one, find one by what it says.
import { z } from 'zod';
import { file, target, text, word } from '../argument-kinds.ts';
import { flag } from '../cli/arguments.ts';
import { type BridgeTool, DESTROYS, demand, MOVES, positional, READS, toolsOf } from './tool.ts';

const tool = toolsOf('elements');

/** What can be asked, and whether it needs an element. */
const FACTS = {
  text: true,
  html: true,
  value: true,
  attr: true,
  count: true,
  box: true,
  styles: true,
  title: false,
  url: false,
  'cdp-url': false,
} as const;

export const ELEMENTS: readonly BridgeTool[] = [
  tool({ name: 'hover', summary: 'Move the mouse over an element.', hints: MOVES, input: { target } }),
  tool({ name: 'check', summary: 'Check a box.', hints: DESTROYS, input: { target } }),
  tool({ name: 'uncheck', summary: 'Uncheck a box.', hints: DESTROYS, input: { target } }),
  tool({
    name: 'select',
    summary: 'Choose options of a list, by value or label.',
    hints: MOVES,
    input: { target, values: z.array(word).min(1).max(50) },
  }),
  tool({
    name: 'upload',
    summary: 'Put files into a file input.',
    hints: DESTROYS,
    input: { target, files: z.array(file).min(1).max(20).describe("Below the server's working or output folder") },
    words: async ({ target, files: given }, { files }) => [target, ...(await Promise.all(given.map(files.readable)))],
  }),
  tool({
    name: 'get',
    summary: 'Read one fact of an element or of the page.',
    hints: READS,
    input: {
      what: z.enum(Object.keys(FACTS) as (keyof typeof FACTS)[]),
      target: target.optional(),
      attribute: word.optional().describe('For attr'),
    },
    words({ what, target, attribute }) {
      demand(FACTS[what] === (target !== undefined), `${what} ${FACTS[what] ? 'needs a' : 'takes no'} target`);
      demand((what === 'attr') === (attribute !== undefined), 'attr needs an attribute, nothing else takes one');
      return [what, ...positional(target), ...positional(attribute)];
    },
  }),
  tool({
    name: 'is',
    summary: 'Ask whether an element is visible, enabled or checked.',
    hints: READS,
    input: { state: z.enum(['visible', 'enabled', 'checked']), target },
  }),
  tool({
    name: 'find',
    summary: 'Find an element by what it says and act on it, without a snapshot.',
    hints: DESTROYS,
    input: {
      by: z.enum(['role', 'text', 'label', 'placeholder', 'alt', 'title', 'testid', 'first', 'last', 'nth']),
      value: word.describe('A role, a text; for first, last and nth a CSS selector'),
      action: z.enum(['click', 'fill', 'check', 'hover', 'text']).default('click'),
      text: text.optional().describe('For fill'),
      name: word.optional().describe('For role'),
      exact: z.boolean().default(false),
      index: z.int().min(0).max(100_000).optional().describe('For nth, from 0'),
    },
    words({ by, value, action, text, name, exact, index }) {
      demand((by === 'nth') === (index !== undefined), 'nth needs an index, nothing else takes one');
      demand((action === 'fill') === (text !== undefined), 'fill needs a text, nothing else takes one');
      demand(name === undefined || by === 'role', 'only role takes a name');
      return [
        by,
        ...positional(index),
        value,
        action,
        ...positional(text),
        ...flag('--name', name),
        ...flag('--exact', exact),
      ];
    },
  }),
];
