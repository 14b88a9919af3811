// What a capture keeps is bounded, however much the page sends.
import { EventEmitter } from 'node:events';
import type { Protocol } from 'devtools-protocol';
import { describe, expect, it } from 'vitest';
import { NetworkCapture } from '../../src/engine/network/capture/network-capture.ts';
import type { ChildSession } from '../../src/engine/network/child-session.ts';
import type { TabEvents } from '../../src/engine/tab/page-events.ts';
import type { Tab } from '../../src/engine/tab/tab.ts';

const options = { wants: () => true, bodies: true, mostMs: 60_000, idleMs: undefined };

/** A capture of a tab whose page sends what the test says. */
function madeUp(body = '') {
  const events = new EventEmitter();
  const session = Object.assign(events, {
    info: { type: 'page' },
    send: async () => ({ body, base64Encoded: false }),
  });
  const tab = { url: 'http://site/', events: new EventEmitter<TabEvents>(), main: { root: 'main' } };
  const capture = new NetworkCapture(tab as unknown as Tab, options, (_tab, _buffers, listen) => {
    listen(session as unknown as ChildSession);
    return { ready: Promise.resolve(), close: async () => undefined };
  });
  let last = 0;
  const request = (more: Partial<Protocol.Network.Request> = {}): string => {
    const requestId = String(++last);
    const request = { url: 'http://site/x', method: 'GET', headers: {}, ...more };
    events.emit('Network.requestWillBeSent', { requestId, request, type: 'Fetch', timestamp: 1, wallTime: 1 });
    return requestId;
  };
  return { capture, events, request };
}

describe('capture stays within bounds (S1-53)', () => {
  it('5000 requests; the rest is counted', () => {
    const { capture, request } = madeUp();
    for (let i = 0; i < 5_003; i++) request();
    capture.end('by request');
    expect([capture.entries.length, capture.dropped]).toEqual([5_000, 3]);
    request();
    expect([capture.entries.length, capture.dropped]).toEqual([5_000, 3]);
  });

  it('50 MB of posted data, bodies and messages', async () => {
    const large = Buffer.alloc(9_000_000);
    const { capture, events, request } = madeUp(large.toString());
    const postDataEntries = [{ bytes: large.toString('base64') }];
    for (let i = 0; i < 6; i++) request({ postDataEntries });
    expect(capture.entries.filter(entry => entry.postData)).toHaveLength(5);
    const requestId = request();
    const response = { status: 200, statusText: 'OK', headers: {} };
    events.emit('Network.responseReceived', { requestId, response, hasExtraInfo: false });
    events.emit('Network.loadingFinished', { requestId, timestamp: 2, encodedDataLength: 2 });
    await capture.settled();
    expect(capture.entries.at(-1)).toMatchObject({ noBody: 'too large', done: true, bodyBytes: 2 });
    events.emit('Network.webSocketCreated', { requestId: 'socket', url: 'ws://site/' });
    const frame = { opcode: 1, mask: true, payloadData: 'x' };
    for (let i = 0; i < 1_010; i++)
      events.emit('Network.webSocketFrameSent', { requestId: 'socket', timestamp: 3, response: frame });
    expect(capture.entries.at(-1)?.messages).toHaveLength(1_000);
    capture.end('by request');
  });
});
