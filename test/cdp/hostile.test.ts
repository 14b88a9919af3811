// CdpConnection with a browser that says the wrong things: nothing throws, nothing waits for ever, nothing is kept.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, expect, it } from 'vitest';
import { CdpConnection } from '../../src/cdp/connection.ts';
import type { TargetSession } from '../../src/cdp/session.ts';
import { FakeTransport } from './fake-transport.ts';

let browser: FakeTransport;
let connection: CdpConnection;
let root: TargetSession;
beforeEach(() => {
  browser = new FakeTransport();
  connection = new CdpConnection(browser);
  root = connection.root;
});

const MB = 1024 * 1024;
const attached = (sessionId: unknown, more: object = {}) => ({
  method: 'Target.attachedToTarget',
  params: { sessionId, targetInfo: { targetId: 'T', type: 'page' }, waitingForDebugger: false },
  ...more,
});

/** A command that is answered shows that the connection still works. */
async function works(session = root): Promise<void> {
  const answer = session.send('Browser.getVersion');
  await browser.say({ id: browser.sent.at(-1)?.id, result: { product: 'Fake/1' } });
  expect(await answer).toEqual({ product: 'Fake/1' });
}

it.each<[string, (object | string)[]]>([
  ['answers without an id', [{ error: { code: -32700, message: 'bad JSON' } }, { result: {} }, {}]],
  ['answers to commands that were never sent', [{ id: 77, result: {} }, { id: -1, error: {} }, { id: 0 }]],
  [
    'a second answer',
    [
      { id: 1, result: {} },
      { id: 1, error: { message: 'no' } },
    ],
  ],
  ['events of sessions that it does not know', [{ method: 'Page.loadEventFired', params: {}, sessionId: 'NOBODY' }]],
  ['events with the names of ours', [{ method: 'error', params: 'x' }, { method: 'close' }, { method: 'newListener' }]],
  [
    'events without parameters',
    [{ method: 'Page.x' }, { method: 'Page.x', params: null }, { method: 'Page.x', params: 7 }],
  ],
  ['sessions without a name or a target', [attached(undefined), attached(7), attached({}), attached(null)]],
  [
    'attached to nothing',
    [{ method: 'Target.attachedToTarget' }, { method: 'Target.attachedToTarget', params: { sessionId: 'S' } }],
  ],
  [
    'targets without an id',
    [{ method: 'Target.attachedToTarget', params: { sessionId: 'S', targetInfo: { targetId: 7 } } }],
  ],
  [
    'the end of sessions that never were',
    [
      { method: 'Target.detachedFromTarget', params: { sessionId: 'NOBODY' } },
      { method: 'Target.detachedFromTarget' },
      { method: 'Target.detachedFromTarget', params: { sessionId: {} } },
    ],
  ],
  [
    'keys of prototypes',
    [
      '{"__proto__":{"id":1},"method":"__proto__.x"}',
      '{"id":1,"__proto__":{"result":1}}',
      attached('__proto__'),
      attached('constructor'),
      { method: 'Page.x', sessionId: '__proto__' },
    ],
  ],
  ['what is no message', ['', 'null', '[]', '{"id":', '\u{1f600}', '{"id":1.5}', '{"method":7}', '"text"']],
])('passes over %s', async (_, messages) => {
  const heard: unknown[] = [];
  root.on('Target.attachedToTarget', ({ targetInfo }) => heard.push(targetInfo.type));
  root.on('close', () => heard.push('close'));
  await browser.say(...messages);
  expect(heard.filter(type => type !== 'page')).toEqual([]);
  expect(connection.isOpen).toBe(true);
  await works();
  expect(Object.prototype).not.toHaveProperty('id');
});

it.each([
  [{ message: 'Not allowed', code: -32000 }, 'Not allowed'],
  [{}, 'The browser refused it without a reason.'],
  [{ message: { toString: 1 } }, 'The browser refused it without a reason.'],
  [{ message: null }, 'The browser refused it without a reason.'],
  ['text', 'The browser refused it without a reason.'],
  [[7], 'The browser refused it without a reason.'],
])('an error such as %j rejects its command', async (error, message) => {
  const answer = root.send('Page.enable');
  const rejected = expect(answer).rejects.toMatchObject({ method: 'Page.enable', message, isTargetGone: false });
  await browser.say({ id: 1, error });
  await rejected;
});

