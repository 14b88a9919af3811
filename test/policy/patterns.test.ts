// Patterns of urls: what each form matches, at which level it is decided, and that no other spelling goes round one.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/errors.ts';
import { globMatcher } from '../../src/policy/glob.ts';
import { compilePatterns } from '../../src/policy/patterns.ts';

const matches = (pattern: string, url: string): boolean => compilePatterns([pattern]).match(url) === pattern;
const covers = (pattern: string, url: string): boolean => compilePatterns([pattern]).covers(url) === pattern;

describe('S3-24, issue: URL rules as a boundary: url patterns', () => {
  it.each([
    ['example.com', 'https://example.com/any/path?x=1#y', true],
    ['example.com', 'http://example.com:8080/', true],
    ['example.com', 'wss://example.com/chat', true],
    ['example.com', 'https://EXAMPLE.com./', true],
    ['example.com', 'https://user:pw@example.com/', true],
    ['example.com', 'https://sub.example.com/', false],
    ['example.com', 'https://example.com.evil.org/', false],
    ['example.com', 'https://example.com@evil.org/', false],
    ['example.com', 'https://evil.org/?example.com', false],
    ['EXAMPLE.com.', 'https://example.com/', true],
    ['*.example.com', 'https://example.com/', true],
    ['*.example.com', 'https://a.b.example.com/', true],
    ['*.example.com', 'https://badexample.com/', false],
    ['api-*.example.com', 'https://api-7.example.com/', true],
    ['api-*.example.com', 'https://api-7.x.example.com/', false],
    ['example.com:8443', 'https://example.com:8443/x', true],
    ['example.com:8443', 'https://example.com/x', false],
    ['https://example.com', 'https://example.com/deep/path', true],
    ['https://example.com', 'http://example.com/', false],
    ['https://example.com', 'https://example.com:444/', false],
    ['https://example.com', 'wss://example.com/', true],
    ['https://example.com:*', 'https://example.com:444/', true],
    ['*://example.com/app/**', 'http://example.com:81/app/x', true],
    ['http://127.0.0.1:8080/*', 'http://127.0.0.1:8080/a/b?c', true],
    ['http://127.0.0.1:8080/*', 'http://127.0.0.1:8081/a', false],
    ['127.0.0.1', 'http://2130706433/', true],
    ['127.0.0.1', 'http://0x7f.1/', true],
    ['[::1]', 'http://[0:0:0:0:0:0:0:1]:80/', true],
    ['bücher.example', 'https://xn--bcher-kva.example/', true],
    ['https://example.com/app/**', 'https://example.com/app', true],
    ['https://example.com/app/**', 'https://example.com/app/a/b?q=/x', true],
    ['https://example.com/app/**', 'https://example.com/application', false],
    ['https://example.com/app/*', 'https://example.com/app/a?q=/x', true],
    ['https://example.com/app/*', 'https://example.com/app/a/b', false],
    ['https://example.com/**/edit', 'https://example.com/edit', true],
    ['https://example.com/**/edit', 'https://example.com/a/b/edit', true],
    ['https://example.com/**/edit', 'https://example.com/credit', false],
    ['https://example.com/find?q=*', 'https://example.com/find?q=cats', true],
    ['https://example.com/find?q=*', 'https://example.com/find', false],
    ['https://example.com/', 'https://example.com/x', false],
    ['*', 'https://anything.example/x', true],
    ['*', 'about:blank', false],
    ['^https://', 'https://x.example/', true],
    ['^https://', 'wss://x.example/', true],
    ['^https://', 'http://x.example/', false],
    ['^wss://', 'https://x.example/', true],
    ['^https://[^/]*\\.example\\.com/v\\d+/', 'https://a.example.com/v12/x', true],
    ['^https://[^/]*\\.example\\.com/v\\d+/', 'https://a.example.com/vx/x', false],
    ['^https://good\\.example/', 'https://good.example@evil.org/', false],
    ['^data:', 'data:text/html,x', true],
  ])('%j on %j is %j', (pattern, url, expected) => {
    expect(matches(pattern, url)).toBe(expected);
    expect(covers(pattern, url)).toBe(expected);
  });

  it('tells at which hosts paths matter', () => {
    const texts = ['a.test', 'b.test/x', '*.c.test/x', 'api-*.d.test/**/x', 'bücher.test/x', '[::1]/x', '^https://'];
    const hosts = ['b.test', 'c.test', 'api-*.d.test', 'xn--bcher-kva.test', '[::1]'];
    expect(compilePatterns(texts).pathHosts).toEqual(hosts);
    expect(compilePatterns(['^https://e/x', '*/x']).pathHosts).toEqual(['*', '*']);
  });

  it('names the first pattern that matches', () => {
    const patterns = compilePatterns(['a.example', '*.example', '^https://b']);
    expect(patterns.match('https://b.example/')).toBe('*.example');
    expect(patterns.match('https://b.org/')).toBe('^https://b');
    expect(patterns.match('https://c.org/')).toBeUndefined();
  });

  it.each([
    '',
    'exa mple.com',
    'https://',
    'ftp://x',
    'file:///etc',
    '^(',
    'a@b.example',
    'https://x/#y',
    'x:99999999',
    '[::1',
    'a/b c',
    'ex[a].com',
  ])('no pattern: %j', text => expect(() => compilePatterns([text])).toThrow(Failure));

  // Each of these reaches /admin on some server; a rule that refuses /admin sees it, one that allows /app does not let it pass.
  it.each([
    '/%61dmin',
    '/Admin',
    '//admin',
    '/app/..%2fadmin',
    '/app/%2e%2e/admin',
    '/app/..;/admin',
    '/app/%252e%252e%252fadmin',
    '/app/..%5cadmin',
    '/app/./..\\admin',
    '/admin;x=1',
    '/admin/',
  ])('sees through the spelling %s', path => {
    const url = `https://example.com${path}`;
    expect(matches('https://example.com/admin/**', url)).toBe(true);
    expect(matches('^https://example\\.com/admin', url)).toBe(true);
    expect(covers('https://example.com/app/**', url)).toBe(false);
    expect(covers('^https://example\\.com/app/', url)).toBe(false);
  });

  it('a url that is too long to be compared is matched by what refuses and not by what allows', () => {
    const url = `https://example.com/app/${'x'.repeat(20_000)}`;
    expect(matches('https://example.com/never', url)).toBe(true);
    expect(covers('https://example.com/app/**', url)).toBe(false);
    expect(covers('example.com', url)).toBe(true);
    expect(matches('example.org', url)).toBe(false);
  });
});

