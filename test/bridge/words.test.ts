// Texts that may not reach the command line: flags, NUL, urls that read files, headers that break lines.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headers, isFlag, session, target, text, url, word } from '../../src/bridge/argument-kinds.ts';
import { FLAGS, TYPED_FLAGS } from '../../src/bridge/commands.ts';

describe('a text that reads as a flag', () => {
  it.each([
    '--json',
    '--executable-path',
    '--args',
    '--session=x',
    '--args=a b\nc',
    '-p',
    '-v',
    '-h',
    '-p=x',
    '--HEADED',
  ])('S0-44 is refused: %j', flag => {
    expect(isFlag(flag)).toBe(true);
    for (const kind of [text, word, target]) expect(kind.safeParse(flag).error?.message).toMatch(/agent_browser_type/);
  });

  it.each(['-', '--', '-5', '-5.2', '- a', '-- json', ' --json', '--json ', 'a --json', '-json', '—json', '@e5', '#a'])(
    'S0-44 is only what agent-browser takes for one: not %j',
    plain => expect(word.parse(plain)).toBe(plain),
  );

  it('S0-44 is every flag that there is', () => {
    for (const flag of [...Object.keys(FLAGS), ...Object.keys(TYPED_FLAGS)]) expect(isFlag(flag)).toBe(true);
  });

  it('S0-44 begins with a dash', () => {
    fc.assert(
      fc.property(fc.string(), given => {
        expect(isFlag(given) && !given.startsWith('-')).toBe(false);
      }),
    );
  });
});

describe('a text', () => {
  it('S0-26 may be empty where a field is cleared, and nowhere else', () => {
    expect(text.parse('')).toBe('');
    expect(word.safeParse('').success).toBe(false);
  });

  it('S0-10 S0-11 holds no NUL and has a longest length', () => {
    expect(word.safeParse('a\0').error?.message).toMatch(/NUL/);
    expect(word.safeParse('x'.repeat(16_385)).success).toBe(false);
  });
});

describe('the name of a session', () => {
  it('S0-51 never leaves the folder that agent-browser keeps its files in', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('/', '\\', '\0', ':'), fc.string(), (before, odd, after) => {
        expect(session.safeParse(before + odd + after).success).toBe(false);
      }),
    );
  });
});

describe('a url', () => {
  it.each([
    ['https://example.com/a?b#c', 'https://example.com/a?b#c'],
    ['example.com', 'https://example.com'],
    ['localhost:3000', 'http://localhost:3000'],
    ['about:blank', 'about:blank'],
    ['data:text/html,hi', 'data:text/html,hi'],
  ])('S0-22 %j is opened as %j', (typed, opened) => expect(url.parse(typed)).toBe(opened));

  it.each([
    'file:///etc/passwd',
    ' FILE:///etc/passwd',
    'javascript:alert(1)',
    'view-source:http://a',
    'chrome://settings',
    '/etc/passwd',
    '--json',
    '',
  ])('S0-22 %j is refused', typed => expect(url.safeParse(typed).success).toBe(false));
});

describe('headers', () => {
  it.each([{}, { Authorization: 'Bearer x' }, { 'X-A': '' }])('S0-36 %j may be sent', given =>
    expect(headers.parse(given)).toEqual(given),
  );
  it.each<[string, unknown]>([
    ['a name with a blank', { 'a b': 'x' }],
    ['no name', { '': 'x' }],
    ['a line break', { a: 'b\r\nc: d' }],
    ['a NUL', { a: 'x\0' }],
    ['a number', { a: 1 }],
    ['a long value', { a: 'x'.repeat(16_385) }],
    ['a list', []],
    ['a text', 'x'],
  ])('S0-36 with %s may not', (_what, given) => expect(headers.safeParse(given).success).toBe(false));
});
