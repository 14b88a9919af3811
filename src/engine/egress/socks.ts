// A SOCKS proxy of the user, made into one that speaks HTTP. Only we may use it: it asks for a password that is made up here.
import { randomBytes } from 'node:crypto';
import { type Upstream, upstreamOf } from './upstream.ts';

export interface SocksBridge {
  upstream: Upstream;
  close(): Promise<void>;
}

export async function bridgeTo(socks: string): Promise<SocksBridge> {
  // Loaded here: few users have such a proxy.
  const { Server } = await import('proxy-chain');
  const secret = randomBytes(16).toString('hex');
  const server = new Server({
    host: '127.0.0.1',
    port: 0,
    prepareRequestFunction: ({ password }) =>
      password === secret ? { upstreamProxyUrl: socks } : { requestAuthentication: true },
  });
  await server.listen();
  const upstream = upstreamOf(`http://tabwright:${secret}@127.0.0.1:${server.port}`);
  if (!upstream) throw new Error('unreachable: the url above is http');
  // By tunnels names are looked up behind the SOCKS proxy, as Chrome would have it.
  return { upstream: { ...upstream, onlyTunnels: true }, close: () => server.close(true) };
}
