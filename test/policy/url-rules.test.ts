// The boundary of urls: which rule refuses what, by url, by place and by address.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { privateKind } from '../../src/policy/addresses.ts';
import { globMatcher } from '../../src/policy/glob.ts';
import { normalizeUrl, type UrlOrigin } from '../../src/policy/normalize-url.ts';
import { checkAllowed, type UrlRuleOptions, UrlRules, urlRulesOf } from '../../src/policy/url-rules.ts';

const boundary = (given: Partial<UrlRuleOptions>): UrlRules =>
  new UrlRules({ allowUrls: [], blockUrls: [], blockPrivate: false, ...given });

const place = (url: string): UrlOrigin => {
  const spelled = normalizeUrl(url);
  if (!spelled) throw new Error(`${url} has no host`);
  return { scheme: spelled.scheme, host: spelled.host, port: spelled.port };
};

describe('S3-24, issue: URL rules as a boundary: urls', () => {
  it('without rules everything may be reached', () => {
    const none = boundary({});
    expect([none.hasRules, none.pathHosts, none.byAddress]).toEqual([false, [], false]);
    expect(none.refusal('http://127.0.0.1/')).toBeUndefined();
    expect(none.at(place('http://10.0.0.1/'))).toEqual({});
  });

  it('what is blocked is blocked although it is allowed', () => {
    const both = boundary({
      allowUrls: ['*.example.com'],
      blockUrls: ['bad.example.com', 'https://example.com/admin/**'],
    });
    expect(both.refusal('https://www.example.com/')).toBeUndefined();
    expect(both.refusal('https://bad.example.com/')).toBe('--block-urls bad.example.com');
    expect(both.refusal('https://example.com/admin/x')).toBe('--block-urls https://example.com/admin/**');
    expect(both.refusal('https://example.org/')).toBe('not in --allow-urls');
    expect(both.at(place('https://www.example.com'))).toEqual({});
    expect(both.at(place('https://example.com'))).toEqual({ partly: true });
    expect(both.at(place('https://bad.example.com'))).toEqual({ rule: '--block-urls bad.example.com' });
    expect(both.at(place('https://example.org'))).toEqual({ rule: 'not in --allow-urls' });
  });

  it.each(['about:blank', 'data:text/html,<p>x', 'blob:https://evil.org/1'])(
    '%s has no host and reaches nothing',
    url => expect(boundary({ allowUrls: ['example.com'] }).refusal(url)).toBeUndefined(),
  );

  it('the failure names url and rule', () => {
    const options = { allowUrls: [], blockUrls: ['evil.org'], blockPrivate: false };
    expect(() => checkAllowed('https://evil.org/x', options)).toThrow(
      expect.objectContaining({
        code: 'refused',
        message: 'URL not allowed: https://evil.org/x: rule "--block-urls evil.org".',
        rule: '--block-urls evil.org',
      }),
    );
    checkAllowed('https://good.org/x', options);
    expect(urlRulesOf(options)).toBe(urlRulesOf(options));
  });

  it('verdicts by place never contradict those by url', () =>
    fc.assert(
      fc.property(
        fc.subarray(['example.com', '^https://', 'https://example.com/a/**', '127.0.0.1:8080', 'localhost', '*.org']),
        fc.subarray(['example.com:8080', '*.org', 'http://*/secret', '^http://.*x', '10.0.0.1']),
        fc.boolean(),
        fc.constantFrom('example.com', 'www.example.org', '127.0.0.1', 'localhost', '10.0.0.1', '8.8.8.8'),
        fc.constantFrom('http', 'https', 'ws', 'wss'),
        fc.constantFrom(80, 443, 8080),
        fc.webPath(),
        (allowUrls, blockUrls, blockPrivate, host, scheme, port, path) => {
          const rules = boundary({ allowUrls, blockUrls, blockPrivate });
          const url = `${scheme}://${host}:${port}${path || '/'}`;
          const { rule, partly } = rules.at(place(url));
          if (rule !== undefined) expect(rules.refusal(url)).toBeDefined();
          else if (!partly) expect(rules.refusal(url)).toBeUndefined();
          else expect(rules.pathHosts.some(pathHost => globMatcher(`**${pathHost}**`)(host))).toBe(true);
        },
      ),
      { numRuns: 300 },
    ));
});