describe('where a pattern is decided', () => {
  const at = (pattern: string, url: string) => {
    const { protocol, hostname, port } = new URL(url);
    const scheme = protocol === 'https:' ? 'https' : 'http';
    const place = { scheme, host: hostname, port: Number(port || (scheme === 'https' ? 443 : 80)) } as const;
    const { all, some } = compilePatterns([pattern]).at(place);
    return all ? 'always' : some ? 'depends' : 'never';
  };

  it.each([
    ['example.com', 'https://example.com:8443', 'always', false],
    ['example.com', 'https://example.org', 'never', false],
    ['https://example.com', 'http://example.com', 'never', false],
    ['https://example.com/*', 'https://example.com', 'always', false],
    ['https://example.com/app/**', 'https://example.com', 'depends', true],
    ['https://example.com/app/**', 'https://example.org', 'never', true],
    ['^https://', 'https://x.example', 'always', false],
    ['^https://', 'http://x.example', 'never', false],
    ['^https?://', 'http://x.example', 'always', false],
    ['^https?:\\/\\/.*', 'http://x.example', 'always', false],
    ['^https://example\\.com/', 'https://example.com', 'always', false],
    ['^https://example\\.com/', 'https://example.org', 'never', false],
    ['^https://example\\.com', 'https://example.com.evil.org', 'always', false],
    ['^https://example\\.com$', 'https://example.com', 'depends', true],
    ['^https://(?!evil)', 'https://evil.org', 'depends', true],
    ['^https://a|b', 'https://x.org', 'depends', true],
    ['^.*secret', 'https://x.org', 'depends', true],
  ])('%j at %s: %s', (pattern, place, level, byPath) => {
    expect(at(pattern, place)).toBe(level);
    expect(compilePatterns([pattern]).pathHosts.length > 0).toBe(byPath);
  });

  const host = fc.constantFrom('example.com', 'a.example.com', 'example.org', '127.0.0.1');
  const place = fc.record({ scheme: fc.constantFrom('http', 'https'), host, port: fc.constantFrom(80, 443, 8080) });
  const pattern = fc.constantFrom(
    ...[
      'example.com',
      '*.example.com',
      'https://example.com',
      'example.com:8080',
      'http://*:8080/a/**',
      '*://a.*.com/*',
    ],
    ...[
      'https://example.com/a?b=*',
      '^https://',
      '^https?://[^/]+/a',
      '^https://example',
      '^http://.*b$',
      '^(http|ws)://a',
      '127.0.0.1',
    ],
  );

  it('agrees with every url of the place', () =>
    fc.assert(
      fc.property(pattern, place, fc.webPath(), fc.webQueryParameters(), (text, where, path, query) => {
        const patterns = compilePatterns([text]);
        const url = `${where.scheme}://${where.host}:${where.port}${path || '/'}?${query}`;
        const { all, some } = patterns.at(where);
        if (all !== undefined) expect([patterns.match(url), patterns.covers(url)]).toEqual([text, text]);
        else if (some === undefined)
          expect([patterns.match(url), patterns.covers(url)]).toEqual([undefined, undefined]);
        else expect(patterns.pathHosts.some(host => globMatcher(`**${host}**`)(where.host))).toBe(true);
        // What is allowed in every spelling is matched in one.
        if (patterns.covers(url)) expect(patterns.match(url)).toBe(text);
      }),
      { numRuns: 300 },
    ));
});

describe('globs', () => {
  it('mean what their regular expressions mean', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', '/', '*', '**', '**/', '.'), { maxLength: 8 }).map(parts => parts.join('')),
        fc.array(fc.constantFrom('a', 'b', '/', '.'), { maxLength: 8 }).map(parts => parts.join('')),
        (glob, text) => {
          const source = glob
            .split(/(\*\*\/|\*\*|\*)/)
            .map(part => ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' })[part] ?? part.replaceAll('.', '\\.'))
            .join('');
          expect(globMatcher(glob)(text)).toBe(new RegExp(`^${source}$`).test(text));
        },
      ),
      { numRuns: 1_000 },
    ));

  it('cannot be made to hang', () => {
    const started = performance.now();
    expect(globMatcher('**a**a**a**a**a**a**a**b')('a'.repeat(16_000))).toBe(false);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
