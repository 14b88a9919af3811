// Fuzzing of every tool's arguments, generated from the tool table, through the whole path of a call with a real browser.
import fc from 'fast-check';
import { z } from 'zod';
import { TOOLS } from '../../src/tools/index.ts';
import { type Kit, startKit } from '../kit.ts';
import { answerFaults } from './answers.ts';
import { draw, type OpenPart, ownMemory, type Part } from './campaign.ts';
import { hostileText, hostileValue } from './values.ts';

/** Long enough for a good call on a busy machine; cases that wait have short times of their own. */
const CALL_MS = 15_000;
const FLAGS = ['--timeout-action', '1000', '--timeout-navigation', '15000', '--timeout-call', String(CALL_MS)];

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}
type Args = Record<string, unknown>;

const SELECTORS = [
  'h1',
  '[name=text]',
  '@e1',
  '@e5',
  'role:button',
  'text:Send',
  'label:Name',
  'xpath=//select',
  '*',
  'html',
];
const SCRIPTS = [
  '1 + 1',
  '() => document.title',
  'document.body.innerHTML',
  'throw null',
  'Promise.reject(Symbol("x"))',
  'new Promise(() => {})',
  "'x'.repeat(5e6)",
  '({ get a() { throw 1; } })',
  'new Proxy({}, { ownKeys() { throw 2; } })',
  'document.write("gone")',
  'Object.prototype.toJSON = () => { throw 3; }',
  'setTimeout(() => alert(1))',
  'location.reload()',
  'window.close()',
  'for (;;);',
  'const a = {}; a.a = a; a',
  '10n',
  "'\\ud800'",
];

/** What an argument of that name is likely to be. Addresses are those of the site, or lead nowhere: nothing else may be reached. */
const likely = (site: string): Record<string, fc.Arbitrary<unknown>> => {
  const pages = ['/inputs.html', '/frames.html', '/big?rows=2000', '/missing', '/slow?ms=9000', '/redirect'];
  const url = fc.constantFrom(
    ...pages.map(path => site + path),
    ...['about:blank', 'data:text/html,<h1>x', 'javascript:1', 'file:///etc/passwd', 'http://127.0.0.1:1/', 'http://['],
    ...[
      'chrome://version',
      'blob:x',
      'view-source:about:blank',
      'http:// /',
      `${site}/\ud800`,
      '\0',
      'ws://127.0.0.1:1/',
    ],
    `${site}/${'a'.repeat(100_000)}`,
  );
  const selector = fc.oneof(fc.constantFrom(...SELECTORS), hostileText);
  return {
    ...{ url, details: url, origin: url, origins: fc.array(url, { maxLength: 3 }), proxy_server: url },
    ...{ selector, source: selector, target: selector },
    expression: fc.constantFrom(...SCRIPTS),
    function: fc.constantFrom(...SCRIPTS),
    timeout: fc.integer({ min: 1, max: 800 }),
    duration: fc.integer({ min: 0, max: 300 }),
    key: fc.oneof(fc.constantFrom('Enter', 'Control+a', 'Tab', 'F5', 'Escape', 'Meta+q', '+', 'a b'), hostileText),
    session: fc.constantFrom('one', 'two'),
    tabId: fc.integer({ min: 1, max: 6 }),
    frameId: fc.integer({ min: 0, max: 2 }),
    tool: fc.constantFrom('click', 'url', 'batch', 'snapshot', '__proto__', 'wait'),
    user_data_dir: fc.constantFrom('../x', '/', '\0', 'fuzz-data'),
  };
};

/** Values that the schema takes, hostile ones among them. */
function fitting(schema: Schema, names: Record<string, fc.Arbitrary<unknown>>, name = ''): fc.Arbitrary<unknown> {
  // A profile's browser would outlive the test.
  if (schema.enum) return fc.constantFrom(...schema.enum.filter(value => value !== 'launch'));
  const own = Object.hasOwn(names, name) ? names[name] : undefined;
  if (own && schema.type !== 'array') return own.map(value => (typeof value === 'string' ? cut(value, schema) : value));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(one => fitting(one, names, name)));
  if (schema.type === 'string') return hostileText.map(text => cut(text, schema));
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'array')
    return fc.array(fitting(schema.items ?? {}, names, name), { minLength: 1, maxLength: 4 });
  if (schema.type === 'object') return objectOf(schema, names);
  const { minimum = -10_000, maximum = 10_000 } = schema;
  const [min, max] = [Math.max(minimum, -10_000), Math.min(maximum, 10_000)];
  if (schema.type === 'integer') return fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
  if (schema.type === 'number') return fc.double({ min, max, noNaN: true, minExcluded: true });
  return hostileValue;
}

