// What was asked for is what a client is shown: the categories, the names, every parameter with its default and values; one form of answer.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LISTED } from '../../src/surfaces/listing/listed.ts';
import { type JsonSchema, offered, type ToolEntry } from '../../src/surfaces/listing/listing.ts';
import { BUNDLE, CLIENT_INFO, cleanEnv, temporaryFolder } from '../surfaces/process.ts';
import { CATEGORIES } from './tools.ts';

const folder = temporaryFolder();
const client = new Client(CLIENT_INFO);
let tools: ToolEntry[];

beforeAll(async () => {
  const args = [BUNDLE, '--structured'];
  const env = cleanEnv(folder.path);
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  tools = (await client.listTools()).tools as unknown as ToolEntry[];
});
afterAll(async () => {
  await client.close();
  folder.remove();
});

const categories = Object.entries(CATEGORIES).map(([category, { group, tools: wanted }]) => ({
  category,
  group,
  wanted,
}));
const all = categories.flatMap(({ wanted }) => wanted);

interface Parameter {
  path: string[];
  required: boolean;
  usual: string | undefined;
  values: string[];
}

/** `mode=full{full,focused}` taken apart. Values may hold spaces. */
const parse = (text: string): Parameter[] =>
  [...text.matchAll(/([\w.]+)(\*)?(?:=([^\s{]+))?(?:\{([^}]*)\})?/g)].map(([, path = '', star, usual, values]) => ({
    path: path.split('.'),
    required: star !== undefined,
    usual,
    values: values?.split(',') ?? [],
  }));

/** Of a list its items, of a choice all that it offers. */
function insides(schema: JsonSchema): JsonSchema[] {
  const more = [schema.items, ...((schema.anyOf as unknown[]) ?? [])].filter(Boolean) as JsonSchema[];
  return [schema, ...more.flatMap(insides)];
}
const members = (schema: JsonSchema): Record<string, JsonSchema> =>
  Object.assign({}, ...insides(schema).map(({ properties }) => properties ?? {}));

describe('S1-12 the categories', () => {
  it('are thirteen, with 48 tools', () => {
    expect(categories).toHaveLength(13);
    expect(all).toHaveLength(48);
    expect(new Set(all.map(({ number }) => number)).size).toBe(48);
  });

  it.each(categories)('$category is the group $group', ({ group, wanted }) => {
    const names = offered(LISTED, [group]).map(({ tool }) => tool.name);
    expect(names).toEqual(expect.arrayContaining(wanted.map(({ name }) => name)));
  });
});

describe('S1-01 the names', () => {
  it('are all there, as plain words without a prefix', () => {
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(all.map(({ name }) => name)));
    for (const name of names) expect(name).toMatch(/^(?!chrome_|browser_)[a-z]+(?:_[a-z]+)?$/);
  });
});

describe('14.12 tools/list names every parameter, with its default', () => {
  it.each(all)('S1-$number $name', ({ name, parameters }) => {
    const tool = tools.find(one => one.name === name);
    if (!tool) throw new Error(`${name} is not there`);
    for (const { path, required, usual, values } of parse(parameters)) {
      const said = `${name} ${path.join('.')}`;
      const last = path.at(-1) ?? '';
      const around = path
        .slice(0, -1)
        .reduce<JsonSchema>((schema, key) => members(schema)[key] ?? {}, tool.inputSchema);
      const schema = members(around)[last];
      if (!schema) throw new Error(`${said} is missing`);
      const needed = insides(around).some(one => (one.required as string[] | undefined)?.includes(last));
      // x and y of a point are needed with each other.
      if (required || path.length === 1) expect(needed, said).toBe(required);
      // A switch that is off by default need not say so.
      if (usual !== 'false')
        expect(schema.default === undefined ? undefined : String(schema.default), said).toBe(usual);
      const offeredValues = insides(schema).flatMap(one => (one.enum as string[] | undefined) ?? []);
      expect(offeredValues, said).toEqual(expect.arrayContaining(values));
    }
  });
});

describe('S1-07 one form of answer', () => {
  it('every tool answers success with data, or no success with an error', async () => {
    const seen = new Set<boolean>();
    for (const { name } of tools) {
      const { structuredContent, isError } = await client.callTool({ name, arguments: {} });
      const answer = structuredContent as { success: boolean; data?: unknown; error?: unknown };
      expect(answer.success, name).toBe(isError !== true);
      if (answer.success) expect(answer, name).toHaveProperty('data');
      else
        expect(answer, name).toMatchObject({ error: expect.stringMatching(/./), code: expect.stringMatching(/^\w+$/) });
      expect(
        Object.keys(answer).every(key => ['success', 'data', 'error', 'code', 'hint'].includes(key)),
        name,
      ).toBe(true);
      seen.add(answer.success);
    }
    expect(seen.size).toBe(2);
  });
});
