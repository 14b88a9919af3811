// Places that no page and no caller reaches, whatever the url rules say: debugging ports of browsers, our own HTTP port, metadata services of clouds.
import { networkInterfaces } from 'node:os';
import { addressOf, asHost, ipv4Within } from './addresses.ts';
import { hostOf, normalizeUrl, type UrlOrigin } from './normalize-url.ts';

/** Patterns with `*` for any text and `?` for one sign; hosts as in a url. */
export interface ClosedPlace {
  rule: string;
  hosts: readonly string[];
  port: string;
}

/** What is closed further depends on these options. */
export interface ClosedPlaceOptions {
  readonly cdpEndpoint?: string | undefined;
}

/** Browsers of profiles listen on one of these ports: a browser is told at its start what is closed, and a profile may be launched later. */
export const PROFILE_PORTS = { first: 21_000, count: 1_000, pattern: '21???' } as const;

/** The ports that this process listens on for its callers. */
export const ownPorts = new Set<number>();

/** Where machines in clouds get their keys: the addresses of AWS, Azure, Google, Alibaba, Oracle and Tencent, and their names. */
const METADATA_ADDRESSES = [
  ...['169.254.169.254', '169.254.170.2', '169.254.170.23', '169.254.0.23', '168.63.129.16', '100.100.100.200'],
  ...['192.0.0.192', 'fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fe80::a9fe:a9fe'],
];
const METADATA_NAMES = [
  ...['metadata', 'metadata.google.internal', 'metadata.goog', 'metadata.tencentyun.com'],
  ...['instance-data', 'instance-data.ec2.internal'],
];

/** An IPv4 address can also stand within an IPv6 one. */
const spellings = (address: string): string[] =>
  address.includes(':') ? [asHost(address)] : [address, asHost(`::ffff:${address}`)];

const METADATA: ClosedPlace = {
  rule: 'no metadata services of clouds',
  hosts: [...METADATA_ADDRESSES.flatMap(spellings), ...METADATA_NAMES],
  port: '*',
};

const PROFILES: ClosedPlace = { rule: 'no debugging ports', hosts: ['*'], port: PROFILE_PORTS.pattern };

/** Ports that the whole web uses: there, only the names and addresses of this machine are closed. */
const COMMON_PORTS = [80, 443];
const LOCAL = ['localhost', '*.localhost', '127.*', '0.0.0.0', '[::]', '[::1]', '[::ffff:7f*', '[::ffff:0:0]'];

/** The hosts on which a port is closed that this machine, or the given one, listens on. */
function hostsAt(port: number, ...further: string[]): string[] {
  if (!COMMON_PORTS.includes(port)) return ['*'];
  const addresses = Object.values(networkInterfaces()).flatMap(rows => (rows ?? []).map(({ address }) => address));
  return [...LOCAL, ...addresses.map(asHost), ...further];
}

/** What is closed at this moment. */
export function closedPlaces({ cdpEndpoint }: ClosedPlaceOptions): ClosedPlace[] {
  const endpoint = cdpEndpoint === undefined ? undefined : normalizeUrl(cdpEndpoint);
  return [
    METADATA,
    PROFILES,
    ...[...ownPorts].map(port => ({ rule: 'no way to this server itself', hosts: hostsAt(port), port: `${port}` })),
    ...(endpoint
      ? [{ rule: 'no debugging ports', hosts: hostsAt(endpoint.port, endpoint.host), port: `${endpoint.port}` }]
      : []),
  ];
}

/** The rule that closes the place; undefined when it is open. */
export function closedBy({ host, port }: UrlOrigin, options: ClosedPlaceOptions): string | undefined {
  const address = addressOf(host);
  const hosts = address === undefined ? [hostOf(host)] : [asHost(address), ipv4Within(address) ?? ''];
  const place = closedPlaces(options).find(
    closed => matches(closed.port, `${port}`) && closed.hosts.some(one => hosts.some(name => matches(one, name))),
  );
  return place?.rule;
}

function matches(pattern: string, text: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === text;
  const expression = pattern
    .replace(/[.[\]]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${expression}$`).test(text);
}
