// Asks one process which elements have handlers: native listeners from Chrome, those of frameworks from the page. Its answers are hints.

import type { Protocol } from 'devtools-protocol';
import { CdpError } from '../../../cdp/errors.ts';
import type { Limits } from '../../limits.ts';
import type { CdpSession } from '../../page/cdp-session.ts';
import type { Tab } from '../../tab/tab.ts';
import { EVENT_KINDS } from './kinds.ts';
import { handlersQuestion, NAMES_QUESTION, readNames } from './page-script.ts';

/** Backend node id → bits of Handler. */
export type HandlerBits = Map<number, number>;

export interface ProcessHandlers {
  process: string;
  native: HandlerBits;
  /** Elements with native listeners of very many types. */
  roots: Set<number>;
  hinted: HandlerBits;
}

/** React listens for some eighty types at its root. */
const MOST_TYPES = 20;

/** The document of a session, held on to until another is loaded: one question less. */
const documents = new WeakMap<CdpSession, { loader: string | undefined; objectId: Promise<string | undefined> }>();

function documentOf(cdp: CdpSession): Promise<string | undefined> {
  const loader = cdp.loaders.get(cdp.root);
  const known = documents.get(cdp);
  if (known && known.loader === loader) return known.objectId;
  const objectId = cdp.send('Runtime.evaluate', { expression: 'document' }).then(({ result }) => result.objectId);
  documents.set(cdp, { loader, objectId });
  objectId.catch(() => documents.delete(cdp));
  return objectId;
}

/** The listeners that Chrome knows, in the documents of one process. */
export async function nativeListeners(
  tab: Tab,
  cdp: CdpSession,
  limits: Limits,
): Promise<Omit<ProcessHandlers, 'hinted'>> {
  const objectId = await tab.race(limits, documentOf(cdp));
  const found = { process: cdp.key, native: new Map<number, number>(), roots: new Set<number>() };
  if (objectId === undefined) return found;
  const params = { objectId, depth: -1, pierce: true };
  const { listeners } = await tab.send(limits, cdp, 'DOMDebugger.getEventListeners', params);
  const types = new Map<number, Set<string>>();
  for (const { type, backendNodeId: id } of listeners) {
    if (id === undefined) continue;
    const known = types.get(id) ?? new Set();
    types.set(id, known.add(type));
    const kind = EVENT_KINDS[type];
    if (kind) found.native.set(id, (found.native.get(id) ?? 0) | kind);
  }
  for (const [id, { size }] of types) if (size > MOST_TYPES) found.roots.add(id);
  return found;
}

/** More frames of one process are not asked. */
const MOST_FRAMES = 30;

/** The handlers that frameworks keep on elements, in the frames of one process. `wait` tells, when asked, for how many ms more an answer is of use. */
export async function frameworkHandlers(cdp: CdpSession, wait: () => number): Promise<HandlerBits> {
  const worlds = [...cdp.worlds.values()].filter(world => !slow.get(cdp)?.has(world)).slice(0, MOST_FRAMES);
  const found = await Promise.all(worlds.map(world => inWorld(cdp, world, wait)));
  return new Map(found.flatMap(part => [...part]));
}

/** In ms; a document that takes longer over the list of names is not asked again. */
const NAMES_MS = 100;
/** Execution contexts of such documents. */
const slow = new WeakMap<CdpSession, Set<number>>();

/** None when the page is hostile or slow: without hints a snapshot is still right. */
async function inWorld(cdp: CdpSession, contextId: number, wait: () => number): Promise<HandlerBits> {
  const list = { expression: NAMES_QUESTION, contextId, returnByValue: true, timeout: NAMES_MS };
  const answer = await evaluate(cdp, list);
  if (!answer?.value) slow.set(cdp, (slow.get(cdp) ?? new Set()).add(contextId));
  const names = readNames(String(answer?.value ?? ''));
  if (!names) return new Map();
  const question = { expression: handlersQuestion(names), contextId, throwOnSideEffect: true, timeout: wait() };
  const found = await evaluate(cdp, { ...question, serializationOptions: AS_NODES });
  return found ? bitsOf(found) : new Map();
}

/** Undefined when the page does not let it be told. */
async function evaluate(
  cdp: CdpSession,
  question: Protocol.Runtime.EvaluateRequest,
): Promise<Protocol.Runtime.RemoteObject | undefined> {
  try {
    const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
      ...question,
      silent: true,
      disableBreaks: true,
    });
    const { objectId } = result;
    if (objectId !== undefined) void cdp.send('Runtime.releaseObject', { objectId }).catch(() => undefined);
    return exceptionDetails ? undefined : result;
  } catch (error) {
    if (error instanceof CdpError) return undefined;
    throw error;
  }
}

const AS_NODES: Protocol.Runtime.SerializationOptions = {
  serialization: 'deep',
  maxDepth: 2,
  additionalParameters: { maxNodeDepth: 0, includeShadowTree: 'none' },
};

interface Serialized {
  value?: unknown;
}

function bitsOf({ deepSerializedValue }: Protocol.Runtime.RemoteObject): HandlerBits {
  const [nodes, kinds] = (deepSerializedValue?.value ?? []) as Serialized[];
  const bits = String(kinds?.value ?? '').split(',');
  const found: HandlerBits = new Map();
  ((nodes?.value ?? []) as { value?: { backendNodeId?: number } }[]).forEach(({ value }, at) => {
    const id = value?.backendNodeId;
    if (id !== undefined) found.set(id, (found.get(id) ?? 0) | Number(bits[at]));
  });
  return found;
}
