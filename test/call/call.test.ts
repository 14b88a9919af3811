// The path of one call, from the caller to a stand-in tool and back.
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Limits } from '../../src/engine/limits.ts';
import { Picture } from '../../src/engine/picture.ts';
import { Failure } from '../../src/errors.ts';
import { selector, typedText } from '../../src/tools/arguments.ts';
import { type Run, row, setup } from './setup.ts';

vi.mock('../../src/engine/browser/browser.ts', async () => ({
  Browser: (await import('./stand-in.ts')).StandInChrome,
}));
vi.mock('../../src/engine/tab/context.ts', async () => ({ Context: (await import('./stand-in.ts')).StandInContext }));
vi.mock('../../src/engine/tab/stuck.ts', async () => ({ diagnoseTimeout: (await import('./stand-in.ts')).diagnose }));

describe('a call', () => {
  it('runs the tool on the tab and answers with text and data', async () => {
    const { call } = await setup([
      row('where', async (_input, _limits, place) => ({ tab: (place as { id: number }).id })),
    ]);
    expect(await call('where', { tabId: 2 })).toEqual({
      ok: true,
      tool: 'where',
      session: 'default',
      text: 'said {"tab":2}',
      data: { tab: 2 },
      pictures: [],
      ms: expect.any(Number),
    });
    expect((await call('where', { tabId: 9 })).failure?.code).toBe('no_tab');
  });

  it('gives a session or the server to tools that want one', async () => {
    const places: unknown[] = [];
    const keep: Run = async (_input, _limits, place) => void places.push(place);
    const { call, server } = await setup([row('a', keep, { on: 'session' }), row('b', keep, { on: 'server' })]);
    await call('a', { session: 'work' });
    const answer = await call('b');
    expect(places).toEqual([server.session('work', { id: 'ann' }), server]);
    expect(answer).not.toHaveProperty('session');
  });

  it('takes the session out of the arguments, and refuses that of another caller', async () => {
    const { call } = await setup([row('see', async input => input)]);
    expect(await call('see', { session: 'work' })).toMatchObject({ session: 'work', data: {} });
    expect((await call('see', { session: 'work@ann' }, { caller: { id: 'bob' } })).failure?.code).toBe('refused');
    expect((await call('see', { session: 5 })).failure?.code).toBe('bad_input');
  });

  it('names the nearest tools for an unknown one', async () => {
    const rows = ['click', 'dblclick', 'fill', 'snapshot'].map(name => row(name, async () => 1));
    const { call } = await setup(rows);
    expect((await call('clik')).failure).toEqual({
      code: 'unknown_tool',
      message: 'There is no tool "clik".',
      hint: 'Did you mean click?',
    });
    expect((await call('browser_snapshot')).text).toBe('There is no tool "browser_snapshot".\nDid you mean snapshot?');
    expect((await call('x'.repeat(1e5))).text).toMatch(/^There is no tool "x{64}".\nThe tools are: click, .*$/);
  });

  it.each([
    [null, true],
    [undefined, true],
    [[], false],
    ['x', false],
    [5, false],
  ])('arguments %j: %s', async (args, ok) => {
    const { call } = await setup([row('see', async () => 1)]);
    expect((await call('see', args)).ok).toBe(ok);
  });

  it('takes pictures out of the data', async () => {
    const picture = new Picture('image/png', Buffer.from('abc'), 4, 3);
    const { call } = await setup([row('shot', async () => ({ image: picture }), { text: () => 'a picture' })]);
    expect(await call('shot')).toMatchObject({
      text: 'a picture',
      data: { image: { mimeType: 'image/png', bytes: 3, width: 4, height: 3 } },
      pictures: [picture],
    });
  });

  it('puts notes before the text, once, also before a failure', async () => {
    const { call, context } = await setup([
      row('see', async () => 1),
      row('fail', () => Promise.reject(new Failure('not_found', 'Nothing there.'))),
    ]);
    context.notes.push('The browser was started again.');
    expect((await call('fail')).text).toBe('The browser was started again.\nNothing there.');
    expect((await call('see')).text).toBe('said 1');
  });

  it('keeps text inside the budget, which the caller may set', async () => {
    const long = { text: () => 'line\n'.repeat(1_000), input: { max_chars: z.number().optional() } };
    const { call } = await setup([row('read', async () => 1, long)], { maxChars: 1_000 });
    expect((await call('read')).text.length).toBeLessThanOrEqual(1_000);
    expect((await call('read')).text).toContain('Give max_chars: 5000');
    expect((await call('read', { max_chars: 5_000 })).text).toHaveLength(5_000);
  });

  it('passes progress on, but not after its end', async () => {
    const steps: unknown[] = [];
    let kept: Limits | undefined;
    const { call } = await setup([
      row('load', async (_input, limits) => {
        kept = limits;
        limits.progress({ done: 1 });
      }),
    ]);
    await call('load', {}, { progress: step => steps.push(step) });
    kept?.progress({ done: 2 });
    expect(steps).toEqual([{ done: 1 }]);
  });
});

