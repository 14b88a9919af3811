// A browser that listens for the protocol itself: `ws://…`, or `http://…` with /json/version. It goes on without us.
import { resolveEndpoint } from '../attach/socket.ts';
import type { Provider, ProviderSettings } from './provider.ts';

export function plain(url: string, { headers }: ProviderSettings): Provider {
  const reopen = (signal: AbortSignal) => resolveEndpoint(url, headers, signal);
  return { open: async signal => ({ address: await reopen(signal), reopen }) };
}
