// From Playwright's locators to elements by identity, so that selectors and refs are acted on by the same code.
import type { Frame, Locator } from 'playwright-core';
import { defined } from '../../defined.ts';
import { ellipsis } from '../../ellipsis.ts';
import { Failure } from '../../errors.ts';
import { noun, phrase, refName, TAKE_SNAPSHOT } from '../../text.ts';
import { callWithMatches, isPageError } from '../browser/playwright.ts';
import type { Limits } from '../limits.ts';
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

type Root = Frame | Locator;
type Role = Parameters<Frame['getByRole']>[0];

/** Semantic locators, inside a frame or inside another locator. */
export function semantic(root: Root, by: Strategy, value: string, options: SemanticOptions = {}): Locator {
  const exact = defined({ exact: options.exact });
  switch (by) {
    case 'role':
      return byRole(root, value, options);
    case 'text':
      return root.getByText(value, exact);
    case 'label':
      return root.getByLabel(value, exact);
    case 'placeholder':
      return root.getByPlaceholder(value, exact);
    case 'alt':
      return root.getByAltText(value, exact);
    case 'title':
      return root.getByTitle(value, exact);
    case 'testid':
      return root.getByTestId(value);
  }
}

/** `role:button`, also with its name: `role:button[name="Save"]` or `role:button "Save"`. */
function byRole(root: Root, value: string, options: SemanticOptions): Locator {
  const named = /^(\S+?)(?:\[name=["']?(.*?)["']?\]|\s+"(.*)")$/s.exec(value);
  const role = (named?.[1] ?? value).toLowerCase() as Role;
  const name = options.name ?? named?.[2] ?? named?.[3];
  const { exact, level, checked, pressed, expanded, include_hidden: includeHidden } = options;
  return root.getByRole(role, defined({ name, exact, level, checked, pressed, expanded, includeHidden }));
}

export function locatorOf(frame: Frame, target: Selector): Locator {
  if (target.kind === 'semantic') return semantic(frame, target.by, target.value);
  return frame.locator(target.kind === 'xpath' ? `xpath=${target.value}` : `css=${target.value}`);
}

/** Where a locator searches, and for which call. */
export interface SearchScope {
  tab: Tab;
  limits: Limits;
  place: FrameSession;
  /** What the caller called the elements, for messages. */
  description: string;
}

export const MOST_MATCHES = 100;

let stashes = 0;

/** The elements that a locator matches now, in page order; at most MOST_MATCHES of them, with the count of all. */
export async function elementsOf(
  locator: Locator,
  scope: SearchScope,
): Promise<{ count: number; elements: Element[] }> {
  const key = `tabwright.stash.${++stashes}`;
  const { result: count = 0, world } = await scope.tab.race(scope.limits, stash(locator, key, scope.description));
  return { count, elements: count === 0 ? [] : await unstash(scope, key, world) };
}

/** Leaves the matches in Playwright's script world, where our CDP session can fetch them and the page cannot reach them. */
async function stash(locator: Locator, key: string, description: string) {
  const leave = ({ elements }: { elements: globalThis.Element[] }, [name, limit]: [string, number]): number => {
    Object.assign(globalThis, { [name]: elements.slice(0, limit) });
    return elements.length;
  };
  try {
    return await callWithMatches(locator, leave, [key, MOST_MATCHES]);
  } catch (error) {
    throw badSelector(error, description) ?? brokenSearch(error, description) ?? error;
  }
}

/** Elements of odd namespaces, for one, are more than Playwright's search by role expects. */
function brokenSearch(error: unknown, description: string): Failure | undefined {
  if (!isPageError(error)) return undefined;
  const [why = ''] = error.message.split('\n');
  return new Failure(
    'script_error',
    `An element of the page broke the search for ${description}: ${ellipsis(why, 200)}`,
    phrase`Use CSS, or a ${noun('ref')}: ${TAKE_SNAPSHOT}.`,
  );
}

function badSelector(error: unknown, description: string): Failure | undefined {
  const text = error instanceof Error ? error.message : '';
  const why =
    /(Unexpected token[^\n]*|Unknown engine[^\n]*|is not a valid (?:selector|XPath)[^\n]*|Failed to execute '(?:querySelectorAll|evaluate)'[^\n]*|Unsupported token[^\n]*|Malformed[^\n]*|while parsing[^\n]*|Role must not be empty[^\n]*|Unknown role[^\n]*|Invalid (?:selector|XPath)[^\n]*)/i.exec(
      text,
    )?.[1];
  if (why === undefined) return undefined;
  return new Failure(
    'bad_input',
    `${description} cannot be read as a selector: ${why.slice(0, 200)}`,
    phrase`Use a ${noun('ref')} such as ${refName(5)}, role:button, text:Save, CSS, or xpath=….`,
  );
}

async function unstash(scope: SearchScope, key: string, world: string): Promise<Element[]> {
  const { tab, limits, place, description } = scope;
  const { cdp, id: frame } = place;
  const contextId = cdp.namedWorld(world, frame);
  const take = `(() => { const key = ${JSON.stringify(key)}, list = globalThis[key]; delete globalThis[key]; return list; })()`;
  const list =
    contextId === undefined
      ? undefined
      : (await tab.send(limits, cdp, 'Runtime.evaluate', { expression: take, contextId })).result.objectId;
  if (list === undefined) throw new Failure('not_found', 'The page changed while it was searched.', 'Try again.');
  const { result: properties } = await tab.send(limits, cdp, 'Runtime.getProperties', {
    objectId: list,
    ownProperties: true,
  });
  const objects = properties.filter(property => /^\d+$/.test(property.name));
  const nodes = await Promise.all(
    objects.map(({ value }) => tab.send(limits, cdp, 'DOM.describeNode', { objectId: value?.objectId ?? '' })),
  );
  void cdp.send('Runtime.releaseObject', { objectId: list }).catch(() => undefined);
  return nodes.map(({ node: { backendNodeId: id } }) => new Element(tab, limits, { cdp, id, frame }, { description }));
}
