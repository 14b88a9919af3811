// The rules of the queue, by example and by property.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Queue, type Turn, type TurnKind } from '../../src/session/queue.ts';

const never = new AbortController().signal;
/** Lets everything happen that can happen without a clock. */
const settle = () => new Promise<void>(resolve => setImmediate(resolve));

interface Seen {
  kind: TurnKind;
  stop: AbortController;
  turn?: Turn;
  given?: 'up';
  reason?: unknown;
}

function ask(queue: Queue, kind: TurnKind): Seen {
  const seen: Seen = { kind, stop: new AbortController() };
  queue.turn(kind, seen.stop.signal).then(
    turn => {
      seen.turn = turn;
    },
    reason => {
      seen.given = 'up';
      seen.reason = reason;
    },
  );
  return seen;
}

describe('queue', () => {
  it('runs writes one at a time in order of arrival', async () => {
    const queue = new Queue();
    const [a, b, c] = [ask(queue, 'write'), ask(queue, 'write'), ask(queue, 'write')];
    await settle();
    expect([a.turn, b.turn, c.turn].map(Boolean)).toEqual([true, false, false]);
    a.turn?.end();
    await settle();
    expect([b.turn, c.turn].map(Boolean)).toEqual([true, false]);
    b.turn?.end();
    await settle();
    expect(c.turn).toBeDefined();
  });

  it('lets reads overlap, and lets no write wait for a read', async () => {
    const queue = new Queue();
    const all = [ask(queue, 'read'), ask(queue, 'read'), ask(queue, 'write')];
    await settle();
    expect(all.every(({ turn }) => turn)).toBe(true);
  });

  it('lets a read pass a write that only waits, but no other write', async () => {
    const queue = new Queue();
    const slow = ask(queue, 'write');
    const read = ask(queue, 'read');
    const write = ask(queue, 'write');
    const after = ask(queue, 'read');
    await settle();
    expect(read.turn).toBeUndefined();
    slow.turn?.waiting();
    await settle();
    expect(read.turn).toBeDefined();
    expect(write.turn).toBeUndefined();
    expect(after.turn, 'a read sees the effect of the write that came before it').toBeUndefined();
    slow.turn?.end();
    await settle();
    expect(write.turn).toBeDefined();
    write.turn?.end();
    await settle();
    expect(after.turn).toBeDefined();
  });

  it('never lets a free call wait', async () => {
    const queue = new Queue();
    ask(queue, 'write');
    const free = ask(queue, 'free');
    await settle();
    expect(free.turn).toBeDefined();
  });

  it('gives a cancelled place up at once, with the reason', async () => {
    const queue = new Queue();
    const first = ask(queue, 'write');
    const second = ask(queue, 'write');
    const read = ask(queue, 'read');
    await settle();
    second.stop.abort('enough');
    first.turn?.waiting();
    await settle();
    expect(second).toMatchObject({ given: 'up', reason: 'enough' });
    expect(read.turn).toBeDefined();
    await expect(queue.turn('free', AbortSignal.abort('gone'))).rejects.toBe('gone');
  });

  it('ends a turn only once', async () => {
    const queue = new Queue();
    const first = await queue.turn('write', never);
    const second = ask(queue, 'write');
    const third = ask(queue, 'write');
    first.end();
    first.end();
    first.waiting();
    await settle();
    expect([second.turn, third.turn].map(Boolean)).toEqual([true, false]);
  });

  it('holds its rules whatever happens', async () => {
    const event = fc.oneof(
      { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('read', 'write', 'free') }) },
      { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('end', 'waiting', 'cancel'), who: fc.nat(20) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), async events => {
        const model = new Model();
        for (const step of events) {
          model.step(step);
          await settle();
          model.check();
        }
        await model.finish();
      }),
      { numRuns: 300 },
    );
  });
});

/** What the queue should do, said the slow and plain way. */
class Model {
  readonly queue = new Queue();
  readonly all: (Seen & { over: boolean; waits: boolean; started: boolean })[] = [];

  step(step: { do: string; who?: number }): void {
    if (step.who === undefined) {
      this.all.push(Object.assign(ask(this.queue, step.do as TurnKind), { over: false, waits: false, started: false }));
      return;
    }
    const one = this.all[step.who];
    if (!one) return;
    if (step.do === 'cancel' && !one.turn) one.stop.abort('cancelled');
    if (step.do === 'waiting' && one.turn && !one.over) {
      one.turn.waiting();
      one.waits = true;
    }
    if (step.do === 'end' && one.turn) {
      one.turn.end();
      one.over = true;
    }
  }

  check(): void {
    const writesBefore = (index: number) =>
      this.all.slice(0, index).filter(one => one.kind === 'write' && !one.over && one.given !== 'up');
    for (const [index, one] of this.all.entries()) {
      const before = writesBefore(index);
      const mayRun = one.kind === 'free' || (one.kind === 'write' ? before.length === 0 : before.every(w => w.waits));
      if (one.given === 'up') expect(one.turn).toBeUndefined();
      else if (mayRun) expect(one.turn, `${one.kind} at ${index} should run`).toBeDefined();
      // Nothing that comes later takes a turn away: what counts is the moment of the start.
      else if (!one.started) expect(one.turn, `${one.kind} at ${index} should wait`).toBeUndefined();
      one.started = one.turn !== undefined;
    }
    const writing = this.all.filter(one => one.kind === 'write' && one.turn && !one.over);
    expect(writing.length).toBeLessThanOrEqual(1);
  }

  /** When all writes end, nobody is left behind. */
  async finish(): Promise<void> {
    for (const one of this.all) {
      one.turn?.end();
      one.over = one.turn !== undefined;
      await settle();
    }
    expect(this.all.every(one => one.turn !== undefined || one.given === 'up')).toBe(true);
  }
}
