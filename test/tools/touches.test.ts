// Every argument that is a url, a file or a script is declared as one: rules see nothing else.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TOOLS } from '../../src/tools/index.ts';
import type { AnyTool } from '../../src/tools/tool.ts';
import { touchesOf } from '../../src/tools/touches.ts';

const toolOf = (name: string): AnyTool => {
  const tool = TOOLS.find(row => row.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
};

const touches = (name: string, args: Record<string, unknown>) => {
  const { input } = toolOf(name);
  return touchesOf(input, z.strictObject(input).parse(args));
};

describe('what a call touches', () => {
  it.each([
    ['navigate', { url: 'a.example/x' }, { urls: ['https://a.example/x'], elsewhere: true }],
    ['tab_new', { url: 'https://a.example/' }, { urls: ['https://a.example/'], elsewhere: true }],
    ['window_new', { url: 'https://a.example/' }, { urls: ['https://a.example/'] }],
    [
      'capture',
      { action: 'start', url: 'https://a.example/', save_path: 'a.har' },
      { urls: ['https://a.example/'], writes: ['a.har'] },
    ],
    ['cookies', { action: 'get', name: 'a', domain: '.bank.example' }, { hosts: ['bank.example'], elsewhere: true }],
    [
      'auth_state',
      { action: 'save', name: 'a', origins: ['https://a.example', 'https://b.example'] },
      { urls: ['https://a.example', 'https://b.example'] },
    ],
    [
      'permissions',
      { permissions: [{ name: 'geolocation', state: 'granted' }], origin: 'https://a.example' },
      { urls: ['https://a.example'] },
    ],
    ['bookmarks', { action: 'add', url: 'https://a.example/' }, { urls: ['https://a.example/'] }],
    [
      'upload',
      { selector: '#f', files: ['a.txt', { path: 'b.txt' }, { url: 'https://a.example/c' }] },
      { reads: ['a.txt', 'b.txt'], urls: ['https://a.example/c'], elsewhere: false },
    ],
    [
      'request',
      {
        url: 'https://a.example/',
        form_data: { a: 'x', f: { path: 'f.txt' }, g: [{ path: 'g.txt' }, { base64: '' }] },
        save_path: 'out',
      },
      { urls: ['https://a.example/'], reads: ['f.txt', 'g.txt'], writes: ['out'] },
    ],
    ['route', { action: 'add', url_pattern: 'https://a.example/b*' }, { urls: ['https://a.example/b'] }],
    ['route', { action: 'add', url_pattern: 'https://a.exam*' }, { urls: [] }],
    [
      'route',
      { action: 'add', url_pattern: '**', modify: { url: 'https://b.example/' } },
      { urls: ['https://b.example/'], elsewhere: false },
    ],
    [
      'route',
      { action: 'add', url_pattern: '**', response: { body: '<script>x()</script>' } },
      { scripts: ['<script>x()</script>'] },
    ],
    ['route', { action: 'add', url_pattern: '**', response: { json: { a: 1 } } }, { scripts: [] }],
    [
      'route',
      { action: 'add', url_pattern: '**', response: { json: '<script>', headers: { 'Content-Type': 'text/html' } } },
      { scripts: ['"<script>"'] },
    ],
    ['screenshot', { save_path: 'a.png' }, { writes: ['a.png'] }],
    ['pdf', { save_path: 'a.pdf' }, { writes: ['a.pdf'] }],
    ['record', { action: 'stop', save_path: 'a.gif' }, { writes: ['a.gif'] }],
    ['snapshot', { save_path: 'a.txt' }, { writes: ['a.txt'] }],
    ['evaluate', { expression: '1 + 1' }, { scripts: ['1 + 1'] }],
    ['wait', { for: 'function', function: 'return true' }, { scripts: ['return true'] }],
    ['navigate', { url: 'data:text/html,<p>' }, { scripts: ['<p>'] }],
  ])('%s %j', (name, args, expected) => {
    expect(touches(name, args)).toMatchObject(expected);
  });
});

/** Arguments that are named like a url, a file or a script, and are none. */
const NONE = [
  'wait.url', // a pattern to compare with
  'tab_close.url', // the same
  'batch.calls.expect.url', // the same
  'cookies.path', // of a cookie
];

/** Every place in a schema where a text can stand, as a path of names. */
function texts(schema: unknown, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, properties = {}, items, anyOf = [] } = schema as Record<string, never>;
  return [
    ...(type === 'string' ? [at] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => texts(inner, `${at}.${name}`)),
    ...texts(items, at),
    ...(anyOf as unknown[]).flatMap(inner => texts(inner, at)),
  ];
}

it('no argument that looks like a url, a file or a script is left out', () => {
  const strange = TOOLS.flatMap(({ name, input }) => {
    const schema = z.toJSONSchema(z.object(input), { io: 'input', unrepresentable: 'any' });
    const suspects = texts(schema, name).filter(at =>
      /(?:^|[._])(?:url|urls|origin|origins|path|paths|file|files|expression|function|script|code|domain)$/.test(at),
    );
    return suspects.filter(at => !NONE.includes(at) && !isMarked(input, at.split('.').slice(1)));
  });
  expect([...new Set(strange)]).toEqual([]);
});

/** A value put at that place is found again. */
function isMarked(input: z.ZodRawShape, [top = '', ...way]: string[]): boolean {
  const value = way.reduceRight<unknown>((inside, key) => ({ [key]: inside }), 'https://probe.example/');
  return [value, [value]].some(given => {
    const { urls, hosts, reads, writes, scripts } = touchesOf(input, { [top]: given });
    return [...urls, ...hosts, ...reads, ...writes, ...scripts].some(text => text.includes('probe.example'));
  });
}