it('an answer counts whatever session it names', async () => {
  await browser.say(attached('S'));
  const answer = connection.session('S').send('Page.enable');
  await browser.say({ id: 1, result: { a: 1 }, sessionId: 'OTHER' });
  expect(await answer).toEqual({ a: 1 });
});

it('sessions that announce each other, or themselves, end once, with all they were asked', async () => {
  await browser.say(attached('A'), attached('B', { sessionId: 'A' }), attached('A', { sessionId: 'B' }));
  await browser.say(attached('C', { sessionId: 'B' }), attached('C', { sessionId: 'C' }));
  const sessions = ['A', 'B', 'C'].map(id => connection.session(id));
  const asked = sessions.map(session => session.send('Page.enable').catch((error: Error) => error.message));
  let closed = 0;
  for (const session of sessions) session.on('close', () => closed++);
  await browser.say({ method: 'Target.detachedFromTarget', params: { sessionId: 'A' } });
  expect(sessions[0]?.closed).toBe(true);
  browser.end();
  await connection.ended;
  expect(await Promise.all(asked)).toHaveLength(3);
  expect(sessions.every(session => session.closed)).toBe(true);
  expect(closed).toBe(3);
});

it('a thousand sessions, each announced on the one before, end with the first', async () => {
  const name = (at: number) => `S${at}`;
  await browser.say(attached(name(0)));
  for (let at = 1; at < 1_000; at++) await browser.say(attached(name(at), { sessionId: name(at - 1) }));
  const last = connection.session(name(999));
  const rejected = expect(last.send('Page.enable')).rejects.toMatchObject({ isTargetGone: true });
  await browser.say({ method: 'Target.detachedFromTarget', params: { sessionId: name(0) } });
  await rejected;
  await works();
});

it.each([
  ['in the middle of a message', '{"id":1,"result":{"a'],
  [
    'after half of the text of the page',
    `{"method":"Runtime.consoleAPICalled","params":{"args":[{"value":"${'x'.repeat(70_000)}`,
  ],
  ['without a word', ''],
])('the end %s rejects what is asked and settles', async (_, text) => {
  await browser.say(attached('S'));
  const session = connection.session('S');
  const asked = [root.send('Browser.getVersion'), session.send('Page.enable')];
  const rejected = asked.map(one => expect(one).rejects.toMatchObject({ isTargetGone: true }));
  if (text !== '') browser.bytes(text);
  browser.end();
  await connection.ended;
  await Promise.all(rejected);
  expect([connection.isOpen, root.closed, session.closed]).toEqual([false, true, true]);
  await expect(session.send('Page.enable')).rejects.toMatchObject({ isTargetGone: true });
  await expect(connection.session('LATER').send('Page.enable')).rejects.toMatchObject({ isTargetGone: true });
});

it('what came before the end is delivered before it', async () => {
  const answer = root.send('Browser.getVersion');
  browser.bytes('{"id":1,"result":{"product":"Fake/1"}}\0');
  browser.end();
  expect(await answer).toEqual({ product: 'Fake/1' });
});

it('an answer that is too large rejects its command, and the next one is read', async () => {
  const rejected = expect(root.send('Browser.getVersion')).rejects.toThrow('more than the 128 MB');
  browser.bytes('{"id":1,"result":{"data":"');
  const piece = Buffer.alloc(MB, 'x');
  for (let at = 0; at < 140; at++) browser.bytes(piece);
  await browser.say('"}}');
  await rejected;
  await works();
});

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

it('keeps nothing of what it passes over, and of sessions that have ended', async () => {
  const usedAfter = async (times: number): Promise<number> => {
    for (let at = 0; at < times; at++) {
      const id = `S${at}`;
      const messages = [
        { id: 1e6 + at, result: { a: 'x'.repeat(100) } },
        { method: 'X.y', sessionId: `N${at}`, params: {} },
      ];
      await browser.say(...messages, attached(id), attached(`${id}W`, { sessionId: id }));
      // One half is ended by the browser, one by us.
      if (at % 2 === 0) await browser.say({ method: 'Target.detachedFromTarget', params: { sessionId: id } });
      else
        connection
          .session(id)
          .detach()
          .catch(() => undefined); // never answered
      await browser.say({ id: browser.sent.splice(0).at(-1)?.id, result: {} });
    }
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = await usedAfter(2_000);
  const after = await usedAfter(20_000);
  expect(after - before).toBeLessThan(MB);
});
