// The check of Host and Origin: by which name a request came, and which page sent it.
import type { IncomingHttpHeaders } from 'node:http';
import { isIPv6 } from 'node:net';
import { ellipsis } from '../../../ellipsis.ts';
import { HttpRefusal } from '../refuse.ts';

/** 403 for a name or a page that is not known. */
export type HostOriginCheck = (headers: IncomingHttpHeaders) => void;

export interface Known {
  host: string;
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
  /** No flag could let others in. */
  isFixed?: boolean;
}

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];
/** They stand for every address, so they name none. */
const WILDCARDS = ['0.0.0.0', '::'];
const LONGEST_SHOWN = 81;

export function hostOriginCheck({ host, allowedHosts, allowedOrigins, isFixed = false }: Known): HostOriginCheck {
  const own = WILDCARDS.includes(host) ? LOCAL : [...LOCAL, inUrl(host).toLowerCase()];
  const isKnownPage = pageCheck(own, allowedHosts, allowedOrigins);
  const hosts = new Set([...own, ...allowedHosts]);
  return headers => {
    const [, host = '', port = ''] = HOST.exec(headers.host ?? '') ?? [];
    const name = host.toLowerCase();
    if (!hosts.has(name)) throw foreignHost(headers.host, name, isFixed);
    const { origin } = headers;
    if (origin !== undefined && !isKnownPage(origin, port)) throw foreignOrigin(origin, isFixed);
  };
}

/** How a host stands in a url. */
const inUrl = (host: string): string => (isIPv6(host) ? `[${host}]` : host);

/** Only this machine reaches it. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);

/** Such as http://127.0.0.1:9223. A wildcard is no address to connect to; this machine's own is. */
export const originOf = (host: string, port: number): string =>
  `http://${isWildcard(host) ? '127.0.0.1' : inUrl(host)}:${port}`;

export const isWildcard = (host: string): boolean => WILDCARDS.includes(host);

/** The name and the port in a Host header. */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i;

/**
 * Whether a page of that origin may send requests that came to that port. An allowed origin may be no web page, such as an extension.
 * A host that was named may have a proxy in front, with another port; on this machine, other ports are other programs.
 */
function pageCheck(own: readonly string[], named: readonly string[], origins: readonly string[]) {
  return (origin: string, reachedAt: string): boolean => {
    if (!URL.canParse(origin)) return false;
    const { protocol, hostname, port } = new URL(origin);
    const name = hostname.toLowerCase();
    if (origins.includes(name)) return true;
    if (!/^https?:$/.test(protocol)) return false;
    return named.includes(name) || (own.includes(name) && port === reachedAt.replace(/^80$/, ''));
  };
}

function foreignHost(header: string | undefined, name: string, isFixed: boolean): HttpRefusal {
  if (!name) return new HttpRefusal('host', 'The Host header is missing or not a host.');
  const how = isFixed
    ? 'Use 127.0.0.1 or localhost.'
    : `To be reached by that name, start with --allowed-hosts ${shown(name)}.`;
  return new HttpRefusal('host', `The Host ${shown(header)} is not known here. ${how}`);
}

function foreignOrigin(origin: string, isFixed: boolean): HttpRefusal {
  const how = isFixed ? 'only those of this machine may.' : '--allowed-origins names those that may.';
  return new HttpRefusal('origin', `Pages of the Origin ${shown(origin)} may not send requests; ${how}`);
}

const shown = (text = ''): string => ellipsis(text, LONGEST_SHOWN);
