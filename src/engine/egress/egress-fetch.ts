// A request that this process sends on behalf of a window: by the url rules, and through the proxy of that window.
import type { Options } from '../../config/options.ts';
import { checkAllowed, notAllowed, urlRulesOf } from '../../policy/url-rules.ts';
import {
  type ExchangeOptions,
  exchange,
  type IncomingResponse,
  type OutgoingRequest,
  unreachable,
} from '../network/request/exchange.ts';
import type { BrowserContext } from '../page/browser-context.ts';
import { refusedAt, windowProxyOf } from './window-proxies.ts';

type Rules = Pick<Options, 'proxy' | 'cdpEndpoint' | 'allowUrls' | 'blockUrls' | 'blockPrivate'>;

export async function egressFetch(
  context: BrowserContext | undefined,
  options: Rules,
  out: OutgoingRequest,
  bounds: Omit<ExchangeOptions, 'proxy'>,
): Promise<IncomingResponse> {
  const { href } = out.url;
  checkAllowed(href, options);
  const isRuled = urlRulesOf(options).hasRules && options.cdpEndpoint === undefined;
  if (!isRuled) return exchange(out, { ...bounds, proxy: options.proxy });
  const proxy = context && windowProxyOf(context);
  if (!proxy) throw notAllowed(href, 'nothing is sent by a window that is not known');
  const answer = await exchange(out, { ...bounds, proxy: proxy.url }).catch(error => {
    bounds.signal.throwIfAborted();
    const code = proxy.outcomes.errorFor(href);
    throw refusedAt(context, href) ?? (code === undefined ? error : unreachable(out.url, { code }));
  });
  // The proxy answers in the place of a server whose address is refused.
  const refusal = answer.status === 403 ? refusedAt(context, href) : undefined;
  if (refusal) throw refusal;
  return answer;
}
