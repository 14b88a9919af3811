// How the values of secrets look in text: each form is masked, and other text stays.
import { describe, expect, it } from 'vitest';
import { finderOf, finderOfCode } from '../../../src/policy/secrets/secret-forms.ts';
import { TextMask } from '../../../src/policy/secrets/text-mask.ts';

const VALUE = `p&"Ω '<w>\\/ö=+%x9`;
const maskOf = (value: string) => new TextMask([{ name: 'pw', find: finderOf(value) }]);
const html = (text: string) =>
  text.replace(/[&<>"']/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[c] ?? c);
const json = (text: string) => JSON.stringify(text).slice(1, -1);

describe('15.3 the value of a secret is masked', () => {
  it.each([
    ['as it is', VALUE],
    ['in capital letters', VALUE.toUpperCase()],
    ['in a url', encodeURIComponent(VALUE)],
    ['in a url in a url', encodeURIComponent(encodeURIComponent(VALUE))],
    ['in a form', new URLSearchParams({ v: VALUE }).toString().slice(2)],
    ['in JSON', json(VALUE)],
    ['in JSON in JSON', json(json(VALUE))],
    ['in HTML', html(VALUE)],
    ['in HTML in HTML', html(html(VALUE))],
    ['in base64', Buffer.from(VALUE).toString('base64')],
    ['in base64 for urls', Buffer.from(VALUE).toString('base64url')],
    ['cut off', VALUE.slice(0, 12)],
    ['read on', VALUE.slice(6)],
  ])('%s', (_, form) => {
    expect(maskOf(VALUE).text(`a ${form} b`)).toBe('a [secret pw] b');
  });

  it('inside of other bytes in base64', () => {
    for (const user of ['a', 'ab', 'abc', 'abcd']) {
      const login = Buffer.from(`${user}:correct-horse-battery`).toString('base64');
      const masked = maskOf('correct-horse-battery').text(login);
      expect(masked).toContain('[secret pw]');
      expect(Buffer.from(masked.split('[')[0] ?? '', 'base64').toString()).not.toContain('corr');
    }
  });

  it('in data: texts, names of properties, numbers', () => {
    const data = { list: [{ 'my 482916375': 482_916_375 }], other: 1, text: 'Pin 482916375.' };
    expect(maskOf('482916375').data(data)).toEqual({
      list: [{ 'my [secret pw]': '[secret pw]' }],
      other: 1,
      text: 'Pin [secret pw].',
    });
  });

  it('a short one only as a word of its own, a code only as a whole number', () => {
    expect(maskOf('cash').text('Cash, cashier, (cash)')).toBe('[secret pw], cashier, ([secret pw])');
    const code = new TextMask([{ name: 'otp', find: finderOfCode('123456') }]);
    expect(code.text('123456 1234567 a123456')).toBe('[secret otp] 1234567 a[secret otp]');
  });

  it('leaves ordinary text and data as they are', () => {
    const data = { a: ['correct', 'horse'], b: { c: null, d: true } };
    expect(maskOf('correct-horse-battery').data(data)).toBe(data);
    expect(maskOf('correct-horse-battery').text('correct-h, battery')).toBe('correct-h, battery');
  });

  it.each(['x7', '"<', 'ab cd-'])(
    'a long one, in time: %s',
    part => {
      const value = part.repeat(1_500);
      const mask = maskOf(value);
      expect(mask.text(`a ${value} b`)).toBe('a [secret pw] b');
      expect(mask.text(`a ${value.slice(0, value.length / 2 + 1)} b`)).toBe('a [secret pw] b');
      const began = performance.now();
      mask.text(`${part.repeat(20)} `.repeat(5_000));
      expect(performance.now() - began).toBeLessThan(5_000);
    },
    10_000,
  );
});
