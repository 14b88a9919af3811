// What a person does with mouse, keyboard, input method and fingers, sent to the page as real input. Nothing of it is kept.
import type { Protocol } from 'devtools-protocol';
import { macCommands } from '../input/keys.ts';
import type { Tab } from '../tab/tab.ts';

export type LiveInput =
  | {
      kind: 'mouse';
      action: 'move' | 'down' | 'up';
      x: number;
      y: number;
      button: 'none' | 'left' | 'middle' | 'right';
      buttons: number;
      clicks: number;
      modifiers: number;
    }
  | { kind: 'wheel'; x: number; y: number; dx: number; dy: number; modifiers: number }
  | KeyInput
  | { kind: 'text'; text: string }
  | { kind: 'compose'; text: string }
  | { kind: 'touch'; action: 'start' | 'move' | 'end' | 'cancel'; points: { id: number; x: number; y: number }[] }
  | { kind: 'history'; to: 'back' | 'forward' | 'reload' }
  | { kind: 'release' };

interface KeyInput {
  kind: 'key';
  action: 'down' | 'up';
  key: string;
  code: string;
  keyCode: number;
  location: number;
  repeat: boolean;
  modifiers: number;
}

/** A page that is stuck or blocked by a dialog answers no input: so many may wait for it, what comes on top is left out. */
const MOST_WAITING = 100;
const CONTROL_OR_META = 2 | 4;
const MOUSE = { move: 'mouseMoved', down: 'mousePressed', up: 'mouseReleased' } as const;
const TOUCH = { start: 'touchStart', move: 'touchMove', end: 'touchEnd', cancel: 'touchCancel' } as const;

export class InputSender {
  readonly #tab: Tab;
  readonly #keys = new Map<string, KeyInput>();
  #pressed: Extract<LiveInput, { kind: 'mouse' }> | undefined;
  #waiting = 0;

  constructor(tab: Tab) {
    this.#tab = tab;
  }

  /** Chrome takes input in the order in which it is sent; its answers are not waited for. */
  send(input: LiveInput): void {
    if (this.#waiting >= MOST_WAITING && input.kind !== 'release') return;
    this.#waiting++;
    this.#sent(input)
      .catch(() => undefined) // the page has gone, or takes no such input now
      .finally(() => this.#waiting--);
  }

  async #sent(input: LiveInput): Promise<unknown> {
    const { main } = this.#tab;
    switch (input.kind) {
      case 'mouse':
        return this.#mouse(input);
      case 'wheel': {
        const { x, y, dx: deltaX, dy: deltaY, modifiers } = input;
        return main.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, deltaX, deltaY, modifiers });
      }
      case 'key':
        return this.#key(input);
      case 'text':
        return main.send('Input.insertText', { text: input.text });
      case 'compose': {
        const { length } = input.text;
        return main.send('Input.imeSetComposition', { text: input.text, selectionStart: length, selectionEnd: length });
      }
      case 'touch':
        return main.send('Input.dispatchTouchEvent', { type: TOUCH[input.action], touchPoints: input.points });
      case 'history':
        return this.#go(input.to);
      case 'release':
        return this.#release();
    }
  }

  #mouse(input: Extract<LiveInput, { kind: 'mouse' }>): Promise<unknown> {
    const { action, clicks: clickCount, kind: _, ...at } = input;
    if (action === 'down') this.#pressed = input;
    if (action === 'up') this.#pressed = undefined;
    return this.#tab.main.send('Input.dispatchMouseEvent', { type: MOUSE[action], clickCount, ...at });
  }

  #key(input: KeyInput): Promise<unknown> {
    const { action, key, code, keyCode, location, repeat, modifiers } = input;
    if (action === 'down') this.#keys.set(code, input);
    else this.#keys.delete(code);
    const text = action === 'up' || modifiers & CONTROL_OR_META ? '' : textOf(key);
    const event: Protocol.Input.DispatchKeyEventRequest = {
      type: action === 'up' ? 'keyUp' : text === '' ? 'rawKeyDown' : 'keyDown',
      key,
      code,
      windowsVirtualKeyCode: keyCode,
      location,
      isKeypad: location === 3,
      autoRepeat: repeat,
      modifiers,
      ...(text !== '' && { text, unmodifiedText: text }),
      ...(process.platform === 'darwin' && action === 'down' && { commands: macCommands(code, modifiers) }),
    };
    return this.#tab.main.send('Input.dispatchKeyEvent', event);
  }

  async #go(to: 'back' | 'forward' | 'reload'): Promise<void> {
    const { main } = this.#tab;
    if (to === 'reload') return main.send('Page.reload');
    const { currentIndex, entries } = await main.send('Page.getNavigationHistory');
    const entry = entries[currentIndex + (to === 'back' ? -1 : 1)];
    if (entry) await main.send('Page.navigateToHistoryEntry', { entryId: entry.id });
  }

  /** Nothing stays pressed. */
  async #release(): Promise<void> {
    const held = [...this.#keys.values()];
    const pressed = this.#pressed;
    await Promise.all([
      ...held.map(key => this.#key({ ...key, action: 'up', modifiers: 0 })),
      ...(pressed ? [this.#mouse({ ...pressed, action: 'up', buttons: 0 })] : []),
    ]);
  }
}

/** What a key writes; '' for one that writes nothing. */
const textOf = (key: string): string => (key === 'Enter' ? '\r' : [...key].length === 1 ? key : '');
