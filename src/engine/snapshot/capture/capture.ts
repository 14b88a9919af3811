// Captures a tab: one DOM snapshot per process, the focused element, and the few facts that only Chrome's accessibility tree has.

import type { Protocol } from 'devtools-protocol';
import { CdpError } from '../../../cdp/errors.ts';
import type { Size } from '../../geometry.ts';
import { inTime, type Limits } from '../../limits.ts';
import type { CdpSession, PageLook } from '../../page/cdp-session.ts';
import type { Tab } from '../../tab/tab.ts';
import { isCheckable } from '../accessibility/controls.ts';
import { interactivityOf } from '../accessibility/interactive.ts';
import { CONCRETE } from '../accessibility/role-data.ts';
import { askItems } from '../drawn/ask-items.ts';
import { applyHandlers } from '../handlers/apply-handlers.ts';
import { frameworkHandlers, nativeListeners } from '../handlers/ask-handlers.ts';
import { decode, type ProcessSnapshot } from './decode.ts';
import { COMPUTED_STYLES, ELEMENT, Hidden, type SnapNode, type SnapPage, squash, up } from './node.ts';

export interface TabCapture {
  page: SnapPage;
  focused: SnapNode | undefined;
  /** Loader of each frame's document, by CDP frame id. */
  loaders: Map<string, string>;
  viewport: Size;
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

/** How much longer than the capture, or than this, what the page says of its handlers is waited for, in ms: on a busy machine a short answer takes so long. */
const PATIENCE_MS = 50;
/** The same for what is drawn, in ms and in captures: a busy machine takes longer over both. */
const ITEMS_MS = 750;
const ITEMS_CAPTURES = 6;

async function attempt(tab: Tab, limits: Limits): Promise<TabCapture> {
  const sessions = tab.frames.sessions();
  const all = sessions.map(({ cdp }) => cdp);
  const looks = Promise.all(all.map(cdp => lookAt(tab, cdp, limits)));
  const began = performance.now();
  const captured = Promise.all(sessions.map(({ cdp, parent }) => captureProcess(tab, cdp, parent, limits)));
  // Behind the capture, which is read and decoded meanwhile. How long the page takes over its hints is its own affair.
  const native = Promise.all(all.map(cdp => orNothing(nativeListeners(tab, cdp, limits))));
  const patience = (): number => Math.max(PATIENCE_MS, performance.now() - began);
  const hints = Promise.all(all.map(cdp => frameworkHandlers(cdp, patience)));
  const decoded = captured.then(parts => {
    const arrived = performance.now();
    return { arrived, ms: patience(), page: decode(parts.filter(item => item !== undefined)) };
  });
  const [{ arrived, ms, page }, seen, listeners] = await Promise.all([decoded, looks, native]);
  // Timers count from the beginning of this turn, so the time of decoding is added.
  const hinted = await inTime(limits, ms + performance.now() - arrived, bound => tab.race(bound, hints));
  applyHandlers(
    page,
    listeners.flatMap((native, at) => (native ? { ...native, hinted: hinted?.[at] ?? new Map() } : [])),
  );
  const itemsMs = Math.max(ITEMS_MS, ITEMS_CAPTURES * ms);
  await Promise.all([ask(tab, page, all, limits), askItems(tab, page, all, limits, itemsMs)]);
  // The page says that an iframe has the focus, the iframe which element inside.
  const focus = seen.findLast(look => look?.focused !== undefined);
  return {
    page,
    focused: focus?.focused === undefined ? undefined : page.byKey(focus.process, focus.focused),
    loaders: new Map(sessions.flatMap(({ cdp }) => [...cdp.loaders])),
    viewport: seen[0]?.viewport ?? (await viewportOf(tab, limits)),
  };
}

/** What one process shows, as far as roles, names and states need it. */
export async function captureRoles(tab: Tab, cdp: CdpSession, limits: Limits): Promise<SnapPage> {
  const part = await captureProcess(tab, cdp, undefined, limits);
  const page = decode(part ? [part] : []);
  await ask(tab, page, [cdp], limits);
  return page;
}

/** Undefined for a frame that goes while it is captured; the page without it is still right. */
async function captureProcess(
  tab: Tab,
  cdp: CdpSession,
  parent: CdpSession | undefined,
  limits: Limits,
): Promise<ProcessSnapshot | undefined> {
  const capture = tab.send(limits, cdp, 'DOMSnapshot.captureSnapshot', {
    computedStyles: [...COMPUTED_STYLES],
    includePaintOrder: false,
  });
  if (!parent) return { process: cdp.key, snap: await capture };
  const owned = Promise.all([capture, tab.send(limits, parent, 'DOM.getFrameOwner', { frameId: cdp.root })]);
  const [snap, owner] = (await orNothing(owned)) ?? [];
  return snap && owner && { process: cdp.key, snap, owner: { process: parent.key, id: owner.backendNodeId } };
}

export async function viewportOf(tab: Tab, limits: Limits): Promise<Size> {
  return tab.race(limits, tab.main.ask('viewport'));
}

/** The focused element of one process, and its viewport. */
async function lookAt(
  tab: Tab,
  cdp: CdpSession,
  limits: Limits,
): Promise<(PageLook & { process: string }) | undefined> {
  const look = await orNothing(tab.race(limits, cdp.look()));
  return look && { ...look, process: cdp.key };
}

/** Asks Chrome's accessibility tree about the few nodes whose role, name or state the DOM snapshot lacks. */
async function ask(tab: Tab, page: SnapPage, sessions: CdpSession[], limits: Limits): Promise<void> {
  const wanted = nodesToAsk(page);
  const isMixed = await hasMixed(tab, wanted.filter(isCheckbox), sessions, limits);
  const askOne = async (node: SnapNode): Promise<void> => {
    const cdp = sessions.find(({ key }) => key === node.process);
    const params = { backendNodeId: node.id, fetchRelatives: false };
    const answer = cdp && (await orNothing(tab.send(limits, cdp, 'Accessibility.getPartialAXTree', params)));
    if (answer?.nodes[0]) applyAxNode(node, answer.nodes[0]);
  };
  await Promise.all(wanted.filter(node => isMixed || !isCheckbox(node)).map(askOne));
}

const isCheckbox = (node: SnapNode): boolean => node.tag === 'input';

/** One question per frame whether any checkbox is mixed is cheaper than one per checkbox. */
async function hasMixed(tab: Tab, boxes: SnapNode[], sessions: CdpSession[], limits: Limits): Promise<boolean> {
  const docs = [...new Set(boxes.map(({ doc }) => doc))];
  const answers = docs.map(({ process, frame }) => {
    const cdp = sessions.find(({ key }) => key === process);
    return cdp && orNothing(tab.race(limits, cdp.ask('mayBeMixed', frame)));
  });
  return (await Promise.all(answers)).includes(true);
}

/** Undefined when the node or frame has just gone; other errors are faults. */
async function orNothing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof CdpError) return undefined;
    throw error;
  }
}

