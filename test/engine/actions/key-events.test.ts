// What a combination of keys sends to Chrome: in which order, with which text, and as which editing command on macOS.
import { describe, expect, it } from 'vitest';
import { keyEvents } from '../../../src/engine/input/press-keys.ts';

describe('key events', () => {
  it('modifiers are held around the key, which then has no text', () => {
    const events = keyEvents('Control+Shift+KeyP', false);
    expect(events.map(({ type, key, modifiers }) => `${type} ${key} ${modifiers}`)).toEqual([
      'rawKeyDown Control 2',
      'rawKeyDown Shift 10',
      'rawKeyDown P 10',
      'keyUp P 10',
      'keyUp Shift 2',
      'keyUp Control 0',
    ]);
  });

  it('a character that no key has is sent as text', () =>
    expect(keyEvents('ä', false)[0]).toMatchObject({ type: 'keyDown', key: 'ä', text: 'ä' }));

  it.each([
    ['Meta+a', 'selectAll'],
    ['Backspace', 'deleteBackward'],
    ['Alt+ArrowLeft', 'moveWordLeft'],
    ['Shift+Alt+ArrowLeft', 'moveWordLeftAndModifySelection'],
    ['Shift+Backspace', 'deleteBackward'],
    ['Shift+Meta+z', 'redo'],
    ['Shift+End', 'moveToEndOfDocumentAndModifySelection'],
  ])('on macOS %s is the editing command %s', (keys, command) => {
    const downs = keyEvents(keys, true).filter(({ type }) => type !== 'keyUp');
    expect(downs.at(-1)?.commands).toEqual([command]);
    expect(keyEvents(keys, false).some(({ commands }) => commands)).toBe(false);
  });
});
