// Pick: a person points at elements. Chrome's own inspect mode shows what the pointer is over and keeps the click from the page.
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { bounded, type Limits, pause, remaining, under } from '../limits.ts';
import type { CdpSession } from '../page/cdp-session.ts';
import { FROM_CONTENT, INTERACTIVE } from '../snapshot/accessibility/role-data.ts';
import { roleOf } from '../snapshot/accessibility/roles.ts';
import { captureTab } from '../snapshot/capture/capture.ts';
import type { SnapNode } from '../snapshot/capture/node.ts';
import type { Tab } from '../tab/tab.ts';
import { refOf } from './describe.ts';
import { hideBar, showBar } from './pick-bar.ts';
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

/** Left over of the call's time, so that the wait can report what was picked. */
const RESERVE_MS = 300;

/** Waits until a person has clicked an element for each request. */
export async function pick(tab: Tab, requests: PickRequest[], limits: Limits): Promise<Picked[]> {
  await tab.readable(limits);
  await tab.context.toFront(tab, limits);
  limits.waiting();
  const ms = Math.max(1, remaining(limits) - RESERVE_MS);
  const picked: Picked[] = [];
  const late = () => unanswered('timeout', `Nobody has pointed at it within ${Math.round(ms / 1_000)} s`, picked);
  return bounded(limits, ms, late, async bound => {
    const picking = new Picking(tab, bound, () => unanswered('cancelled', 'The person pressed Escape', picked));
    try {
      for (const [at, request] of requests.entries()) {
        await picking.ask(instruction(request, at, requests.length));
        picked.push({ ...(await picking.answer()), ...defined({ id: request.id, asked: request.name }) });
      }
      return picked;
    } finally {
      await picking.end();
    }
  });
}

const unanswered = (code: 'timeout' | 'cancelled', why: string, picked: Picked[]): Failure =>
  new Failure(
    code,
    `${why}.${picked.length === 0 ? '' : ` Picked before: ${picked.map(one => `${one.asked ?? ''} ${one.ref} ${roleAndName(one)}`.trim()).join('; ')}.`}`,
    'Ask the person, and call again.',
  );

function instruction({ name, description }: PickRequest, at: number, all: number): string {
  const which = all > 1 ? `${at + 1} of ${all}: ` : '';
  return `${which}Click ${name ?? 'the element you mean'}${description ? ` (${description})` : ''}. Escape cancels.`;
}

/** What the person has clicked. */
interface Click {
  cdp: CdpSession;
  id: number;
}

/** One wait for a person, in every frame, also in frames that are added meanwhile. */
class Picking {
  /** The sessions in inspect mode, with what ends our listening to each. */
  readonly #sessions = new Map<CdpSession, (() => void)[]>();
  readonly #clicks: Click[] = [];
  readonly #again = () => void this.#arm().catch(() => undefined); // the tab reports a page that goes away
  #instruction = '';
  #wake: (() => void) | undefined;
  #cancelled: Failure | undefined;

  constructor(
    readonly tab: Tab,
    readonly limits: Limits,
    readonly cancelled: () => Failure,
  ) {
    for (const event of RENEWED) tab.events.on(event, this.#again);
  }

  async ask(instruction: string): Promise<void> {
    this.#instruction = instruction;
    await this.#arm();
  }

  async answer(): Promise<QueryMatch> {
    for (;;) {
      const { cdp, id } = await this.#next();
      const taken = await captureTab(this.tab, this.limits);
      const node = taken.page.byKey(cdp.key, id);
      if (!node) continue; // it has gone with the click: wait for another
      const ref = refOf(this.tab, taken, controlAround(node));
      return { ref: formatRef(ref, this.limits), role: ref.role, name: ref.name };
    }
  }

  /** A blocked page leaves the inspect mode, and removes the bar, when it goes on. */
  async end(): Promise<void> {
    for (const event of RENEWED) this.tab.events.off(event, this.#again);
    const cleaned = Promise.allSettled([
      this.#inPage(`(${hideBar})()`),
      ...[...this.#sessions].map(([cdp, listeners]) => leaveInspect(cdp, listeners)),
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
          this.#wake = resolve;
        }),
      );
    }
  }

  async #arm(): Promise<void> {
    const sessions = this.tab.frames.sessions();
    await Promise.all(sessions.map(({ cdp }) => this.#listen(cdp)));
    await this.#inPage(`(${showBar})(${JSON.stringify(this.#instruction)})`);
  }

  async #listen(cdp: CdpSession): Promise<void> {
    const { tab, limits } = this;
    if (!this.#sessions.has(cdp)) {
      this.#sessions.set(cdp, [
        cdp.on('Overlay.inspectNodeRequested', ({ backendNodeId }) => this.#answered({ cdp, id: backendNodeId })),
        cdp.on('Overlay.inspectModeCanceled', () => this.#answered(undefined)),
      ]);
      await Promise.all([tab.send(limits, cdp, 'DOM.enable', {}), tab.send(limits, cdp, 'Overlay.enable')]);
    }
    await tab.send(limits, cdp, 'Overlay.setInspectMode', INSPECT);
  }

  /** The person has clicked, or cancelled. */
  #answered(click: Click | undefined): void {
    if (click) this.#clicks.push(click);
    else this.#cancelled = this.cancelled();
    this.#wake?.();
  }

  async #inPage(call: string): Promise<void> {
    const { main } = this.tab;
    const contextId = await main.own(main.root);
    const expression = `{ const __name = f => f; ${call}; }`;
    await under(this.limits.signal, main.send('Runtime.evaluate', { expression, contextId }));
  }
}

async function leaveInspect(cdp: CdpSession, listeners: (() => void)[]): Promise<void> {
  for (const end of listeners) end();
  await Promise.all([
    cdp.send('Overlay.setInspectMode', { mode: 'none' }),
    cdp.send('Overlay.disable'),
    cdp.send('DOM.disable'),
  ]);
}

/** How long, in ms, the end of a pick may take. */
const END_MS = 1_000;

/** After these events a frame may need the inspect mode again. */
const RENEWED = ['committed', 'domready', 'frameloaded'] as const;

const INSPECT = {
  mode: 'searchForNode',
  highlightConfig: {
    showInfo: true,
    contentColor: { r: 111, g: 168, b: 220, a: 0.5 },
    borderColor: { r: 255, g: 153, b: 0, a: 0.8 },
  },
} as const;

/** A click on the icon or the text of a button means the button. */
function controlAround(node: SnapNode): SnapNode {
  for (let at: SnapNode | undefined = node; at; at = at.parent) {
    const role = roleOf(at);
    if (FROM_CONTENT.has(role) && INTERACTIVE.has(role)) return at;
  }
  return node;
}
