// Asks the page what a chart library has drawn on an element, with the place of each item.

import { CdpError } from '../../../cdp/errors.ts';
import { declarations } from '../../inpage/declarations.ts';
import { inTime, type Limits } from '../../limits.ts';
import type { CdpSession } from '../../page/cdp-session.ts';
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
import * as scenes from './scene-script.ts';

/** A smaller canvas is a line of sparks or an icon. */
const LEAST = 64;
/** More drawings are not asked. */
const MOST = 8;

/** Fills `items` of the drawings in which something can be hit, as far as they are told within `ms`. */
export async function askItems(
  tab: Tab,
  page: SnapPage,
  sessions: CdpSession[],
  limits: Limits,
  ms: number,
): Promise<void> {
  const drawings = page.docs.flatMap(({ nodes }) => nodes.filter(mayHaveItems)).slice(0, MOST);
  const fill = async (n: SnapNode): Promise<void> => {
    const cdp = sessions.find(({ key }) => key === n.process);
    if (cdp) n.items = await itemsOf(tab, cdp, n.id, limits, ms);
  };
  await Promise.all(drawings.map(fill));
}

function mayHaveItems({
  tag,
  html,
  attrs,
  hidden,
  handlers,
  parent,
  box: [, , width = 0, height = 0] = [],
}: SnapNode): boolean {
  if (!html || hidden || width < LEAST || height < LEAST) return false;
  return attrs._echarts_instance_ !== undefined || (tag === 'canvas' && (handlers !== 0 || isKonva(parent)));
}

/** What is around the canvases of a stage listens for them. */
const isKonva = (around: SnapNode | undefined): boolean => around?.attrs.class === 'konvajs-content';

const SOURCE = `function(el) {
${declarations([drawnItems, chartItems, echartsItems, aboutShape, globalModel, innerNames, ...Object.values(scenes)])}
return drawnItems(this, el, { fabricItems, konvaItems });
}`;

/** None when no library is known, or the page does not let it be told within `ms`. */
export async function itemsOf(tab: Tab, cdp: CdpSession, id: number, limits: Limits, ms: number): Promise<DrawnItem[]> {
  return (await inTime(limits, ms, bound => tab.race(bound, ask(cdp, id)))) ?? [];
}

/** Types that chart libraries listen for; of more listeners than that no more are looked into. */
const TYPES = new Set(['click', 'mousemove', 'mousedown']);
const MOST_LISTENERS = 2;

/** Objects in the page: an element, and what the listener holds on to in which its library was found: its scopes, or what it is bound to. */
interface Held {
  element: string;
  holder: string;
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
  // Of a bound function, `handler` is what it calls.
  const handlers = listeners.flatMap(({ type, originalHandler, handler }) =>
    TYPES.has(type) ? ((originalHandler ?? handler)?.objectId ?? []) : [],
  );
  const holders = await Promise.all(handlers.slice(0, MOST_LISTENERS).map(objectId => holderOf(cdp, objectId)));
  // Last the element itself: a global variable may know it.
  for (const holder of [...holders.filter(one => one !== undefined), element]) {
    const items = await read(cdp, { element, holder });
    if (!items.length) continue;
    known.set(id, { element, holder });
    return items;
  }
  void cdp.send('Runtime.releaseObjectGroup', { objectGroup: `tabwright-drawn-${id}` }).catch(() => undefined);
  return [];
}

/** The scopes of a function, and what it is bound to, are reachable by the debugger alone. */
async function holderOf(cdp: CdpSession, objectId: string): Promise<string | undefined> {
  const { internalProperties } = await cdp.send('Runtime.getProperties', { objectId, ownProperties: true });
  const inner = (key: string) => internalProperties?.find(({ name }) => name === key)?.value?.objectId;
  return inner('[[BoundThis]]') ?? inner('[[Scopes]]');
}

async function read(cdp: CdpSession, held: Held): Promise<DrawnItem[]> {
  const items = await readNow(cdp, held);
  if (items[0]?.key !== '') return items;
  await cdp.send('Runtime.evaluate', { expression: 'new Promise(requestAnimationFrame)', awaitPromise: true });
  return (await readNow(cdp, held)).filter(({ key }) => key !== '');
}

async function readNow(cdp: CdpSession, { element, holder }: Held): Promise<DrawnItem[]> {
  const { result, exceptionDetails } = await cdp.send('Runtime.callFunctionOn', {
    objectId: holder,
    functionDeclaration: SOURCE,
    arguments: [{ objectId: element }],
    returnByValue: true,
    throwOnSideEffect: true,
  });
  return exceptionDetails || !Array.isArray(result.value) ? [] : (result.value as DrawnItem[]).filter(isItem);
}

const isItem = ({ word, name, key, x, y }: DrawnItem): boolean =>
  [word, name, key].every(text => typeof text === 'string') && Number.isFinite(x) && Number.isFinite(y);
