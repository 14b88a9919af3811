// tools/list: small, stripped of noise, in a fixed order, filtered by group.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { LISTED } from '../../../src/surfaces/listing/listed.ts';
import { briefEntry, offered, type ToolEntry } from '../../../src/surfaces/listing/listing.ts';
import { inputSchema, list } from '../../../src/surfaces/listing/schema.ts';
import { GROUPS } from '../../../src/tools/index.ts';
import type { AnyTool } from '../../../src/tools/tool.ts';

const standIn = (name: string, more: Partial<AnyTool>): AnyTool => ({
  name,
  group: 'tabs',
  summary: `About ${name}.`,
  on: 'server',
  effect: 'read',
  time: 'action',
  input: {},
  run: async () => undefined,
  text: () => '',
  ...more,
});

const three = list([
  standIn('look', { group: 'snapshot', core: true }),
  standIn('press', { group: 'interaction', effect: 'write' }),
  standIn('erase', { effect: 'danger' }),
]);
const names = (wanted: string[]) => offered(three, wanted).map(({ tool }) => tool.name);

describe('the list of all tools', () => {
  const tools = (wanted: string[]) => offered(LISTED, wanted).map(briefEntry);
  const chars = (listed: ToolEntry[]) => JSON.stringify({ tools: listed }).length;
  /** Ours; the other 48 are those of seed 001. */
  const SESSIONS = ['session_create', 'session_list', 'session_close'];
  const PROFILES = ['profile_list', 'profile'];
  const FURTHER = ['batch', 'downloads', 'fill_form', 'find', 'network_log', 'read', ...SESSIONS, ...PROFILES];

  it('is at most 27 000 characters long, the 48 of S1 at most 23 000, its core at most 8 000', () => {
    const all = tools(['all']);
    const first = all.filter(({ name }) => !FURTHER.includes(name));
    expect(first).toHaveLength(48);
    const sizes = { all: chars(all), 'of S1': chars(first), core: chars(tools(['core'])) };
    console.log('characters of tools/list', sizes);
    expect(sizes.all).toBeLessThanOrEqual(27_000);
    expect(sizes['of S1']).toBeLessThanOrEqual(23_000);
    expect(sizes.core).toBeLessThanOrEqual(8_000);
  });

  it('leaves out what no document names and what is told once', () => {
    const input = {
      selector: z.string().meta({ docs: 'Which element' }),
      mode: z.enum(['full', 'focused']).default('full'),
      block: z.enum(['start', 'center']).default('center'),
      count: z.int().default(3),
      deep: z.boolean().default(true),
      clip: z.object({ x: z.number(), on: z.boolean().default(true), side: z.enum(['a', 'b']).optional() }).optional(),
      steps: z.array(z.object({ method: z.enum(['css', 'nth']), value: z.string() })).describe('In turn'),
      overlays: z.object({ labels: z.boolean().default(true) }).prefault({}),
      style: z.string().default('tree').meta({ unlisted: true }),
      force: z.boolean().optional().meta({ description: 'Even if covered', docs: 'Whatever lies over it' }),
    };
    const [entry] = list([standIn('look', { input })]);
    const told = Object.entries(entry?.tool.inputSchema.properties ?? {}).map(([name, { description }]) => [
      name,
      description,
    ]);
    expect(Object.fromEntries(told)).toMatchObject({
      selector: 'Which element',
      style: undefined,
      force: 'Whatever lies over it',
    });
    expect(entry?.brief).toEqual({
      type: 'object',
      properties: {
        selector: { type: 'string' },
        mode: { type: 'string', enum: ['full', 'focused'], default: 'full' },
        block: { type: 'string', enum: ['start', 'center'], default: 'center' },
        count: { type: 'integer', default: 3 },
        deep: { type: 'boolean', default: true },
        clip: {
          type: 'object',
          properties: {
            x: { type: 'number' },
            on: { type: 'boolean', default: true },
            side: { type: 'string', enum: ['a', 'b'] },
          },
          required: ['x'],
        },
        steps: {
          type: 'array',
          items: {
            type: 'object',
            properties: { method: { type: 'string', enum: ['css', 'nth'] }, value: { type: 'string' } },
          },
          description: 'In turn',
        },
        overlays: { type: 'object', properties: { labels: { type: 'boolean', default: true } } },
        force: { type: 'boolean', description: 'Even if covered' },
      },
      required: ['selector', 'steps'],
    });
  });

  it('has unique names that every client accepts', () => {
    const all = LISTED.map(({ tool }) => tool.name);
    expect(new Set(all).size).toBe(all.length);
    for (const name of all) expect(name).toMatch(/^[a-z0-9_]{1,64}$/);
  });

  it('says about each tool what it is for, in a known group', () => {
    for (const { group, tool } of LISTED) {
      expect(GROUPS, tool.name).toContain(group);
      expect(tool.description, tool.name).toMatch(/^[A-Z].*[.)]$/s);
      expect(tool.inputSchema.type, tool.name).toBe('object');
    }
  });

  it('does not advertise sessions to a single caller', () => {
    const listed = LISTED.filter(({ tool }) => Object.keys(tool.inputSchema.properties ?? {}).includes('session'));
    expect(listed.map(({ tool }) => tool.name)).toEqual(['session_close']);
  });
});

describe('a schema', () => {
  it('keeps types, values and defaults, and drops the noise', () => {
    const schema = inputSchema({
      selector: z.string().describe('Which element'),
      count: z.int().default(1),
      depth: z.int().min(1).max(9).optional(),
      mode: z.enum(['full', 'focused']).default('full'),
      point: z.strictObject({ x: z.number(), y: z.number() }).meta({ secret: true }).optional(),
      values: z.array(z.string()).optional(),
      headers: z.record(z.string(), z.string()).optional(),
    });
    expect(schema).toEqual({
      type: 'object',
      properties: {
        selector: { type: 'string', description: 'Which element' },
        count: { type: 'integer', default: 1 },
        depth: { type: 'integer' },
        mode: { type: 'string', enum: ['full', 'focused'], default: 'full' },
        point: {
          type: 'object',
          properties: { x: { type: 'number' }, y: { type: 'number' } },
          required: ['x', 'y'],
        },
        values: { type: 'array', items: { type: 'string' } },
        headers: { type: 'object', additionalProperties: { type: 'string' } },
      },
      required: ['selector'],
    });
  });

  it('keeps an argument that has the name of a keyword', () => {
    const schema = inputSchema({ $schema: z.string(), title: z.string() });
    expect(Object.keys(schema.properties as object)).toEqual(['$schema', 'title']);
  });
});

describe('annotations', () => {
  it('tell only what is not the default of the protocol', () => {
    expect(three.map(({ tool }) => tool.annotations)).toEqual([{ readOnlyHint: true }, undefined, undefined]);
  });
});

describe('--tools', () => {
  it('chooses groups, in the order of the table', () => {
    expect(names(['all'])).toEqual(['look', 'press', 'erase']);
    expect(names(['tabs', 'core'])).toEqual(['look', 'erase']);
    expect(names(['interaction'])).toEqual(['press']);
  });

  it('refuses a group that does not exist', () => {
    expect(() => names(['cor'])).toThrow('--tools: there is no group "cor".');
  });
});
