// Fuzzing of the HTTP door: rubbish and mutated requests over bare sockets to the built server.
import { connect } from 'node:net';
import fc from 'fast-check';
import { ask, modern, withToken } from '../surfaces/http/ask.ts';
import { Served } from '../surfaces/http/served.ts';
import { isAlive, temporaryFolder } from '../surfaces/process.ts';
import { textFaults } from './answers.ts';
import { draw, type Memory, type OpenPart, type Part, peakOf, type Tried } from './campaign.ts';
import { hostileText, hostileValue } from './values.ts';

/** A connection that was closed on this side must be over by then. */
const CLOSE_MS = 8_000;
const LONGEST_ANSWER = 400_000;
const MB = 1_048_576;

const PATHS = [
  ...['/mcp', '/mcp', '/mcp/devtools', '/mcp/vision', '/mcp/nobody', '/sse', '/messages', '/messages?sessionId=x'],
  ...['/health', '/metrics', '/api/docs', '/api/openapi.json', '/api/v1/tools', '/api/v1/sessions', '/', '*', ''],
  ...[
    '/api/v1/sessions/default/tools/session_list',
    '/api/v1/sessions/%ff/tools/__proto__',
    '//',
    '/mcp?%',
    'http://x/mcp',
  ],
];
const METHODS = [
  'GET',
  'POST',
  'POST',
  'POST',
  'DELETE',
  'PUT',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'TRACE',
  'CONNECT',
  'get',
  'X',
];
const RPC_METHODS = [
  ...[
    'initialize',
    'notifications/initialized',
    'tools/list',
    'tools/call',
    'ping',
    'resources/list',
    'resources/read',
  ],
  ...[
    'prompts/list',
    'completion/complete',
    'logging/setLevel',
    'notifications/cancelled',
    'server/discover',
    'x/y',
    '',
  ],
];
const TYPES = [
  'application/json',
  'text/plain',
  'application/json; charset=latin1',
  'multipart/form-data',
  '',
  'a/b/c',
];
const ACCEPTS = ['application/json, text/event-stream', 'text/event-stream', 'application/json', '*/*', '', ';;q=x'];

/** What a header line may hold: no line breaks, which would begin another. */
const headerText = fc
  .oneof(hostileText, fc.string({ unit: 'binary-ascii' }))
  .map(text => text.replace(/[\r\n]/g, '').slice(0, 3_000));

const rpc = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record(
      {
        jsonrpc: fc.constantFrom<unknown>('2.0', '2.0', '2.0', '1.0', 2, null),
        id: fc.oneof(fc.constantFrom<unknown>(1, 1, 'a', null, -1, 1.5, {}, [], true), hostileValue),
        method: fc.oneof(fc.constantFrom(...RPC_METHODS), hostileValue),
        params: fc.oneof(
          fc.record(
            {
              name: fc.oneof(fc.constantFrom('session_list', 'profile_list', 'nothing', '__proto__'), hostileValue),
              arguments: hostileValue,
              uri: hostileValue,
              cursor: hostileValue,
              protocolVersion: fc.constantFrom<unknown>('2025-11-25', '2024-11-05', '2026-07-28', 'x', 1, null),
              capabilities: hostileValue,
              clientInfo: hostileValue,
              _meta: hostileValue,
            },
            { requiredKeys: [] },
          ),
          hostileValue,
        ),
      },
      { requiredKeys: ['jsonrpc', 'method'] },
    ),
  },
  { weight: 1, arbitrary: hostileValue },
);

const body: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 5, arbitrary: rpc.map(jsonBytes) },
  { weight: 1, arbitrary: fc.array(rpc, { maxLength: 30 }).map(jsonBytes) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes)) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('', '{', '[[', '"\\ud800"', '\ufeff{}', '1e999', '[1,]', 'null')
      .map(text => Buffer.from(text)),
  },
  { weight: 1, arbitrary: fc.constantFrom(100_000, 5_000_000).map(length => Buffer.alloc(length, '[')) },
);

/** Some of these values have no JSON. */
function jsonBytes(value: unknown): Buffer {
  try {
    return Buffer.from(JSON.stringify(value) ?? 'undefined');
  } catch {
    return Buffer.from('['.repeat(5_000));
  }
}