const cut = (text: string, { minLength = 0, maxLength = 1e9 }: Schema): string =>
  text.slice(0, maxLength).padEnd(minLength, 'x');

/** What need not be given is left out three times of four. */
const rarely = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

function objectOf(schema: Schema, names: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Args> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).map(([key, one]) => {
    const value = fitting(one, names, key);
    return [key, required.includes(key) ? value : rarely(value)] as const;
  });
  const known = fc.record(Object.fromEntries(fields)).map(withoutUndefined);
  if (typeof additionalProperties !== 'object') return known;
  const others = fc.dictionary(hostileText, fitting(additionalProperties, names), { maxKeys: 4 });
  return fc.tuple(known, others).map(([one, more]) => ({ ...more, ...one }));
}

const withoutUndefined = (args: Args): Args =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

interface Case {
  tool: string;
  args: unknown;
}

/** The arguments that exclude each other: one of each list. */
const chosen = (args: Args, lists: readonly (readonly string[])[], pick: number): Args => {
  const dropped = lists.flatMap(list => list.filter((_, index) => index !== pick % list.length));
  return Object.fromEntries(Object.entries(args).filter(([key]) => !dropped.includes(key)));
};

function casesFor(tool: (typeof TOOLS)[number], site: string): fc.Arbitrary<Case> {
  const schema = z.toJSONSchema(z.strictObject(tool.input), { io: 'input', unrepresentable: 'any' }) as Schema;
  // Without a time of its own a wait for a person would have none.
  if (schema.properties?.timeout) schema.required = [...new Set([...(schema.required ?? []), 'timeout'])];
  const lists = tool.oneOf ?? [];
  schema.required = [...(schema.required ?? []), ...lists.flat()];
  const fine = fc
    .tuple(objectOf({ ...schema, properties: { ...schema.properties, session: {} } }, likely(site)), fc.nat(3))
    .map(([args, pick]) => chosen(args, lists, pick));
  const keys = Object.keys(schema.properties ?? {}).filter(key => key !== 'timeout');
  const key = fc.oneof(fc.constantFrom(...keys, 'nonsense'), hostileText);
  // Strings as addresses could name hosts of others.
  const isAddress = (name: string) => /url|origin|details|proxy/.test(name);
  const oneWrong = fc.tuple(fine, key, hostileValue).map(([args, name, value]) => ({
    ...args,
    [name]: isAddress(name) && typeof value === 'string' ? 'http://[' : value,
  }));
  const args = fc.oneof(
    { weight: 6, arbitrary: fine },
    { weight: 3, arbitrary: oneWrong },
    { weight: 1, arbitrary: hostileValue },
  );
  return args.map(args => ({ tool: tool.name, args }));
}

class ToolArguments implements OpenPart {
  readonly #tools: fc.Arbitrary<Case>[];

  constructor(
    readonly kit: Kit,
    readonly seed: number,
  ) {
    this.#tools = TOOLS.map(tool => casesFor(tool, kit.site.url));
  }

  memory = ownMemory;

  async run(number: number) {
    // Tools take turns, so that none is left out of a short run.
    const sent = draw(this.#tools[number % this.#tools.length] as fc.Arbitrary<Case>, this.seed, number);
    const started = performance.now();
    const result = await this.kit.call(sent.tool, sent.args as Args);
    return { sent, faults: [...answerFaults(result, performance.now() - started, CALL_MS), ...pollution()] };
  }

  /** The session starts anew: cases may leave it offline, or with every address blocked. */
  async check(): Promise<string[]> {
    await this.kit.call('session_close', { all: true });
    const opened = await this.kit.call('navigate', { url: `${this.kit.site.url}/inputs.html` });
    const clicked = await this.kit.call('click', { selector: 'h1', timeout: CALL_MS });
    return [opened, clicked].filter(({ ok }) => !ok).map(({ tool, text }) => `${tool}: ${text}`);
  }

  close(): Promise<void> {
    return this.kit.close();
  }
}

const pollution = (): string[] => (Object.keys(Object.prototype).length > 0 ? ['Object.prototype was changed'] : []);

export const toolArguments: Part = {
  name: 'tool arguments',
  async open(seed) {
    const kit = await startKit(...FLAGS);
    await kit.open('/inputs.html');
    return new ToolArguments(kit, seed);
  },
};
