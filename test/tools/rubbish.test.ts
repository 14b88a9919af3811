// Rubbish: every tool with missing, wrong, extra, null and huge arguments gives a clear, quick error, and the server lives on.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Result } from '../../src/call/call.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { type Kit, startKit } from '../kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
  await kit.open('/inputs.html');
});
afterAll(() => kit.close());
afterEach(async () => expect(await kit.ok('url')).not.toBe(''));

interface Schema {
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}
const schemaOf = (tool: (typeof TOOLS)[number]): Schema =>
  z.toJSONSchema(z.strictObject(tool.input), { io: 'input', unrepresentable: 'any' }) as Schema;

/** Arguments with which each tool would run, so that only what a test adds is wrong. */
const FINE: Record<string, Record<string, unknown>> = {
  query: { by: 'role', value: 'button', return: 'attribute', attribute: 'type' },
  locator: { chain: [{ method: 'role', value: 'button' }] },
  navigate: { url: 'about:blank' },
  click: { selector: 'h1' },
  dblclick: { selector: 'h1' },
  hover: { selector: 'h1' },
  fill: { selector: '[name=text]', value: 'x' },
  type: { selector: '[name=text]', text: 'x' },
  press: { key: 'a' },
  drag: { source: 'h1', target: 'h1' },
  upload: { selector: '[name=file]', files: ['package.json'] },
  check: { selector: '[name=ads]' },
  uncheck: { selector: '[name=ads]' },
  select: { selector: 'select', index: 0 },
  clear: { selector: '[name=text]' },
  focus: { selector: '[name=text]' },
  wait: { for: 'timeout', duration: 1 },
  tab_switch: { index: 0 },
  evaluate: { expression: '1' },
  dialog: { action: 'get_message' },
};

/** One or two lines, quick, no fault of the server's own; names what is wrong. */
function expectClear(result: Result, ...names: string[]): void {
  expect(result.ok, `${result.tool} took it: ${result.text.slice(0, 200)}`).toBe(false);
  expect(result.failure?.code, result.text).not.toBe('internal');
  expect(result.text.split('\n').length).toBeLessThanOrEqual(2);
  expect(result.text.length).toBeLessThan(1500);
  expect(result.ms).toBeLessThan(4_000);
  for (const name of names) expect(result.text).toContain(name);
}

const deep = (depth: number): unknown => {
  let value: unknown = 'bottom';
  for (let left = depth; left > 0; left--) value = { in: value };
  return value;
};

/** Values that never fit the kind of an argument. */
function wrong({ type, enum: values, anyOf }: Schema): unknown[] {
  if (values) return ['nonsense', 5, null, [], {}];
  if (anyOf) return [null, true];
  const others = {
    string: [5, true, [], {}],
    number: ['5', true, [], {}, Number.NaN, Number.POSITIVE_INFINITY],
    boolean: ['true', 1, 'maybe', {}],
    array: ['x', 5, {}],
    object: ['x', 5, []],
  };
  const list = type === 'integer' ? [...others.number, 1.5, 1e300] : (others[type as keyof typeof others] ?? []);
  return [...list, null, deep(5000)];
}

const REQUIRED_ONE_OF: Record<string, string[]> = Object.fromEntries(
  TOOLS.map(tool => [tool.name, (tool.oneOf ?? []).flat()]),
);

