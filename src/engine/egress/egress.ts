// Egress: enforces the url rules below the page. Made only when there are rules; the browser then has no other connection.
import type { UrlRules } from '../../policy/url-rules.ts';
import { BrowserProxy } from './browser-proxy.ts';
import { Dialer, type Lookup, lookUp } from './dial.ts';
import { Outcomes, type RefusedRequest } from './outcomes.ts';
import { ProxyPort } from './proxy-port.ts';
import { bridgeTo, type SocksBridge, upstreamOf } from './upstream.ts';

export interface EgressOptions {
  rules: UrlRules;
  /** The proxy that the user named. */
  proxy: string | undefined;
  /** Called for refusals, for each once in a while. */
  report(refused: RefusedRequest): void;
  /** Instead of the system's. */
  lookup?: Lookup | undefined;
}

export class Egress {
  readonly rules: UrlRules;
  readonly outcomes: Outcomes;
  readonly dialer: Dialer;
  /** The TCP ports of all proxy ports: no page reaches them. */
  readonly tcpPorts = new Set<number>();
  readonly #ports = new Set<ProxyPort>();
  readonly #bridge: SocksBridge | undefined;

  private constructor({ rules, proxy, report, lookup = lookUp }: EgressOptions, bridge: SocksBridge | undefined) {
    this.rules = rules;
    this.#bridge = bridge;
    this.outcomes = new Outcomes(rules, report);
    this.dialer = new Dialer(rules, lookup, bridge?.upstream ?? (proxy === undefined ? undefined : upstreamOf(proxy)));
  }

  static async start(options: EgressOptions): Promise<Egress> {
    const { proxy } = options;
    const needsBridge = proxy !== undefined && upstreamOf(proxy) === undefined;
    return new Egress(options, needsBridge ? await bridgeTo(proxy) : undefined);
  }

  /** Some rule looks at the path of a url, which a proxy does not see in TLS. */
  get judgesPaths(): boolean {
    return this.rules.pathHosts.length > 0;
  }

  /** For one browser. Its own port, beside those of its windows, is that of its profile's session; without one it refuses all. */
  async openBrowserProxy(session?: string): Promise<BrowserProxy> {
    return new BrowserProxy(this, await this.openPort(session));
  }

  /** For the windows of one session; without a name it is for the browser itself, and refuses everything. */
  async openPort(session?: string): Promise<ProxyPort> {
    const port = await ProxyPort.open(this, session);
    this.#ports.add(port);
    return port;
  }

  async closePort(port: ProxyPort): Promise<void> {
    this.#ports.delete(port);
    await port.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#ports].map(port => this.closePort(port)));
    await this.#bridge?.close();
  }
}
