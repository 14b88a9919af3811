// From the steps of a selector to elements by identity, so that selectors and refs are acted on by the same code.
import type { Protocol } from 'devtools-protocol';
import { CdpError } from '../../cdp/errors.ts';
import { defined } from '../../defined.ts';
import { ellipsis } from '../../ellipsis.ts';
import { Failure } from '../../errors.ts';
import { noun, phrase, TAKE_SNAPSHOT } from '../../text.ts';
import { type Limits, pause } from '../limits.ts';
import { AS_NODES, type SerializedNode } from '../page/cdp-session.ts';
import { badSelector } from '../selectors/bad-selector.ts';
import { byRole } from '../selectors/by-role.ts';
import { readCss } from '../selectors/read-css.ts';
import { type PageStep, type RoleStep, type SelectorStep, textTest } from '../selectors/steps.ts';
import { captureRoles } from '../snapshot/capture/capture.ts';
import type { FrameSession } from '../tab/frames.ts';
import type { Tab } from '../tab/tab.ts';
import { Element } from './element.ts';
import type { Selector, Strategy } from './parse-target.ts';

export interface SemanticOptions {
  exact?: boolean | undefined;
  name?: string | undefined;
  level?: number | undefined;
  checked?: boolean | undefined;
  pressed?: boolean | undefined;
  expanded?: boolean | undefined;
  include_hidden?: boolean | undefined;
}

/** Strategies that are about an attribute. */
const ATTRIBUTES: Partial<Record<Strategy, string>> = {
  placeholder: 'placeholder',
  alt: 'alt',
  title: 'title',
  testid: 'data-testid',
};

export function semantic(by: Strategy, value: string, options: SemanticOptions = {}): SelectorStep {
  if (by === 'role') return roleStep(value, options);
  const text = textTest(value, options.exact || by === 'testid');
  const name = ATTRIBUTES[by];
  return name === undefined ? { by: by as 'text' | 'label', text } : { by: 'attribute', name, text };
}

