// Captures a tab: one DOM snapshot per process, the focused element, and the few facts that only Chrome's accessibility tree has.
import type { Protocol } from 'devtools-protocol';
import type { Limits } from '../../limits.ts';
import { CdpError, type CdpSession } from '../../tab/cdp-session.ts';
import type { Tab } from '../../tab/tab.ts';
import { isCheckable } from '../accessibility/controls.ts';
import { interactivityOf } from '../accessibility/interactive.ts';
import { CONCRETE } from '../accessibility/role-data.ts';
import { decode, type ProcessSnapshot } from './decode.ts';
import { COMPUTED_STYLES, ELEMENT, Hidden, type SnapNode, type SnapPage, squash } from './node.ts';

export interface TabCapture {
  page: SnapPage;
  focused: SnapNode | undefined;
  /** Loader of each frame's document, by CDP frame id. */
  loaders: Map<string, string>;
  viewport: { width: number; height: number };
}

/** A navigation in the middle of the capture gives another document's nodes: then it is taken again. */
const TRIES = 3;

export async function captureTab(tab: Tab, limits: Limits): Promise<TabCapture> {
  await tab.readable(limits);
  for (let left = TRIES; ; left--) {
    const before = tab.main.loaders.get(tab.main.root);
    try {
      const taken = await attempt(tab, limits);
      if (tab.main.loaders.get(tab.main.root) === before) return taken;
    } catch (error) {
      if (!(error instanceof CdpError && error.isGone) || left <= 0) throw error;
    }
    if (left <= 0) return attempt(tab, limits);
  }
}

async function attempt(tab: Tab, limits: Limits): Promise<TabCapture> {
  const wires = await tab.frames.wires(limits);
  const all = wires.map(({ wire }) => wire);
  // The small questions first: their second halves then wait no longer than the capture takes.
  const [focus, listeners, parts] = await Promise.all([
    focusedIn(tab, all, limits),
    Promise.all(all.map(wire => pressListeners(tab, wire, limits))),
    Promise.all(wires.map(({ wire, parent }) => captureProcess(tab, wire, parent, limits))),
  ]);
  const page = decode(parts.filter(item => item !== undefined));
  for (const { process, id } of listeners.flat()) {
    const node = page.byKey(process, id);
    if (node) node.clickable = true;
  }
  await ask(tab, page, all, limits);
  return {
    page,
    focused: focus.key && page.byKey(focus.key.process, focus.key.id),
    loaders: new Map(wires.flatMap(({ wire }) => [...wire.loaders])),
    viewport: focus.viewport,
  };
}

async function captureProcess(
  tab: Tab,
  wire: CdpSession,
  parent: CdpSession | undefined,
  limits: Limits,
): Promise<ProcessSnapshot | undefined> {
  const capture = tab.send(limits, wire, 'DOMSnapshot.captureSnapshot', {
    computedStyles: [...COMPUTED_STYLES],
    includePaintOrder: false,
  });
  if (!parent) return { process: wire.key, snap: await capture };
  try {
    const [snap, owner] = await Promise.all([
      capture,
      tab.send(limits, parent, 'DOM.getFrameOwner', { frameId: wire.root }),
    ]);
    return { process: wire.key, snap, owner: { process: parent.key, id: owner.backendNodeId } };
  } catch (error) {
    // A frame may go while it is read; the page without it is still right.
    if (error instanceof CdpError) return undefined;
    throw error;
  }
}

/** The DOM snapshot marks click listeners only. */
const PRESSES = new Set(['dblclick', 'mousedown', 'pointerdown', 'contextmenu', 'touchstart']);

/** Elements that listen to presses other than a click. */
async function pressListeners(tab: Tab, wire: CdpSession, limits: Limits): Promise<{ process: string; id: number }[]> {
  try {
    const { result } = await tab.send(limits, wire, 'Runtime.evaluate', { expression: 'document' });
    if (result.objectId === undefined) return [];
    const { listeners } = await tab.send(limits, wire, 'DOMDebugger.getEventListeners', {
      objectId: result.objectId,
      depth: -1,
      pierce: true,
    });
    void wire.send('Runtime.releaseObject', { objectId: result.objectId }).catch(() => undefined);
    const found = listeners.filter(({ type, backendNodeId }) => PRESSES.has(type) && backendNodeId !== undefined);
    return found.map(({ backendNodeId = 0 }) => ({ process: wire.key, id: backendNodeId }));
  } catch (error) {
    if (error instanceof CdpError) return [];
    throw error;
  }
}

interface Focus {
  key?: { process: string; id: number };
  viewport: { width: number; height: number };
}

const ACTIVE = `(() => {
  const inner = at => at.shadowRoot?.activeElement ?? (at.localName === 'iframe' ? at.contentDocument?.activeElement : undefined);
  let at = document.activeElement;
  for (let next = at && inner(at); next; next = inner(next)) at = next;
  return at?.localName === 'body' ? null : at;
})()`;

