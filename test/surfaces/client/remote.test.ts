// The small client of a running server: what it sends, what it reads, and how it ends when the server does not behave.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { readEvents } from '../../../src/surfaces/client/http.ts';
import { callRemote, type RemoteCall } from '../../../src/surfaces/client/remote.ts';
import { type Answer, events, json, resultOf, type StandIn, standIn } from '../cli/stand-in.ts';
import { temporaryFolder } from '../process.ts';

const folder = temporaryFolder();
const tokenFile = join(folder.path, 'token');
writeFileSync(tokenFile, 'secret-token\n');
let server: StandIn | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});
afterAll(() => folder.remove());

const call: RemoteCall = {
  name: 'title',
  args: { tabId: 1 },
  version: '1.2.3',
  signal: new AbortController().signal,
  ms: 5_000,
};

async function ask(answer: Answer, more: Partial<RemoteCall> = {}) {
  server = await standIn(folder.path, answer, { tokenFile });
  return callRemote(server.running, { ...call, ...more });
}

const progress = (done: number, message: string): string =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: done, message } })}\n\n`;

describe('a call', () => {
  it('is one request of the newest revision, with the token', async () => {
    await ask(json(resultOf('Home')));
    expect(server?.headers[0]).toMatchObject({
      authorization: 'Bearer secret-token',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'title',
      'content-type': 'application/json',
    });
    expect(server?.bodies[0]).toMatchObject({
      method: 'tools/call',
      params: { name: 'title', arguments: { tabId: 1 }, _meta: { 'tabwright/structured': true } },
    });
    expect(JSON.stringify(server?.bodies[0])).not.toContain('progressToken');
  });

  it('gives text, structured form and pictures', async () => {
    const result = {
      content: [
        { type: 'text', text: '1x1' },
        { type: 'image', data: 'YWJj', mimeType: 'image/png' },
      ],
      structuredContent: { success: true, data: { width: 1 } },
    };
    expect(await ask(json(JSON.stringify({ jsonrpc: '2.0', id: 1, result })))).toEqual({
      text: '1x1',
      structured: { success: true, data: { width: 1 } },
      pictures: [{ mimeType: 'image/png', bytes: Buffer.from('abc') }],
    });
  });

  it('hears progress before the answer in a stream', async () => {
    const steps: unknown[] = [];
    const stream = `: keepalive\n\nevent: message\n${progress(1, 'one')}${progress(2, 'two')}data: ${resultOf('a\u2028b 漢')}\n\n`;
    const { text } = await ask(events(...stream.split(/(?<=e)/)), { progress: step => steps.push(step) });
    expect(text).toBe('a\u2028b 漢');
    expect(steps).toEqual([
      { done: 1, message: 'one' },
      { done: 2, message: 'two' },
    ]);
    expect(server?.bodies[0]).toMatchObject({ params: { _meta: { progressToken: 1 } } });
  });
});

describe('a server that does not behave', () => {
  const hang: Answer = () => undefined;
  const failure = (code: string, message: RegExp) => ({ code, message: expect.stringMatching(message) });

  it.each<[string, Answer, string, RegExp]>([
    ['refuses the token', json('{"error":{"message":"no"}}', 401), 'refused', /refuses the token in .*token\.$/],
    [
      'answers with an error',
      json('{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Not that revision"}}', 400),
      'internal',
      /answered: Not that revision\.$/,
    ],
    [
      'answers with something else',
      json('<html>\n busy</html>', 503),
      'internal',
      /answered: status 503, <html> busy<\/html>\.$/,
    ],
    ['answers with nothing', json(''), 'internal', /answered: status 200, empty\.$/],
    [
      'ends the stream without an answer',
      events(progress(1, 'one')),
      'server_gone',
      /went away: it ended the answer too early\.$/,
    ],
    ['cuts the connection', response => void response.socket?.destroy(), 'server_gone', /went away: ECONNRESET\.$/],
    [
      'cuts the connection in the middle',
      response => void response.writeHead(200, { 'content-length': 99 }).write('{', () => response.socket?.destroy()),
      'server_gone',
      /went away: ECONNRESET\.$/,
    ],
  ])('%s', async (_, answer, code, message) => {
    await expect(ask(answer)).rejects.toMatchObject(failure(code, message));
  });

  it('does not answer in time', async () => {
    await expect(ask(hang, { ms: 300 })).rejects.toMatchObject(failure('timeout', /did not answer within 0\.3 s\.$/));
  });

  it('is not there', async () => {
    const running = { url: 'http://127.0.0.1:9/mcp', pid: 1, key: '' };
    await expect(callRemote(running, call)).rejects.toMatchObject(failure('server_gone', /ECONNREFUSED/));
  });

  it('has a token that cannot be read', async () => {
    const running = { url: 'http://127.0.0.1:9/mcp', pid: 1, key: '', tokenFile: join(folder.path, 'none') };
    await expect(callRemote(running, call)).rejects.toMatchObject(failure('file_error', /cannot be read: ENOENT\.$/));
  });

  it('is left when the caller cancels, and sees it', async () => {
    const cancel = new AbortController();
    let left: Promise<unknown> | undefined;
    const answer: Answer = response => {
      left = once(response, 'close');
      cancel.abort();
    };
    const { structured } = await ask(answer, { signal: cancel.signal });
    expect(structured).toMatchObject({ success: false, code: 'cancelled' });
    await left;
  });
});

describe('an event stream', () => {
  async function all(...pieces: string[]): Promise<string[]> {
    const out: string[] = [];
    for await (const data of readEvents(
      (async function* () {
        yield* pieces;
      })(),
      100,
    ))
      out.push(data);
    return out;
  }

  it('is read whatever its line ends and pieces are', async () => {
    expect(await all('data: a\r\n\r', '\nda', 'ta:b\ndata: c\n', '\n: x\nid: 7\n\n', 'data: unfinished\n')).toEqual([
      'a',
      'b\nc',
    ]);
  });

  it('is bounded', async () => {
    await expect(all('data: ', 'x'.repeat(60), 'x'.repeat(60))).rejects.toThrow('too long');
  });
});
