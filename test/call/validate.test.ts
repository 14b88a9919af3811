// Wrong arguments: every one named, in words, without echoing what is huge.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { validate } from '../../src/call/validate.ts';
import { Failure } from '../../src/errors.ts';
import type { AnyTool } from '../../src/tools/tool.ts';

const sample: AnyTool = {
  name: 'sample',
  group: 'forms',
  summary: 'A tool with every kind of argument.',
  on: 'session',
  effect: 'read',
  time: 'action',
  input: {
    url: z.string().min(1),
    mode: z.enum(['full', 'interactive', 'focused']).default('full'),
    depth: z.int().positive().optional(),
    value: z.union([z.string(), z.array(z.string())]).optional(),
    selector: z.string().optional(),
    coordinates: z.strictObject({ x: z.number(), y: z.number() }).optional(),
    files: z.array(z.union([z.string(), z.strictObject({ path: z.string().optional() })])).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    tags: z.array(z.string()).max(2).optional(),
    odd: z
      .string()
      .refine(text => text.length % 2 === 1, 'must have an odd length')
      .optional(),
  },
  oneOf: [['selector', 'coordinates']],
  run: async () => undefined,
  text: () => '',
};

const bare = { ...sample, name: 'bare', input: {}, oneOf: undefined } as unknown as AnyTool;

function wrong(args: Record<string, unknown>, row = sample): Failure {
  try {
    validate(row, args);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('the arguments were taken');
}
const good = { url: 'x', selector: '@e1' };

describe('validate', () => {
  it('fills in defaults', () => {
    expect(validate(sample, good)).toEqual({ url: 'x', selector: '@e1', mode: 'full' });
    expect(validate(bare, {})).toEqual({});
  });

  it.each<[Record<string, unknown>, string]>([
    [{ url: undefined }, 'url is missing (text)'],
    [{ url: null }, 'url must be text, got null'],
    [{ url: 5 }, 'url must be text, got 5'],
    [{ url: '' }, 'url must be text with at least 1 characters, got the text ""'],
    [{ mode: 'ful' }, 'mode must be one of "full", "interactive", "focused", got the text "ful"'],
    [{ depth: '3' }, 'depth must be a number, got the text "3"'],
    [{ depth: 1.5 }, 'depth must be a whole number, got 1.5'],
    [{ depth: 0 }, 'depth must be more than 0, got 0'],
    [{ value: 7 }, 'value must be text or a list, got 7'],
    [{ value: [7] }, 'value[0] must be text, got 7'],
    [{ files: [5] }, 'files[0] must be text or an object, got 5'],
    [{ files: [{ path: 5 }] }, 'files[0].path must be text, got 5'],
    [{ files: [{ pth: 'x' }] }, 'unknown "pth" in files[0]'],
    [{ headers: { a: 1 } }, 'headers.a must be text, got 1'],
    [{ tags: ['a', 'b', 'c'] }, 'tags must be a list with at most 2 items, got a list of 3'],
    [{ odd: 'ab' }, 'odd: must have an odd length'],
    [{ selector: undefined, coordinates: { x: 1 } }, 'coordinates.y is missing (a number)'],
    [{ selector: undefined, coordinates: '1,2' }, 'coordinates must be an object, got the text "1,2"'],
    [{ slector: 'x' }, 'unknown argument "slector" (did you mean selector?)'],
    [{ windowId: 1, MODE: 1 }, 'unknown argument "windowId"; unknown argument "MODE" (did you mean mode?)'],
    [{ selector: undefined }, 'give either selector or coordinates, got none'],
    [{ coordinates: { x: 1, y: 2 } }, 'give either selector or coordinates, got selector and coordinates'],
  ])('%j: %s', (args, message) => {
    const { code, message: said } = wrong({ ...good, ...args });
    expect(code).toBe('bad_input');
    expect(said).toBe(`sample: ${message}.`);
  });

  it('lists the arguments that there are', () => {
    expect(wrong({}).hint).toBe(
      'sample takes: url (required), mode, depth, value, selector, coordinates, files, headers, tags, odd (optional).',
    );
    expect(wrong({ x: 1 }, bare).hint).toBe('bare takes no arguments.');
  });

  it('says which list wants one when there are more than two', () => {
    const row = { ...sample, oneOf: [['selector', 'coordinates', 'value']] } as AnyTool;
    expect(wrong({ url: 'x' }, row).message).toMatch(/give exactly one of selector or coordinates or value, got none/);
  });

  it('names five wrong arguments and counts the rest', () => {
    const { message } = wrong({ ...good, a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 });
    expect(message).toMatch(/"a".*"e"; and 2 more\.$/);
    expect(message).not.toContain('"f"');
  });

  it('takes the names of object members for what they are: names', () => {
    const args = JSON.parse('{"url":"x","selector":"s","__proto__":1,"constructor":2,"toString":3}');
    expect(wrong(args).message).toMatch(/"__proto__".*"constructor".*"toString"/);
  });

  it('answers anything with input or with two short lines', () => {
    const args = fc.oneof(
      fc.dictionary(fc.constantFrom(...Object.keys(sample.input), 'x', 'y'.repeat(1e4)), fc.jsonValue()),
      fc.constantFrom({ url: 'x'.repeat(1e6), depth: 'y'.repeat(1e6) }, { value: Array(1e4).fill(1), headers: [[]] }),
    );
    fc.assert(
      fc.property(args, given => {
        try {
          validate(sample, given);
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
          const { message, hint } = error as Failure;
          expect(message.length).toBeLessThan(1_500);
          expect(`${message}\n${hint}`.split('\n')).toHaveLength(2);
        }
      }),
    );
  });
});