/** `role:button`, also with its name: `role:button[name="Save"]` or `role:button "Save"`. */
function roleStep(value: string, options: SemanticOptions): SelectorStep {
  const named = /^(\S+?)(?:\[name=["']?(.*?)["']?\]|\s+"(.*)")$/s.exec(value);
  const role = (named?.[1] ?? value).toLowerCase();
  if (role === '') throw badSelector('role:', 'it names no role');
  const name = options.name ?? named?.[2] ?? named?.[3];
  const { exact, level, checked, pressed, expanded, include_hidden: includeHidden } = options;
  return {
    by: 'role',
    role,
    states: defined({ level, checked, pressed, expanded }),
    ...defined({ name: name === undefined ? undefined : textTest(name, exact), includeHidden }),
  };
}

export function stepsOf(target: Selector, description: string): SelectorStep[] {
  if (target.kind === 'semantic') return [semantic(target.by, target.value)];
  return target.kind === 'xpath' ? [{ by: 'xpath', value: target.value }] : readCss(target.value, description);
}

/** Where to search, and for which call. */
export interface SearchScope {
  tab: Tab;
  limits: Limits;
  place: FrameSession;
  /** What the caller called the elements, for messages. */
  description: string;
}

export const MOST_MATCHES = 100;

/** Of what a step finds, as much is searched in by the next. */
const MOST_SCOPES = 10_000;

/** A page that is left in the middle of the search is searched again once it has been replaced. */
const TRIES = 3;

interface Matches {
  count: number;
  /** Backend node ids. */
  ids: number[];
}

const NONE: Matches = { count: 0, ids: [] };

/** The elements that the steps lead to now, in page order; at most MOST_MATCHES of them, with the count of all. */
export async function elementsOf(
  steps: readonly SelectorStep[],
  scope: SearchScope,
): Promise<{ count: number; elements: Element[] }> {
  const { tab, limits, place, description } = scope;
  const { count, ids } = await matches(steps, scope);
  const { cdp, id: frame } = place;
  const elements = ids.slice(0, MOST_MATCHES).map(id => new Element(tab, limits, { cdp, id, frame }, { description }));
  return { count, elements };
}

async function matches(steps: readonly SelectorStep[], scope: SearchScope): Promise<Matches> {
  for (let left = TRIES; left > 0; left--) {
    const found = await unlessLeft(follow(steps, scope));
    if (found) return found;
  }
  throw new Failure('not_found', 'The page changed while it was searched.', 'Try again.');
}

/** Steps by role are taken on a capture, those between them inside the page. */
async function follow(steps: readonly SelectorStep[], scope: SearchScope): Promise<Matches> {
  let found: Matches | undefined;
  for (let at = 0; at < steps.length && found?.count !== 0; ) {
    const step = steps[at];
    if (step?.by === 'role') {
      found = await inCapture(step, scope, found?.ids);
      at++;
    } else if (step?.by === 'nth' && found) {
      const id = found.ids.at(step.index);
      found = id === undefined ? NONE : { count: 1, ids: [id] };
      at++;
    } else {
      const next = steps.findIndex((other, index) => index > at && other.by === 'role');
      const end = next < 0 ? steps.length : next;
      found = await inPage(
        steps.slice(at, end) as PageStep[],
        scope,
        next < 0 ? MOST_MATCHES : MOST_SCOPES,
        found?.ids,
      );
      at = end;
    }
  }
  return found ?? NONE;
}

async function inCapture(step: RoleStep, { tab, limits, place }: SearchScope, from?: number[]): Promise<Matches> {
  const { docs } = await captureRoles(tab, place.cdp, limits);
  const doc = docs.find(({ frame }) => frame === place.id);
  const ids = doc ? byRole(doc, step, from && new Set(from)) : [];
  return { count: ids.length, ids };
}

/** One round trip, when it does not begin at elements that were found before. */
async function inPage(steps: PageStep[], scope: SearchScope, limit: number, from: number[] = []): Promise<Matches> {
  const { tab, limits, place, description } = scope;
  const executionContextId = await tab.race(limits, place.cdp.own(place.id));
  const scopes = await Promise.all(
    from.map(backendNodeId => tab.send(limits, place.cdp, 'DOM.resolveNode', { backendNodeId, executionContextId })),
  );
  const { result, exceptionDetails } = await tab.send(limits, place.cdp, 'Runtime.callFunctionOn', {
    functionDeclaration: 'function(steps, limit, ...scopes) { return tabwright.firstMatches(steps, limit, scopes); }',
    arguments: [
      { value: steps },
      { value: limit },
      ...scopes.map(({ object }) => defined({ objectId: object.objectId })),
    ],
    executionContextId,
    serializationOptions: AS_NODES,
  });
  if (exceptionDetails) throw broken(exceptionDetails, description);
  const [count, ...nodes] = (result.deepSerializedValue?.value ?? []) as [{ value: number }, ...SerializedNode[]];
  // They may have gone with their page.
  for (const { objectId } of [result, ...scopes.map(({ object }) => object)])
    if (objectId !== undefined) void place.cdp.send('Runtime.releaseObject', { objectId }).catch(() => undefined);
  return { count: count.value, ids: nodes.map(node => node.value?.backendNodeId).filter(id => id !== undefined) };
}

/** The page refuses the selector, or an element of it is more than our scripts expect. */
function broken({ exception, text }: Protocol.Runtime.ExceptionDetails, description: string): Error {
  const [why = ''] = (exception?.description ?? text).split('\n');
  // Chrome has given the number of our script world to another one, of the page that came next.
  if (why.includes('tabwright is not defined')) return new CdpError('Runtime.callFunctionOn', 'Cannot find context');
  const refused = /^(?:\w+: )?Failed to execute '(?:querySelectorAll|matches|evaluate)' on '\w+': (.*)$/.exec(why)?.[1];
  if (refused !== undefined) return badSelector(description, refused);
  return new Failure(
    'script_error',
    `An element of the page broke the search for ${description}: ${ellipsis(why, 200)}`,
    phrase`Use CSS, or a ${noun('ref')}: ${TAKE_SNAPSHOT}.`,
  );
}

/** In ms: how long a change is waited for that is none of the document's nodes. */
const UNSEEN_MS = 100;

/** Looks again with each change of the page, until the steps lead to an element, or to none. The page may be left meanwhile: then the next one counts. */
export async function untilMatch(
  steps: readonly SelectorStep[],
  { frameId = 0, isThere = true }: { frameId?: number | undefined; isThere?: boolean },
  scope: Omit<SearchScope, 'place'>,
): Promise<void> {
  const { tab, limits } = scope;
  for (;;) {
    const began = performance.now();
    const place = tab.frames.byNumber(frameId, limits);
    const found = await unlessLeft(follow(steps, { ...scope, place }));
    if (found && found.count > 0 === isThere) return;
    // A search that takes long is not made all the time.
    const cost = performance.now() - began;
    const change = unlessLeft(changed(place, Math.max(UNSEEN_MS, 4 * cost), scope));
    await Promise.all([change, tab.race(limits, pause(limits.signal, cost))]);
  }
}

async function changed(
  { cdp, id }: FrameSession,
  most: number,
  { tab, limits }: Omit<SearchScope, 'place'>,
): Promise<void> {
  const contextId = await tab.race(limits, cdp.own(id));
  const expression = `tabwright.nextChange(${most})`;
  await tab.send(limits, cdp, 'Runtime.evaluate', { expression, contextId, awaitPromise: true });
}

/** Undefined when the page was left meanwhile. */
async function unlessLeft<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof CdpError && error.isGone) return undefined;
    throw error;
  }
}
