// Runs inside the page, in our own script world: CSS that looks into open shadow roots, and what we add to it.
// Self-contained: these functions are sent as text, so they use nothing but each other, our world and the DOM.

import type * as builtIn from '../inpage/built-in.ts';
import type * as match from './match.ts';
import type { CssPart, CssTest, PageStep } from './steps.ts';

/** Our in-page functions of other files are called through it. */
declare const tabwright: typeof builtIn & typeof match;

export function cssIn(
  scope: ParentNode & Node,
  { list, native }: Extract<PageStep, { by: 'css' }>,
  known: match.KnownTexts,
): Element[] {
  const all = tabwright.elementsIn(scope);
  if (native !== undefined) {
    // It also refuses what is no CSS.
    const found = tabwright.method(document, 'querySelectorAll', native);
    const hasShadow = () => all.length > tabwright.method(document, 'querySelectorAll', '*').length;
    if (scope === document && !hasShadow()) return [...found];
  }
  return all.filter(el => fitsAny(el, list, scope, known));
}

export function fitsAny(el: Element, list: CssPart[][], scope: Node, known: match.KnownTexts): boolean {
  return list.some(parts => fitsUpTo(el, parts, parts.length - 1, scope, known));
}

/** The element is the part at that place, and the parts before it are around it. */
export function fitsUpTo(el: Element, parts: CssPart[], at: number, scope: Node, known: match.KnownTexts): boolean {
  const part = parts[at];
  if (!part || !tabwright.method(el, 'matches', part.css || '*')) return false;
  if (!part.tests.every(test => passes(el, test, scope, known))) return false;
  return at === 0 || neighbours(el, part.combinator, scope).some(one => fitsUpTo(one, parts, at - 1, scope, known));
}

/** Those that may be the part before; of the elements around it none outside of what is searched. */
export function neighbours(el: Element, combinator: CssPart['combinator'], scope: Node): Element[] {
  const isBeside = combinator === '+' || combinator === '~';
  const step = (at: Element): Element | null => {
    if (isBeside) return tabwright.property(at, 'previousElementSibling');
    return at === scope ? null : parentOrHost(at);
  };
  const found: Element[] = [];
  for (let at = step(el); at; at = step(at)) {
    found.push(at);
    if (combinator === '>' || combinator === '+') break;
  }
  return found;
}

export function parentOrHost(el: Element): Element | null {
  const parent = tabwright.property(el, 'parentNode');
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}

export function passes(el: Element, test: CssTest, scope: Node, known: match.KnownTexts): boolean {
  switch (test.is) {
    case 'visible':
      return tabwright.isVisible(el);
    case 'scope':
      return el === (scope instanceof Document ? tabwright.property(scope, 'documentElement') : scope);
    case 'has-text':
      return tabwright.fits(tabwright.wholeText(el, known), test.text);
    case 'text':
      return tabwright.smallestWith(el, test.text, known)[0] === el;
    case 'is':
      return fitsAny(el, test.list, scope, known);
    case 'not':
      return !fitsAny(el, test.list, scope, known);
    case 'has':
      return tabwright.elementsIn(el).some(inner => fitsAny(inner, test.list, el, known));
  }
}
