// When a call runs and for how long: its turn in the session, its end by the caller, its deadline.
import { describe, expect, it, vi } from 'vitest';
import { type Limits, pause } from '../../src/engine/limits.ts';
import { Failure } from '../../src/errors.ts';
import type { AnyTool } from '../../src/tools/tool.ts';
import { type Run, row, setup } from './setup.ts';
import { gate } from './stand-in.ts';

vi.mock('../../src/engine/browser/browser.ts', async () => ({
  Browser: (await import('./stand-in.ts')).StandInChrome,
}));
vi.mock('../../src/engine/tab/context.ts', async () => ({ Context: (await import('./stand-in.ts')).StandInContext }));
vi.mock('../../src/engine/tab/stuck.ts', async () => ({ diagnoseTimeout: (await import('./stand-in.ts')).diagnose }));

describe('the turn of a call', () => {
  it('keeps writes apart, lets reads pass a write that waits, and never holds free calls', async () => {
    const [loading, loaded, said] = [gate(), gate(), gate()];
    const { call } = await setup([
      row('load', async (_input, limits) => {
        said.open();
        await loading.promise;
        limits.waiting();
        await loaded.promise;
      }),
      row('write', async () => 1),
      row('read', async () => 1, { effect: 'read' }),
      row('free', async () => 1, { free: true }),
    ]);
    const order: string[] = [];
    const note = (name: string) => call(name).then(() => order.push(name));
    const all = [note('load'), note('read'), note('write')];
    await said.promise;
    await note('free');
    loading.open();
    await all[1];
    loaded.open();
    await Promise.all(all);
    expect(order).toEqual(['free', 'read', 'load', 'write']);
  });

  it('is separate for each session', async () => {
    const hold = gate();
    const { call } = await setup([row('hold', () => hold.promise), row('write', async () => 1)]);
    const held = call('hold');
    expect((await call('write', { session: 'other' })).ok).toBe(true);
    hold.open();
    await held;
  });

  it('is given up when the caller cancels, while queued and while running', async () => {
    const begun = gate();
    const { call } = await setup([
      row('hold', () => {
        begun.open();
        return new Promise(() => undefined);
      }),
      row('write', async () => 1),
    ]);
    const [first, second] = [new AbortController(), new AbortController()];
    const holding = call('hold', {}, { signal: first.signal });
    await begun.promise;
    const queued = call('write', {}, { signal: second.signal });
    const last = call('write');
    second.abort();
    expect((await queued).failure?.code).toBe('cancelled');
    first.abort();
    expect((await holding).failure?.code).toBe('cancelled');
    expect((await last).ok).toBe(true);
    expect((await call('write', {}, { signal: AbortSignal.abort() })).failure?.code).toBe('cancelled');
  });

  it('is given up without any delay', async () => {
    const begun = gate();
    const deaf: Run = () => {
      begun.open();
      return new Promise(() => undefined);
    };
    const { call } = await setup([row('deaf', deaf)]);
    const stop = new AbortController();
    const holding = call('deaf', {}, { signal: stop.signal });
    await begun.promise;
    // No timer fires any more: what answers now needs none.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      stop.abort();
      expect((await holding).failure?.code).toBe('cancelled');
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends with the server', async () => {
    const begun = gate();
    const { call, server } = await setup([
      row('hold', (_input, limits) => {
        begun.open();
        return pause(limits.signal, 60_000);
      }),
    ]);
    const holding = call('hold');
    await begun.promise;
    await server.close();
    expect(await holding).toMatchObject({ failure: { code: 'cancelled', message: 'The server is ending.' } });
    expect((await call('hold')).failure?.message).toBe('The server is ending.');
  });
});

