// The dialect browsion against its document: 73 tools in 22 categories, every argument mapped, every path in both spellings.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEFINITION as BROWSION } from '../../src/dialects/browsion/definition.ts';
import { API } from '../../src/dialects/browsion/routes.ts';
import { fillTemplate } from '../../src/dialects/browsion/template.ts';
import { namesIn, stepsOf, toNative, toolsOf } from '../../src/dialects/decode.ts';
import type { DialectTool } from '../../src/dialects/definition.ts';
import { ROUTES } from '../../src/surfaces/browsion/routes.ts';
import { listingOf } from '../../src/surfaces/listing/listed-dialects.ts';
import { TOOLS as LISTED_TOOLS, UNLISTED_TOOLS } from '../../src/tools/index.ts';
import { SEED_CATEGORIES, SEED_TOOLS } from './browsion-tools.ts';

const TOOLS = [...LISTED_TOOLS, ...UNLISTED_TOOLS];
const { listed: LISTED, instructions: INSTRUCTIONS } = await listingOf('browsion');
const listed = LISTED.map(({ tool }) => tool);
const rowOf = (name: string): DialectTool => BROWSION.tools[name]!;

interface Argument {
  name: string;
  required: boolean;
  usual: string | undefined;
  values: string[] | undefined;
}

/** `format=png{png,jpeg}` taken apart. */
const parse = (text: string): Argument[] =>
  [...text.matchAll(/([\w]+)(\*)?(?:=([^\s{]*))?(?:\{([^}]*)\})?/g)].map(([, name = '', star, usual, values]) => ({
    name,
    required: star !== undefined,
    usual,
    values: values?.split(','),
  }));

const textOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value);

describe('S4-02 the tools', () => {
  it('are 73 in 22 categories, in the order of the document', () => {
    expect(SEED_TOOLS).toHaveLength(73);
    expect(SEED_CATEGORIES).toHaveLength(22);
    expect(listed.map(({ name }) => name)).toEqual(SEED_TOOLS.map(({ name }) => name));
    console.log(
      `${listed.length} tools, ${ROUTES.length} routes, ${JSON.stringify({ tools: listed }).length} characters`,
    );
  });

  it.each(SEED_TOOLS)('$id $name: names, types, values, defaults', ({ name, category, takes }) => {
    const { inputSchema, description } = listed.find(tool => tool.name === name)!;
    const properties = inputSchema.properties as Record<string, { default?: unknown; enum?: string[]; type?: string }>;
    const wanted = parse(takes);
    expect(API[name]?.category).toBe(category);
    expect(description).toMatch(/^[A-Z].*\.$/);
    expect(Object.keys(properties).sort()).toEqual(wanted.map(argument => argument.name).sort());
    expect([...((inputSchema.required as string[]) ?? [])].sort()).toEqual(
      wanted
        .filter(({ required }) => required)
        .map(argument => argument.name)
        .sort(),
    );
    for (const { name: argument, usual, values } of wanted) {
      expect(textOf(properties[argument]?.default), argument).toBe(usual);
      expect(properties[argument]?.enum, argument).toEqual(values);
      expect(properties[argument]?.type, argument).toMatch(/^(string|number|boolean|array|object)$/);
    }
  });

  it('have an alias for the name that the code gives one of them', () => {
    expect(rowOf('clear_console_logs').cases).toEqual(rowOf('clear_console').cases);
    expect(API.clear_console_logs?.routes).toEqual(API.clear_console?.routes);
  });
});

describe('S4-03 the paths', () => {
  const full = (path: string) => {
    const [method, rest = ''] = path.split(' ');
    return `${method} /api${rest.startsWith('/') ? rest : `/browser/:profile_id/${rest}`}`;
  };

  it.each(SEED_TOOLS)('$id $name: $paths', ({ name, paths }) => {
    const served = API[name]!.routes.map(({ method, path }) => `${method} ${path}`);
    expect(served.sort()).toEqual(paths.map(full).sort());
  });

  it('are each served once, more than 70 of them', () => {
    const all = ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(70);
    expect(all).toContain('GET /api/health');
  });
});

