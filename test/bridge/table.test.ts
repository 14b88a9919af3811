// The table of tools: names, annotations, schemas and their defaults (S0-47, S0-48, S0-65, S0-70).
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { COMMON_INPUT } from '../../src/bridge/cli/arguments.ts';
import { ALLOWED_ROOT_COMMANDS } from '../../src/bridge/commands.ts';
import { BRIDGE_TOOLS } from '../../src/bridge/tools/index.ts';
import { GROUPS, inputOf } from '../../src/bridge/tools/tool.ts';
import { LISTED } from '../../src/surfaces/listing/listed-bridge.ts';

const names = BRIDGE_TOOLS.map(({ name }) => name);
const entry = (name: string) => LISTED.find(({ tool }) => tool.name === `agent_browser_${name}`)!.tool;
const schemaOf = (name: string) =>
  z.strictObject(inputOf(BRIDGE_TOOLS.find(tool => tool.name === `agent_browser_${name}`)!));

describe('the tools', () => {
  it('S0-22 S0-25 S0-28 S0-29 S0-30 S0-31 S0-34 S0-55 S0-69 S0-70 are these', () => {
    const verbs =
      'open snapshot click fill type press back forward reload close session session_list connect set_headers hover check uncheck select upload get is find tab scroll wait screenshot eval cookies storage console command health';
    expect(names).toEqual(verbs.split(' ').map(verb => `agent_browser_${verb}`));
  });

  it('S0-48 are called like the commands of the CLI', () => {
    const own = ['session_list', 'set_headers', 'command', 'health'];
    for (const name of names) {
      const verb = name.replace('agent_browser_', '');
      expect(own.includes(verb) || ALLOWED_ROOT_COMMANDS.includes(verb)).toBe(true);
      expect(name).toMatch(/^agent_browser_[a-z_]{1,50}$/);
    }
  });

  it('S0-06 S0-18 S0-47 all take the global options and save_output_path', () => {
    for (const tool of BRIDGE_TOOLS)
      expect(Object.keys(inputOf(tool))).toEqual(expect.arrayContaining(Object.keys(COMMON_INPUT)));
    for (const { tool } of LISTED)
      expect(Object.keys(tool.inputSchema.properties as object)).toEqual(
        expect.arrayContaining(Object.keys(COMMON_INPUT)),
      );
  });

  it('have a group, and a summary of one line', () => {
    for (const { group, summary } of BRIDGE_TOOLS) {
      expect(GROUPS).toContain(group);
      expect(summary).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('S0-20 all say the form of their results', () => {
    for (const { tool } of LISTED)
      expect(tool.outputSchema).toMatchObject({
        type: 'object',
        required: expect.arrayContaining(['ok', 'exitCode', 'signal', 'invoked', 'stdout', 'stderr', 'truncated']),
      });
  });

  it('fit into a chat', () => {
    const length = JSON.stringify(LISTED.map(({ tool: { outputSchema: _, ...shown } }) => shown)).length;
    console.log(`characters of tools/list without output schemas: ${length}`);
    expect(length).toBeLessThan(21_000);
  });
});

describe('annotations', () => {
  it.each(['close', 'command', 'eval', 'cookies', 'storage', 'click', 'upload'])(
    'S0-32 S0-37 S0-65 %s may destroy',
    name => expect(entry(name).annotations).toMatchObject({ destructiveHint: true, readOnlyHint: false }),
  );
  it.each(['session', 'session_list', 'get', 'is', 'snapshot', 'health'])('S0-33 S0-34 S0-65 %s only reads', name =>
    expect(entry(name).annotations).toEqual({ readOnlyHint: true, idempotentHint: true }),
  );
  it.each(['open', 'back', 'hover', 'scroll', 'connect', 'set_headers', 'console', 'screenshot'])(
    'S0-55 S0-65 %s destroys nothing',
    name => expect(entry(name).annotations).toEqual({ readOnlyHint: false, destructiveHint: false }),
  );
});

describe('schemas', () => {
  it('S0-24 S0-47 of a snapshot: what can be acted on, compact, five levels deep', () =>
    expect(schemaOf('snapshot').parse({})).toMatchObject({ interactive: true, compact: true, depth: 5 }));

  it.each<[string, Record<string, unknown>]>([
    ['tab', { action: 'list' }],
    ['scroll', { direction: 'down', amount: 300 }],
    ['screenshot', { full: false, annotate: false }],
    ['cookies', { action: 'get', http_only: false, secure: false }],
    ['storage', { area: 'local', action: 'get' }],
    ['console', { clear: false }],
    ['health', { start_browser: true }],
  ])('S0-47 of %s fill in %j', (name, defaults) => expect(schemaOf(name).parse({})).toMatchObject(defaults));

  it.each<[string, Record<string, unknown>]>([
    ['open', {}],
    ['open', { url: '' }],
    ['open', { url: 'https://a', headers: { a: 1 } }],
    ['snapshot', { depth: 0 }],
    ['snapshot', { depth: 1.5 }],
    ['click', {}],
    ['click', { target: '' }],
    ['click', { target: '--json' }],
    ['fill', { target: '@e1' }],
    ['type', { target: '@e1', text: '' }],
    ['press', { key: '' }],
    ['connect', {}],
    ['connect', { cdp_port: 0 }],
    ['set_headers', {}],
    ['command', { argv: [] }],
    ['command', { argv: [''] }],
    ['command', { argv: 'open' }],
    ['select', { target: '@e1', values: [] }],
    ['upload', { target: '@e1', files: [] }],
    ['get', { what: 'everything' }],
    ['is', { state: 'gone', target: '@e1' }],
    ['find', { by: 'magic', value: 'x' }],
    ['scroll', { direction: 'sideways' }],
    ['wait', { ms: -1 }],
    ['screenshot', { path: 'a.exe' }],
    ['close', { everything: true }],
  ])('S0-47 of %s refuse %j', (name, input) => expect(schemaOf(name).safeParse(input).success).toBe(false));

  it('S0-35 of connect need the port', () => {
    expect(entry('connect').inputSchema.required).toEqual(['cdp_port']);
    expect(entry('open').inputSchema.required).toEqual(['url']);
  });
});
