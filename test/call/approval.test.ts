// Calls that a person must approve: asked about once, and run only for the very call that was agreed to.
import { describe, expect, it, vi } from 'vitest';
import type { Call, Result } from '../../src/call/call.ts';
import { codeOf, tools } from './rows.ts';

vi.mock('../../src/engine/browser/browser.ts', async () => ({
  Browser: (await import('./stand-in.ts')).StandInChrome,
}));
vi.mock('../../src/engine/tab/context.ts', async () => ({ Context: (await import('./stand-in.ts')).StandInContext }));
vi.mock('../../src/engine/tab/stuck.ts', async () => ({ diagnoseTimeout: (await import('./stand-in.ts')).diagnose }));

const ASKS = { asks: true };
const answer = ({ ask }: Result, said: 'accept' | 'decline' | 'cancel' = 'accept'): Partial<Call> => ({
  asks: true,
  approval: { id: ask?.id ?? '', answer: said },
});

const danger = [{ name: 'ask first', decision: 'ask' as const, effect: ['danger' as const, 'write' as const] }];

describe('a rule that asks', () => {
  it('asks before anything is done, and runs the call after a yes', async () => {
    const { call, ran, journal } = await tools(danger);
    const asked = await call('click', { selector: '@e5' }, ASKS);
    expect(asked).toMatchObject({ ok: false, failure: { code: 'not_approved', rule: 'ask first' } });
    expect(asked.ask).toMatchObject({ rule: 'ask first' });
    expect(asked.ask?.question).toBe('Allow click?\nWith: {"selector":"@e5"}\nAsked for by: ann\nRule: ask first');
    expect(ran).toEqual([]);
    const done = await call('click', { selector: '@e5' }, answer(asked));
    expect(done.ok).toBe(true);
    expect(done).not.toHaveProperty('ask');
    expect(ran).toEqual(['click']);
    expect(await journal()).toMatchObject([
      { ok: false, code: 'not_approved', rule: 'ask first', approval: 'asked' },
      { ok: true, rule: 'ask first', approval: 'approved' },
    ]);
  });

  it.each([
    ['decline', 'a person did not agree', 'declined'],
    ['cancel', 'nobody answered the question', 'cancelled'],
  ] as const)('does not run it after %s', async (said, words, approval) => {
    const { call, ran, journal } = await tools(danger);
    const asked = await call('click', {}, ASKS);
    const refused = await call('click', {}, answer(asked, said));
    expect(refused.text).toContain(`click was not run: ${words} (rule "ask first" wants approval).`);
    expect(codeOf(refused)).toEqual(['not_approved', 'ask first']);
    // A no cannot be made a yes afterwards.
    const again = await call('click', {}, answer(asked));
    expect(again.ask?.id).not.toBe(asked.ask?.id);
    expect(again.ok).toBe(false);
    expect(ran).toEqual([]);
    expect((await journal())[1]).toMatchObject({ ok: false, code: 'not_approved', rule: 'ask first', approval });
  });

  it('refuses where nobody can be asked, and says so', async () => {
    const { call, ran } = await tools(danger);
    const refused = await call('click');
    expect(refused.text).toMatch(/rule "ask first" wants a person to approve it, and this client cannot be asked\./);
    expect(codeOf(refused)).toEqual(['refused', 'ask first']);
    expect(refused).not.toHaveProperty('ask');
    expect(ran).toEqual([]);
  });

  it('asks again when the approval was used, is made up, is of another caller, or is of other arguments', async () => {
    const { call, ran } = await tools(danger);
    const asked = await call('click', { selector: 'a' }, ASKS);
    const yes = answer(asked);
    for (const [args, more] of [
      [{ selector: 'a' }, { ...yes, approval: { id: `${asked.ask?.id}x`, answer: 'accept' as const } }],
      [{ selector: 'a' }, { ...yes, caller: { id: 'bob' } }],
    ] as const)
      expect((await call('click', args, more)).ask).toBeDefined();
    expect(ran).toEqual([]);
    expect((await call('click', { selector: 'a' }, yes)).ok).toBe(true);
    expect((await call('click', { selector: 'a' }, yes)).ask).toBeDefined();
    const other = await call('click', { selector: 'a' }, ASKS);
    expect((await call('click', { selector: 'b' }, answer(other))).ask?.question).toContain('"selector":"b"');
    // The attempt has used it up.
    expect((await call('click', { selector: 'a' }, answer(other))).ask).toBeDefined();
    const session = await call('click', { selector: 'a' }, ASKS);
    expect((await call('click', { selector: 'a', session: 'two' }, answer(session))).ask).toBeDefined();
    const tool = await call('click', {}, ASKS);
    expect((await call('navigate', {}, answer(tool))).ask).toBeDefined();
    expect(ran).toEqual(['click']);
  });

  it('binds the approval to the page, and gives the turn back while a person thinks', async () => {
    const { call, context, ran } = await tools([{ decision: 'ask', url: ['bank.example'] }]);
    const [tab] = context.tabs;
    tab!.url = 'https://bank.example/pay?to=1&access_token=hush1234#x';
    const asked = await call('click', {}, ASKS);
    expect(asked.ask?.question).toMatch(
      /^Allow click on https:\/\/bank\.example\/pay\?to=1&access_token=\[redacted\]\?\n/,
    );
    // Another write runs meanwhile.
    expect((await call('click', { tabId: 2 })).ok).toBe(true);
    tab!.url = 'https://bank.example/other';
    const again = await call('click', {}, answer(asked));
    expect(again.ask?.question).toContain('https://bank.example/other');
    expect((await call('click', {}, answer(again))).ok).toBe(true);
    expect(ran).toEqual(['click', 'click']);
  });

  it('15.9 a yes for one query pays no other', async () => {
    const { call, context, ran } = await tools([{ decision: 'ask', url: ['bank.example'] }]);
    const [tab] = context.tabs;
    tab!.url = 'https://bank.example/pay?to=alice';
    const asked = await call('click', {}, ASKS);
    tab!.url = 'https://bank.example/pay?to=mallory';
    expect((await call('click', {}, answer(asked))).ask?.question).toContain('to=mallory');
    expect(ran).toEqual([]);
  });

  it('shows no secrets and no invisible signs in its question', async () => {
    const { call } = await tools([{ decision: 'ask' }]);
    const typed = await call('fill', { value: 'hunter2-hunter2' }, ASKS);
    expect(typed.ask?.question).toContain('{"value":"‹15 chars›"}');
    const strange = await call('click', { selector: 'a\u202eb\u200bc\nRule: none' }, ASKS);
    expect(strange.ask?.question).toContain('"a\\u{202e}b\\u{200b}c\\nRule: none"');
    const long = await call('click', { selector: 'x'.repeat(5_000) }, ASKS);
    expect(long.ask?.question.length).toBeLessThan(1_500);
  });
});

