// Places that no page and no caller reaches, whatever the url rules say: debugging ports of browsers, our own HTTP port, metadata services of clouds.
import { networkInterfaces } from 'node:os';
import { addressOf, asHost, ipv4Within } from './addresses.ts';
import { hostOf, normalizeUrl, type UrlOrigin } from './normalize-url.ts';

/** Patterns with `*` for any text; hosts as in a url. */
export interface ClosedPlace {
  rule: string;
  hosts: readonly string[];
  port: string;
}

/** What is closed further depends on these options. */
export interface ClosedPlaceOptions {
  readonly cdpEndpoint?: string | undefined;
  /** Addresses of remote browsers, perhaps with the word for their service before them. */
  readonly browsers?: readonly string[];
}

/** The ports that this process listens on for its callers. */
export const ownPorts = new Set<number>();

/** The ports of profiles whose browsers run, as far as this process has met them, by the files that tell of them. They answer to nobody who does not know their secret. */
const profilePorts = new Map<string, ProfilePort>();

interface ProfilePort {
  url: string;
  /** Somebody else may have the port when its browser has ended. */
  isAlive(): boolean;
}

/** Without a port, that browser has ended. */
export function noteProfilePort(file: string, port: ProfilePort | undefined): void {
  if (port === undefined) profilePorts.delete(file);
  else profilePorts.set(file, port);
}

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
export function closedPlaces({ cdpEndpoint, browsers = [] }: ClosedPlaceOptions): ClosedPlace[] {
  const endpoints = [...(cdpEndpoint === undefined ? [] : [cdpEndpoint]), ...browsers].flatMap(
    given => normalizeUrl(given.replace(/^\w+\+/, '')) ?? [],
  );
  const closed = (rule: string, port: number, ...further: string[]) => ({
    rule,
    hosts: hostsAt(port, ...further),
    port: `${port}`,
  });
  return [
    METADATA,
    ...[...ownPorts].map(port => closed('no way to this server itself', port)),
    ...[...profilePorts.values()]
      .filter(({ isAlive }) => isAlive())
      .map(({ url }) => closed('no debugging ports', Number(new URL(url).port))),
    ...endpoints.map(({ port, host }) => closed('no debugging ports', port, host)),
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
  if (!pattern.includes('*')) return pattern === text;
  const expression = pattern.replace(/[.[\]]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${expression}$`).test(text);
}