describe('the mapping', () => {
  const given = (row: DialectTool): Set<string> => {
    const steps = row.cases.flatMap(stepsOf);
    const conditions = row.cases.flatMap(({ when }) => Object.keys(when ?? {}));
    return new Set([...steps.flatMap(({ args = {} }) => Object.values(args).flatMap(namesIn)), ...conditions]);
  };

  it.each(Object.entries(BROWSION.tools))('%s leads to tools of ours, and uses each of its arguments', (_name, row) => {
    for (const tool of toolsOf(row)) expect(TOOLS.map(one => one.name)).toContain(tool);
    const used = given(row);
    const names = Object.keys(row.arguments).filter(name => name !== 'profile_id' || used.has(name));
    expect(names.filter(name => !used.has(name))).toEqual([]);
    for (const step of row.cases.flatMap(stepsOf)) {
      const { input } = TOOLS.find(one => one.name === step.tool)!;
      const ours = [...Object.keys(step.args ?? {}), ...Object.keys(step.constants ?? {})].map(
        path => path.split('.')[0],
      );
      expect(Object.keys(input)).toEqual(expect.arrayContaining(ours));
    }
  });

  it('S4-15 C-29 a star stands for anything, a text without one for a part', () => {
    const patternOf = (url_pattern: string) =>
      toNative('block_url', rowOf('block_url'), { url_pattern }, 0).args.url_pattern;
    expect(patternOf('*/api/v1/*')).toBe('**/api/v1/**');
    expect(patternOf('/api/')).toBe('**/api/**');
    expect(patternOf('**.png')).toBe('**.png');
  });

  it('S4-45 a CSS selector means the first that it matches, and nothing else is touched', () => {
    const aimOf = (selector: string) => toNative('click', rowOf('click'), { selector }, 0).args.selector;
    expect(aimOf('.row > a')).toBe('.row > a >> nth=0');
    for (const other of ['e12', '@e12', 'text:Save', 'xpath=//a', '//a']) expect(aimOf(other)).toBe(other);
  });

  it('S4-95 a swipe goes where the finger goes', () => {
    const offsetOf = (direction: string) =>
      toNative('swipe', rowOf('swipe'), { selector: '#x', direction, distance: 100 }, 0).args.offset;
    expect([offsetOf('up'), offsetOf('right')]).toEqual([
      { x: 0, y: -100 },
      { x: 100, y: 0 },
    ]);
  });

  it.each([
    [{ width: 400 }, ['viewport']],
    [{ user_agent: 'x' }, ['device']],
    [{ latitude: 1, longitude: 2 }, ['geolocation']],
    [{ mobile: true, latitude: 1, longitude: 2 }, ['viewport', 'geolocation']],
    [{ height: 1, user_agent: 'x', latitude: 1, longitude: 2 }, ['viewport', 'device', 'geolocation']],
  ])('S4-90 emulate %j is done by %j', (args, tools) => {
    const { tool, args: ours } = toNative('emulate', rowOf('emulate'), args, 0);
    const calls = (ours.calls as { tool: string }[] | undefined)?.map(call => call.tool);
    expect(calls ?? [tool]).toEqual(tools);
  });
});

describe('S4-23 the form of answers', () => {
  it('takes members by their path, lists item by item, and leaves out what is missing', () => {
    const shape = { url: 'page.url', none: 'page.none', ok: true, rows: { each: 'rows', item: { id: 'id' } } } as const;
    expect(fillTemplate(shape, { page: { url: 'x' }, rows: [{ id: 1, more: 2 }] })).toEqual({
      url: 'x',
      ok: true,
      rows: [{ id: 1 }],
    });
    expect(fillTemplate({ each: 'rows', item: 'id' }, {})).toEqual([]);
  });

  it('every row has one', () => {
    expect(Object.entries(BROWSION.tools).filter(([, { result }]) => result === undefined)).toEqual([]);
  });
});

it('the instructions name only tools that are there', () => {
  const named = INSTRUCTIONS.match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
  const known = [...listed.map(({ name }) => name), 'profile_id', 'ref_id', 'target_id'];
  expect(named.filter(name => !known.includes(name))).toEqual([]);
  for (const name of Object.values(BROWSION.names)) expect(known).toContain(name);
});

it('the guide names only paths that are served', () => {
  const guide = readFileSync('docs/browsion.md', 'utf8');
  const below = (path: string) => path.replace(/^\/api\/(?:browser\/:profile_id\/)?/, '').split('/:')[0];
  const served = new Set(ROUTES.map(({ path }) => below(path)));
  const named = [...guide.matchAll(/\/browser\/work\/([\w/]+)|`([a-z_]+\/[a-z_]+)(?:`|\?)/g)].map(
    ([, inCall, inText]) => inCall ?? inText ?? '',
  );
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter(path => !served.has(path))).toEqual([]);
});
