// Runs inside the page, in our own script world: the bar that asks a person to pick an element.
// Self-contained: these functions are sent as text, so they use nothing but the DOM.

/** Holds the bar while it is shown. Under a symbol: a page can give elements the name of any global variable. */
interface World {
  [key: symbol]: { host: HTMLElement; words: HTMLElement } | undefined;
}

/** Shows the bar on top of everything, or changes its text. Mouse events pass through it. */
export function showBar(text: string): void {
  const world = globalThis as unknown as World;
  let bar = world[Symbol.for('bar')];
  if (!bar?.host.isConnected) {
    const host = document.createElement('tabwright-pick');
    const words = document.createElement('div');
    const style =
      'all: initial; position: fixed; inset: 0 0 auto 0; width: auto; margin: 0; border: 0; padding: 0; pointer-events: none; z-index: 2147483647';
    host.style.cssText = style.replaceAll(';', ' !important;');
    words.style.cssText =
      'font: 14px/1.4 sans-serif; padding: 8px 16px; background: #1f2937; color: #fff; text-align: center; box-shadow: 0 1px 6px #0006';
    host.attachShadow({ mode: 'closed' }).append(words);
    document.documentElement.append(host);
    // A popover is also above a modal dialog.
    host.popover = 'manual';
    host.showPopover();
    bar = { host, words };
    world[Symbol.for('bar')] = bar;
  }
  bar.words.textContent = text;
}

export function hideBar(): void {
  const world = globalThis as unknown as World;
  world[Symbol.for('bar')]?.host.remove();
  world[Symbol.for('bar')] = undefined;
}