describe('the time of a call', () => {
  const hang: Run = (_input, limits) => pause(limits.signal, 60_000);

  it.each<[string, Partial<AnyTool>, Record<string, unknown>, number]>([
    ['what the caller asks', {}, { timeout: 30 }, 30],
    ['that of an action', { time: 'action' }, {}, 40],
    ['that of a navigation', { time: 'navigation' }, {}, 50],
    ['its own', { time: 60 }, {}, 60],
    ['by its input', { time: () => 70 }, {}, 70],
    ['no more than any call has', { time: 5_000 }, {}, 100],
  ])('is %s', async (_, more, args, ms) => {
    const layer = { timeoutAction: 40, timeoutNavigation: 50, timeoutCall: 100 };
    const { call } = await setup([row('hang', hang, more)], layer);
    const { failure } = await call('hang', args);
    expect(failure).toMatchObject({ code: 'timeout', message: `hang was not done within ${ms} ms.` });
  });

  it('may be asked for in any size', async () => {
    const { call } = await setup([row('wait', (_input, limits) => pause(limits.signal, 20))]);
    expect((await call('wait', { timeout: 1e12 })).ok).toBe(true);
  });

  it('does not begin in the queue', async () => {
    const begun = gate();
    const slow: Run = (_input, limits) => {
      begun.open();
      return pause(limits.signal, 100);
    };
    const { call } = await setup([row('slow', slow), row('write', async () => 1, { time: 20 })]);
    const first = call('slow');
    await begun.promise;
    expect((await call('write')).ok).toBe(true);
    expect((await first).ok).toBe(true);
  });

  it('is over in the queue too when any call would be', async () => {
    const { call, context } = await setup([row('hang', hang), row('write', async () => 1)], { timeoutCall: 50 });
    const found = gate<Failure>();
    const [tab] = context.tabs;
    if (tab) tab.diagnose = () => found.promise;
    const hanging = call('hang');
    expect((await call('write')).failure).toMatchObject({
      code: 'timeout',
      message: 'write did not start within 50 ms: earlier calls of this session are still running.',
    });
    found.open(new Failure('page_unresponsive', 'Stuck.'));
    expect((await hanging).failure?.code).toBe('page_unresponsive');
    expect((await call('write')).ok).toBe(true);
  });

  it('bounds the way to the tab too', async () => {
    const { call, context } = await setup([row('see', async () => 1)], { timeoutNavigation: 50 });
    context.reaching = () => new Promise(() => undefined);
    expect((await call('see')).failure).toMatchObject({
      code: 'timeout',
      message: 'The tab was not ready within 50 ms.',
    });
  });

  it('asks the tab why, and tells that', async () => {
    const { call, context } = await setup([row('hang', hang, { time: 20 })]);
    const [tab] = context.tabs;
    if (tab) tab.diagnose = async failure => new Failure('page_unresponsive', `Stuck: ${failure.message}`);
    expect((await call('hang')).failure).toMatchObject({
      code: 'page_unresponsive',
      message: 'Stuck: hang was not done within 20 ms.',
    });
  });

  it('tells the timeout itself when the tab cannot say why', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const { call, context } = await setup([row('hang', hang, { time: 20 })]);
      const [tab] = context.tabs;
      if (!tab) throw new Error('no tab');
      tab.diagnose = () => Promise.reject(new Error('broken'));
      const broken = call('hang');
      await vi.advanceTimersByTimeAsync(20);
      expect((await broken).failure?.code).toBe('timeout');
      tab.diagnose = () => new Promise(() => undefined);
      const stuck = call('hang');
      await vi.advanceTimersByTimeAsync(10_020);
      expect((await stuck).failure?.code).toBe('timeout');
    } finally {
      vi.useRealTimers();
    }
  });

  it('lets the tool say itself what it waited for', async () => {
    const aborted = (limits: Limits) =>
      new Promise<void>(resolve => limits.signal.addEventListener('abort', () => resolve()));
    const { call } = await setup(
      [
        row('covered', async (_input, limits) => {
          await aborted(limits);
          throw new Failure('not_actionable', 'A banner covers it.');
        }),
        row('just', async (_input, limits) => {
          await aborted(limits);
          return 'done';
        }),
        row('broken', async (_input, limits) => {
          await aborted(limits);
          throw new Error('socket hang up');
        }),
        row('deaf', () => new Promise(() => undefined)),
      ],
      { timeoutAction: 20 },
    );
    expect((await call('covered')).failure?.code).toBe('not_actionable');
    expect((await call('just')).data).toBe('done');
    expect((await call('broken')).failure?.code).toBe('timeout');
    expect((await call('deaf')).failure?.code).toBe('timeout');
  });
});
