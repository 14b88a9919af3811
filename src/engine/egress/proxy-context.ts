// What an answer of a door needs to know: the rules, the way out, and whose door it is.
import type { Socket } from 'node:net';
import type { UrlOrigin } from '../../policy/normalize-url.ts';
import type { UrlRules } from '../../policy/url-rules.ts';
import { AddressRefusal, type Dialer } from './dial.ts';
import type { Outcomes, Requester } from './outcomes.ts';

/** What all doors share. */
export interface ProxyRules {
  readonly boundary: UrlRules;
  readonly dialer: Dialer;
  readonly outcomes: Outcomes;
  /** Ports of all doors: no page reaches them. */
  readonly ports: Set<number>;
}

export interface ProxyContext extends ProxyRules {
  readonly requester: Requester;
  /** Requests are judged by their path before they come here. */
  arePathsWatched(): boolean;
  /** The rule of the door itself that refuses the place, whatever the other rules say. */
  portRule(place: UrlOrigin): string | undefined;
  /** A tunnel that is open; one to a host that is only partly open ends when the guard does. */
  trackTunnel(client: Socket, partly: boolean): void;
}

/** Keeps and tells why there is no way to the url. */
export function noteFailure(way: ProxyContext, place: UrlOrigin, url: string, error: unknown): void {
  const { rule, byAddress } = error instanceof AddressRefusal ? error : { rule: undefined, byAddress: false };
  if (rule === undefined) way.outcomes.failed(place, { error: (error as NodeJS.ErrnoException).code ?? 'ERR_UNKNOWN' });
  else way.outcomes.refused(url, rule, way.requester);
  if (rule !== undefined && byAddress) way.outcomes.failed(place, { rule });
}

const escaped = (text: string): string =>
  text
    .replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
    .replace(/[^\x20-\x7e]/g, sign => `&#${sign.codePointAt(0)};`);

export const refusalPage = (rule: string): string =>
  `<!doctype html><title>Not allowed</title><p>URL not allowed: rule &quot;${escaped(rule)}&quot;.</p>\n`;

export const REFUSAL_HEADERS = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } as const;

/** The same as a whole answer, for a connection that is closed behind it. */
export function refusalHead(rule: string): string {
  const page = refusalPage(rule);
  const headers = { ...REFUSAL_HEADERS, 'content-length': String(page.length), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 403 Forbidden\r\n${lines.join('')}\r\n${page}`;
}
