// What is closed to everybody: by port, by host, in every spelling.
import { afterEach, describe, expect, it } from 'vitest';
import { closedBy, noteProfilePort, ownPorts } from '../../src/policy/closed-places.ts';
import { normalizeUrl } from '../../src/policy/normalize-url.ts';

const at = (url: string, cdpEndpoint?: string): string | undefined => {
  const origin = normalizeUrl(url);
  return origin && closedBy(origin, { cdpEndpoint });
};

afterEach(() => ownPorts.clear());

describe('15.2 ports', () => {
  it('of profiles that run are closed whatever the host, because a name may lead here', () => {
    noteProfilePort('one.json', { url: 'ws://127.0.0.1:21987/devtools/browser/x', isAlive: () => true });
    noteProfilePort('two.json', { url: 'ws://127.0.0.1:32987/devtools/browser/x', isAlive: () => true });
    const rules = () => [21_987, 32_987, 21_988].map(port => at(`http://rebound.test:${port}/`));
    expect(rules()).toEqual(['no debugging ports', 'no debugging ports', undefined]);
    noteProfilePort('one.json', undefined);
    expect(rules()).toEqual([undefined, 'no debugging ports', undefined]);
    noteProfilePort('two.json', undefined);
  });

  it('of this server and of an attached browser are closed', () => {
    ownPorts.add(9_223);
    expect(at('ws://localhost:9223/')).toBe('no way to this server itself');
    expect(at('http://127.0.0.1:9222/json', 'ws://127.0.0.1:9222/devtools/browser/x')).toBe('no debugging ports');
    expect(at('http://127.0.0.1:9222/json')).toBeUndefined();
  });

  it('that the whole web uses are closed on this machine only', () => {
    ownPorts.add(80);
    for (const host of [
      '127.0.0.1',
      '127.9.9.9',
      'localhost',
      'a.localhost.',
      '[::1]',
      '0.0.0.0',
      '[::ffff:127.0.0.1]',
      '0x7f.1',
    ])
      expect(at(`http://${host}/`), host).toBe('no way to this server itself');
    expect(at('http://example.com/')).toBeUndefined();
    expect(['https://grid.test/', 'https://localhost/'].map(url => at(url, 'wss://grid.test/?token=x'))).toEqual([
      'no debugging ports',
      'no debugging ports',
    ]);
    expect(at('https://example.com/', 'wss://grid.test/?token=x')).toBeUndefined();
  });
});

it.each([
  ...['http://169.254.169.254/', 'http://2852039166/', 'http://0xa9fea9fe:8080/', 'https://[::ffff:169.254.169.254]/'],
  ...['http://[fd00:ec2::254]/', 'http://[fd00:0ec2:0::254]/', 'http://metadata.google.internal./', 'http://METADATA/'],
  ...['http://100.100.100.200/', 'http://169.254.170.2/v2/credentials', 'http://[64:ff9b::a9fe:a9fe]/'],
])('15.18 %s is a metadata service', url => {
  expect(at(url)).toBe('no metadata services of clouds');
});
