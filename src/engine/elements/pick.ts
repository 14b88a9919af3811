// Pick: a person points at elements. Chrome's own inspect mode shows what the pointer is over and keeps the click from the page.
import type { CDPSession } from 'playwright-core';
import { Failure } from '../../errors.ts';
import { hideBar, showBar } from '../inpage/pick-bar.ts';
import { type Limits, pause, remaining, under, within } from '../limits.ts';
import { FROM_CONTENT, INTERACTIVE } from '../snapshot/accessibility/role-data.ts';
import { roleOf } from '../snapshot/accessibility/roles.ts';
import { captureTab } from '../snapshot/capture/capture.ts';
import type { SnapNode } from '../snapshot/capture/node.ts';
import type { CdpSession } from '../tab/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';
import { refOf } from './describe.ts';
import type { QueryMatch } from './query.ts';
import { formatRef, roleAndName } from './refs.ts';

export interface PickRequest {
  id?: string | undefined;
  name?: string | undefined;
  description?: string | undefined;
}

export interface Picked extends QueryMatch {
  /** What it was asked for as. */
  id?: string;
  asked?: string;
}

/** Left over of the call's time, so that the wait itself says what did not come. */
const RESERVE_MS = 300;

/** Waits until a person has clicked an element for each request. */
export async function pick(tab: Tab, requests: PickRequest[], limits: Limits): Promise<Picked[]> {
  await tab.readable(limits);
  await tab.context.toFront(tab, limits);
  limits.waiting();
  const ms = Math.max(1, remaining(limits) - RESERVE_MS);
  const picked: Picked[] = [];
  const bound = within(limits, ms, () =>
    unanswered('timeout', `Nobody has pointed at it within ${Math.round(ms / 1_000)} s`, picked),
  );
  const picking = new Picking(tab, bound, () => unanswered('cancelled', 'The person pressed Escape', picked));
  try {
    for (const [at, request] of requests.entries()) {
      await picking.ask(wordsOf(request, at, requests.length));
      picked.push({ ...(await picking.answer()), ...about(request) });
    }
    return picked;
  } finally {
    bound.done();
    await picking.end();
  }
}

const about = ({ id, name }: PickRequest) => ({
  ...(id !== undefined && { id }),
  ...(name !== undefined && { asked: name }),
});

const unanswered = (code: 'timeout' | 'cancelled', why: string, picked: Picked[]): Failure =>
  new Failure(
    code,
    `${why}.${picked.length === 0 ? '' : ` Picked before: ${picked.map(one => `${one.asked ?? ''} ${one.ref} ${roleAndName(one)}`.trim()).join('; ')}.`}`,
    'Ask the person, and call again.',
  );

function wordsOf({ name, description }: PickRequest, at: number, all: number): string {
  const which = all > 1 ? `${at + 1} of ${all}: ` : '';
  return `${which}Click ${name ?? 'the element you mean'}${description ? ` (${description})` : ''}. Escape cancels.`;
}

/** What the person has clicked. */
interface Click {
  wire: CdpSession;
  id: number;
}

/** One wait for a person: in every frame, also in those that come meanwhile. */
class Picking {
  readonly #sessions = new Map<CdpSession, CDPSession>();
  readonly #clicks: Click[] = [];
  readonly #again = () => void this.#arm().catch(() => undefined); // a page that goes away is told by the tab
  #words = '';
  #heard: (() => void) | undefined;
  #cancelled: Failure | undefined;

  constructor(
    readonly tab: Tab,
    readonly limits: Limits,
    readonly cancelled: () => Failure,
  ) {
    for (const event of RENEWED) tab.events.on(event, this.#again);
  }

  async ask(words: string): Promise<void> {
    this.#words = words;
    await this.#arm();
  }

  async answer(): Promise<QueryMatch> {
    for (;;) {
      const { wire, id } = await this.#next();
      const taken = await captureTab(this.tab, this.limits);
      const node = taken.page.byKey(wire.key, id);
      if (!node) continue; // it has gone with the click: wait for another
      const ref = refOf(this.tab, taken, controlAround(node));
      return { ref: formatRef(ref, this.limits), role: ref.role, name: ref.name };
    }
  }

  /** With its sessions the inspect mode ends. A page that is blocked takes the bar away when it goes on. */
  async end(): Promise<void> {
    for (const event of RENEWED) this.tab.events.off(event, this.#again);
    const cleaned = Promise.allSettled([
      this.#inPage(`(${hideBar})()`),
      ...[...this.#sessions.values()].map(session => session.detach()),
    ]);
    if (this.tab.dialog) return;
    const stop = new AbortController();
    await Promise.race([cleaned, pause(stop.signal, END_MS)]);
    stop.abort();
  }

  async #next(): Promise<Click> {
    for (;;) {
      if (this.#cancelled) throw this.#cancelled;
      const click = this.#clicks.shift();
      if (click) return click;
      await this.tab.race(
        this.limits,
        new Promise<void>(resolve => {
          this.#heard = resolve;
        }),
      );
    }
  }

  async #arm(): Promise<void> {
    const { tab, limits } = this;
    const wires = await tab.frames.wires(limits);
    await Promise.all(wires.map(({ wire }) => this.#listen(wire)));
    await this.#inPage(`(${showBar})(${JSON.stringify(this.#words)})`);
  }

  async #listen(wire: CdpSession): Promise<void> {
    const { tab, limits } = this;
    let session = this.#sessions.get(wire);
    if (!session) {
      session = await under(limits.signal, tab.page.context().newCDPSession(wire.frame ?? tab.page));
      this.#sessions.set(wire, session);
      session.on('Overlay.inspectNodeRequested', ({ backendNodeId }) => this.#hear({ wire, id: backendNodeId }));
      session.on('Overlay.inspectModeCanceled', () => this.#hear(undefined));
      await under(limits.signal, session.send('DOM.enable'));
      await under(limits.signal, session.send('Overlay.enable'));
    }
    await under(limits.signal, session.send('Overlay.setInspectMode', INSPECT));
  }

  #hear(click: Click | undefined): void {
    if (click) this.#clicks.push(click);
    else this.#cancelled = this.cancelled();
    this.#heard?.();
  }

  async #inPage(call: string): Promise<void> {
    const { main } = this.tab;
    const contextId = await main.own(main.root);
    const expression = `{ const __name = f => f; ${call}; }`;
    await under(this.limits.signal, main.send('Runtime.evaluate', { expression, contextId }));
  }
}

/** How long, in ms, the end of a pick may take. */
const END_MS = 1_000;

/** After these a frame may have to be told again. */
const RENEWED = ['committed', 'domready', 'frameloaded'] as const;

const INSPECT = {
  mode: 'searchForNode',
  highlightConfig: {
    showInfo: true,
    contentColor: { r: 111, g: 168, b: 220, a: 0.5 },
    borderColor: { r: 255, g: 153, b: 0, a: 0.8 },
  },
} as const;

/** Whoever clicks the icon or the words of a button means the button. */
function controlAround(node: SnapNode): SnapNode {
  for (let at: SnapNode | undefined = node; at; at = at.parent) {
    const role = roleOf(at);
    if (FROM_CONTENT.has(role) && INTERACTIVE.has(role)) return at;
  }
  return node;
}