/** The focused element: asked in the page, then inside the frame that has the focus. */
async function focusedIn(tab: Tab, wires: CdpSession[], limits: Limits): Promise<Focus> {
  const [size, found] = await Promise.all([
    tab.send(limits, tab.main, 'Runtime.evaluate', { expression: '[innerWidth, innerHeight]', returnByValue: true }),
    Promise.all(wires.map(wire => focusOf(tab, wire, limits))),
  ]);
  const [width, height] = size.result.value as [number, number];
  const key = found.findLast(item => item !== undefined);
  return { ...(key ? { key } : {}), viewport: { width, height } };
}

async function focusOf(
  tab: Tab,
  wire: CdpSession,
  limits: Limits,
): Promise<{ process: string; id: number } | undefined> {
  try {
    const { result } = await tab.send(limits, wire, 'Runtime.evaluate', { expression: ACTIVE });
    if (result.objectId === undefined) return undefined;
    const { node } = await tab.send(limits, wire, 'DOM.describeNode', { objectId: result.objectId });
    void wire.send('Runtime.releaseObject', { objectId: result.objectId }).catch(() => undefined);
    return { process: wire.key, id: node.backendNodeId };
  } catch (error) {
    if (error instanceof CdpError) return undefined;
    throw error;
  }
}

/** Asks Chrome's accessibility tree about the few nodes whose role, name or state the DOM snapshot lacks. */
async function ask(tab: Tab, page: SnapPage, wires: CdpSession[], limits: Limits): Promise<void> {
  const wanted = nodesToAsk(page);
  const boxes = wanted.filter(isCheckbox);
  const isMixed = boxes.length > 0 && (await hasMixed(tab, wires, limits));
  await Promise.all(
    wanted
      .filter(node => isMixed || !isCheckbox(node))
      .map(async node => {
        const wire = wires.find(other => other.key === node.process);
        if (!wire) return;
        const { nodes } = await orNothing(
          tab.send(limits, wire, 'Accessibility.getPartialAXTree', { backendNodeId: node.id, fetchRelatives: false }),
          { nodes: [] },
        );
        if (nodes[0]) applyAxNode(node, nodes[0]);
      }),
  );
}

const isCheckbox = (node: SnapNode): boolean => node.tag === 'input';

/** One question whether any checkbox is mixed is cheaper than one per checkbox. Checkboxes in shadow roots are not found this way. */
async function hasMixed(tab: Tab, wires: CdpSession[], limits: Limits): Promise<boolean> {
  const expression =
    "document.querySelector('input[type=checkbox]:indeterminate') !== null || [...document.querySelectorAll('*')].some(el => el.shadowRoot)";
  const worlds = wires.flatMap(wire => [...wire.worlds.values()].map(contextId => ({ wire, contextId })));
  const answers = await Promise.all(
    worlds.map(({ wire, contextId }) =>
      orNothing(tab.send(limits, wire, 'Runtime.evaluate', { expression, contextId, returnByValue: true }), undefined),
    ),
  );
  return answers.some(given => given?.result.value === true);
}

/** A node or frame that has just gone gives `nothing`; other errors are faults. */
async function orNothing<T>(promise: Promise<T>, nothing: T): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof CdpError) return nothing;
    throw error;
  }
}

/** Each question costs about a millisecond. */
const MAX_ASKED = 50;

/** Custom elements first (ElementInternals), then labels set by script, then checkboxes that may be mixed. */
export function nodesToAsk(page: SnapPage): SnapNode[] {
  const asked: [SnapNode[], SnapNode[], SnapNode[]] = [[], [], []];
  for (const doc of page.docs) {
    for (const n of doc.nodes) {
      const rank = rankOf(n);
      if (rank !== undefined) asked[rank].push(n);
    }
  }
  return asked.flat().slice(0, MAX_ASKED);
}

function rankOf(n: SnapNode): 0 | 1 | 2 | undefined {
  if (n.type !== ELEMENT || n.hidden & ~Hidden.aria) return undefined;
  if (isCustom(n) && !n.attrs.role && interactivityOf(n)) return 0;
  if (n.attrs['aria-labelledby'] === '') return 1;
  return isCheckable(n) && n.attrs.type !== 'radio' ? 2 : undefined;
}

const isCustom = (n: SnapNode): boolean => n.html && n.tag.includes('-');

/** Copies role, name and checked state from Chrome's answer. Call before roles and names are used. */
export function applyAxNode(n: SnapNode, ax: Protocol.Accessibility.AXNode): void {
  if (ax.ignored) return;
  const role = roleIn(ax);
  if (role && isCustom(n)) n.role = role;
  if (typeof ax.name?.value === 'string') n.name = squash(ax.name.value);
  const checked = ax.properties?.find(property => property.name === 'checked')?.value.value;
  if (checked !== undefined) n.checked = checked === 'mixed' ? 'mixed' : checked === 'true' || checked === true;
}

/** Roles that only Chrome has are dropped: custom elements never have them. */
function roleIn(ax: Protocol.Accessibility.AXNode): string | undefined {
  const role = ax.role?.value === 'img' ? 'image' : ax.role?.value;
  return typeof role === 'string' && role !== 'generic' && CONCRETE.has(role) ? role : undefined;
}
