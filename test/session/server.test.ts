// Sessions by name and owner, their bounds, their idle end, and the end of the server.
import { describe, expect, it, vi } from 'vitest';
import type { Layer } from '../../src/config/options.ts';
import type { Failure } from '../../src/errors.ts';
import { Server } from '../../src/session/server.ts';
import type { Session } from '../../src/session/session.ts';
import { folder, keptLog, optionsIn, type StandInChrome, type StandInContext } from '../call/stand-in.ts';

vi.mock('../../src/engine/browser/browser.ts', async () => ({
  Browser: (await import('../call/stand-in.ts')).StandInChrome,
}));
vi.mock('../../src/engine/tab/context.ts', async () => ({
  Context: (await import('../call/stand-in.ts')).StandInContext,
}));

const ann = { id: 'ann' };
const bob = { id: 'bob' };
const owner = { id: 'local' };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function server(layer: Layer = {}) {
  const log = keptLog();
  const made = new Server(optionsIn(await folder(), layer), log);
  return { server: made, log, chrome: made.chrome as unknown as StandInChrome };
}
const contextOf = (session: { context: unknown }) => session.context as StandInContext;

/** Why the caller does not get it. */
const refusal = async (get: () => Session | Promise<Session>): Promise<Failure> => {
  try {
    const { name } = await get();
    throw new Error(`got ${name}`);
  } catch (error) {
    return error as Failure;
  }
};

/** A call that holds the session until it is ended. */
async function guest(session: Session) {
  const stop = new AbortController();
  const ended: Failure[] = [];
  const turn = await session.turn('write', { signal: stop.signal, abort: why => void ended.push(why) });
  return { turn, ended };
}

describe('sessions', () => {
  it('gives each caller its own default session, at once', async () => {
    const { server: s } = await server();
    const own = s.session(undefined, ann) as Session;
    expect(own.name).toBe('default@ann');
    expect(s.session('default', ann)).toBe(own);
    expect(s.session('default@ann', ann)).toBe(own);
    expect(s.session(undefined, bob)).not.toBe(own);
    expect(s.list().map(({ name }) => name)).toEqual(['default@ann', 'default@bob']);
  });

  it('gives an open session at once, and makes one only once for calls that come together', async () => {
    const { server: s } = await server();
    const [first, second] = await Promise.all([s.session('work', ann), s.session('work', ann)]);
    expect(first).toBe(second);
    expect(s.session('work', ann)).toBe(first);
  });

  it('gives the state of a profile or an attached browser to one session of the owner only', async () => {
    const { server: s } = await server();
    const sessions = [
      await s.session(undefined, ann),
      await s.session('work', owner),
      await s.session(undefined, owner),
      await s.session(undefined, { ...owner, connection: 'second' }),
    ];
    expect(sessions.map(session => contextOf(session).kind.isDefault)).toEqual([false, false, true, false]);
  });

  it('never puts a caller id that is no name into a session name', async () => {
    const { server: s } = await server();
    const { name } = await s.session(undefined, { id: '../../etc/passwd' });
    expect(name).toMatch(/^default@[0-9a-f]{16}$/);
  });

  it('S3-16, S3-17: refuses the session of another caller unless it is shared', async () => {
    const { server: s } = await server();
    const session = await s.session('work', ann);
    const denied = await refusal(() => s.session('work@ann', bob));
    expect(denied).toMatchObject({ code: 'refused', message: 'Access denied to session: work@ann' });
    expect(denied.hint).toContain('leave "session" out');
    expect(denied.rule).toBe('a session belongs to its owner');
    session.shared = true;
    expect(s.session('work@ann', bob)).toBe(session);
    expect(await s.session('work', bob)).not.toBe(session);
  });

  it('S3-17: --shared-sessions are for all callers', async () => {
    const { server: s } = await server({ sharedSessions: ['team'] });
    expect(await s.session('team', ann)).toBe(await s.session('team', bob));
  });

  it('two callers who ask for a new name at once: each gets one of its own', async () => {
    const { server: s } = await server();
    await Promise.all([s.session('work', ann), s.session('work', bob)]);
    expect(
      s
        .list()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['work@ann', 'work@bob']);
  });

  it('S3-17: with --shared-sessions "*" every name means one session for all callers', async () => {
    const { server: s } = await server({ sharedSessions: ['*'] });
    expect(await s.session('work', ann)).toBe(await s.session('work', bob));
    expect(s.session(undefined, ann)).not.toBe(s.session(undefined, bob));
  });

  it('S3-16: a session that must exist is not made', async () => {
    const { server: s } = await server();
    const missing = await refusal(() => s.session('work', ann, true));
    expect(missing).toMatchObject({ code: 'no_session', message: 'Session not found: work' });
    expect(missing.hint).toContain('session_create');
    await s.session('work', bob);
    expect((await refusal(() => s.session('work', ann, true))).message).toBe('Access denied to session: work');
    await s.sessions.end(s.list()[0] as Session, { forget: true, why: missing });
    expect(s.list()).toEqual([]);
    expect((await s.session(undefined, ann, true)).name).toBe('default@ann');
  });

  it('S3-15: a session without a name has a handle that nobody can guess, and that stands for no other one later', async () => {
    const { server: s } = await server();
    const session = s.sessions.unnamed(ann);
    expect(session.name).toMatch(UUID);
    expect(s.session(session.name, ann)).toBe(session);
    expect((await refusal(() => s.session(session.name, bob))).message).toMatch(/^Access denied to session: /);
    await s.sessions.end(session, { forget: true, why: new Error('over') as Failure });
    expect((await refusal(() => s.session(session.name, ann))).code).toBe('no_session');
  });

  it.each(['', 'a b', 'default@ann', '../x', 'x'.repeat(65)])('takes no %j as a name', async name => {
    const { server: s } = await server();
    expect((await refusal(() => s.session(name, bob))).code).toBe('bad_input');
  });

  it('S3-20: keeps no more sessions in all than its bound, and names those of the caller', async () => {
    const { server: s } = await server({ maxSessions: 4, maxSessionsPerCaller: 100 });
    await s.session('mine', bob);
    for (let i = 1; i < 4; i++) await s.session(`s${i}`, ann);
    const refused = await refusal(() => s.session('more', bob));
    expect(refused).toMatchObject({ code: 'refused', rule: '--max-sessions' });
    expect(refused.message).toBe('There are already 4 sessions, the most that are allowed: rule "--max-sessions".');
    expect(refused.hint).toBe('Use one of yours (mine), or end one with session_close.');
    expect(s.session('mine', bob)).toBeDefined();
  });

  it('S3-20: 10 in all and 3 of one caller by default; a token may allow other numbers', async () => {
    const { server: s } = await server();
    for (const name of ['a', 'b', 'c']) await s.session(name, ann);
    const refused = await refusal(() => s.session('d', ann));
    expect(refused.message).toBe(
      'You have already 3 sessions, the most that are allowed: rule "--max-sessions-per-caller".',
    );
    expect(refused.hint).toContain('a, b, c');
    for (const name of ['d', 'e', 'f', 'g', 'h']) await s.session(name, { id: 'eve', maxSessions: 5 });
    expect((await refusal(() => s.session('i', { id: 'eve', maxSessions: 5 }))).rule).toBe('--max-sessions-per-caller');
    await s.session('i', bob);
    await s.session('j', bob);
    expect((await refusal(() => s.session('k', bob))).rule).toBe('--max-sessions');
  });
});

