// Keeps pages from the places that are always closed, where no url rules are enforced: by Chrome's own table of hosts where we start it, else by watching requests.
import { type ClosedPlace, type ClosedPlaceOptions, closedBy, closedPlaces } from '../../policy/closed-places.ts';
import { normalizeUrl } from '../../policy/normalize-url.ts';
import type { ConnectedBrowser } from '../page/connected-browser.ts';
import { judgeRequests } from './path-rules.ts';

const RESOLVER = '--host-resolver-rules=';

/** Whether a browser with these switches is started with a proxy, which looks up hosts in Chrome's place: then no table of hosts helps. */
export const hasProxy = (given: readonly string[], proxy: string | undefined): boolean =>
  proxy !== undefined || given.some(arg => arg.startsWith('--proxy-'));

/**
 * The switches with a table by which Chrome finds no host in these places. It costs nothing, and holds for WebSockets and pages that
 * are loaded in advance too. Of several tables Chrome obeys only the last, and of several rules the first.
 */
export function closingSwitches(given: readonly string[], options: ClosedPlaceOptions): string[] {
  const theirs = given.filter(arg => arg.startsWith(RESOLVER)).map(arg => arg.slice(RESOLVER.length));
  const rules = closedPlaces(options)
    .flatMap(hostRules)
    .map(host => `MAP ${host} ~NOTFOUND`);
  return [...given.filter(arg => !arg.startsWith(RESOLVER)), `${RESOLVER}${[...rules, ...theirs].join(',')}`];
}

/** A name may have a dot behind it. An address of IPv6 has no brackets when it stands without a port. */
const hostRules = ({ hosts, port }: ClosedPlace): string[] =>
  hosts.flatMap(host => {
    if (port === '*') return [host.replace(/^\[|\]$/g, ''), `${host}.`];
    return host === '*' ? [`*:${port}`] : [`${host}:${port}`, `${host}.:${port}`];
  });

/** For a browser that somebody else started, or that has a proxy, which looks up hosts itself. Every request of a page then takes a little longer. */
export async function watchClosedPlaces(browser: ConnectedBrowser, options: ClosedPlaceOptions): Promise<void> {
  await judgeRequests(browser, closedPlaces(options).flatMap(urlPatterns), url => {
    const origin = normalizeUrl(url);
    return origin && closedBy(origin, options);
  });
}

/** They may match more: each request that is paused is judged. */
const urlPatterns = ({ hosts, port }: ClosedPlace): string[] =>
  hosts.flatMap(host => (host === '*' ? [`http*://*:${port}/*`] : [`http*://${host}*`, `http*@${host}*`]));
