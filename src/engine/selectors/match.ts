// Runs inside the page, in our own script world: the elements that the steps of a selector find, also in open shadow roots.
// Self-contained: these functions are sent as text, so they use nothing but each other, our world and the DOM.

import type * as builtIn from '../inpage/built-in.ts';
import type * as css from './match-css.ts';
import type { PageStep, TextTest } from './steps.ts';

/** Our in-page functions of other files are called through it. */
declare const tabwright: typeof builtIn & typeof css;

/** Texts that were read already, for one search. */
export type KnownTexts = Map<Node, string>;

/** The number of matches, and the first of them. */
export function firstMatches(steps: PageStep[], limit: number, scopes: Element[]): [number, ...Element[]] {
  const known: KnownTexts = new Map();
  let found: Node[] = scopes.length > 0 ? scopes : [document];
  for (const step of steps) found = takeStep(step, found, known);
  return [found.length, ...(found as Element[]).slice(0, limit)];
}

export function takeStep(step: PageStep, from: Node[], known: KnownTexts): Element[] {
  const elements = from as Element[];
  switch (step.by) {
    case 'nth': {
      const one = elements.at(step.index);
      return one ? [one] : [];
    }
    case 'visible':
      return elements.filter(isVisible);
    case 'hasText':
      return elements.filter(el => fits(wholeText(el, known), step.text));
    case 'hasNotText':
      return elements.filter(el => !fits(wholeText(el, known), step.text));
    case 'any': {
      const found = new Set(step.steps.flatMap(one => takeStep(one, from, known)));
      return elementsIn(document).filter(el => found.has(el));
    }
    default:
      return [...new Set(from.flatMap(scope => findIn(scope as ParentNode & Node, step, known)))];
  }
}

export function findIn(
  scope: ParentNode & Node,
  step: Exclude<PageStep, { by: 'nth' | 'visible' | 'hasText' | 'hasNotText' | 'any' }>,
  known: KnownTexts,
): Element[] {
  switch (step.by) {
    case 'css':
      return tabwright.cssIn(scope, step, known);
    case 'xpath':
      return xpathIn(scope, step.value);
    case 'text':
      return smallestWith(scope, step.text, known);
    case 'label':
      return elementsIn(scope).filter(el => labelTexts(el, known).some(text => fits(text, step.text)));
    case 'attribute':
      return elementsIn(scope).filter(el => {
        const value = tabwright.method(el, 'getAttribute', step.name);
        return value !== null && fits(value, step.text);
      });
  }
}

/** All elements below, each before those in its shadow root, and these before its children. */
export function elementsIn(scope: ParentNode & Node): Element[] {
  const into: Element[] = [];
  const walk = (root: ParentNode): void => {
    for (const el of tabwright.method(root, 'querySelectorAll', '*')) {
      into.push(el);
      const shadow = tabwright.property(el, 'shadowRoot');
      if (shadow) walk(shadow);
    }
  };
  const own = scope instanceof Element ? tabwright.property(scope, 'shadowRoot') : null;
  if (own) walk(own);
  walk(scope);
  return into;
}

export function xpathIn(scope: Node, value: string): Element[] {
  const path = value.startsWith('/') && scope !== document ? `.${value}` : value;
  const list = XPathResult.ORDERED_NODE_SNAPSHOT_TYPE;
  const found = tabwright.method(document, 'evaluate', path, scope, null, list, null);
  return Array.from({ length: found.snapshotLength }, (_, at) => found.snapshotItem(at)).filter(
    node => node instanceof Element,
  );
}

/** Elements whose text fits, while that of none of their parts does. */
export function smallestWith(scope: Node, test: TextTest, known: KnownTexts): Element[] {
  const found: Element[] = [];
  const visit = (node: Node): boolean => {
    if (isSilent(node)) return false;
    const isFitting = fits(wholeText(node, known), test);
    // What is in a part is in the whole as well.
    if (!isFitting && test.how === 'part') return false;
    const at = found.length;
    const inner = elementParts(node).filter(visit);
    if (isFitting && inner.length === 0 && node instanceof Element) found.splice(at, 0, node);
    return isFitting;
  };
  visit(scope);
  return found;
}

export function elementParts(node: Node): Node[] {
  const shadow = node instanceof Element ? tabwright.property(node, 'shadowRoot') : null;
  const children = [...tabwright.property(node, 'childNodes')].filter(child => child instanceof Element);
  return shadow ? [shadow, ...children] : children;
}

/** All text in a node, shown or not, also in its shadow root; of a button made of an input, what it says. */
export function wholeText(node: Node, known: KnownTexts): string {
  const before = known.get(node);
  if (before !== undefined) return before;
  let text = '';
  if (node instanceof HTMLInputElement && /^(button|submit|reset)$/.test(node.type)) text = node.value;
  else if (
    !(node instanceof Element) ||
    !/^(head|script|style|noscript)$/.test(tabwright.property(node, 'localName'))
  ) {
    for (const child of tabwright.property(node, 'childNodes'))
      if (child instanceof Text) text += child.data;
      else if (child instanceof Element) text += wholeText(child, known);
    const shadow = node instanceof Element ? tabwright.property(node, 'shadowRoot') : null;
    if (shadow) text += wholeText(shadow, known);
  }
  known.set(node, text);
  return text;
}

/** What it holds is no text of the page. */
export function isSilent(node: Node): boolean {
  return node instanceof Element && /^(head|script|style|noscript)$/.test(tabwright.property(node, 'localName'));
}

export function fits(text: string, test: TextTest): boolean {
  if (test.how === 'regex') return new RegExp(test.value, test.flags).test(text);
  const [there, wanted] = [text, test.value].map(one =>
    one
      .replace(/[\u200b\u00ad]/g, '')
      .trim()
      .replace(/\s+/g, ' '),
  );
  if (there === undefined || wanted === undefined) return false;
  return test.how === 'whole' ? there === wanted : there.toLowerCase().includes(wanted.toLowerCase());
}

/** What an element is called by others, or by its aria-label. */
export function labelTexts(el: Element, known: KnownTexts): string[] {
  const named = tabwright.property(el, 'ariaLabelledByElements') ?? [];
  if (named.length > 0) return named.map(one => wholeText(one, known));
  const label = tabwright.method(el, 'getAttribute', 'aria-label') ?? '';
  if (label.trim() !== '') return [label];
  const isLabelled = /^(button|input|meter|output|progress|select|textarea)$/.test(tabwright.property(el, 'localName'));
  return isLabelled ? [...((el as HTMLInputElement).labels ?? [])].map(one => wholeText(one, known)) : [];
}

/** It has a box on the page; of one that has none of its own, something in it. */
export function isVisible(el: Element): boolean {
  if (getComputedStyle(el).display === 'contents')
    return [...tabwright.property(el, 'childNodes')].some(node => {
      if (node instanceof Element) return isVisible(node);
      return node instanceof Text && hasTextBox(node);
    });
  const { width, height } = tabwright.method(el, 'getBoundingClientRect');
  return width > 0 && height > 0 && tabwright.method(el, 'checkVisibility', { visibilityProperty: true });
}

export function hasTextBox(text: Text): boolean {
  const range = new Range();
  range.selectNode(text);
  const { width, height } = range.getBoundingClientRect();
  return width > 0 && height > 0;
}

/** Resolves with the next change of the document, or after so many ms: not every change is one of its nodes. */
export function nextChange(most: number): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      watcher.disconnect();
      clearTimeout(timer);
      resolve();
    };
    const watcher = new MutationObserver(done);
    const timer = setTimeout(done, most);
    watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
}
