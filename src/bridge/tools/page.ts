// The page as a whole: tabs, scrolling, waiting, pictures, scripts, what it stores and says.
import { z } from 'zod';
import { Failure } from '../../errors.ts';
import { file, selector, target, text, url, word } from '../argument-kinds.ts';
import { knowsNoPatterns } from '../cli/versions.ts';
import { type BridgeTool, bridgeTool, DESTROYS, MOVES } from './tool.ts';

/** `flag value` when there is a value. */
const pair = (flag: string, value: string | number | undefined): string[] =>
  value === undefined ? [] : [flag, String(value)];

const tab = bridgeTool({
  name: 'agent_browser_tab',
  group: 'page',
  summary: 'List, open, switch to or close tabs.',
  hints: DESTROYS,
  input: {
    action: z.enum(['list', 'new', 'switch', 'close']).default('list'),
    tab: word.optional().describe('As listed: t2, or a number in older versions'),
    url: url.optional().describe('For new'),
  },
  argv({ action, tab, url }) {
    const fits = (action === 'switch') === (tab !== undefined) || (action === 'close' && tab !== undefined);
    if (!fits) throw wrong('switch needs a tab, close may have one');
    if (url !== undefined && action !== 'new') throw wrong('only new takes a url');
    const verb = action === 'switch' ? [] : [action];
    return ['tab', ...verb, ...[tab ?? url].filter(word => word !== undefined)];
  },
});

const scroll = bridgeTool({
  name: 'agent_browser_scroll',
  group: 'page',
  summary: 'Scroll the page or an element.',
  hints: MOVES,
  input: {
    direction: z.enum(['up', 'down', 'left', 'right']).default('down'),
    amount: z.int().min(1).max(1_000_000).default(300).describe('Pixels'),
    selector: selector.optional(),
  },
  argv: ({ direction, amount, selector }) => ['scroll', direction, String(amount), ...pair('-s', selector)],
});

const wait = bridgeTool({
  name: 'agent_browser_wait',
  group: 'page',
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
  argv: async ({ target, ms, text, url, load, fn }, { version }) => {
    const script = url?.includes('*') && knowsNoPatterns(await version()) ? scriptFor(url) : undefined;
    return [
      'wait',
      ...[target ?? ms].filter(word => word !== undefined).map(String),
      ...pair('--text', text),
      ...pair('--url', script ? undefined : url),
      ...pair('--load', load),
      ...pair('--fn', script ?? fn),
    ];
  },
});

/** The expression that is true when the page's url fits the pattern: `**` is anything, `*` anything within a part. */
function scriptFor(pattern: string): string {
  const parts = pattern
    .split(/(\*+)/)
    .map(part => WILD[part.slice(0, 2)] ?? part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return `new RegExp(${JSON.stringify(`^${parts.join('')}$`)}).test(location.href)`;
}

const WILD: Readonly<Record<string, string>> = { '*': '[^/]*', '**': '.*' };

const screenshot = bridgeTool({
  name: 'agent_browser_screenshot',
  group: 'page',
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
  argv: async ({ selector, path, full, annotate }, { files }) => [
    'screenshot',
    ...(full ? ['--full'] : []),
    ...(annotate ? ['--annotate'] : []),
    ...(selector === undefined ? [] : [selector]),
    ...(path === undefined ? [] : [await files.writable(path)]),
  ],
});

const evaluate = bridgeTool({
  name: 'agent_browser_eval',
  group: 'page',
  summary: 'Run JavaScript in the page; gives its value.',
  hints: DESTROYS,
  input: { script: word },
  argv: ({ script }) => ['eval', script],
});

const cookies = bridgeTool({
  name: 'agent_browser_cookies',
  group: 'page',
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
  argv({ action, name, value, url, domain, path, http_only, secure, same_site, expires }) {
    if (action !== 'set') return ['cookies', action];
    if (name === undefined || value === undefined) throw wrong('set needs name and value');
    return [
      ...['cookies', 'set', name, value],
      ...[...pair('--url', url), ...pair('--domain', domain), ...pair('--path', path)],
      ...[...(http_only ? ['--httpOnly'] : []), ...(secure ? ['--secure'] : [])],
      ...[...pair('--sameSite', same_site), ...pair('--expires', expires)],
    ];
  },
});

const storage = bridgeTool({
  name: 'agent_browser_storage',
  group: 'page',
  summary: 'Read, set or clear localStorage or sessionStorage of the page.',
  hints: DESTROYS,
  input: {
    area: z.enum(['local', 'session']).default('local'),
    action: z.enum(['get', 'set', 'clear']).default('get'),
    key: word.optional(),
    value: text.optional(),
  },
  argv({ area, action, key, value }) {
    if (action === 'set' && (key === undefined || value === undefined)) throw wrong('set needs key and value');
    const words: (string | undefined)[] = { get: [key], set: [key, value], clear: [] }[action];
    return ['storage', area, action, ...words.filter(word => word !== undefined)];
  },
});

const messages = bridgeTool({
  name: 'agent_browser_console',
  group: 'page',
  summary: "Read the page's console messages.",
  hints: MOVES,
  input: { clear: z.boolean().default(false).describe('Forget them') },
  argv: ({ clear }) => ['console', ...(clear ? ['--clear'] : [])],
});

const wrong = (rule: string): Failure => new Failure('bad_input', `These arguments do not fit together: ${rule}.`);

export const PAGE: readonly BridgeTool[] = [tab, scroll, wait, screenshot, evaluate, cookies, storage, messages];
