// The page as a whole: tabs, scrolling, waiting, pictures, scripts, what it stores and says.
import { z } from 'zod';
import { file, selector, target, text, url, word } from '../argument-kinds.ts';
import { flag } from '../cli/arguments.ts';
import { knowsNoPatterns } from '../cli/versions.ts';
import { type BridgeTool, DESTROYS, demand, MOVES, positional, toolsOf } from './tool.ts';

const tool = toolsOf('page');

/** The expression that is true when the page's url fits the pattern: `**` is anything, `*` anything within a part. */
function scriptFor(pattern: string): string {
  const parts = pattern
    .split(/(\*+)/)
    .map(part => WILD[part.slice(0, 2)] ?? part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return `new RegExp(${JSON.stringify(`^${parts.join('')}$`)}).test(location.href)`;
}

const WILD: Readonly<Record<string, string>> = { '*': '[^/]*', '**': '.*' };

export const PAGE: readonly BridgeTool[] = [
  tool({
    name: 'tab',
    summary: 'List, open, switch to or close tabs.',
    hints: DESTROYS,
    input: {
      action: z.enum(['list', 'new', 'switch', 'close']).default('list'),
      tab: word.optional().describe('As listed: t2, or a number in older versions'),
      url: url.optional().describe('For new'),
    },
    words({ action, tab, url }) {
      const fits = (action === 'switch') === (tab !== undefined) || (action === 'close' && tab !== undefined);
      demand(fits, 'switch needs a tab, close may have one');
      demand(url === undefined || action === 'new', 'only new takes a url');
      return [...(action === 'switch' ? [] : [action]), ...positional(tab ?? url)];
    },
  }),
  tool({
    name: 'scroll',
    summary: 'Scroll the page or an element.',
    hints: MOVES,
    input: {
      direction: z.enum(['up', 'down', 'left', 'right']).default('down'),
      amount: z.int().min(1).max(1_000_000).default(300).describe('Pixels'),
      selector: selector.optional(),
    },
    words: ({ direction, amount, selector }) => [direction, String(amount), ...flag('-s', selector)],
  }),
  tool({
    name: 'wait',
    summary: 'Wait for an element, a time, a text, a url, a load state or an expression.',
    hints: { readOnlyHint: true },
    oneOf: [['target', 'ms', 'text', 'url', 'load', 'fn']],
    input: {
      target: target.optional(),
      ms: z.int().min(0).max(600_000).optional(),
      text: word.optional(),
      url: word.optional().describe('Pattern such as **/done'),
      load: z.enum(['load', 'domcontentloaded', 'networkidle']).optional(),
      fn: word.optional().describe('JavaScript that becomes true'),
    },
    words: async ({ target, ms, text, url, load, fn }, { version }) => {
      const script = url?.includes('*') && knowsNoPatterns(await version()) ? scriptFor(url) : undefined;
      return [
        ...positional(target ?? ms),
        ...flag('--text', text),
        ...flag('--url', script ? undefined : url),
        ...flag('--load', load),
        ...flag('--fn', script ?? fn),
      ];
    },
  }),
  tool({
    name: 'screenshot',
    core: true,
    summary: 'Take a picture of the page or of an element.',
    hints: MOVES,
    picture: true,
    input: {
      selector: target.optional(),
      path: file
        .regex(/\.(?:png|jpe?g)$/i, 'must end with .png or .jpg')
        .optional()
        .describe('Relative; a temporary file otherwise'),
      full: z.boolean().default(false).describe('The whole page'),
      annotate: z.boolean().default(false).describe('Number the elements as in refs'),
    },
    words: async ({ selector, path, full, annotate }, { files }) => [
      ...flag('--full', full),
      ...flag('--annotate', annotate),
      ...positional(selector),
      ...positional(path === undefined ? undefined : await files.writable(path)),
    ],
  }),
  tool({
    name: 'eval',
    summary: 'Run JavaScript in the page; gives its value.',
    hints: DESTROYS,
    input: { script: word },
  }),
  tool({
    name: 'cookies',
    summary: 'Read, set or clear cookies of the session.',
    hints: DESTROYS,
    input: {
      action: z.enum(['get', 'set', 'clear']).default('get'),
      name: word.optional(),
      value: text.optional(),
      url: url.optional(),
      domain: word.optional(),
      path: word.optional(),
      http_only: z.boolean().default(false),
      secure: z.boolean().default(false),
      same_site: z.enum(['Strict', 'Lax', 'None']).optional(),
      expires: z.int().min(0).optional().describe('Unix seconds'),
    },
    words({ action, name, value, url, domain, path, http_only, secure, same_site, expires }) {
      if (action !== 'set') return [action];
      demand(name !== undefined && value !== undefined, 'set needs name and value');
      return [
        ...['set', ...positional(name), ...positional(value)],
        ...[...flag('--url', url), ...flag('--domain', domain), ...flag('--path', path)],
        ...[...flag('--httpOnly', http_only), ...flag('--secure', secure)],
        ...[...flag('--sameSite', same_site), ...flag('--expires', expires)],
      ];
    },
  }),
  tool({
    name: 'storage',
    summary: 'Read, set or clear localStorage or sessionStorage of the page.',
    hints: DESTROYS,
    input: {
      area: z.enum(['local', 'session']).default('local'),
      action: z.enum(['get', 'set', 'clear']).default('get'),
      key: word.optional(),
      value: text.optional(),
    },
    words({ area, action, key, value }) {
      demand(action !== 'set' || (key !== undefined && value !== undefined), 'set needs key and value');
      const words = { get: positional(key), set: [...positional(key), ...positional(value)], clear: [] }[action];
      return [area, action, ...words];
    },
  }),
  tool({
    name: 'console',
    summary: "Read the page's console messages.",
    hints: MOVES,
    input: { clear: z.boolean().default(false).describe('Forget them') },
    words: ({ clear }) => flag('--clear', clear),
  }),
];
