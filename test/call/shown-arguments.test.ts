// What the journal and a question keep of arguments: enough to know what was done, and no secret.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { maskedArgs, questionAbout } from '../../src/call/shown-arguments.ts';
import { TOOLS, UNLISTED_TOOLS } from '../../src/tools/index.ts';
import type { AnyTool } from '../../src/tools/tool.ts';
import { factsOf } from '../../src/tools/touches.ts';

const SECRET = 'hush-hush-7';
const toolOf = (name: string) => TOOLS.find(tool => tool.name === name);
const kept = (name: string, args: Record<string, unknown>) => JSON.stringify(maskedArgs(toolOf(name), args));

describe.each(TOOLS.map(tool => [tool.name, tool] as const))('%s', (name, tool) => {
  it('keeps no secret under a name that it does not know, nor in what is typed', () => {
    const typed = Object.fromEntries(factsOf(tool.input).typed.map(key => [key, SECRET]));
    const odd = { token: SECRET, odd: SECRET, deep: { password: SECRET, list: [{ apiKey: SECRET }] }, ...typed };
    expect(kept(name, odd)).not.toContain(SECRET);
    const call = { name, args: odd, caller: { id: 'ann' } };
    expect(questionAbout({ call, tool, args: odd, session: undefined }, 'r', [])).not.toContain(SECRET);
  });
});

it('each text among the arguments of a tool says by its kind whether it may be kept', () => {
  const undeclared = [...TOOLS, ...UNLISTED_TOOLS].map(({ name, input }) => [name, ...factsOf(input).undeclared]);
  expect(undeclared.filter(([, ...names]) => names.length > 0)).toEqual([]);
  const typed = TOOLS.map(({ name, input }) => [name, ...new Set(factsOf(input).typed)].join(' '));
  expect(typed.filter(line => line.includes(' '))).toEqual([
    'locator fill_value',
    'fill value',
    'type text',
    'upload base64',
    'fill_form value',
    'cookies value data',
    'storage value',
    'request body json form_data',
    'route post_data',
    'batch args',
    'dialog prompt_text prompt_default_text',
  ]);
});

it('a text of no declared kind is not kept', () => {
  const tool = {
    ...TOOLS[0],
    input: { note: z.string(), any: z.unknown(), list: z.array(z.string()), count: z.int() },
  };
  const args = { note: SECRET, any: { a: SECRET }, list: [SECRET], count: 5 };
  expect(JSON.stringify(maskedArgs(tool as AnyTool, args))).toBe(
    '{"note":"‹11 chars›","any":"‹masked›","list":"‹masked›","count":5}',
  );
});

it('S3-31: names of sessions, tools and targets stay, tokens never', () => {
  expect(kept('session_create', { name: 'work', shared: true })).toBe('{"name":"work","shared":true}');
  expect(kept('session_close', { session: 'work' })).toBe('{"session":"work"}');
  expect(kept('network_log', { url_pattern: '**/api/**' })).toBe('{"url_pattern":"**/api/**"}');
  expect(kept('click', { selector: '@e5' })).toBe('{"selector":"@e5"}');
  expect(kept('navigate', { url: `https://ann:${SECRET}@a.example/?access_token=${SECRET}` })).not.toContain(SECRET);
  expect(kept('request', { url: 'https://a.example/', headers: { Authorization: `Bearer ${SECRET}` } })).not.toContain(
    SECRET,
  );
  expect(kept('request', { url: 'https://a.example/', headers: { 'X-API-Key': SECRET } })).not.toContain(SECRET);
  expect(
    kept('evaluate', { expression: `fetch('/x', {headers: {authorization: 'Bearer ${SECRET}-abc123'}})` }),
  ).not.toContain(SECRET);
});

it('of a tool that there is not, nothing stays but the names of the arguments', () => {
  expect(JSON.stringify(maskedArgs(undefined, { a: SECRET, b: { c: SECRET }, d: 5 }))).toBe(
    '{"a":"‹11 chars›","b":"‹masked›","d":"‹masked›"}',
  );
});
