// Sessions by name and owner, their bound, and the end of the server.
import { describe, expect, it, vi } from 'vitest';
import { MOST_SESSIONS, Server } from '../../src/session/server.ts';
import { folder, keptLog, optionsIn, type StandInChrome, type StandInContext } from '../call/stand-in.ts';

vi.mock('../../src/engine/chrome.ts', async () => ({ Chrome: (await import('../call/stand-in.ts')).StandInChrome }));
vi.mock('../../src/engine/context.ts', async () => ({ Context: (await import('../call/stand-in.ts')).StandInContext }));

const ann = { id: 'ann' };
const bob = { id: 'bob' };

async function server() {
  const log = keptLog();
  const made = new Server(optionsIn(await folder()), log);
  return { server: made, log, chrome: made.chrome as unknown as StandInChrome };
}
const contextOf = (session: { context: unknown }) => session.context as StandInContext;

describe('sessions', () => {
  it('gives each caller its own default session', async () => {
    const { server: s } = await server();
    const own = s.session(undefined, ann);
    expect(own.name).toBe('default@ann');
    expect(s.session('default', ann)).toBe(own);
    expect(s.session(undefined, bob)).not.toBe(own);
    expect(s.list().map(({ name }) => name)).toEqual(['default@ann', 'default@bob']);
  });

  it('gives the state of a profile or an attached browser to one session only', async () => {
    const { server: s } = await server();
    const kinds = [s.session('work', ann), s.session(undefined, ann), s.session(undefined, bob)];
    expect(kinds.map(session => contextOf(session).kind.isDefault)).toEqual([false, true, false]);
  });

  it('never puts a caller id that is no name into a session name', async () => {
    const { server: s } = await server();
    const { name } = s.session(undefined, { id: '../../etc/passwd' });
    expect(name).toMatch(/^default@[0-9a-f]{16}$/);
  });

  it('refuses the session of another caller unless it is shared', async () => {
    const { server: s } = await server();
    const session = s.session('work', ann);
    expect(() => s.session('work', bob)).toThrow(expect.objectContaining({ code: 'refused' }));
    expect(() => s.session('work', bob)).toThrow(/"work" belongs to another caller/);
    session.shared = true;
    expect(s.session('work', bob)).toBe(session);
  });

  it.each(['', 'a b', 'default@ann', '../x', 'x'.repeat(65)])('takes no %j as a name', async name => {
    const { server: s } = await server();
    expect(() => s.session(name, bob)).toThrow(expect.objectContaining({ code: 'bad_input' }));
  });

  it('keeps no more sessions than its bound, and names those that the caller may use', async () => {
    const { server: s } = await server();
    s.session('mine', bob);
    for (let i = 1; i < MOST_SESSIONS; i++) s.session(`s${i}`, ann);
    expect(() => s.session('more', bob)).toThrow(
      expect.objectContaining({ code: 'refused', hint: 'Use one of yours: mine.' }),
    );
    expect(s.session('mine', bob)).toBeDefined();
  });
});

describe('the end of the server', () => {
  it('closes every session once, then the browser, and takes no more calls', async () => {
    const { server: s, chrome } = await server();
    const contexts = [s.session('a', ann), s.session('b', bob)].map(contextOf);
    const [first] = contexts;
    if (first)
      first.closing = async () => {
        expect(chrome.closed).toBe(0);
      };
    await Promise.all([s.close(), s.close()]);
    expect(contexts.map(({ closed }) => closed)).toEqual([1, 1]);
    expect(chrome.closed).toBe(1);
    expect(s.ending.aborted).toBe(true);
    expect(() => s.session('a', ann)).toThrow(/ending/);
  });

  it('is not held up by a session that fails or never answers', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { server: s, log, chrome } = await server();
      contextOf(s.session('broken', ann)).closing = () => Promise.reject(new Error('no such target'));
      contextOf(s.session('stuck', ann)).closing = () => new Promise(() => undefined);
      const closed = s.close();
      await vi.advanceTimersByTimeAsync(3_000);
      await closed;
      expect(chrome.closed).toBe(1);
      expect(log.lines).toEqual([
        'warn: closing session broken: no such target',
        'warn: closing session stuck: no answer within 3000 ms',
      ]);
    } finally {
      vi.useRealTimers();
    }
  });
});
