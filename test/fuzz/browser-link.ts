// Fuzzing of the link to the browser: random, cut, hostile and huge messages, to the reader, to the WebSocket client, and through the front door.
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type CdpMessage, MessageReader, readZeroTerminated } from '../../src/cdp/message-reader.ts';
import { WebSocketClient } from '../../src/cdp/websocket-client.ts';
import { ask } from '../surfaces/http/ask.ts';
import { Served } from '../surfaces/http/served.ts';
import { isAlive, temporaryFolder } from '../surfaces/process.ts';
import { textFaults } from './answers.ts';
import { draw, type Memory, type OpenPart, ownMemory, type Part, peakOf, type Tried } from './campaign.ts';
import { FakePeer, frame } from './fake-peer.ts';
import { hostileText, hostileValue } from './values.ts';

const CALL_MS = 1_500;
const LATE_MS = 8_000;

/** Bytes that the browser sends as one message, and what must be delivered for them: nothing, the same, or something like it. */
interface Sent {
  text: string;
  expected: 'nothing' | 'same' | Partial<CdpMessage>;
}

const METHODS = [
  ...['Target.attachedToTarget', 'Target.detachedFromTarget', 'Target.targetCreated', 'Target.targetInfoChanged'],
  ...['Runtime.consoleAPICalled', 'Network.requestWillBeSent', 'Page.frameNavigated', 'Inspector.targetCrashed'],
  ...['Fetch.requestPaused', 'Page.javascriptDialogOpening', 'X.y', '', '__proto__', 'toString'],
];

const json = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '{"id":';
  }
};

const message = fc.record(
  {
    id: fc.oneof(fc.nat(40), fc.constantFrom<unknown>(1e9 + 1, -1, 1.5, 'x', null, {}, 2 ** 60)),
    method: fc.oneof(fc.constantFrom(...METHODS), hostileValue),
    params: fc.oneof(
      fc.record({ sessionId: hostileText, targetInfo: hostileValue, targetId: hostileText }, { requiredKeys: [] }),
      hostileValue,
    ),
    sessionId: fc.oneof(hostileText, hostileValue),
    result: hostileValue,
    error: fc.oneof(fc.record({ message: hostileText }), hostileValue),
  },
  { requiredKeys: [] },
);

const asIs = (text: string): Sent => {
  const clean = text.replaceAll('\0', '').slice(0, 60_000);
  return { text: clean, expected: typeof parsed(clean) === 'object' ? 'same' : 'nothing' };
};

/** Undefined for what is no message. */
function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const { id = 0, method = '', sessionId = '' } = value as Record<string, unknown>;
    return Number.isSafeInteger(id) && typeof method === 'string' && typeof sessionId === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

const long = (unit: string, times: number): string => JSON.stringify(unit.repeat(times)).slice(1, -1);

const large: fc.Arbitrary<Sent> = fc
  .tuple(
    fc.constantFrom('x', '\\', '"', '😀', '\ud800', '{[', '\u0001'),
    fc.constantFrom(70_000, 300_000),
    fc.boolean(),
  )
  .map(([unit, times, isConsole]) => {
    const words = long(unit, times);
    const method = isConsole ? 'Runtime.consoleAPICalled' : 'Network.requestWillBeSent';
    const tail = '"}]},"sessionId":"S1"}';
    if (isConsole)
      return {
        text: `{"method":"${method}","params":{"args":[{"value":"${words}${tail}`,
        expected: { method, sessionId: 'S1' },
      };
    const much = words.repeat(Math.ceil(4_300_000 / words.length));
    return { text: `{"method":"${method}","params":{"args":[{"value":"${much}${tail}`, expected: 'nothing' as const };
  });

const sent: fc.Arbitrary<Sent> = fc.oneof(
  { weight: 30, arbitrary: message.map(one => asIs(json(one))) },
  { weight: 10, arbitrary: fc.tuple(message, fc.nat(200)).map(([one, at]) => asIs(json(one).slice(0, at))) },
  { weight: 5, arbitrary: hostileText.map(asIs) },
  { weight: 5, arbitrary: hostileValue.map(value => asIs(json(value))) },
  { weight: 1, arbitrary: large },
);

