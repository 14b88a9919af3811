// Every tool and every global option over a stub that records its command line (S0-07, S0-22 to S0-37, S0-55, S0-65).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BRIDGE_TOOLS } from '../../../src/bridge/tools/index.ts';
import { type StubKit, stubKit } from '../kit.ts';

let kit: StubKit;
beforeAll(() => {
  kit = stubKit();
  writeFileSync(join(kit.folder, 'a.txt'), 'a');
});
afterAll(() => kit.remove());

type Row = [tool: string, args: Record<string, unknown>, argv: (string | ((folder: string) => string))[]];

/** What a file in the working folder becomes. */
const at = (name: string) => (folder: string) => join(folder, name);

const ROWS: Row[] = [
  ['open', { url: 'https://example.com/' }, ['open', 'https://example.com/']],
  [
    'open',
    { url: 'https://example.com/', headers: { 'X-A': 'b c' } },
    ['open', 'https://example.com/', '--headers', '{"X-A":"b c"}'],
  ],
  ['snapshot', {}, ['snapshot', '-i', '-c', '-d', '5']],
  [
    'snapshot',
    { interactive: false, compact: false, depth: 12, selector: '#main' },
    ['snapshot', '-d', '12', '-s', '#main'],
  ],
  ['click', { target: '@e2' }, ['click', '@e2']],
  ['fill', { target: '@e3', value: 'a "quoted" $(text); `x` && y' }, ['fill', '@e3', 'a "quoted" $(text); `x` && y']],
  ['fill', { target: '@e3', value: '' }, ['fill', '@e3', '']],
  ['type', { target: '#q', text: 'two\nlines' }, ['type', '#q', 'two\nlines']],
  ['press', { key: 'Control+a' }, ['press', 'Control+a']],
  ['back', {}, ['back']],
  ['forward', {}, ['forward']],
  ['reload', {}, ['reload']],
  ['close', {}, ['close']],
  ['session', {}, ['session']],
  ['session_list', {}, ['session', 'list']],
  ['connect', { cdp_port: 9222 }, ['connect', '9222']],
  ['set_headers', { headers: { A: 'b' } }, ['set', 'headers', '{"A":"b"}']],
  ['hover', { target: '@e1' }, ['hover', '@e1']],
  ['check', { target: '@e1' }, ['check', '@e1']],
  ['uncheck', { target: '@e1' }, ['uncheck', '@e1']],
  ['select', { target: '@e1', values: ['a', 'b c'] }, ['select', '@e1', 'a', 'b c']],
  ['upload', { target: '@e1', files: ['a.txt'] }, ['upload', '@e1', at('a.txt')]],
  ['get', { what: 'text', target: '@e1' }, ['get', 'text', '@e1']],
  ['get', { what: 'attr', target: '@e1', attribute: 'href' }, ['get', 'attr', '@e1', 'href']],
  ['get', { what: 'title' }, ['get', 'title']],
  ['is', { state: 'visible', target: '#a' }, ['is', 'visible', '#a']],
  ['find', { by: 'text', value: 'Save' }, ['find', 'text', 'Save', 'click']],
  [
    'find',
    { by: 'role', value: 'textbox', action: 'fill', text: 'x', name: 'Email', exact: true },
    ['find', 'role', 'textbox', 'fill', 'x', '--name', 'Email', '--exact'],
  ],
  ['find', { by: 'nth', index: 2, value: 'li', action: 'hover' }, ['find', 'nth', '2', 'li', 'hover']],
  ['tab', {}, ['tab', 'list']],
  ['tab', { action: 'new', url: 'https://example.com/' }, ['tab', 'new', 'https://example.com/']],
  ['tab', { action: 'new' }, ['tab', 'new']],
  ['tab', { action: 'switch', tab: 't2' }, ['tab', 't2']],
  ['tab', { action: 'close', tab: 't2' }, ['tab', 'close', 't2']],
  ['tab', { action: 'close' }, ['tab', 'close']],
  ['scroll', {}, ['scroll', 'down', '300']],
  ['scroll', { direction: 'up', amount: 5, selector: '.list' }, ['scroll', 'up', '5', '-s', '.list']],
  ['wait', { target: '#done' }, ['wait', '#done']],
  ['wait', { ms: 0 }, ['wait', '0']],
  ['wait', { text: 'Done' }, ['wait', '--text', 'Done']],
  ['wait', { url: '**/done' }, ['wait', '--url', '**/done']],
  ['wait', { load: 'networkidle' }, ['wait', '--load', 'networkidle']],
  ['wait', { fn: 'window.ready' }, ['wait', '--fn', 'window.ready']],
  ['screenshot', {}, ['screenshot']],
  [
    'screenshot',
    { selector: '#a', path: 'shots/a.png', full: true, annotate: true },
    ['screenshot', '--full', '--annotate', '#a', at('shots/a.png')],
  ],
  ['eval', { script: 'document.title' }, ['eval', 'document.title']],
  ['cookies', {}, ['cookies', 'get']],
  ['cookies', { action: 'clear' }, ['cookies', 'clear']],
  [
    'cookies',
    {
      action: 'set',
      name: 'n',
      value: '',
      url: 'https://example.com/',
      domain: '.example.com',
      path: '/a',
      http_only: true,
      secure: true,
      same_site: 'Lax',
      expires: 5,
    },
    [
      'cookies',
      'set',
      'n',
      '',
      '--url',
      'https://example.com/',
      '--domain',
      '.example.com',
      '--path',
      '/a',
      '--httpOnly',
      '--secure',
      '--sameSite',
      'Lax',
      '--expires',
      '5',
    ],
  ],
  ['storage', {}, ['storage', 'local', 'get']],
  ['storage', { area: 'session', key: 'k' }, ['storage', 'session', 'get', 'k']],
  ['storage', { action: 'set', key: 'k', value: 'v' }, ['storage', 'local', 'set', 'k', 'v']],
  ['storage', { action: 'clear' }, ['storage', 'local', 'clear']],
  ['console', {}, ['console']],
  ['console', { clear: true }, ['console', '--clear']],
  ['command', { argv: ['dblclick', '@e1'] }, ['dblclick', '@e1']],
];

