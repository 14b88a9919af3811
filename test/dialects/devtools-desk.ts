// Calls in the devtools dialect through the front door, with a real browser; it notes what was tried.
import { type Result, run } from '../../src/call/call.ts';
import { adapterOf } from '../../src/dialects/adapter.ts';
import { DEFINITION as DEVTOOLS } from '../../src/dialects/devtools/definition.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { type Kit, startKit } from '../kit.ts';
import { type DevtoolsSite, startDevtoolsSite } from './devtools-site.ts';

export interface Desk {
  kit: Kit;
  site: DevtoolsSite;
  /** `tool`, `tool.argument` and `tool.argument=value` of calls that went well. */
  tried: Set<string>;
  call(name: string, args?: Record<string, unknown>, caller?: string): Promise<Result>;
  ok(name: string, args?: Record<string, unknown>): Promise<string>;
  fails(name: string, args?: Record<string, unknown>): Promise<string>;
  /** Opens a page of the site in the selected page. */
  open(path: string): Promise<string>;
  /** Takes a snapshot, and gives the uid of the line that holds the words. */
  uid(words: string): Promise<string>;
  /** The value of an expression in the page. */
  js(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

export const uidIn = (text: string, words: string): string => {
  const line = text.split('\n').find(one => /^ *uid=/.test(one) && one.includes(words));
  return /uid=(\d+_\d+)/.exec(line ?? '')?.[1] ?? `no ${words}`;
};

/** What follows the heading of a section. */
export const sectionOf = (text: string, heading: string): string =>
  new RegExp(`^${heading}$\\n([\\s\\S]*?)(?=^#|$(?![\\s\\S]))`, 'm').exec(text)?.[1] ?? '';

export async function startDesk(...flags: string[]): Promise<Desk> {
  // Patient: the machine may be busy.
  const times = ['--timeout-action', '20000', '--timeout-navigation', '30000'];
  const own = ['--dialect', 'devtools', ...times, ...flags];
  const [kit, site] = await Promise.all([startKit(...own), startDevtoolsSite()]);
  const tried = new Set<string>();
  const desk: Desk = {
    kit,
    site,
    tried,
    async call(name, args = {}, caller = 'local') {
      const result = await run(
        { server: kit.server, tools: TOOLS },
        {
          name,
          args,
          adapter: adapterOf('devtools', DEVTOOLS),
          caller: { id: caller, rateLimit: 0 },
        },
      );
      if (result.ok) for (const what of triedIn(name, args)) tried.add(what);
      return result;
    },
    async ok(name, args = {}) {
      const { ok, text } = await desk.call(name, args);
      if (!ok) throw new Error(`${name} ${JSON.stringify(args)} failed: ${text}`);
      return text;
    },
    async fails(name, args = {}) {
      const { ok, text } = await desk.call(name, args);
      if (ok) throw new Error(`${name} ${JSON.stringify(args)} was done: ${text}`);
      return text;
    },
    open: path => desk.ok('navigate_page', { url: site.url + path }),
    uid: async words => uidIn(await desk.ok('take_snapshot'), words),
    async js(expression) {
      const text = await desk.ok('evaluate_script', { function: `() => (${expression})` });
      const json = /```json\n([\s\S]*)\n```/.exec(text)?.[1] ?? '';
      return json === 'undefined' ? undefined : JSON.parse(json);
    },
    async close() {
      await kit.close();
      await site.close();
    },
  };
  return desk;
}

/** With the members of lists, and the values of what is a choice. */
function triedIn(prefix: string, value: unknown): string[] {
  if (Array.isArray(value)) return [prefix, ...value.flatMap(item => triedIn(`${prefix}[]`, item))];
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? [prefix, `${prefix}=${value}`] : [prefix];
  return [prefix, ...Object.entries(value).flatMap(([key, item]) => triedIn(`${prefix}.${key}`, item))];
}
