// What a capture keeps is bounded, however much the page sends.
import { EventEmitter } from 'node:events';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NetworkCapture } from '../../src/engine/network/capture/network-capture.ts';
import type { TabEvents } from '../../src/engine/tab/page-events.ts';

/** A tab whose page sends what the test says. */
function madeUpTab() {
  const context = new EventEmitter();
  const page = Object.assign(new EventEmitter(), { context: () => context, mainFrame: () => 'main' });
  const tab = { page: page as unknown as Page, url: 'http://site/', events: new EventEmitter<TabEvents>() };
  const request = (more: object = {}) => ({
    url: () => 'http://site/x',
    method: () => 'GET',
    resourceType: () => 'fetch',
    headers: () => ({}),
    postDataBuffer: () => null,
    serviceWorker: () => null,
    isNavigationRequest: () => false,
    redirectedFrom: () => null,
    existingResponse: () => null,
    failure: () => null,
    timing: () => ({ startTime: -1, responseEnd: -1 }),
    frame: () => ({ page: () => page }),
    ...more,
  });
  return { tab, context, page, request };
}

const options = { wants: () => true, bodies: true, mostMs: 60_000, idleMs: undefined };

describe('capture stays within bounds (S1-53)', () => {
  it('5000 requests; the rest is counted', () => {
    const { tab, context, request } = madeUpTab();
    const capture = new NetworkCapture(tab, options);
    for (let i = 0; i < 5_003; i++) context.emit('request', request());
    capture.end('by request');
    expect([capture.entries.length, capture.dropped]).toEqual([5_000, 3]);
    context.emit('request', request());
    expect(capture.entries).toHaveLength(5_000);
  });

  it('50 MB of posted data, bodies and messages', async () => {
    const { tab, context, page, request } = madeUpTab();
    const capture = new NetworkCapture(tab, options);
    const large = Buffer.alloc(9_000_000);
    for (let i = 0; i < 6; i++) context.emit('request', request({ postDataBuffer: () => large }));
    expect(capture.entries.filter(entry => entry.postData)).toHaveLength(5);
    const answer = { status: () => 200, statusText: () => 'OK', headers: () => ({}), fromServiceWorker: () => false };
    const details = { httpVersion: async () => '', serverAddr: async () => null, headersArray: async () => [] };
    const big = request({
      existingResponse: () => ({ ...answer, ...details, body: async () => large }),
      headersArray: async () => [],
      sizes: async () => ({ responseHeadersSize: 1, responseBodySize: 2 }),
    });
    context.emit('request', big);
    context.emit('requestfinished', big);
    await capture.settled();
    expect(capture.entries.at(-1)).toMatchObject({ noBody: 'too large', done: true, bodyBytes: 2 });
    const socket = Object.assign(new EventEmitter(), { url: () => 'ws://site/' });
    page.emit('websocket', socket);
    for (let i = 0; i < 1_010; i++) socket.emit('framesent', { payload: 'x' });
    expect(capture.entries.at(-1)?.messages).toHaveLength(1_000);
    capture.end('by request');
  });
});
