// What may be opened, and how what a person types is read.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/errors.ts';
import { checkUrl, refusalOf, SCHEMES } from '../../src/policy/urls.ts';

const codeOf = (url: string): string => {
  try {
    return checkUrl(url);
  } catch (error) {
    return error instanceof Failure ? error.code : 'thrown';
  }
};

describe('urls', () => {
  it.each([
    ['example.com', 'https://example.com'],
    ['  example.com/a?b=c#d \n', 'https://example.com/a?b=c#d'],
    ['example.com:8443/x', 'https://example.com:8443/x'],
    ['user:pw@example.com', 'refused'],
    ['localhost:3000', 'http://localhost:3000'],
    ['localhost', 'http://localhost'],
    ['app.localhost:5173/x', 'http://app.localhost:5173/x'],
    ['127.0.0.1:8080/x', 'http://127.0.0.1:8080/x'],
    ['192.168.1.5', 'http://192.168.1.5'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['printer', 'http://printer'],
    ['//cdn.example.com/x', 'https://cdn.example.com/x'],
    ['http://example.com', 'http://example.com'],
    ['HTTPS://Example.com/Ä', 'HTTPS://Example.com/Ä'],
    ['http:/example.com', 'http://example.com/'],
    ['https:\\\\example.com\\x', 'https://example.com/x'],
    ['about:blank', 'about:blank'],
    ['about:blank#x', 'about:blank#x'],
    ['data:text/html,<p>hi', 'data:text/html,<p>hi'],
    ['blob:https://example.com/1-2', 'blob:https://example.com/1-2'],
  ])('reads %j as %j', (typed, url) => expect(codeOf(typed)).toBe(url));

  it.each([
    'file:///etc/passwd',
    'FILE:/etc/passwd',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    '\0javascript:1',
    'view-source:https://example.com',
    'chrome://settings',
    'devtools://devtools/bundled/x.html',
    'chrome-extension://abc/x.html',
    'about:version',
    'about:blankx',
    'gopher://example.com',
    'constructor:x',
  ])('refuses %j and names the rule', url => {
    expect(() => checkUrl(url)).toThrow(expect.objectContaining({ code: 'refused' }));
    expect(() => checkUrl(url)).toThrow(/rule "no \S+:/);
  });

  it.each(['', '  ', '/etc/passwd', './x.html', 'C:\\x.html', '\\\\host\\share', 'hello world', 'https://', '//'])(
    'says that %j is no url',
    url => expect(codeOf(url)).toBe('bad_input'),
  );

  it('quotes no endless url', () => {
    expect(() => checkUrl(`file:///${'x'.repeat(10_000)}`)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^.{0,300}$/) }),
    );
    expect(codeOf(`https://example.com/${'x'.repeat(3_000_000)}`)).toBe('bad_input');
  });

  it('answers with a url of an allowed scheme or with a Failure, whatever is typed', () => {
    const schemes = fc.constantFrom(...Object.keys(SCHEMES), 'x', '');
    const typed = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.tuple(schemes, fc.constantFrom(':', '://', '\t:', ' :'), fc.string()).map(parts => parts.join('')),
    );
    fc.assert(
      fc.property(typed, text => {
        const answer = codeOf(text);
        if (['refused', 'bad_input'].includes(answer)) return;
        expect(SCHEMES[new URL(answer).protocol.slice(0, -1)]).toBe(true);
        expect(refusalOf(answer)).toBeUndefined();
        expect(checkUrl(answer), 'a url that was read is read alike again').toBe(answer);
      }),
      { numRuns: 2_000 },
    );
  });
});
