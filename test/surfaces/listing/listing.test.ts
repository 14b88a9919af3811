// tools/list: small, stripped of noise, in a fixed order, filtered by group.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { briefly } from '../../../src/surfaces/listing/brief.ts';
import { LISTED } from '../../../src/surfaces/listing/listed.ts';
import { offered, type ToolEntry } from '../../../src/surfaces/listing/listing.ts';
import { inputSchema, list } from '../../../src/surfaces/listing/schema.ts';
import { type AnyTool, GROUPS } from '../../../src/tools/tool.ts';

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
const names = (wanted: string[]) => offered(three, wanted).map(tool => tool.name);

describe('the list of all tools', () => {
  const tools = (wanted: string[]) => offered(LISTED, wanted).map(briefly);
  const chars = (listed: ToolEntry[]) => JSON.stringify({ tools: listed }).length;
  /** Ours; the other 48 are those of seed 001. */
  const SESSIONS = ['session_create', 'session_list', 'session_close'];
  const PROFILES = ['profile_list', 'profile'];
  const FURTHER = ['batch', 'downloads', 'fill_form', 'find', 'network_log', 'read', ...SESSIONS, ...PROFILES];

  it('is at most 24 000 characters long, the 48 of S1 at most 20 000, its core at most 8 000', () => {
    const all = tools(['all']);
    const first = all.filter(({ name }) => !FURTHER.includes(name));
    expect(first).toHaveLength(48);
    const sizes = { all: chars(all), 'of S1': chars(first), core: chars(tools(['core'])) };
    console.log('characters of tools/list', sizes);
    expect(sizes.all).toBeLessThanOrEqual(24_000);
    expect(sizes['of S1']).toBeLessThanOrEqual(20_000);
    expect(sizes.core).toBeLessThanOrEqual(8_000);
  });

  it('leaves out what is told once, and says objects by their keys', () => {
    const entry = briefly({
      name: 'look',
      description: 'Look.',
      inputSchema: inputSchema({
        selector: z.string().describe('@e5, role:button'),
        mode: z.enum(['full', 'focused']).default('full'),
        block: z.enum(['start', 'center']).default('center'),
        count: z.int().default(3),
        deep: z.boolean().default(true),
        clip: z
          .object({ x: z.number(), on: z.boolean().default(true), side: z.enum(['a', 'b']).optional() })
          .optional(),
        steps: z.array(z.object({ method: z.enum(['css', 'nth']), value: z.string() })).describe('In turn:'),
        timeout: z.number().default(5_000),
        frameId: z.int().optional(),
      }),
    });
    expect(entry.inputSchema).toEqual({
      type: 'object',
      properties: {
        selector: { type: 'string' },
        mode: { type: 'string', enum: ['full', 'focused'] },
        block: { type: 'string', enum: ['start', 'center'], default: 'center' },
        count: { type: 'integer' },
        deep: { type: 'boolean', default: true },
        clip: { type: 'object', description: '{x, on=true, side: a|b}' },
        steps: { type: 'array', items: { type: 'object' }, description: 'In turn: [{method: css|nth, value}]' },
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
