// Elements: act on one, ask about one, find one by what it says.
import { z } from 'zod';
import { Failure } from '../../errors.ts';
import { file, target, text, word } from '../argument-kinds.ts';
import { type BridgeTool, bridgeTool, DESTROYS, MOVES, READS } from './tool.ts';

/** One command that takes an element and nothing else. */
const on = (command: 'hover' | 'check' | 'uncheck', summary: string, hints = MOVES) =>
  bridgeTool({
    name: `agent_browser_${command}`,
    group: 'elements',
    summary,
    hints,
    input: { target },
    argv: ({ target }) => [command, target],
  });

const select = bridgeTool({
  name: 'agent_browser_select',
  group: 'elements',
  summary: 'Choose options of a list, by value or label.',
  hints: MOVES,
  input: { target, values: z.array(word).min(1).max(50) },
  argv: ({ target, values }) => ['select', target, ...values],
});

const upload = bridgeTool({
  name: 'agent_browser_upload',
  group: 'elements',
  summary: 'Put files into a file input.',
  hints: DESTROYS,
  input: { target, files: z.array(file).min(1).max(20).describe("Below the server's working or output folder") },
  argv: async ({ target, files: given }, { files }) => [
    'upload',
    target,
    ...(await Promise.all(given.map(files.readable))),
  ],
});

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

const get = bridgeTool({
  name: 'agent_browser_get',
  group: 'elements',
  summary: 'Read one fact of an element or of the page.',
  hints: READS,
  input: {
    what: z.enum(Object.keys(FACTS) as (keyof typeof FACTS)[]),
    target: target.optional(),
    attribute: word.optional().describe('For attr'),
  },
  argv({ what, target, attribute }) {
    demand(FACTS[what] === (target !== undefined), `${what} ${FACTS[what] ? 'needs a' : 'takes no'} target`);
    demand((what === 'attr') === (attribute !== undefined), 'attr needs an attribute, nothing else takes one');
    return ['get', what, ...(target === undefined ? [] : [target]), ...(attribute === undefined ? [] : [attribute])];
  },
});

const is = bridgeTool({
  name: 'agent_browser_is',
  group: 'elements',
  summary: 'Ask whether an element is visible, enabled or checked.',
  hints: READS,
  input: { state: z.enum(['visible', 'enabled', 'checked']), target },
  argv: ({ state, target }) => ['is', state, target],
});

const find = bridgeTool({
  name: 'agent_browser_find',
  group: 'elements',
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
  argv({ by, value, action, text, name, exact, index }) {
    demand((by === 'nth') === (index !== undefined), 'nth needs an index, nothing else takes one');
    demand((action === 'fill') === (text !== undefined), 'fill needs a text, nothing else takes one');
    demand(name === undefined || by === 'role', 'only role takes a name');
    return [
      ...['find', by, ...(index === undefined ? [] : [String(index)]), value, action],
      ...(text === undefined ? [] : [text]),
      ...(name === undefined ? [] : ['--name', name]),
      ...(exact ? ['--exact'] : []),
    ];
  },
});

/** Arguments that only fit together in some ways. */
function demand(fits: boolean, rule: string): void {
  if (!fits) throw new Failure('bad_input', `These arguments do not fit together: ${rule}.`);
}

export const ELEMENTS: readonly BridgeTool[] = [
  on('hover', 'Move the mouse over an element.'),
  on('check', 'Check a box.', DESTROYS),
  on('uncheck', 'Uncheck a box.', DESTROYS),
  select,
  upload,
  get,
  is,
  find,
];
