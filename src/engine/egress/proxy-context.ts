// What an answer of a door needs to know: the rules, the way out, and whose door it is.
import type { Socket } from 'node:net';
import type { UrlOrigin } from '../../policy/normalize-url.ts';
import type { UrlRules } from '../../policy/url-rules.ts';
import type { Dialer } from './dial.ts';
import { AddressRefusal } from './lookup.ts';
import type { Asker, Outcomes } from './outcomes.ts';

/** What all doors share. */
export interface ProxyRules {
  readonly boundary: UrlRules;
  readonly dialer: Dialer;
  readonly outcomes: Outcomes;
  /** Ports of all doors: no page reaches them. */
  readonly ports: Set<number>;
}

export interface ProxyContext extends ProxyRules {
  readonly asker: Asker;
  /** Requests are judged by their path before they come here. */
  isGuarded(): boolean;
  /** The rule of the door itself that refuses the place, whatever the other rules say. */
  doorRule(place: UrlOrigin): string | undefined;
  /** A tunnel that is open; one to a host that is only partly open ends when the guard does. */
  keep(client: Socket, partly: boolean): void;
}

/** Keeps and tells why there is no way to the url. */
export function noteFailure(way: ProxyContext, place: UrlOrigin, url: string, error: unknown): void {
  const { rule, byAddress } = error instanceof AddressRefusal ? error : { rule: undefined, byAddress: false };
  if (rule === undefined) way.outcomes.failed(place, { error: (error as NodeJS.ErrnoException).code ?? 'ERR_UNKNOWN' });
  else way.outcomes.refused(url, rule, way.asker);
  if (rule !== undefined && byAddress) way.outcomes.failed(place, { rule });
}
