// What Chrome tells of requests, put into the ring of their tab.
import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '../../tab/cdp-session.ts';
import type { Header, ShortEntry } from '../capture/entry.ts';
import { bounded, type RequestRing } from './request-log.ts';

const MOST_HEADERS = 100;
const LONGEST_HEADER = 4_000;

/** From the wire of the page: its requests, with those of all frames in its process. */
export function listenRequests(wire: CdpSession, ring: RequestRing): void {
  wire.on('Network.requestWillBeSent', ({ requestId, request, type = 'Other', timestamp, redirectResponse }) => {
    if (redirectResponse) {
      const { status, headers, encodedDataLength: bytes } = redirectResponse;
      ring.answer(requestId, timestamp, { status }, headersOf(headers));
      ring.end(requestId, timestamp, { bytes });
    }
    const { method, url, headers, postData } = request;
    ring.begin(requestId, { method, url, type, started: timestamp, headers: headersOf(headers), postData });
  });
  wire.on('Network.responseReceived', ({ requestId, timestamp, response }) =>
    ring.answer(requestId, timestamp, { status: response.status, ...sourceOf(response) }, headersOf(response.headers)),
  );
  wire.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) =>
    ring.end(requestId, timestamp, { bytes: encodedDataLength }),
  );
  wire.on('Network.loadingFailed', ({ requestId, timestamp, errorText, blockedReason }) =>
    ring.end(requestId, timestamp, { error: errorText || `blocked: ${blockedReason}` }),
  );
  wire.on('Network.webSocketCreated', ({ requestId, url }) =>
    ring.begin(requestId, { method: 'GET', url, type: 'websocket', started: ownSeconds() }),
  );
  wire.on('Network.webSocketHandshakeResponseReceived', ({ requestId, response }) => {
    ring.answer(requestId, ownSeconds(), { status: response.status }, headersOf(response.headers));
    ring.end(requestId, ownSeconds(), {});
  });
  wire.on('Network.webSocketClosed', ({ requestId }) => ring.end(requestId, ownSeconds(), { error: 'not opened' }));
  wire.on('Page.frameNavigated', ({ frame }) => {
    // The request that brings a document has the name of its loader.
    if (frame.id === wire.root) ring.navigated(frame.loaderId);
  });
}

const headersOf = (headers: Protocol.Network.Headers): Header[] =>
  Object.entries(headers)
    .slice(0, MOST_HEADERS)
    .map(([name, value]) => ({ name, value: bounded(String(value), LONGEST_HEADER) }));

function sourceOf({ fromServiceWorker, fromDiskCache }: Protocol.Network.Response): Pick<ShortEntry, 'from'> {
  if (fromServiceWorker) return { from: 'service worker' };
  return fromDiskCache ? { from: 'cache' } : {};
}

/** Chrome does not say when a socket was asked for. */
const ownSeconds = (): number => performance.now() / 1_000;