describe('a failing call', () => {
  it('answers with code, message and hint', async () => {
    const { call } = await setup([
      row('fail', () => Promise.reject(new Failure('stale_ref', '@e1 is gone.', 'Look again.'))),
    ]);
    expect(await call('fail')).toMatchObject({
      ok: false,
      text: '@e1 is gone.\nLook again.',
      failure: { code: 'stale_ref', message: '@e1 is gone.', hint: 'Look again.' },
    });
  });

  it.each<[string, unknown, RegExp]>([
    [
      'an error',
      new TypeError(`x is not a function\n${'y'.repeat(1_000)}`),
      /^A fault in Tabwright: x is not a function\n/,
    ],
    ['no error', 'just text', /^A fault in Tabwright: just text\n/],
    ['a long one', new Error('z'.repeat(5_000)), /^.{0,300}\n.{0,100}$/],
  ])('hides the stack of %s from the caller, and logs it', async (_, thrown, text) => {
    const { call, log } = await setup([row('fail', () => Promise.reject(thrown))]);
    const answer = await call('fail');
    expect(answer.failure?.code).toBe('internal');
    expect(answer.text).toMatch(text);
    expect(answer.text).not.toContain('call.test.ts');
    expect(log.lines.filter(line => line.startsWith('debug'))).toHaveLength(1);
  });

  it('also when the tool throws at once, or its text does', async () => {
    const throws = () => {
      throw new Error('at once');
    };
    const { call } = await setup([row('a', throws), row('b', async () => 1, { text: throws })]);
    for (const name of ['a', 'b']) expect((await call(name)).failure?.code).toBe('internal');
  });

  it('frees its turn', async () => {
    const { call } = await setup([row('fail', () => Promise.reject(new Error('no'))), row('see', async () => 1)]);
    await call('fail');
    expect((await call('see')).ok).toBe(true);
  });
});

describe('a dialog', () => {
  it('fails tools at once, except those that work in spite of it', async () => {
    const ran = vi.fn(async () => 1);
    const { call, context } = await setup([row('click', ran), row('dialog', ran, { despiteDialog: true })]);
    const [tab] = context.tabs;
    if (tab) tab.dialog = { type: 'alert', message: 'Hello' };
    expect((await call('click')).failure).toMatchObject({ code: 'dialog_open', message: 'A dialog says "Hello".' });
    expect(ran).not.toHaveBeenCalled();
    expect((await call('dialog')).ok).toBe(true);
    expect((await call('click', { tabId: 2 })).ok).toBe(true);
  });
});

describe('the record of a call', () => {
  it('is one line each, with what was typed masked', async () => {
    const input = { selector, value: typedText(100), timeout: z.number().optional() };
    const { call, journal } = await setup([row('fill', async () => 1, { input })]);
    await call('fill', { selector: '@e1', value: 'hunter2' });
    await call('fill', { selector: '@e1', value: 'hunter2', timeout: 'soon' });
    await call('typo', { anything: 'hunter2', session: 'x' }, { caller: { id: 'bob' } });
    const lines = await journal();
    expect(lines).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        caller: 'ann',
        session: 'default@ann',
        tool: 'fill',
        args: { selector: '@e1', value: '‹7 chars›' },
        ms: expect.any(Number),
        ok: true,
        chars: 6,
      },
      expect.objectContaining({ tool: 'fill', ok: false, code: 'bad_input', args: expect.anything() }),
      expect.objectContaining({ caller: 'bob', tool: 'typo', code: 'unknown_tool' }),
    ]);
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });
});