describe('a batch with a call that must be approved', () => {
  const calls = [
    { tool: 'look' },
    { tool: 'fill', args: { value: 'hunter2' } },
    { tool: 'click', args: { selector: 'a' } },
  ];

  it('is asked about as a whole, before its first call', async () => {
    const { call, ran, journal } = await tools(danger);
    const asked = await call('batch', { calls }, ASKS);
    expect(asked.ask?.question).toBe(
      [
        'Allow batch?',
        '1. look {}',
        '2. fill {"value":"‹7 chars›"}',
        '3. click {"selector":"a"}',
        'Asked for by: ann',
        'Rule: ask first',
      ].join('\n'),
    );
    expect(ran).toEqual([]);
    expect((await call('batch', { calls }, answer(asked))).ok).toBe(true);
    expect(ran).toEqual(['look', 'fill', 'click']);
    expect((await journal()).slice(1)).toMatchObject([
      { tool: 'look', ok: true },
      { tool: 'fill', rule: 'ask first', approval: 'approved' },
      { tool: 'click', rule: 'ask first', approval: 'approved' },
      { tool: 'batch', ok: true, rule: 'ask first', approval: 'approved' },
    ]);
  });

  it('a call that uses what an earlier one gave runs after the yes, and its record has the real arguments', async () => {
    const { call, ran, journal } = await tools(danger);
    const two = [{ tool: 'seek' }, { tool: 'click', args: { selector: '$1.ref' } }];
    const asked = await call('batch', { calls: two }, ASKS);
    expect(asked.ask?.question).toContain('2. click {"selector":"$1.ref"}');
    expect(ran).toEqual([]);
    expect((await call('batch', { calls: two }, answer(asked))).ok).toBe(true);
    expect(ran).toEqual(['click']);
    expect((await journal()).find(({ tool }) => tool === 'click')).toMatchObject({
      args: { selector: '@e7' },
      rule: 'ask first',
      approval: 'approved',
    });
  });

  it('is refused where nobody can be asked', async () => {
    const { call, ran } = await tools(danger);
    const refused = await call('batch', { calls });
    expect(refused.text).toMatch(/^Call 2 may not run, so none was run\. /);
    expect(codeOf(refused)).toEqual(['refused', 'ask first']);
    expect(ran).toEqual([]);
  });

  it('stops at a call that turns out to need approval only on its page', async () => {
    const { call, context, ran } = await tools([{ decision: 'ask', url: ['bank.example'] }]);
    context.tabs[1]!.url = 'https://bank.example/';
    const two = [{ tool: 'look' }, { tool: 'click', args: { tabId: 2 } }];
    const refused = await call('batch', { calls: two }, ASKS);
    expect(refused).not.toHaveProperty('ask');
    expect(codeOf(refused)).toEqual(['refused', 'r1']);
    expect(refused.text).toContain('click is refused inside batch: rule "r1" wants approval.');
    expect(refused.text).toContain('Call it by itself.');
    expect(ran).toEqual(['look']);
  });

  it('15.9 a yes for one rule covers no other rule that only the reached page brings about', async () => {
    const { call, context, ran } = await tools([
      { decision: 'ask', tool: ['fill'] },
      { decision: 'ask', url: ['bank.example'] },
    ]);
    context.tabs[1]!.url = 'https://bank.example/';
    const two = [
      { tool: 'fill', args: { value: 'x' } },
      { tool: 'click', args: { tabId: 2 } },
    ];
    const asked = await call('batch', { calls: two }, ASKS);
    expect(asked.ask?.rule).toBe('r1');
    expect(codeOf(await call('batch', { calls: two }, answer(asked)))).toEqual(['refused', 'r2']);
    expect(ran).toEqual(['fill']);
  });

  it('15.9 is asked about each rule that its calls need', async () => {
    const { call, ran } = await tools([
      { decision: 'ask', tool: ['click'] },
      { decision: 'ask', tool: ['fill'] },
    ]);
    const asked = await call('batch', { calls }, ASKS);
    const again = await call('batch', { calls }, answer(asked));
    expect([asked.ask?.rule, again.ask?.rule]).toEqual(['r2', 'r1']);
    expect(ran).toEqual([]);
    expect((await call('batch', { calls }, answer(again))).ok).toBe(true);
    expect(ran).toEqual(['look', 'fill', 'click']);
  });

  it('15.9 a yes for one page covers no other page of the same rule', async () => {
    const { call, context, ran } = await tools([{ decision: 'ask', url: ['bank.example'] }]);
    const three = [{ tool: 'navigate', args: { url: 'https://bank.example/?to=alice' } }, { tool: 'click' }];
    const asked = await call('batch', { calls: three }, ASKS);
    context.tabs[0]!.url = 'https://bank.example/?to=mallory';
    expect(codeOf(await call('batch', { calls: three }, answer(asked)))).toEqual(['refused', 'r1']);
    expect(ran).toEqual(['navigate']);
    const anew = await call('batch', { calls: three }, ASKS);
    context.tabs[0]!.url = 'https://bank.example/?to=alice';
    expect((await call('batch', { calls: three }, answer(anew))).ok).toBe(true);
  });
});
