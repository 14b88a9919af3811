// Runs a caller's function with elements of the page as its arguments, in the frame where they are.
import type { Protocol } from 'devtools-protocol';
import { Failure } from '../../errors.ts';
import type { Element } from '../elements/element.ts';
import { resolve } from '../elements/resolve.ts';
import type { Limits } from '../limits.ts';
import { CdpError, type CdpSession } from '../tab/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';

interface Given {
  expression: string;
  elements: readonly string[];
  /** Further arguments, as JSON. */
  args: string;
  await_promise?: boolean;
  frameId?: number | undefined;
}

export interface Called {
  wire: CdpSession;
  answer: Protocol.Runtime.CallFunctionOnResponse;
}

export async function callWith(tab: Tab, given: Given, limits: Limits): Promise<Called> {
  const found: Element[] = [];
  for (const selector of given.elements) found.push(await resolve(tab, selector, given.frameId, limits));
  const { wire, frame } = inOneFrame(found);
  const context = wire.worlds.get(frame);
  const objects: Protocol.Runtime.CallArgument[] = [];
  for (const element of found) objects.push({ objectId: await objectIn(element, context, limits) });
  const answer = await tab.send(limits, wire, 'Runtime.callFunctionOn', {
    functionDeclaration: `async function(...elements) {
      const value = (${given.expression}
      );
      return typeof value === 'function' ? value(...elements, ...${given.args}) : value;
    }`,
    arguments: objects,
    objectId: objects[0]?.objectId ?? '',
    awaitPromise: given.await_promise !== false,
    userGesture: true,
  });
  return { wire, answer };
}

/** A script cannot hold elements of two documents that may not know each other. */
function inOneFrame(found: readonly Element[]): Element['spot'] {
  const [first, ...rest] = found.map(({ spot }) => spot);
  if (!first) throw new Failure('bad_input', 'There are no elements.', 'Give some, or leave them out.');
  if (rest.some(({ frame }) => frame !== first.frame))
    throw new Failure('bad_input', 'The elements stand in different frames.', 'Give those of one frame at a time.');
  return first;
}

/** In the page's own script world: the function may call what the page has put there. */
async function objectIn(element: Element, context: number | undefined, limits: Limits): Promise<string> {
  const { wire, id: backendNodeId } = element.spot;
  try {
    const world = context === undefined ? {} : { executionContextId: context };
    const { object } = await element.tab.send(limits, wire, 'DOM.resolveNode', { backendNodeId, ...world });
    if (object.objectId !== undefined) return object.objectId;
  } catch (error) {
    if (!(error instanceof CdpError && error.isGone)) throw error;
  }
  throw element.stale();
}
