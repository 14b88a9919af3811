// What the journal and a question keep of arguments: enough to know what was done, and no secret.
import { describe, expect, it } from 'vitest';
import { questionAbout } from '../../src/call/question.ts';
import { maskedArgs } from '../../src/call/record.ts';
import { TYPED } from '../../src/policy/mask.ts';
import { TOOLS } from '../../src/tools/index.ts';

const SECRET = 'hush-hush-7';
const toolOf = (name: string) => TOOLS.find(tool => tool.name === name);
const kept = (name: string, args: Record<string, unknown>) => JSON.stringify(maskedArgs(toolOf(name), args));

describe.each(TOOLS.map(tool => [tool.name, tool] as const))('%s', (name, tool) => {
  it('keeps no secret under a name that it does not know, nor in what is typed', () => {
    const typed = Object.fromEntries((TYPED[name] ?? []).map(key => [key, SECRET]));
    const odd = { token: SECRET, odd: SECRET, deep: { password: SECRET, list: [{ apiKey: SECRET }] }, ...typed };
    expect(kept(name, odd)).not.toContain(SECRET);
    const call = { name, args: odd, caller: { id: 'ann' } };
    expect(questionAbout({ call, tool, args: odd, session: undefined }, 'r', [])).not.toContain(SECRET);
  });
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
