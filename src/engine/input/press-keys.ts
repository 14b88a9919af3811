// Real key events, which go to what has the focus in whichever frame.
import type { Protocol } from 'devtools-protocol';
import { type Limits, pause } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import { keyNamed, macCommands, modifierBits } from './keys.ts';

const SHIFT = modifierBits(['Shift']);

type KeyEvent = Protocol.Input.DispatchKeyEventRequest;

/** Presses a key or combination such as `Control+a`, so many times: all sent together. */
export async function press(tab: Tab, limits: Limits, combination: string, times = 1): Promise<void> {
  const events = keyEvents(combination);
  await Promise.all(
    Array.from({ length: times }, () => events)
      .flat()
      .map(event => tab.send(limits, tab.main, 'Input.dispatchKeyEvent', event)),
  );
}

/** Each character by its key, when the page has taken the one before; those that no key has are inserted. */
export async function typeCharacters(tab: Tab, limits: Limits, text: string, delay = 0): Promise<void> {
  for (const char of text) {
    if (keyNamed(char)) await press(tab, limits, char);
    else await tab.send(limits, tab.main, 'Input.insertText', { text: char });
    if (delay > 0) await pause(limits.signal, delay);
  }
}

/** Down in this order, up in the other. */
export function keyEvents(combination: string, isMac = process.platform === 'darwin'): KeyEvent[] {
  let modifiers = 0;
  const downs: KeyEvent[] = [];
  const ups: KeyEvent[] = [];
  for (const name of combination.split(/\+(?=.)/)) {
    const found = keyNamed(name) ?? { code: '', key: name, keyCode: 0, location: 0 as const };
    const ownBit = modifierBits([found.key]);
    const before = modifiers;
    modifiers |= ownBit;
    const { code, key, keyCode, location } = (modifiers & SHIFT && found.shifted) || found;
    const where = location === 3 ? { isKeypad: true } : { location };
    const is = { code, key, windowsVirtualKeyCode: keyCode, ...where };
    const text = modifiers & ~SHIFT ? '' : textOf(key);
    downs.push({
      type: text === '' ? 'rawKeyDown' : 'keyDown',
      ...is,
      modifiers,
      ...(text !== '' && { text, unmodifiedText: text }),
      ...(isMac && { commands: macCommands(code, modifiers) }),
    });
    ups.unshift({ type: 'keyUp', ...is, modifiers: ownBit === 0 ? modifiers : before });
  }
  return [...downs, ...ups];
}

const textOf = (key: string): string => (key === 'Enter' ? '\r' : [...key].length === 1 ? key : '');
