// Opens connections to origins: straight to the addresses that were checked, or through the proxy that the user named.
import { lookup as systemLookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIPv6, type LookupFunction, type Socket } from 'node:net';
import { addressOf, asHost } from '../../policy/addresses.ts';
import type { UrlOrigin } from '../../policy/normalize-url.ts';
import { isLocalName, type UrlRules } from '../../policy/url-rules.ts';
import { RuleRefusal } from './refusal.ts';
import { proxyFault, tunnel, type Upstream } from './upstream.ts';

const CONNECT_MS = 30_000;
const THIS_MACHINE = ['127.0.0.1', '::1'];

/** Gives the addresses of a host name. */
export type Lookup = (host: string) => Promise<string[]>;

export const lookUp: Lookup = async host => (await systemLookup(host, { all: true })).map(({ address }) => address);

export class Dialer {
  constructor(
    readonly rules: UrlRules,
    readonly lookup: Lookup,
    readonly upstream: Upstream | undefined,
  ) {}

  /** A connection to the origin; rejects with a RuleRefusal, or with why there is none. */
  async dial(origin: UrlOrigin): Promise<Socket> {
    const { upstream } = this;
    const socket = upstream
      ? await this.#through(upstream, origin)
      : await straight(origin, await this.#lookUp(origin));
    // An error of the connection reaches its user as the end of the stream.
    return socket.on('error', () => socket.destroy()).setNoDelay();
  }

  /** Throws a RuleRefusal when the addresses of the origin are refused; for requests that the user's proxy sends. */
  async check(origin: UrlOrigin): Promise<void> {
    if (this.rules.byAddress) await this.#lookUp(origin);
  }

  async #through(proxy: Upstream, origin: UrlOrigin): Promise<Socket> {
    // By address, where addresses matter: the proxy must not look the name up once more, and differently.
    const [address] = this.rules.byAddress ? await this.#lookUp(origin) : [];
    const host = address === undefined ? origin.host : asHost(address);
    return tunnel(proxy, `${host}:${origin.port}`, AbortSignal.timeout(CONNECT_MS)).catch(error => {
      throw proxyFault(error);
    });
  }

  /** The addresses of the origin that may be connected to; a RuleRefusal when there is none. */
  async #lookUp(origin: UrlOrigin): Promise<string[]> {
    const found = await inTime(this.#addresses(origin.host));
    const judged = found.map(address => ({ address, rule: this.rules.addressRefusal(address, origin) }));
    const open = judged.filter(({ rule }) => rule === undefined).map(({ address }) => address);
    if (open.length > 0) return open;
    const rule = judged[0]?.rule;
    if (rule !== undefined) throw new RuleRefusal(rule, true);
    throw Object.assign(new Error(`no address for ${origin.host}`), { code: 'ENOTFOUND' });
  }

  async #addresses(host: string): Promise<string[]> {
    const literal = addressOf(host);
    if (literal !== undefined) return [literal];
    return isLocalName(host) ? THIS_MACHINE : this.lookup(host);
  }
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

/** The system's resolver takes no signal. */
async function inTime<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error('the lookup takes too long'), { code: 'EAI_AGAIN' });
    timer = setTimeout(() => reject(error), CONNECT_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
