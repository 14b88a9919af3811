// Hostile values: texts, numbers, keys and nestings that break code which trusts what it is sent.
import fc from 'fast-check';

/** Texts that have broken parsers, printers and matchers somewhere. */
const TEXTS = [
  '',
  ' ',
  '\0',
  '\ud800',
  'a\udc00b',
  '\u202e\u2066right\u2069',
  '\u{e0041}\u{e0042}',
  '\r\nSet-Cookie: a=b',
  '\u001b[31mred',
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  '@e0',
  '@e999999999999999999999',
  '[ref=@e1]',
  'xpath=//*[',
  '//*',
  'role:',
  'text:',
  '*',
  '**',
  '(a+)+$',
  '/(a|a)*b/',
  '[',
  '\\',
  '::before',
  ':has(:has(*))',
  'a'.repeat(300).replaceAll('a', ':not(*)'),
  '%00%ff%',
  '../../../../etc/passwd',
  '/dev/zero',
  'CON',
  '{{secret:x}}',
  '<img src=x onerror=alert(1)>',
  "'; drop table users; --",
  'NaN',
  '1e309',
  '-0',
  '😀'.repeat(200),
  'e\u0301'.repeat(500),
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.array(fc.nat(0xffff), { maxLength: 40 }).map(codes => String.fromCharCode(...codes)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('x', '(', '[', '*', '\ud83d', '\n', '@e1 ', 'div '),
        fc.constantFrom(1_000, 20_000, 200_000),
      )
      .map(([unit, times]) => unit.repeat(times)),
  },
);

export const hostileNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.5, 2 ** 31, -(2 ** 31), 2 ** 53, 1e21, 1e308, Number.NaN, Number.POSITIVE_INFINITY),
  fc.integer(),
  fc.double(),
);

function nested(depth: number, inList: boolean): unknown {
  let value: unknown = 1;
  for (let left = depth; left > 0; left--) value = inList ? [value] : { a: value };
  return value;
}

const withOwnProto = JSON.parse(
  '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}',
) as object;

/** A value of any type. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  hostileNumber,
  fc.constantFrom<unknown>(null, undefined, true, false, [], {}, withOwnProto),
  fc.tuple(fc.constantFrom(10, 300, 5_000, 50_000), fc.boolean()).map(([depth, inList]) => nested(depth, inList)),
  fc.constantFrom(1_000, 50_000).map(length => Array.from({ length }, (_, index) => index)),
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(hostileText, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 }),
);
