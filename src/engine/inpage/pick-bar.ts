// Runs inside the page, in our own script world: the bar that tells a person what to point at.
// Self-contained: these functions are sent as text, so they use nothing but the DOM.

interface World {
  tabwrightBar?: { host: HTMLElement; words: HTMLElement } | undefined;
}

/** Puts the bar on top of everything, or gives it other words. The mouse goes through it. */
export function showBar(text: string): void {
  const world = globalThis as World;
  if (!world.tabwrightBar?.host.isConnected) {
    const host = document.createElement('tabwright-pick');
    const words = document.createElement('div');
    const bar =
      'all: initial; position: fixed; inset: 0 0 auto 0; width: auto; margin: 0; border: 0; padding: 0; pointer-events: none; z-index: 2147483647';
    host.style.cssText = bar.replaceAll(';', ' !important;');
    words.style.cssText =
      'font: 14px/1.4 sans-serif; padding: 8px 16px; background: #1f2937; color: #fff; text-align: center; box-shadow: 0 1px 6px #0006';
    host.attachShadow({ mode: 'closed' }).append(words);
    document.documentElement.append(host);
    // Also above a modal dialog.
    host.popover = 'manual';
    host.showPopover();
    world.tabwrightBar = { host, words };
  }
  world.tabwrightBar.words.textContent = text;
}

export function hideBar(): void {
  const world = globalThis as World;
  world.tabwrightBar?.host.remove();
  world.tabwrightBar = undefined;
}
