// Egress: where rules for urls are held below the page. Made only when there are rules; the browser has no other way out.
import type { Browser } from 'playwright-core';
import type { UrlRules } from '../../policy/url-rules.ts';
import { dialer, type Lookup, lookUp } from './dial.ts';
import { Outcomes, type RefusedRequest } from './outcomes.ts';
import { enforcePathRules } from './path-rules.ts';
import type { ProxyRules } from './proxy-context.ts';
import { ProxyPort } from './proxy-port.ts';
import { bridgeTo, type SocksBridge, upstreamOf } from './upstream.ts';

export interface EgressOptions {
  boundary: UrlRules;
  /** The proxy that the user named. */
  proxy: string | undefined;
  /** Told of refusals, each once in a while. */
  report(refused: RefusedRequest): void;
  /** Instead of the system's. */
  lookup?: Lookup;
}

export class Egress {
  readonly outcomes: Outcomes;
  readonly #around: ProxyRules;
  readonly #doors = new Set<ProxyPort>();
  readonly #bridge: SocksBridge | undefined;

  private constructor({ boundary, proxy, report, lookup = lookUp }: EgressOptions, bridge: SocksBridge | undefined) {
    this.#bridge = bridge;
    this.outcomes = new Outcomes(boundary, report);
    const upstream = bridge?.upstream ?? (proxy === undefined ? undefined : upstreamOf(proxy));
    this.#around = {
      boundary,
      outcomes: this.outcomes,
      ports: new Set(),
      dialer: dialer(boundary, lookup, upstream),
    };
  }

  static async start(options: EgressOptions): Promise<Egress> {
    const { proxy } = options;
    const needsBridge = proxy !== undefined && upstreamOf(proxy) === undefined;
    return new Egress(options, needsBridge ? await bridgeTo(proxy) : undefined);
  }

  /** A way out for the windows of one session; without a name it is for the browser itself, and leads nowhere. */
  async openPort(session?: string): Promise<ProxyPort> {
    const door = await ProxyPort.open(this.#around, session);
    this.#doors.add(door);
    return door;
  }

  async closePort(door: ProxyPort): Promise<void> {
    this.#doors.delete(door);
    await door.close();
  }

  get judgesPaths(): boolean {
    return this.#around.boundary.pathHosts.length > 0;
  }

  /** From now on the paths of all requests of this browser are judged; `ended` is called when that is over. */
  async watchPaths(browser: Browser, ended: () => void): Promise<void> {
    const { boundary } = this.#around;
    if (!this.judgesPaths) return;
    const refused = (url: string, rule: string, frame: string) => this.outcomes.refused(url, rule, { frame });
    await enforcePathRules(browser, { boundary, refused, ended });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#doors].map(door => this.closePort(door)));
    await this.#bridge?.close();
  }
}
