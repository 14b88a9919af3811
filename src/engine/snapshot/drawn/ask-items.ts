// Asks the page what a chart library has drawn on an element, with the place of each item.
import { declarations } from '../../inpage/declarations.ts';
import { inTime, type Limits } from '../../limits.ts';
import { CdpError, type CdpSession } from '../../tab/cdp-session.ts';
import type { Tab } from '../../tab/tab.ts';
import type { SnapNode, SnapPage } from '../capture/node.ts';
import {
  aboutShape,
  chartItems,
  type DrawnItem,
  drawnItems,
  echartsItems,
  globalModel,
  innerNames,
} from './page-script.ts';

/** A smaller canvas is a line of sparks or an icon. */
const LEAST = 64;
/** More drawings are not asked. */
const MOST = 8;

/** Fills `items` of the drawings in which something can be hit. */
export async function askItems(tab: Tab, page: SnapPage, sessions: CdpSession[], limits: Limits): Promise<void> {
  const drawings = page.docs.flatMap(({ nodes }) => nodes.filter(mayHaveItems)).slice(0, MOST);
  const fill = async (n: SnapNode): Promise<void> => {
    const cdp = sessions.find(({ key }) => key === n.process);
    if (cdp) n.items = await itemsOf(tab, cdp, n.id, limits);
  };
  await Promise.all(drawings.map(fill));
}

function mayHaveItems({
  tag,
  html,
  attrs,
  hidden,
  handlers,
  box: [, , width = 0, height = 0] = [],
}: SnapNode): boolean {
  if (!html || hidden || width < LEAST || height < LEAST) return false;
  return attrs._echarts_instance_ !== undefined || (tag === 'canvas' && handlers !== 0);
}

const SOURCE = `function(el) {
${declarations([drawnItems, chartItems, echartsItems, aboutShape, globalModel, innerNames])}
return drawnItems(this, el);
}`;

/** How long its answer is waited for, in ms. */
const PATIENCE_MS = 250;

/** None when no library is known, or the page does not let it be told in time. */
export async function itemsOf(tab: Tab, cdp: CdpSession, id: number, limits: Limits): Promise<DrawnItem[]> {
  return (await inTime(limits, PATIENCE_MS, bound => tab.race(bound, ask(cdp, id)))) ?? [];
}

/** Types that chart libraries listen for; of more listeners than that no more are looked into. */
const TYPES = new Set(['click', 'mousemove', 'mousedown']);
const MOST_LISTENERS = 2;

/** Objects in the page: an element, and what the listener holds on to in which its library was found. */
interface Held {
  element: string;
  scopes: string;
}

/** By backend node id. They stay in the page until its document goes. */
const held = new WeakMap<CdpSession, Map<number, Held>>();

async function ask(cdp: CdpSession, id: number): Promise<DrawnItem[]> {
  const known = held.get(cdp) ?? new Map<number, Held>();
  held.set(cdp, known);
  const before = known.get(id);
  const again = before ? await orNone(read(cdp, before)) : [];
  if (again.length) return again;
  known.delete(id);
  return orNone(search(cdp, id, known));
}

/** None when the objects have gone. */
async function orNone(items: Promise<DrawnItem[]>): Promise<DrawnItem[]> {
  try {
    return await items;
  } catch (error) {
    if (error instanceof CdpError) return [];
    throw error;
  }
}

async function search(cdp: CdpSession, id: number, known: Map<number, Held>): Promise<DrawnItem[]> {
  const { object } = await cdp.send('DOM.resolveNode', { backendNodeId: id, objectGroup: `tabwright-drawn-${id}` });
  const { objectId: element = '' } = object;
  const { listeners } = await cdp.send('DOMDebugger.getEventListeners', { objectId: element, depth: -1 });
  const handlers = listeners.flatMap(({ type, handler }) => (TYPES.has(type) ? (handler?.objectId ?? []) : []));
  for (const objectId of handlers.slice(0, MOST_LISTENERS)) {
    // The scopes of a function are reachable by the debugger alone.
    const { internalProperties } = await cdp.send('Runtime.getProperties', { objectId, ownProperties: true });
    const scopes = internalProperties?.find(({ name }) => name === '[[Scopes]]')?.value?.objectId;
    const items = scopes === undefined ? [] : await read(cdp, { element, scopes });
    if (scopes === undefined || !items.length) continue;
    known.set(id, { element, scopes });
    return items;
  }
  void cdp.send('Runtime.releaseObjectGroup', { objectGroup: `tabwright-drawn-${id}` }).catch(() => undefined);
  return [];
}

async function read(cdp: CdpSession, { element, scopes }: Held): Promise<DrawnItem[]> {
  const { result, exceptionDetails } = await cdp.send('Runtime.callFunctionOn', {
    objectId: scopes,
    functionDeclaration: SOURCE,
    arguments: [{ objectId: element }],
    returnByValue: true,
    throwOnSideEffect: true,
  });
  return exceptionDetails || !Array.isArray(result.value) ? [] : (result.value as DrawnItem[]).filter(isItem);
}

const isItem = ({ word, name, key, x, y }: DrawnItem): boolean =>
  [word, name, key].every(text => typeof text === 'string') && Number.isFinite(x) && Number.isFinite(y);
