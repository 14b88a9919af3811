// The reader of the browser's messages: whatever comes, in whatever pieces, it goes on with the next message.
import { expect, it } from 'vitest';
import { type CdpMessage, MessageReader, readZeroTerminated } from '../../../src/cdp/message-reader.ts';

/** What the reader delivers of that text, which comes in pieces of that many bytes. */
async function read(bytes: Buffer, piece = 65_536): Promise<CdpMessage[]> {
  const messages: CdpMessage[] = [];
  const reader = new MessageReader(message => messages.push(message));
  for (let at = 0; at < bytes.length; at += piece) readZeroTerminated(reader, bytes.subarray(at, at + piece));
  await new Promise(resolve => setImmediate(resolve));
  return messages;
}

const text = (...messages: (string | object)[]): Buffer =>
  Buffer.from(messages.map(one => `${typeof one === 'string' ? one : JSON.stringify(one)}\0`).join(''));

const logged = (value: string, more: object = {}): object => ({
  method: 'Runtime.consoleAPICalled',
  params: { type: 'log', args: [{ type: 'string', value }], executionContextId: 3, timestamp: 5 },
  ...more,
});

it('gives the same messages however the bytes are cut', async () => {
  const messages = [{ id: 1, result: { text: 'é😀"\\' } }, logged('short'), { method: 'X.y', sessionId: 'AB' }];
  for (let piece = 1; piece < 40; piece++) expect(await read(text(...messages), piece)).toEqual(messages);
});

it('passes over what is no message', async () => {
  const last = { id: 2, result: {} };
  const noMessages = [[], [1], { id: '1' }, { id: null }, { id: 1.5 }, { method: {} }, { method: 'X.y', sessionId: 7 }];
  const noJson = ['', 'rubbish', '{"id":1,', 'null', '7', '"text"', '['];
  expect(await read(text(...noJson, ...noMessages, last))).toEqual([last]);
});

it.each(['x', '\u0001', '"', '\\', 'é', '\\u00', '😀', '{["'])(
  'keeps the beginning of a long message of %j',
  async value => {
    for (let shift = 0; shift < 7; shift++) {
      const [message, next] = await read(
        text(logged('a'.repeat(shift) + value.repeat(70_000), { sessionId: 'AB' }), { id: 9 }),
      );
      expect(message).toMatchObject({ method: 'Runtime.consoleAPICalled', sessionId: 'AB', params: { type: 'log' } });
      const { args, timestamp } = Object(message).params as { args: { value: string }[]; timestamp: number };
      expect(args[0]?.value.slice(0, 2_000)).toBe(('a'.repeat(shift) + value.repeat(2_000)).slice(0, 2_000));
      expect(timestamp).toBeGreaterThan(1e12);
      expect(next).toEqual({ id: 9 });
    }
  },
);

it('keeps time and text of a long entry of the log, and what a long prompt asks', async () => {
  const entry = {
    method: 'Log.entryAdded',
    params: { entry: { source: 'worker', level: 'info', text: 'x'.repeat(1e5), timestamp: 5 } },
  };
  const dialog = {
    method: 'Page.javascriptDialogOpening',
    params: { message: 'Name?', type: 'prompt', defaultPrompt: 'x'.repeat(1e5) },
  };
  const [first, second] = await read(text(entry, dialog));
  expect(first?.params).toMatchObject({
    entry: { text: expect.stringMatching(/^x{4000}/), timestamp: expect.any(Number) },
  });
  expect(second?.params).toMatchObject({ message: 'Name?', type: 'prompt' });
});

it('answers a command whose answer is too large with an error, for the right session', async () => {
  const large = Buffer.concat([
    Buffer.from('{"id":7,"result":{"data":"'),
    Buffer.alloc(129 * 1024 * 1024, 'x'),
    Buffer.from('"},"sessionId":"AB"}\0'),
  ]);
  expect(await read(large)).toEqual([
    { id: 7, sessionId: 'AB', error: { message: expect.stringContaining('more than the 128 MB') } },
  ]);
});

it('15.4 never puts together a message of 600 MB', async () => {
  const messages: CdpMessage[] = [];
  const reader = new MessageReader(message => messages.push(message));
  const piece = Buffer.alloc(1024 * 1024, 'x');
  const before = process.memoryUsage().arrayBuffers;
  readZeroTerminated(reader, Buffer.from('{"method":"Page.x","params":{"text":"'));
  for (let i = 0; i < 600; i++) readZeroTerminated(reader, piece);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
  readZeroTerminated(reader, Buffer.from('"}}\0{"id":1}\0'));
  await new Promise(resolve => setImmediate(resolve));
  expect(messages).toEqual([{ id: 1 }]);
});

it('drops an event that is too large', async () => {
  const event = { method: 'Network.requestWillBeSent', params: { request: { url: 'x'.repeat(5e6) } } };
  expect(await read(text(event, { id: 1 }))).toEqual([{ id: 1 }]);
});