describe('the end of a session', () => {
  it('S3-19: without a call for the idle time, its context is closed; the next use begins anew and is told', async () => {
    vi.useFakeTimers();
    try {
      const { server: s } = await server({ sessionIdle: 60_000 });
      const session = s.session(undefined, ann) as Session;
      await vi.advanceTimersByTimeAsync(50_000);
      (await guest(session)).turn.end();
      await vi.advanceTimersByTimeAsync(50_000);
      expect(contextOf(session).closed).toBe(0);
      await vi.advanceTimersByTimeAsync(11_000);
      expect(contextOf(session).closed).toBe(1);
      expect(s.list()).toEqual([]);
      const next = await s.session(undefined, ann);
      expect(next).not.toBe(session);
      expect(contextOf(next).notes).toEqual([
        'The session had no call for 1 min and was ended: it begins anew, without tabs and logins.',
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('S3-19: a call that runs keeps it, however long', async () => {
    vi.useFakeTimers();
    try {
      const { server: s } = await server({ sessionIdle: 1_000 });
      const session = s.session(undefined, ann) as Session;
      const { turn } = await guest(session);
      await vi.advanceTimersByTimeAsync(600_000);
      expect(contextOf(session).closed).toBe(0);
      turn.end();
      await vi.advanceTimersByTimeAsync(500);
      expect(s.session(undefined, ann)).toBe(session);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(contextOf(session).closed).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('a call that comes while it ends waits for the end, and gets a new one', async () => {
    vi.useFakeTimers();
    try {
      const { server: s } = await server({ sessionIdle: 1_000 });
      const session = s.session(undefined, ann) as Session;
      let close = () => {};
      contextOf(session).closing = () => new Promise(resolve => (close = resolve));
      await vi.advanceTimersByTimeAsync(1_500);
      const coming = s.session(undefined, ann);
      expect(coming).toBeInstanceOf(Promise);
      close();
      expect(await coming).not.toBe(session);
    } finally {
      vi.useRealTimers();
    }
  });

  it('calls that run end with it, new ones are refused', async () => {
    const { server: s } = await server();
    const session = await s.session('work', ann);
    const { ended } = await guest(session);
    let close = () => {};
    contextOf(session).closing = () => new Promise(resolve => (close = resolve));
    const why = { message: 'over' } as Failure;
    const ending = s.sessions.end(session, { forget: true, why });
    expect(ended).toEqual([why]);
    expect((await refusal(() => s.session('work', ann))).message).toBe('Session work is being closed.');
    await expect(session.turn('read', { signal: new AbortController().signal, abort() {} })).rejects.toThrow(
      'is being closed',
    );
    await vi.waitFor(() => {
      close();
      expect(contextOf(session).closed).toBe(1);
    });
    await ending;
    expect(await s.session('work', ann)).not.toBe(session);
  });
});

describe('the end of the server', () => {
  it('closes every session once, then the browser, and takes no more calls', async () => {
    const { server: s, chrome } = await server();
    const contexts = [await s.session('a', ann), await s.session('b', bob)].map(contextOf);
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
      contextOf(await s.session('broken', ann)).closing = () => Promise.reject(new Error('no such target'));
      contextOf(await s.session('stuck', ann)).closing = () => new Promise(() => undefined);
      const closed = s.close();
      await vi.advanceTimersByTimeAsync(3_000);
      await closed;
      expect(chrome.closed).toBe(1);
      expect(log.lines).toEqual([
        'warn: closing session broken@ann: no such target',
        'warn: closing session stuck@ann: no answer within 3000 ms',
      ]);
    } finally {
      vi.useRealTimers();
    }
  });
});
