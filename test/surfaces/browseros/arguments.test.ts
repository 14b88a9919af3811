// What browseros-mcp takes on its command line, and how it writes lines about calls: pure, without a process.
import { describe, expect, it } from 'vitest';
import { parseArgs, Stop } from '../../../src/surfaces/browseros/process.ts';
import { errorLine, requestLine } from '../../../src/surfaces/browseros/serve.ts';
import type { ToolEntry } from '../../../src/surfaces/listing/listing.ts';

const USAGE = 'Usage: browseros-mcp --cdp-port=<port> --mcp-port=<port>';

function stopOf(...argv: string[]): { code: number; lines: readonly string[] } {
  try {
    return { code: 0, lines: [JSON.stringify(parseArgs(argv))] };
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    expect(error.lines.at(-1)).toBe(USAGE);
    return { code: error.exitCode, lines: error.lines.slice(0, -1) };
  }
}

describe('parseArgs (S2-40)', () => {
  it.each([
    ['1', 1],
    ['9347', 9347],
    ['65535', 65_535],
  ])('takes both ports, in any order: %s (S2-02, S2-03, S2-05)', (text, port) => {
    expect(parseArgs([`--cdp-port=${text}`, '--mcp-port=9223'])).toEqual({ cdpPort: port, mcpPort: 9223 });
    expect(parseArgs(['--mcp-port=9223', `--cdp-port=${text}`])).toEqual({ cdpPort: port, mcpPort: 9223 });
  });

  it.each(['--cdp-port', '--mcp-port'])('misses %s (S2-06, S2-07)', name => {
    const other = name === '--cdp-port' ? '--mcp-port=9223' : '--cdp-port=9347';
    expect(stopOf(other)).toEqual({ code: 1, lines: [`Error: Missing required argument ${name}`] });
  });

  it.each([
    '',
    '0',
    '-1',
    '+1',
    '65536',
    '99999',
    '123456',
    'abc',
    '12.5',
    '1e3',
    '0x50',
    ' 80',
    '80 ',
    '8 0',
    '080',
    '٣',
  ])('refuses "%s" for either port (S2-08, S2-09, S2-45)', value => {
    expect(stopOf(`--cdp-port=${value}`, '--mcp-port=9223')).toEqual({
      code: 1,
      lines: [`Error: Invalid port number for --cdp-port: ${value}`],
    });
    expect(stopOf('--cdp-port=9347', `--mcp-port=${value}`)).toEqual({
      code: 1,
      lines: [`Error: Invalid port number for --mcp-port: ${value}`],
    });
  });

  it.each([
    '--headless',
    '--browserUrl=http://127.0.0.1:9222',
    '--channel=stable',
    '--help',
    '--version',
    '-v',
    '--',
    'serve',
    '--cdp-ports=1',
    '--CDP-PORT=1',
    '',
  ])('knows no other argument: "%s" (S2-04)', word => {
    const { code, lines } = stopOf('--cdp-port=9347', '--mcp-port=9223', word);
    expect({ code, lines }).toEqual({ code: 1, lines: [`Error: Unknown argument ${word}`] });
  });

  it('takes each argument once, and its value only behind the equals sign', () => {
    expect(stopOf('--cdp-port=1', '--cdp-port=1', '--mcp-port=2').lines).toEqual([
      'Error: Argument --cdp-port is given more than once',
    ]);
    expect(stopOf('--cdp-port', '9347', '--mcp-port=2').lines).toEqual([
      'Error: Invalid port number for --cdp-port: ',
      'Error: Unknown argument 9347',
    ]);
  });

  it('tells all that is wrong, each on one line that ends', () => {
    expect(stopOf().lines).toEqual([
      'Error: Missing required argument --cdp-port',
      'Error: Missing required argument --mcp-port',
    ]);
    const [line = ''] = stopOf(`--cdp-port=a\nb${'x'.repeat(10_000)}`, '--mcp-port=2').lines;
    expect(line).toMatch(/^Error: Invalid port number for --cdp-port: a\?bx+$/);
    expect(line.length).toBeLessThan(200);
  });
});

describe('the lines about calls (S2-30)', () => {
  const entry = (name: string, ...names: string[]): ToolEntry => ({
    name,
    description: '',
    inputSchema: { type: 'object', properties: Object.fromEntries(names.map(key => [key, {}])) },
  });
  const tools = [
    entry('click', 'uid', 'dblClick'),
    entry('fill', 'uid', 'value'),
    entry('fill_form', 'elements'),
    entry('navigate_page', 'url'),
  ];
  const lineOf = (name: string, args?: unknown) => requestLine({ name, args } as never, tools);

  it('say the tool and what it was given', () => {
    expect(lineOf('click', { uid: '1_3', dblClick: true })).toBe('click request: {"uid":"1_3","dblClick":true}');
    expect(lineOf('list_pages')).toBe('list_pages request: {}');
  });

  it('hide what is typed, what looks like a secret, and what is not known', () => {
    expect(lineOf('fill', { uid: '1_3', value: 'hunter2' })).toBe('fill request: {"uid":"1_3","value":"‹7 chars›"}');
    const form = lineOf('fill_form', { elements: [{ uid: '1_1', value: 'hunter2' }] });
    expect(form).toBe('fill_form request: {"elements":[{"uid":"1_1","value":"‹7 chars›"}]}');
    expect(lineOf('navigate_page', { url: 'https://ada:hunter2@host/' })).not.toContain('hunter2');
    expect(lineOf('click', { uid: '1_3', passphrase: 'hunter2', other: 'hunter2' })).not.toContain('hunter2');
    expect(lineOf('no_such_tool', { anything: 'hunter2' })).not.toContain('hunter2');
  });

  it('are one line each, with a bound', () => {
    const long = lineOf('navigate_page', { url: Array.from({ length: 200 }, () => 'x'.repeat(5_000)) });
    expect(long.length).toBeLessThan(2_100);
    const odd = lineOf('a\nb\u001b[31m', { 'k\u2028ey': 'a\n\u009b31mb\u2029c' });
    expect(odd).toMatch(/^a\?b\?\?31m request: /);
    expect(odd).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    const failed = errorLine({ name: 'click' }, {
      text: `no such element\nand password=hunter2\n${'x'.repeat(9_000)}`,
    } as never);
    expect(failed).toMatch(/^click error: no such element and password=\[redacted\] x+…?$/);
    expect(failed.length).toBeLessThan(2_100);
  });
});