describe('the command line', () => {
  it.each(ROWS)(
    'S0-22 S0-25 S0-28 S0-29 S0-30 S0-31 S0-32 S0-33 S0-34 S0-36 S0-65 of %s with %j',
    async (tool, args, argv) => {
      const wanted = argv.map(word => (typeof word === 'string' ? word : word(kit.folder)));
      expect(await kit.argv(`agent_browser_${tool}`, args)).toEqual(['--json', ...wanted]);
    },
  );

  it('S0-65 is checked for every tool', () => {
    const checked = new Set(ROWS.map(([tool]) => `agent_browser_${tool}`));
    expect(BRIDGE_TOOLS.map(({ name }) => name).filter(name => !checked.has(name))).toEqual(['agent_browser_health']);
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{ session: 's-1' }, ['--session', 's-1', '--json']],
    [{ cdp_port: 9222 }, ['--cdp', '9222', '--json']],
    [{ headed: true }, ['--headed', '--json']],
    [{ debug: true }, ['--debug', '--json']],
    [{ executable_path: '/opt/a chrome' }, ['--executable-path', '/opt/a chrome', '--json']],
    [{ json: true }, ['--json']],
    [{ timeout_ms: 30_000 }, ['--json']],
  ])('S0-06 S0-07 has %j before the command', async (globals, flags) => {
    expect(await kit.argv('agent_browser_click', { target: '@e1', ...globals })).toEqual([...flags, 'click', '@e1']);
  });

  it('S0-09 has no --json when json is false', async () => {
    const { args } = (await kit.call('agent_browser_reload', { json: false })).invoked;
    expect(args).toEqual(['reload']);
  });

  it('S0-35 of connect has its port once', async () => {
    expect(await kit.argv('agent_browser_connect', { cdp_port: 9333, session: 'a' })).toEqual([
      '--session',
      'a',
      '--json',
      'connect',
      '9333',
    ]);
  });

  it('S0-43 of a batch holds no commands: they go in by stdin', async () => {
    const { parsedJson } = await kit.call('agent_browser_command', {
      argv: ['batch', '--bail', 'click @e1', 'fill @e2 "a b"'],
    });
    expect(parsedJson).toMatchObject({
      data: { argv: ['--json', 'batch', '--bail'], stdin: '[["click","@e1"],["fill","@e2","a b"]]' },
    });
  });
});

describe('arguments that do not fit together', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['get', { what: 'text' }, /needs a target/],
    ['get', { what: 'title', target: '#a' }, /takes no target/],
    ['get', { what: 'attr', target: '#a' }, /attribute/],
    ['get', { what: 'text', target: '#a', attribute: 'x' }, /attribute/],
    ['find', { by: 'nth', value: 'li' }, /index/],
    ['find', { by: 'text', value: 'a', index: 1 }, /index/],
    ['find', { by: 'text', value: 'a', action: 'fill' }, /text/],
    ['find', { by: 'text', value: 'a', name: 'b' }, /name/],
    ['tab', { action: 'switch' }, /needs a tab/],
    ['tab', { action: 'new', tab: 't1' }, /tab/],
    ['tab', { action: 'close', url: 'https://a.example' }, /url/],
    ['cookies', { action: 'set', name: 'a' }, /value/],
    ['storage', { action: 'set', key: 'a' }, /value/],
    ['wait', {}, /exactly one of target, ms/],
    ['wait', { ms: 1, text: 'a' }, /exactly one/],
  ])('S0-55 of %s are refused: %j', async (tool, args, why) => {
    const result = await kit.call(`agent_browser_${tool}`, args);
    expect(result).toMatchObject({ ok: false, exitCode: -1, stdout: '' });
    expect(result.stderr).toMatch(why);
  });
});