const FRAMINGS = [
  'length',
  'length',
  'length',
  'chunked',
  'short',
  'long',
  'none',
  'both',
  'badChunk',
  'negative',
  'twice',
] as const;

/** The headers that say how long the body is, truly or not, and the body as it is sent. */
function framed(bytes: Buffer, framing: (typeof FRAMINGS)[number]): { lines: string[]; sent: Buffer } {
  const length = (count: number | string) => `Content-Length: ${count}`;
  const chunks = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')]);
  const chunked = 'Transfer-Encoding: chunked';
  if (framing === 'length') return { lines: [length(bytes.length)], sent: bytes };
  if (framing === 'chunked') return { lines: [chunked], sent: bytes.length > 0 ? chunks : Buffer.from('0\r\n\r\n') };
  if (framing === 'short') return { lines: [length(Math.floor(bytes.length / 2))], sent: bytes };
  if (framing === 'long') return { lines: [length(bytes.length + 10)], sent: bytes };
  if (framing === 'both') return { lines: [length(bytes.length), chunked], sent: chunks };
  if (framing === 'badChunk') return { lines: [chunked], sent: Buffer.concat([Buffer.from('zz\r\n'), bytes]) };
  if (framing === 'negative') return { lines: [length('-1')], sent: bytes };
  if (framing === 'twice') return { lines: [length(bytes.length), length(3)], sent: bytes };
  return { lines: [], sent: bytes };
}

const request = (token: string, port: number): fc.Arbitrary<Buffer> =>
  fc
    .record({
      method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...METHODS) }, { weight: 1, arbitrary: headerText }),
      path: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...PATHS) }, { weight: 1, arbitrary: headerText }),
      version: fc.constantFrom(...['1.1', '1.1', '1.1', '1.1', '1.1', '1.0', '0.9', '2.0', '9.9', '']),
      host: fc.constantFrom(
        `127.0.0.1:${port}`,
        `127.0.0.1:${port}`,
        `localhost:${port}`,
        'evil.test',
        '',
        '[',
        'a, b',
      ),
      auth: fc.constantFrom(`Bearer ${token}`, `Bearer ${token}`, `Bearer ${token}`, 'Bearer ', `Basic ${token}`, '\0'),
      type: fc.constantFrom('application/json', ...TYPES),
      accept: fc.constantFrom(ACCEPTS[0] as string, ...ACCEPTS),
      more: fc.dictionary(
        fc.constantFrom(
          ...[
            'Mcp-Session-Id',
            'Mcp-Protocol-Version',
            'Mcp-Method',
            'Mcp-Name',
            'Origin',
            'Expect',
            'Upgrade',
            'Cookie',
          ],
          ...[
            'Connection',
            'X-Forwarded-For',
            'Last-Event-ID',
            'Content-Encoding',
            'Range',
            'X-API-Key',
            '__proto__',
            'Bad Name',
          ],
        ),
        fc.oneof(fc.constantFrom('2026-07-28', '100-continue', 'websocket', 'tools/list', 'close', 'gzip'), headerText),
        { maxKeys: 5 },
      ),
      bytes: body,
      framing: fc.constantFrom(...FRAMINGS),
    })
    .map(({ method, path, version, host, auth, type, accept, more, bytes, framing }) => {
      const { lines, sent } = framed(bytes, framing);
      const fixed = [`Host: ${host}`, `Authorization: ${auth}`, `Content-Type: ${type}`, `Accept: ${accept}`];
      const all = [...fixed, ...Object.entries(more).map(([name, value]) => `${name}: ${value}`), ...lines];
      return Buffer.concat([Buffer.from(`${method} ${path} HTTP/${version}\r\n${all.join('\r\n')}\r\n\r\n`), sent]);
    });

/** Changes bytes of a request: turned round, cut off, doubled, put in. */
const mutated = (whole: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      whole,
      fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.constantFrom('set', 'cut', 'double', 'put')), {
        minLength: 1,
        maxLength: 6,
      }),
    )
    .map(([bytes, changes]) =>
      changes.reduce((now, [where, byte, how]) => {
        const at = where % (now.length + 1);
        const [head, tail] = [now.subarray(0, at), now.subarray(at)];
        if (how === 'cut') return head;
        if (how === 'double') return Buffer.concat([head, tail, tail.subarray(0, 200)]);
        return Buffer.concat([head, Buffer.from([byte]), how === 'set' ? tail.subarray(1) : tail]);
      }, bytes),
    );

