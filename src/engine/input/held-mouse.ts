// The mouse while its left button is held. What the page drags natively goes on by drag events: Chrome then sends no mouse events of its own.
import type { Protocol } from 'devtools-protocol';
import { flush } from '../actions/effects.ts';
import type { Point } from '../geometry.ts';
import type { Limits } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';

export class HeldMouse {
  /** What the page drags natively. */
  #dragged: Protocol.Input.DragData | undefined;
  #hasEntered = false;
  #isHeld = false;
  #at: Point;
  readonly #unsubscribe: () => void;

  constructor(
    readonly tab: Tab,
    readonly limits: Limits,
    start: Point,
  ) {
    this.#at = start;
    this.#unsubscribe = tab.main.on('Input.dragIntercepted', ({ data }) => {
      this.#dragged = data;
    });
  }

  async press(): Promise<void> {
    const { tab, limits } = this;
    await tab.send(limits, tab.main, 'Input.setInterceptDrags', { enabled: true });
    await tab.race(limits, this.#mouse('mouseMoved', 0));
    this.#isHeld = true;
    await tab.race(limits, this.#mouse('mousePressed', 1));
  }

  async moveTo(goal: Point, steps: number): Promise<void> {
    const from = this.#at;
    for (let step = 1; step <= steps; step++) {
      const part = step / steps;
      this.#at = { x: from.x + (goal.x - from.x) * part, y: from.y + (goal.y - from.y) * part };
      await (this.#dragged ? this.#dragOver(this.#dragged) : this.tab.race(this.limits, this.#mouse('mouseMoved', 1)));
    }
  }

  async release(): Promise<void> {
    // That a drag began may be told a moment after the move that began it is answered.
    if (!this.#dragged) await flush(this.tab, this.limits);
    if (this.#dragged && !this.#hasEntered) await this.#dragOver(this.#dragged);
    this.#isHeld = false;
    await this.tab.race(this.limits, this.#letGo('drop'));
  }

  /** At the end, however it went. Nothing stays pressed; what is sent fails only where the page has gone. */
  leave(): void {
    this.#unsubscribe();
    if (this.#isHeld) this.#letGo('dragCancel').catch(() => undefined);
    this.tab.main.send('Input.setInterceptDrags', { enabled: false }).catch(() => undefined);
  }

  async #dragOver(data: Protocol.Input.DragData): Promise<void> {
    if (!this.#hasEntered) await this.tab.race(this.limits, this.#drag('dragEnter', data));
    this.#hasEntered = true;
    await this.tab.race(this.limits, this.#drag('dragOver', data));
  }

  #letGo(how: 'drop' | 'dragCancel'): Promise<void> {
    return this.#dragged ? this.#drag(how, this.#dragged) : this.#mouse('mouseReleased', 0);
  }

  #mouse(type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', buttons: 0 | 1): Promise<void> {
    const isMove = type === 'mouseMoved';
    const button = isMove && buttons === 0 ? 'none' : 'left';
    const event = { type, ...this.#at, button, buttons, clickCount: isMove ? 0 : 1 } as const;
    return this.tab.main.send('Input.dispatchMouseEvent', event);
  }

  #drag(type: 'dragEnter' | 'dragOver' | 'drop' | 'dragCancel', data: Protocol.Input.DragData): Promise<void> {
    return this.tab.main.send('Input.dispatchDragEvent', { type, ...this.#at, data });
  }
}