/** Each question costs about a millisecond. */
const MAX_ASKED = 50;

/** Custom elements first (ElementInternals) and those around them, then labels set by script, then checkboxes that may be mixed. */
export function nodesToAsk(page: SnapPage): SnapNode[] {
  const asked: [SnapNode[], SnapNode[], SnapNode[]] = [[], [], []];
  for (const doc of page.docs) {
    for (const n of doc.nodes) {
      const rank = rankOf(n);
      if (rank !== undefined) asked[rank].push(n);
    }
  }
  const around = asked[0].flatMap(n => up(n, isCustom) ?? []).filter(n => !n.attrs.role && !n.hidden);
  return [...new Set([...asked[0], ...around, ...asked.flat()])].slice(0, MAX_ASKED);
}

function rankOf(n: SnapNode): 0 | 1 | 2 | undefined {
  if (n.type !== ELEMENT || n.hidden & ~Hidden.aria) return undefined;
  if (isCustom(n) && !n.attrs.role && interactivityOf(n)) return 0;
  if (n.attrs['aria-labelledby'] === '') return 1;
  return isCheckable(n) && n.attrs.type !== 'radio' ? 2 : undefined;
}

const isCustom = (n: SnapNode): boolean => n.html && n.tag.includes('-');

/** Copies role, name and whether it is checked or selected from Chrome's answer. Call before roles and names are used. */
export function applyAxNode(n: SnapNode, ax: Protocol.Accessibility.AXNode): void {
  if (ax.ignored) return;
  const role = roleIn(ax);
  if (role && isCustom(n)) n.role = role;
  if (typeof ax.name?.value === 'string') n.name = squash(ax.name.value);
  const checked = ax.properties?.find(property => property.name === 'checked')?.value.value;
  if (checked !== undefined) n.checked = checked === 'mixed' ? 'mixed' : checked === 'true' || checked === true;
  if (isCustom(n) && ax.properties?.some(({ name, value }) => name === 'selected' && value.value === true))
    n.selected = true;
}

/** Roles that only Chrome has are dropped: custom elements never have them. */
function roleIn(ax: Protocol.Accessibility.AXNode): string | undefined {
  const role = ax.role?.value === 'img' ? 'image' : ax.role?.value;
  return typeof role === 'string' && role !== 'generic' && CONCRETE.has(role) ? role : undefined;
}
