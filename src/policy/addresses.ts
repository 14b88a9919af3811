// Addresses that are not public: of this machine, of its network, or of no use to a page.
import { BlockList, isIP, isIPv4 } from 'node:net';

const KINDS: Readonly<Record<string, readonly string[]>> = {
  'a loopback': ['127.0.0.0/8', '::1/128'],
  'an unspecified': ['0.0.0.0/8', '::/128'],
  'a private': ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10'],
  'a link-local': ['169.254.0.0/16', 'fe80::/10'],
  'a carrier-grade NAT': ['100.64.0.0/10'],
  'a multicast': ['224.0.0.0/4', 'ff00::/8'],
  // Of protocols, for documents and measurements, for later use, and IPv6 that leads to places which the address hides.
  'a reserved': [
    ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
    ...['240.0.0.0/4', '64:ff9b:1::/48', '100::/64', '2001::/23', '2001:db8::/32', '3fff::/20', '5f00::/16'],
  ],
};

const LISTS = Object.entries(KINDS).map(([kind, subnets]): [string, BlockList] => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', bits] = subnet.split('/');
    list.addSubnet(network, Number(bits), familyOf(network));
  }
  return [kind, list];
});

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

/** fe80::1%eth0 names an interface after the address. */
const withoutZone = (address: string): string => address.replace(/%.*$/, '');

/** IPv6 addresses that hold an IPv4 address: how they begin, and which of their eight parts it is. */
const HOLDERS: readonly [begin: RegExp, part: number][] = [
  [/^0:0:0:0:0:ffff:/, 6], // mapped
  [/^0:0:0:0:0:0:(?!0:[01]$)/, 6], // compatible, but not :: and ::1
  [/^0:0:0:0:ffff:0:/, 6], // translated
  [/^64:ff9b:0:0:0:0:/, 6], // NAT64
  [/^2002:/, 1], // 6to4
];

/** The address in a url: `[::1]` or `10.0.0.1`, in whatever spelling; undefined for a name. */
export function addressOf(host: string): string | undefined {
  const bare = withoutZone(host.replace(/^\[|\]$/g, ''));
  return isIP(bare) ? bare : undefined;
}

/** An address as the host of a url. */
export const asHost = (address: string): string => {
  const bare = withoutZone(address);
  return isIPv4(bare) ? bare : new URL(`http://[${bare}]/`).hostname;
};

/** The kind of an address that is not public, such as "a loopback"; undefined when it is public. */
export function privateKind(address: string): string | undefined {
  const bare = withoutZone(address);
  if (!isIP(bare)) return 'no';
  const meant = ipv4Within(bare) ?? bare;
  return LISTS.find(([, list]) => list.check(meant, familyOf(meant)))?.[0];
}

/** The IPv4 address that an IPv6 address holds. */
export function ipv4Within(address: string): string | undefined {
  if (isIPv4(address)) return undefined;
  const parts = partsOf(address);
  const text = parts.map(part => part.toString(16)).join(':');
  const at = HOLDERS.find(([begin]) => begin.test(text))?.[1];
  if (at === undefined) return undefined;
  return parts
    .slice(at, at + 2)
    .flatMap(part => [part >> 8, part & 255])
    .join('.');
}

/** The eight parts of an address; the url parser reads every notation. */
function partsOf(ipv6: string): number[] {
  const [head = '', tail] = asHost(ipv6).slice(1, -1).split('::');
  const numbers = (text: string) => (text === '' ? [] : text.split(':').map(part => Number.parseInt(part, 16)));
  const before = numbers(head);
  const after = tail === undefined ? [] : numbers(tail);
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}
