// Keys as people and models write them: one, a combination, or several in a row (S1-11).
import { describe, expect, it } from 'vitest';
import { keysOf } from '../../../src/engine/actions/keyboard.ts';

describe('keys', () => {
  it.each([
    ['Enter', ['Enter']],
    ['cmd+a Delete', ['Meta+a', 'Delete']],
    [' Backspace  Backspace enter ', ['Backspace', 'Backspace', 'Enter']],
    ['Control + Shift+ p', ['Control+Shift+p']],
    [' ', ['Space']],
    ['+', ['+']],
    ['Control++', ['Control++']],
  ])('%j', (text, keys) => expect(keysOf(text)).toEqual(keys));

  it('names what is no key', () => expect(() => keysOf('Enter Foo')).toThrow('"Foo" is not a key.'));
});
