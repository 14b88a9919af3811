// From names to addresses, once: what was looked up and checked is what is connected to.
import { lookup as systemLookup } from 'node:dns/promises';
import { addressOf } from '../../policy/addresses.ts';
import type { UrlOrigin } from '../../policy/normalize-url.ts';
import { isLocalName, type UrlRules } from '../../policy/url-rules.ts';

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
export async function checkedAddresses(place: UrlOrigin, boundary: UrlRules, find: Lookup): Promise<string[]> {
  const literal = addressOf(place.host);
  const found = literal !== undefined ? [literal] : isLocalName(place.host) ? THIS_MACHINE : await find(place.host);
  const judged = found.map(address => ({ address, rule: boundary.addressRefusal(address, place) }));
  const open = judged.filter(({ rule }) => rule === undefined).map(({ address }) => address);
  if (open.length > 0) return open;
  const rule = judged.find(one => one.rule !== undefined)?.rule;
  if (rule !== undefined) throw new AddressRefusal(rule, true);
  throw Object.assign(new Error(`no address for ${place.host}`), { code: 'ENOTFOUND' });
}