describe.each(TOOLS.map(tool => [tool.name, tool] as const))('S1-02 %s', (name, tool) => {
  const { properties = {}, required = [] } = schemaOf(tool);
  const call = (args: unknown) => kit.call(name, args as Record<string, unknown>);
  /** Fine arguments with one changed; of those that exclude each other only this one. */
  const withArg = (key: string, value: unknown) => {
    const rivals = (tool.oneOf ?? []).find(list => list.includes(key)) ?? [];
    const rest = Object.entries(FINE[name] ?? {}).filter(([other]) => !rivals.includes(other));
    return { ...Object.fromEntries(rest), [key]: value };
  };

  it('missing arguments are named', async () => {
    for (const key of required) {
      const rest = Object.fromEntries(Object.entries(FINE[name] ?? {}).filter(([other]) => other !== key));
      expectClear(await call(rest), key, 'missing');
    }
    for (const key of REQUIRED_ONE_OF[name] ?? []) expectClear(await call({}), key);
  });

  it('arguments of a wrong kind, and null, are named', async () => {
    for (const [key, schema] of Object.entries(properties))
      for (const value of wrong(schema)) {
        const result = await call(withArg(key, value));
        expectClear(result, key);
        expect(result.failure?.code).toBe('bad_input');
      }
  });

  it('extra arguments are named', async () => {
    for (const key of ['nonsense', 'constructor', 'toString', 'Selector', 'x'.repeat(5000)])
      expectClear(await call({ ...FINE[name], [key]: 1 }), key.slice(0, 20));
    expectClear(await call(JSON.parse(`{"__proto__": {"polluted": 1}, "nonsense": 1}`)), 'nonsense');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('a text of 1 MB is refused, and not repeated', async () => {
    const texts = Object.entries(properties).filter(([, { type, enum: values }]) => type === 'string' && !values);
    for (const [key] of texts) {
      const result = await call(withArg(key, 'x'.repeat(1_048_576)));
      expectClear(result);
      expect(result.text).not.toMatch(/x{500}/);
    }
  });

  it('numbers out of bounds: a clear error or a clear answer', async () => {
    const numbers = Object.entries(properties).filter(
      ([key, { type }]) => /number|integer/.test(type ?? '') && key !== 'duration',
    );
    for (const [key] of numbers)
      for (const value of [-1, -(2 ** 31), 2 ** 53]) {
        const result = await call(withArg(key, value));
        if (!result.ok) expectClear(result);
      }
  });

  it('arguments that are no object', async () => {
    for (const args of ['text', 5, [], [1], true]) {
      const result = await call(args);
      expectClear(result);
      expect(result.failure?.code).toBe('bad_input');
    }
  });
});

describe('rubbish inside arguments', () => {
  it.each([
    ['click', { coordinates: { x: 1 } }, 'coordinates.y'],
    ['click', { coordinates: { x: 'a', y: 1 } }, 'coordinates.x'],
    ['click', { coordinates: { x: 1, y: 1, z: 1 } }, 'z'],
    ['click', { coordinates: { x: Number.NaN, y: 1 } }, 'coordinates.x'],
    ['click', { selector: 'h1', modifiers: ['Ctrl'] }, 'modifiers[0]'],
    ['click', { selector: 'h1', modifiers: Array(1000).fill('Alt') }, 'modifiers'],
    ['click', { selector: '' }, 'selector'],
    ['click', { selector: '   ' }, 'selector'],
    ['click', { selector: '@x5' }, '@x5'],
    ['click', { selector: 'role:' }, 'role:'],
    ['click', { selector: 'a[' }, 'a['],
    ['click', { selector: 'xpath=//[' }, '//['],
    ['query', { by: 'role', value: 'no-such-role' }, 'no-such-role'],
    ['query', { by: 'role', value: 'button', options: { nmae: 'x' } }, 'nmae'],
    ['locator', { chain: [] }, 'chain'],
    ['locator', { chain: [{ value: 'x' }] }, 'chain[0].method'],
    ['locator', { chain: [{ method: 'teleport' }] }, 'chain[0].method'],
    ['locator', { chain: [{ method: 'css', value: 5 }] }, 'chain[0].value'],
    ['select', { selector: 'select', value: [] }, 'value'],
    ['select', { selector: 'select', index: [0, 'b'] }, 'index'],
    ['upload', { selector: '[name=text]', files: [] }, 'files'],
    ['upload', { selector: '[name=text]', files: [{ pth: 'x' }] }, 'files[0]'],
    ['upload', { selector: '[name=text]', files: [5] }, 'files[0]'],
    ['navigate', { url: 'about:blank', window_size: { width: 'wide' } }, 'window_size.width'],
    ['navigate', { url: 'about:blank', headers: { a: 5 } }, 'headers.a'],
    ['navigate', { url: 'about:blank', headers: { 'a b\n': 'x' } }, 'headers'],
    ['navigate', { url: 'about:blank', headers: { a: 'x\r\nb: y' } }, 'headers'],
    ['screenshot', { clip: { x: 0, y: 0, width: 0, height: 10 } }, 'clip.width'],
    ['screenshot', { clip: { x: 0, y: 0 } }, 'clip.width'],
    ['dialog', { action: 'accept', auto_handle: {} }, 'auto_handle.enabled'],
    ['tab_close', { tabId: ['1'] }, 'tabId'],
    ['press', { key: 'Hyper+q' }, 'Hyper'],
  ])('%s %j names %s', async (tool, args, name) => {
    expectClear(await kit.call(tool, args), name);
  });

  it('S1-63 deep values for a script: run or refused, in words', async () => {
    for (const depth of [100, 5_000, 50_000]) {
      const result = await kit.call('evaluate', { expression: 'v => typeof v', args: [deep(depth)] });
      if (result.ok) expect(result.text).toBe('object');
      else expectClear(result, 'args');
    }
  });

  it('null or nothing as arguments is the same as none', async () => {
    for (const args of [null, undefined])
      expect((await kit.call('url', args as unknown as Record<string, unknown>)).ok).toBe(true);
  });

  it('a tool that is not there: the nearest one is named', async () => {
    expectClear(await kit.call('clik', {}), 'click');
    expectClear(await kit.call('x'.repeat(100_000), {}));
    expectClear(await kit.call('', {}));
    expectClear(await kit.call('__proto__', {}));
  });

  it('a near miss is named with what was meant', async () => {
    expectClear(await kit.call('click', { selectr: '[name=text]' }), 'selectr', 'did you mean selector?');
    expectClear(await kit.call('fill', { selector: '[name=text]', text: 'x' }), 'text', 'value');
  });
});