describe('issue: URL rules as a boundary: addresses', () => {
  it.each([
    ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
    ...['169.254.169.254', '100.64.0.1', '224.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.2.2'],
    ...['::1', '::', 'fc00::1', 'fd12::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '2001:db8::1', '2001::1'],
    ...['::ffff:10.0.0.1', '::ffff:7f00:1', '::ffff:0:0', '::10.0.0.1', '64:ff9b::7f00:1', '64:ff9b::10.0.0.1'],
    ...['64:ff9b:1::1', '2002:7f00:1::', '2002:0a00:0001::1', '::ffff:0:10.0.0.1', 'nonsense'],
  ])('%s is not public', address => expect(privateKind(address)).toBeDefined());

  it.each([
    ...['8.8.8.8', '1.1.1.1', '172.32.0.1', '172.15.0.1', '100.63.0.1', '100.128.0.1', '169.253.0.1', '192.169.0.1'],
    ...['2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808', '2002:808:808::1', '2a00::1'],
  ])('%s is public', address => expect(privateKind(address)).toBeUndefined());

  it('an IPv4 address means the same in each of its IPv6 forms', () =>
    fc.assert(
      fc.property(fc.ipV4(), address => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        const kind = privateKind(address);
        for (const form of [`::ffff:${address}`, `::ffff:${hex}`, `64:ff9b::${hex}`, `2002:${hex}::5`])
          expect(privateKind(form)).toBe(kind);
      }),
    ));

  const noPrivate = boundary({ blockPrivate: true });

  it.each([
    ...[
      'http://127.0.0.1/',
      'http://2130706433/',
      'http://0x7f000001/',
      'http://0177.0.0.1/',
      'http://127.1/',
      'http://0/',
    ],
    ...[
      'http://[::1]:8080/',
      'http://[::ffff:127.0.0.1]/',
      'https://10.0.0.1/',
      'http://169.254.1.2/latest/meta-data/',
    ],
    ...['http://localhost/', 'http://LOCALHOST./', 'ws://app.localhost:3000/', 'wss://192.168.1.1/'],
  ])('--block-private refuses %s before anything is looked up', url => {
    expect(noPrivate.refusal(url)).toMatch(/^--block-private \(.* is an? .*(?:address|this machine)\)$/);
    expect(noPrivate.at(place(url)).rule ?? '').toMatch(/^--block-private/);
  });

  it('a name is open until its address is known', () => {
    const there = place('https://example.com/');
    expect(noPrivate.at(there)).toEqual({});
    expect(noPrivate.addressRefusal('93.184.216.34', there)).toBeUndefined();
    expect(noPrivate.addressRefusal('10.0.0.7', there)).toBe('--block-private (10.0.0.7 is a private address)');
    expect(noPrivate.addressRefusal('::ffff:10.0.0.7', there)).toMatch(/private address/);
  });

  it('an address that --allow-urls writes out may be reached, also by a name; a name alone opens no private address', () => {
    const named = boundary({
      blockPrivate: true,
      allowUrls: ['http://127.0.0.1:8080/*', 'intranet.example', '10.0.0.5', '*'],
    });
    expect(named.refusal('http://127.0.0.1:8080/x')).toBeUndefined();
    expect(named.refusal('http://127.0.0.1:8081/x')).toMatch(/^--block-private/);
    expect(named.addressRefusal('10.0.0.5', place('http://intranet.example/'))).toBeUndefined();
    expect(named.addressRefusal('10.0.0.6', place('http://intranet.example/'))).toMatch(/^--block-private/);
    expect(named.refusal('http://10.0.0.6/')).toMatch(/^--block-private/);
  });

  it('localhost, written out, means this machine and nothing else', () => {
    const local = boundary({ blockPrivate: true, allowUrls: ['localhost:3000', 'example.com'] });
    expect(local.refusal('http://localhost:3000/')).toBeUndefined();
    expect(local.refusal('http://localhost:4000/')).toBe('not in --allow-urls');
    expect(local.addressRefusal('127.0.0.1', place('http://localhost:3000/'))).toBeUndefined();
    expect(local.addressRefusal('127.0.0.1', place('http://example.com/'))).toMatch(/^--block-private/);
  });

  it('a blocked address is blocked by whatever name', () => {
    const rules = boundary({ blockUrls: ['203.0.113.9'] });
    expect(rules.byAddress).toBe(true);
    expect(rules.addressRefusal('203.0.113.9', place('https://cdn.example/'))).toBe('--block-urls 203.0.113.9');
    expect(rules.addressRefusal('203.0.113.8', place('https://cdn.example/'))).toBeUndefined();
    expect(boundary({ blockUrls: ['example.com'] }).byAddress).toBe(false);
  });
});