interface Case {
  list: Sent[];
  /** The lengths of the pieces that bytes come in. */
  lengths: number[];
  /** How a connection ends: one of BROKEN and ENDLESS, else well. */
  last: number;
  /** What commands are answered with. */
  answers: unknown[];
  hangs: boolean;
}

interface Place {
  peer: FakePeer;
  served: Served;
}

const pieces = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 20 });

/** The bytes in pieces of those lengths, again and again; few enough of them for a message of many MB. */
function cut(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const parts: Buffer[] = [];
  const scale = Math.ceil(bytes.length / 500_000);
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const length = (lengths[i % lengths.length] as number) * scale;
    parts.push(bytes.subarray(at, at + length));
    at += length;
  }
  return parts;
}

/** What was delivered, compared with what should have been. */
function wrongDelivery(list: readonly Sent[], delivered: readonly CdpMessage[]): string[] {
  const wanted = list.filter(({ expected }) => expected !== 'nothing');
  if (wanted.length !== delivered.length) return [`delivered ${delivered.length} messages instead of ${wanted.length}`];
  return wanted.flatMap(({ text, expected }, at) => {
    const got = delivered[at] as CdpMessage;
    const fits =
      typeof expected === 'object'
        ? Object.entries(expected).every(([key, value]) => got[key as keyof CdpMessage] === value)
        : isDeepStrictEqual(got, JSON.parse(Buffer.from(text).toString()));
    return fits ? [] : [`message ${at} became ${json(got).slice(0, 200)}`];
  });
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** Messages behind each other on a pipe, in any pieces. */
async function tryReader({ list, lengths }: Case): Promise<string[]> {
  const delivered: CdpMessage[] = [];
  const reader = new MessageReader(one => delivered.push(one));
  const bytes = Buffer.concat(list.map(({ text }) => Buffer.from(`${text}\0`)));
  for (const part of cut(bytes, lengths)) readZeroTerminated(reader, part);
  await turn();
  return wrongDelivery(list, delivered);
}

/** A message as frames of those lengths, with pings between them. */
const framesOf = ({ text }: Sent, lengths: readonly number[]): Buffer[] => {
  const parts = cut(Buffer.from(text), lengths);
  if (parts.length === 0) return [frame(1, Buffer.alloc(0))];
  return parts.flatMap((part, at) => [
    frame(at === 0 ? 1 : 0, part, at === parts.length - 1),
    ...(at % 3 === 0 ? [frame(9, Buffer.from('ping'))] : []),
  ]);
};

/** What no server may send; the client must give up the connection. */
const BROKEN = [
  Buffer.from([0x81, 0x81, 1, 2, 3, 4, 5]), // masked
  Buffer.from([0xf1, 0x01, 0x20]), // reserved bits
  Buffer.from([0x89, 0x7e, 0x00, 0xff]), // a long ping
  Buffer.from([0x09, 0x00]), // a ping in parts
];
/** Lengths that never come: the connection ends before. */
const ENDLESS = [
  Buffer.from([0x81, 0x7f, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x20]),
  Buffer.from([0x81, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x20]),
  Buffer.from([0x81, 0x7e, 0xff]),
];

/** Messages over a WebSocket in frames; then something broken, a length that never comes, or the end. */
async function tryClient({ list, lengths, last }: Case, { peer }: Place): Promise<string[]> {
  const ending = [...BROKEN, ...ENDLESS][last];
  peer.speak = socket => {
    socket.resume();
    for (const one of list) for (const part of framesOf(one, lengths)) socket.write(part);
    if (ending) socket.write(ending);
    if (last < BROKEN.length) return;
    socket.end();
  };
  const delivered: CdpMessage[] = [];
  const client = await WebSocketClient.open(`ws://127.0.0.1:${peer.port}/`, {}, AbortSignal.timeout(LATE_MS));
  const over = client.read(new MessageReader(one => delivered.push(one))).then(() => true);
  const late = new Promise<boolean>(resolve => setTimeout(resolve, LATE_MS, false).unref());
  const isOver = await Promise.race([over, late]);
  peer.drop();
  await turn();
  return [...(isOver ? [] : ['the connection was not given up']), ...wrongDelivery(list, delivered)];
}

/** A call on a browser that answers with rubbish: a failure in words, in time. */
async function tryCall({ list, answers, hangs }: Case, { peer, served }: Place): Promise<string[]> {
  peer.speak = socket => {
    let asked = 0;
    for (const { text } of list.slice(0, 3)) socket.write(frame(1, Buffer.from(text)));
    socket.on('data', () => {
      const answer = answers[asked++];
      // Commands are numbered from 1 by Playwright; what is asked by Tabwright itself stays without an answer.
      if (asked <= answers.length) socket.write(frame(1, Buffer.from(json({ id: asked, result: answer }))));
      else if (!hangs) socket.end();
      const next = list[asked];
      if (next) socket.write(frame(1, Buffer.from(next.text)));
    });
  };
  const started = performance.now();
  const url = new URL('/api/v1/sessions/default/tools/title', served.url).href;
  const headers = { authorization: `Bearer ${served.token}`, 'content-type': 'application/json' };
  const { status, text } = await ask(url, { method: 'POST', headers, body: '{}' });
  const ms = Math.round(performance.now() - started);
  peer.drop();
  const { code } = Object(parsed(text)) as { code?: string };
  return [
    ...(code && code !== 'internal' ? [] : [`answered ${status} ${text.slice(0, 500)}`]),
    ...(ms > CALL_MS + LATE_MS ? [`answered after ${ms} ms`] : []),
    ...(isAlive(served.pid) ? [] : [`the server ended: ${served.stderr.slice(-500)}`]),
    ...textFaults(text, 3_000),
  ];
}

const cases: fc.Arbitrary<Case> = fc.record({
  list: fc.array(sent, { minLength: 1, maxLength: 12 }),
  lengths: pieces,
  last: fc.nat(BROKEN.length + ENDLESS.length),
  answers: fc.array(hostileValue, { maxLength: 4 }),
  hangs: fc.integer({ min: 0, max: 9 }).map(value => value === 0),
});

type Way = (tried: Case, place: Place) => Promise<string[]>;
/** They take turns; the reader is the quickest and the call the slowest. */
const WAYS: readonly Way[] = [tryCall, tryClient, tryClient, ...Array.from({ length: 7 }, (): Way => tryReader)];

const GOOD: Case = {
  list: [{ text: '{"id":1,"result":{}}', expected: 'same' }],
  lengths: [5],
  last: BROKEN.length + ENDLESS.length,
  answers: [],
  hangs: false,
};

class BrowserLink implements OpenPart {
  constructor(
    readonly served: Served,
    readonly peer: FakePeer,
    readonly seed: number,
    readonly end: () => Promise<void>,
  ) {}

  /** Of both processes: the reader is tried in this one, the server has its own. */
  memory(): Memory {
    const { heap, rss } = ownMemory();
    return { heap, rss: rss + peakOf(this.served.pid) };
  }

  async run(number: number): Promise<Tried> {
    const tried = draw(cases, this.seed, number);
    const way = number % WAYS.length;
    const faults = await (WAYS[way] as Way)(tried, this);
    return { sent: { ...tried, way, list: tried.list.map(({ text }) => text.slice(0, 200)) }, faults };
  }

  check(): Promise<string[]> {
    return tryClient(GOOD, this);
  }

  close(): Promise<void> {
    return this.end();
  }
}

export const browserLink: Part = {
  name: 'browser link',
  async open(seed) {
    const folder = temporaryFolder();
    const peer = await new FakePeer().listen();
    const flags = ['--cdp-endpoint', `http://127.0.0.1:${peer.port}`, '--timeout-call', String(CALL_MS)];
    const served = await new Served(folder.path, ...flags, '--rate-limit', '0').ready();
    return new BrowserLink(served, peer, seed, async () => {
      await served.kill('SIGTERM');
      await peer.close();
      folder.remove();
    });
  },
};