interface Case {
  bytes: Buffer;
  /** Where the bytes are cut into packets. */
  cuts: number[];
  ending: 'half' | 'destroy';
}

const cases = (token: string, port: number): fc.Arbitrary<Case> => {
  const one = request(token, port);
  return fc.record({
    bytes: fc.oneof(
      { weight: 5, arbitrary: one },
      { weight: 3, arbitrary: mutated(one) },
      { weight: 1, arbitrary: fc.tuple(one, one).map(list => Buffer.concat(list)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 500 }).map(bytes => Buffer.from(bytes)) },
    ),
    cuts: fc.array(fc.nat(1_000), { maxLength: 3 }),
    ending: fc.constantFrom('half', 'half', 'half', 'destroy'),
  });
};

/** Sends it and closes this side; gives what came back, or undefined when the other side did not close. */
function exchange(port: number, { bytes, cuts, ending }: Case): Promise<string | undefined> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    const timer = setTimeout(() => {
      socket.destroy();
      resolve(undefined);
    }, CLOSE_MS);
    let got = '';
    socket.on('data', chunk => {
      got += chunk.toString('latin1');
    });
    socket.on('error', () => undefined); // a connection that is cut ends what came back
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(got);
    });
    socket.setNoDelay(true);
    let from = 0;
    for (const cut of [...cuts].sort((a, b) => a - b)) {
      socket.write(bytes.subarray(from, Math.max(from, cut)));
      from = Math.max(from, cut);
    }
    socket.write(bytes.subarray(from), () => (ending === 'half' ? socket.end() : socket.destroy()));
  });
}

function faultsOf(answer: string | undefined): string[] {
  if (answer === undefined) return [`the connection was still open after ${CLOSE_MS / 1_000} s`];
  if (answer === '') return [];
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
  const known = status >= 100 && status < 500 ? true : [501, 503, 505].includes(status);
  return [...(known ? [] : [`answered ${answer.slice(0, 400)}`]), ...textFaults(answer, LONGEST_ANSWER)];
}

class HttpDoor implements OpenPart {
  readonly #cases: fc.Arbitrary<Case>;

  constructor(
    readonly served: Served,
    readonly seed: number,
    readonly end: () => Promise<void>,
  ) {
    this.#cases = cases(served.token, served.port);
  }

  async run(number: number): Promise<Tried> {
    const tried = draw(this.#cases, this.seed, number);
    const faults = faultsOf(await exchange(this.served.port, tried));
    const sent = { ...tried, bytes: tried.bytes.toString('latin1') };
    return {
      sent,
      faults: isAlive(this.served.pid) ? faults : [...faults, `the server ended: ${this.served.stderr.slice(-500)}`],
    };
  }

  async check(): Promise<string[]> {
    const listed = await ask(this.served.url, withToken(modern('tools/list'), this.served.token));
    const called = await ask(
      this.served.url,
      withToken(modern('tools/call', { name: 'session_list', arguments: {} }), this.served.token),
    );
    const faults = [listed, called].filter(({ status, text }) => status !== 200 || !text.includes('"result"'));
    return [
      ...faults.map(({ status, text }) => `${status} ${text.slice(0, 300)}`),
      ...textFaults(this.served.stderr, MB),
    ];
  }

  async memory(): Promise<Memory> {
    const url = this.served.url.replace(/mcp$/, 'metrics');
    const { text } = await ask(url, withToken({}, this.served.token));
    const heap = Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(text)?.[1] ?? 0);
    return { heap: Math.round(heap / MB), rss: peakOf(this.served.pid) };
  }

  close(): Promise<void> {
    return this.end();
  }
}

export const httpDoor: Part = {
  name: 'HTTP door',
  async open(seed) {
    const folder = temporaryFolder();
    const served = await new Served(folder.path, '--rate-limit', '0').ready();
    return new HttpDoor(served, seed, async () => {
      await served.kill('SIGTERM');
      folder.remove();
    });
  },
};
