// The result: its form (S0-19, S0-67), the short text beside it (S0-20), the settings behind it.
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import { notRun } from '../../src/bridge/cli/run.ts';
import { textOf } from '../../src/bridge/show-result.ts';
import { type CliGlobalOptions, type CliRunRequest, type CliRunResult, RESULT } from '../../src/bridge/types.ts';
import { Failure } from '../../src/errors.ts';
import { settingsFor } from './kit.ts';

const RAN: CliRunResult = {
  ok: true,
  exitCode: 0,
  signal: null,
  invoked: { bin: 'agent-browser', args: ['--json', 'open'] },
  stdout: '',
  stderr: '',
  parsedJson: null,
  truncated: false,
};

describe('the contracts', () => {
  it('S0-67 S0-45 have the agreed fields', () => {
    expectTypeOf<CliRunResult['exitCode']>().toEqualTypeOf<number | null>();
    expectTypeOf<CliRunResult['signal']>().toEqualTypeOf<string | null>();
    expectTypeOf<CliRunResult['invoked']>().toEqualTypeOf<{ bin: string; args: string[] }>();
    expectTypeOf<keyof CliGlobalOptions>().toEqualTypeOf<
      'session' | 'cdp_port' | 'headed' | 'debug' | 'executable_path' | 'json' | 'timeout_ms'
    >();
    expectTypeOf<CliRunRequest>().toExtend<{ argv: readonly string[] }>();
    expectTypeOf<keyof z.output<typeof RESULT>>().toEqualTypeOf<keyof CliRunResult>();
    expect(Object.keys(RESULT.shape).sort()).toEqual([...Object.keys(RAN), 'savedOutputPath'].sort());
  });

  it('S0-19 S0-38 are kept by a call for which nothing ran', () => {
    const result = notRun(new Failure('refused', 'No.', 'Do this.'), settingsFor('/'));
    expect(RESULT.parse(result)).toEqual({
      ...RAN,
      ok: false,
      exitCode: -1,
      invoked: { bin: 'agent-browser', args: [] },
      stderr: 'No.\nDo this.',
    });
  });

  it('S0-56 are kept when the server itself is at fault', () =>
    expect(RESULT.parse(notRun(new TypeError('oops'), settingsFor('/'))).stderr).toMatch(/fault in the server.*oops/));

  it('S0-58 are kept when the reason is long', () => {
    const result = notRun(new Failure('refused', 'x'.repeat(50_000)), settingsFor('/'));
    expect(result.stderr).toHaveLength(25_000);
    expect(result.truncated).toBe(true);
  });

  it('14.15 promise no file of a call for which nothing ran', () => {
    const result = notRun(new Failure('refused', 'x'.repeat(50_000)), settingsFor('/'));
    expect(result.stderr).toMatch(/x\n\[cut\]$/);
    expect(textOf(result, 1_000)).not.toContain('save_output_path');
  });
});

describe('the text', () => {
  const json = (parsedJson: unknown, more: Partial<CliRunResult> = {}) => ({
    ...RAN,
    parsedJson,
    stdout: JSON.stringify(parsedJson),
    ...more,
  });
  it.each<[string, CliRunResult, string]>([
    ['nothing', RAN, 'ok'],
    ['no data', json({ success: true, data: null, error: null }), 'ok'],
    ['data', json({ success: true, data: { title: 'T', lifecycle: { x: 1 } } }), '{"title":"T"}'],
    ['a snapshot', json({ success: true, data: { snapshot: '- button [ref=e1]', refs: {} } }), '- button [ref=e1]'],
    [
      'a snapshot with its page',
      json({ success: true, data: { snapshot: '- a', origin: 'http://x/' } }),
      'Page: http://x/\n- a',
    ],
    ['another JSON', json([1, 2]), '[1,2]'],
    ['a list', json({ success: true, data: ['a', 1] }), '["a",1]'],
    ['a text', json({ success: true, data: 'two words' }), 'two words'],
    ['an empty text', json({ success: true, data: '' }), '""'],
    ['a number', json({ success: true, data: 0 }), '0'],
    ['a truth value', json({ success: true, data: false }), 'false'],
    [
      'members beside the data',
      json({ success: true, data: { a: 1 }, warning: 'slow' }),
      '{"a":1}\n{"warning":"slow"}',
    ],
    ['an error that is no text', json({ success: false, error: { code: 7 } }), '{"code":7}'],
    ['plain text', { ...RAN, stdout: '✓ Done\n' }, '✓ Done'],
    ['a warning', { ...RAN, stdout: 'x', stderr: 'careful' }, 'x\ncareful'],
    [
      'a failure',
      json({ success: false, error: 'Unknown ref: e9' }, { ok: false, exitCode: 1 }),
      'Failed with exit code 1: agent-browser\nUnknown ref: e9',
    ],
    [
      'a kill',
      { ...RAN, ok: false, exitCode: null, signal: 'SIGKILL', stderr: 'late' },
      'Failed: ended by SIGKILL.\nlate',
    ],
    ['a refusal', { ...RAN, ok: false, exitCode: -1, stderr: 'No.' }, 'Not run.\nNo.'],
    ['a saved output', { ...RAN, savedOutputPath: '/o/a.json' }, 'The output is in /o/a.json.'],
  ])('S0-20 of %s is short', (_name, result, text) => expect(textOf(result, 1_000)).toBe(text));

  it('S0-58 S0-20 has a limit, also for JSON that is whole in the structured form', () =>
    expect(textOf(json({ success: true, data: { snapshot: 'x'.repeat(5_000) } }), 1_000)).toHaveLength(1_000));

  it('14.15 shows of a long output and a long stderr half each, and says where the whole is', () => {
    const long = { ...RAN, ok: false, exitCode: 3, stdout: 'o'.repeat(900), stderr: 'e'.repeat(900) };
    const text = textOf({ ...long, savedOutputPath: '/o/a.json' }, 1_000);
    expect(text.length).toBeLessThanOrEqual(1_000);
    expect(text).toMatch(/o{300}\n\[cut; all of it is in \/o\/a\.json\]\nThe output is in/);
    expect(text).toMatch(/e{300}\n\[cut; all of it is in \/o\/a\.json\.stderr\]$/);
    expect(textOf(long, 1_000)).toMatch(/o\n\[cut; save_output_path keeps all of it\]\ne/);
  });
});
