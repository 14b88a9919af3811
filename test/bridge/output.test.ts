// What becomes of output: the cut at the limit (S0-14, S0-16, S0-58), JSON (S0-15, S0-17), in any pieces (S0-63).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksLikeJson, OutputCapture, parseJson, truncate } from '../../src/bridge/cli/output.ts';
import { CHARACTER_LIMIT, JSON_LIMIT } from '../../src/bridge/constants.ts';

const around = (limit: number) => fc.integer({ min: Math.max(0, limit - 3), max: limit + 3 });
const isWellFormed = (text: string): boolean =>
  !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);

describe('the cut', () => {
  it('S0-63 comes exactly past the limit, whatever the limit is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }).chain(limit => fc.tuple(fc.constant(limit), around(limit))),
        ([limit, length]) => {
          const { text, cut } = truncate('x'.repeat(length), limit);
          expect(cut).toBe(length > limit);
          expect(text.length).toBeLessThanOrEqual(limit);
          if (!cut) expect(text).toBe('x'.repeat(length));
        },
      ),
    );
  });

  it('S0-63 never splits a character that takes two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.integer({ min: 1, max: 200 }), (text, limit) => {
        fc.pre(isWellFormed(text));
        expect(isWellFormed(truncate(text, limit).text)).toBe(true);
      }),
    );
  });

  it('S0-14 keeps the beginning and says how much there was', () => {
    const { text } = captured('abc'.repeat(100), 100, 100);
    expect(text).toMatch(/^abcabc.*\n\[cut: 300 characters in all; save_output_path keeps them\]$/s);
    expect(text).toHaveLength(100);
  });

  it('S0-14 has a limit of 25 000 characters', () => expect(CHARACTER_LIMIT).toBe(25_000));
});

describe('JSON', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['[1,2]', [1, 2]],
    ['  \n{"a":null}\n', { a: null }],
    ['{"half":', null],
    ['{"two":1}{"two":2}', null],
    ['"text"', null],
    ['7', null],
    ['null', null],
    ['', null],
    ['✓ Browser closed', null],
  ])('S0-17 of %j is %j', (text, value) => expect(parseJson(text)).toEqual(value));

  it('S0-17 is read back whatever it is, and nothing ever throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.object(), fc.array(fc.anything())), value => {
        const text = JSON.stringify(value);
        expect(parseJson(text)).toEqual(JSON.parse(text));
        for (const at of [1, text.length - 1]) expect(() => parseJson(text.slice(0, at))).not.toThrow();
      }),
    );
  });

  it.each(['{', '[', ' {', '\n['])('S0-17 may begin with %j', text => expect(looksLikeJson(text)).toBe(true));
});

/** What is captured of a text that comes in pieces of that many bytes. */
function captured(text: string, size: number, limit: number, readsJson = true) {
  const capture = new OutputCapture(limit, { readsJson });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) capture.write(bytes.subarray(at, at + size));
  return capture.end(undefined);
}

describe('a captured stream', () => {
  it('S0-63 is the same in whatever pieces it comes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.integer({ min: 1, max: 7 }),
        around(60),
        (text, size, limit) => {
          fc.pre(isWellFormed(text));
          const got = captured(text, size, limit);
          if (parseJson(text) === null) expect(got).toEqual(captured(text, 1_000, limit));
          else expect(got).toMatchObject({ text, cut: false });
        },
      ),
      { numRuns: 500 },
    );
  });

  it('S0-15 keeps JSON whole, however long it is', () => {
    const text = JSON.stringify({ snapshot: 'line\n'.repeat(20_000) });
    const { cut, json, text: got } = captured(text, 65_536, CHARACTER_LIMIT);
    expect(text.length).toBeGreaterThan(CHARACTER_LIMIT);
    expect(cut).toBe(false);
    expect(got).toBe(text);
    expect(json).toEqual(JSON.parse(text));
  });

  it('S0-15 cuts what only begins like JSON', () => {
    const { cut, json, text } = captured(`{"a":"${'x'.repeat(CHARACTER_LIMIT)}`, 1_000, CHARACTER_LIMIT);
    expect({ cut, json, length: text.length }).toEqual({ cut: true, json: null, length: CHARACTER_LIMIT });
  });

  it('S0-15 cuts JSON on stderr like any text', () => {
    const { cut, json, text } = captured(JSON.stringify(['x'.repeat(1_000)]), 100, 500, false);
    expect({ cut, json, length: text.length }).toEqual({ cut: true, json: null, length: 500 });
  });

  it('S0-58 gives up on JSON that is longer than memory should hold', () => {
    const capture = new OutputCapture(100, { readsJson: true });
    capture.write(Buffer.from('["'));
    for (let at = 0; at <= JSON_LIMIT; at += 1 << 20) capture.write(Buffer.alloc(1 << 20, 'x'));
    capture.write(Buffer.from('"]'));
    const { cut, json, text } = capture.end(undefined);
    expect({ cut, json }).toEqual({ cut: true, json: null });
    expect(text.length).toBeLessThanOrEqual(100);
  });

  it('S0-16 is cut when only blanks come first', () => {
    expect(captured(`${' '.repeat(30)}x`, 5, 20)).toMatchObject({ cut: true });
  });
});
