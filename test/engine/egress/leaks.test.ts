// Nothing goes round the proxy of the rules: whoever listens beside it hears nothing.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BrowserProxy } from '../../../src/engine/egress/browser-proxy.ts';
import type { Egress } from '../../../src/engine/egress/egress.ts';
import type { ProxyPort } from '../../../src/engine/egress/proxy-port.ts';
import { type Kit, startKit } from '../../kit.ts';
import { type Listener, listen, startOpen } from './sites.ts';

let open: Listener;
let tcp: Listener;
const udp = createSocket('udp4');
let heard = 0;
let ruled: Kit;
let free: Kit;
beforeAll(async () => {
  open = await startOpen();
  const visits: string[] = [];
  tcp = await listen(
    createServer(socket => {
      visits.push('someone');
      socket.destroy();
    }),
    visits,
  );
  udp.on('message', () => heard++);
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  [ruled, free] = await Promise.all([startKit('--allow-urls', `127.0.0.1:${open.port}`), startKit()]);
}, 60_000);
afterAll(async () => {
  await Promise.all([ruled?.close(), free?.close()]);
  await Promise.all([open?.close(), tcp?.close()]);
  udp.close();
});

/** Gathers candidates from servers that are asked over UDP and TCP, and waits until that is over. */
const webRtc = () => `new Promise(async resolve => {
  const turn = { username: 'a', credential: 'b' };
  const pc = new RTCPeerConnection({ iceServers: [
    { urls: 'stun:127.0.0.1:${udp.address().port}' },
    { urls: ['turn:127.0.0.1:${udp.address().port}?transport=udp', 'turn:127.0.0.1:${tcp.port}?transport=tcp'], ...turn },
  ] });
  pc.createDataChannel('x');
  let count = 0;
  pc.onicecandidate = ({ candidate }) => { if (candidate) count++; };
  pc.onicegatheringstatechange = () => pc.iceGatheringState === 'complete' && resolve(count);
  setTimeout(() => resolve(count), 12000);
  await pc.setLocalDescription(await pc.createOffer());
})`;

const webTransport = () => `new Promise(resolve => {
  const hash = { algorithm: 'sha-256', value: new Uint8Array(32) };
  const transport = new WebTransport('https://127.0.0.1:${udp.address().port}/', { serverCertificateHashes: [hash] });
  transport.closed.catch(() => undefined);
  transport.ready.then(() => resolve('open'), () => resolve('failed'));
  setTimeout(() => resolve('late'), 12000);
})`;

const evaluate = async (kit: Kit, expression: string): Promise<string> => {
  await kit.ok('navigate', { url: `http://127.0.0.1:${open.port}/` });
  return kit.ok('evaluate', { expression, timeout: 20_000 });
};

describe('issue: URL rules as a boundary: beside the proxy', () => {
  it('WebRTC is heard without rules, and not with them', async () => {
    await evaluate(free, webRtc());
    await vi.waitFor(() => expect([heard > 0, tcp.visits.length > 0]).toEqual([true, true]), { timeout: 15_000 });
    await free.close(); // it goes on asking for a while
    heard = 0;
    tcp.visits.length = 0;
    await evaluate(ruled, webRtc());
    expect([heard, tcp.visits]).toEqual([0, []]);
  });

  it('WebTransport opens nothing', async () => {
    heard = 0;
    expect(await evaluate(ruled, webTransport())).toContain('failed');
    expect(heard).toBe(0);
  });

  it('there are no sockets of other kinds', async () => {
    const kinds = `['TCPSocket', 'UDPSocket', 'TCPServerSocket'].filter(name => name in globalThis).length`;
    expect(await evaluate(ruled, kinds)).toContain('0');
  });

  it('a link that asks for a connection or a lookup beforehand gets none', async () => {
    tcp.visits.length = 0;
    const told: string[] = [];
    ruled.server.journal.follow(record => 'door' in record && told.push(record.what));
    const to = `http://127.0.0.1:${tcp.port}`;
    for (const rel of ['preconnect', 'dns-prefetch'])
      await ruled.ok('navigate', { url: `http://127.0.0.1:${open.port}/${rel}?to=${to}` });
    // What is asked for later is refused by then.
    await ruled.ok('navigate', { url: `http://127.0.0.1:${open.port}/fetch?to=${to}/later` });
    await vi.waitFor(() => expect(told).toContain(`${to}/later`), { timeout: 15_000 });
    expect(tcp.visits).toEqual([]);
  });

  it('Chrome looks up no name by itself, and no switch of the user leads round', async () => {
    const door = { url: 'http://127.0.0.1:1', proxyRules: 'http=127.0.0.1:1' };
    const gate = new BrowserProxy({} as Egress, door as ProxyPort);
    const given = [
      '--mute-audio',
      '--no-proxy-server',
      '--proxy-pac-url=x',
      '--host-resolver-rules=MAP * 1.2.3.4',
      '--enable-quic',
    ];
    const made = gate.switches(given);
    expect(made).toContain('--mute-audio');
    expect(made.filter(arg => given.includes(arg))).toEqual(['--mute-audio']);
    expect(made).toContain('--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1');
    expect(made).toContain('--proxy-server=http=127.0.0.1:1');
  });
});
