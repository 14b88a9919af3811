// Opens connections to places: straight to the addresses that were checked, or through the proxy that the user named.

import { lookup as systemLookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIPv6, type LookupFunction, type Socket } from 'node:net';
import { addressOf, asHost } from '../../policy/addresses.ts';
import type { UrlOrigin } from '../../policy/normalize-url.ts';
import { isLocalName, type UrlRules } from '../../policy/url-rules.ts';
import { proxyFault, tunnel, type Upstream } from './upstream.ts';

const CONNECT_MS = 30_000;

export interface Dialer {
  /** A connection to the place, or a Refusal, or why there is none. */
  dial(place: UrlOrigin): Promise<Socket>;
  /** Throws a Refusal when the addresses of the place are refused; for requests that the user's proxy sends. */
  check(place: UrlOrigin): Promise<void>;
  readonly upstream: Upstream | undefined;
}

export function dialer(boundary: UrlRules, find: Lookup, upstream: Upstream | undefined): Dialer {
  const checked = (place: UrlOrigin) => inTime(checkedAddresses(place, boundary, find));
  const through = async (proxy: Upstream, place: UrlOrigin) => {
    // By address, where addresses matter: the proxy must not look the name up once more, and differently.
    const [address] = boundary.byAddress ? await checked(place) : [];
    const host = address === undefined ? place.host : asHost(address);
    return tunnel(proxy, `${host}:${place.port}`, AbortSignal.timeout(CONNECT_MS)).catch(error => {
      throw proxyFault(error);
    });
  };
  return {
    upstream,
    async dial(place) {
      const socket = upstream ? await through(upstream, place) : await straight(place, await checked(place));
      // Whoever uses it hears of an error by its end.
      return socket.on('error', () => socket.destroy()).setNoDelay();
    },
    async check(place) {
      if (boundary.byAddress) await checked(place);
    },
  };
}

async function straight({ host, port }: UrlOrigin, addresses: readonly string[]): Promise<Socket> {
  const found = addresses.map(address => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const pinned: LookupFunction = (_name, _options, done) => done(null, found);
  const [only] = addresses.length === 1 ? addresses : [];
  const socket = connect({ host: only ?? host, port, lookup: pinned, autoSelectFamily: true });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) });
  } catch (error) {
    socket.destroy();
    throw plainest(error);
  }
  return socket;
}

/** Several addresses failed: the first of their errors says enough. */
function plainest(error: unknown): unknown {
  if (error instanceof AggregateError) return error.errors[0];
  return (error as Error).name === 'AbortError' ? Object.assign(new Error('late'), { code: 'ETIMEDOUT' }) : error;
}

/** The system's resolver knows no signal. */
async function inTime<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error('the lookup takes too long'), { code: 'EAI_AGAIN' });
    timer = setTimeout(() => reject(error), CONNECT_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Gives the addresses of a host name. */
export type Lookup = (host: string) => Promise<string[]>;

/** A rule refuses a way out. */
export class AddressRefusal extends Error {
  constructor(
    readonly rule: string,
    /** For the address that was found, so that only whoever looked it up knows. */
    readonly byAddress = false,
  ) {
    super(`refused by rule "${rule}"`);
  }
}

const THIS_MACHINE = ['127.0.0.1', '::1'];

export const lookUp: Lookup = async host => (await systemLookup(host, { all: true })).map(({ address }) => address);

/** The addresses of a place that may be connected to; a Refusal when there is none. */
async function checkedAddresses(place: UrlOrigin, boundary: UrlRules, find: Lookup): Promise<string[]> {
  const literal = addressOf(place.host);
  const found = literal !== undefined ? [literal] : isLocalName(place.host) ? THIS_MACHINE : await find(place.host);
  const judged = found.map(address => ({ address, rule: boundary.addressRefusal(address, place) }));
  const open = judged.filter(({ rule }) => rule === undefined).map(({ address }) => address);
  if (open.length > 0) return open;
  const rule = judged.find(one => one.rule !== undefined)?.rule;
  if (rule !== undefined) throw new AddressRefusal(rule, true);
  throw Object.assign(new Error(`no address for ${place.host}`), { code: 'ENOTFOUND' });
}
