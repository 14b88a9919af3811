// Fingerprints: a cheap summary of an element's text and attributes, the same from a capture and from inside the page.
// An action compares the two to notice that the element behind a ref has become something else.
import type * as builtIn from '../../inpage/built-in.ts';
import { ELEMENT, type SnapNode, TEXT, up } from './node.ts';

// Both sides: these attributes, then the text of each label, then of the element; one per line. Text is read in document order
// up to MAX characters or STEPS nodes, and left out (UNREAD) where a shadow root or a slot makes the two trees differ.
const ATTRIBUTES = ['type', 'role', 'aria-label', 'title', 'alt', 'placeholder'];
const MAX = 120;
const STEPS = 300;
const UNREAD = '?';
/** Tags whose content is a value, a script, or not in the captured tree. */
const CLOSED = new Set('textarea script style template noscript iframe video audio object meter progress'.split(' '));

/** '' when the page could not compute the same: then do not compare. */
export function nodeFingerprint(n: SnapNode): string {
  const labels = labelsOf(n);
  const texts = labels && [...labels, n].map(readText);
  if (!texts || texts.includes(undefined)) return '';
  return [n.tag, ...ATTRIBUTES.map(name => n.attrs[name] ?? ''), ...texts].join('\n');
}

const isCustom = (n: SnapNode): boolean => n.tag.includes('-');

/** Undefined where a custom element may have taken the label: only the page knows. */
function labelsOf(n: SnapNode): SnapNode[] | undefined {
  if (isCustom(n)) return [];
  const around = up(n, p => p.tag === 'label' && p.attrs.for === undefined);
  const taker = around && n.doc.controls.get(around);
  return taker && isCustom(taker) ? undefined : (n.doc.labels.get(n) ?? []);
}

/** Undefined: a closed root below, which the page cannot see. */
function readText(root: SnapNode): string | undefined {
  const stack = [root];
  let text = '';
  for (let steps = 0; stack.length && steps < STEPS && text.length < MAX; steps++) {
    const n = stack.pop() as SnapNode;
    if (n.type === TEXT) {
      const words = n.raw.replace(/\s+/g, ' ').trim();
      if (words) text += (text && ' ') + words;
      continue;
    }
    if (CLOSED.has(n.tag)) continue;
    if (n.tag === 'slot' || (root.shadow && isCustom(n))) return UNREAD;
    for (let i = n.kids.length - 1; i >= 0; i--) {
      const kid = n.kids[i] as SnapNode;
      if (kid.pseudo || (kid.type !== ELEMENT && kid.type !== TEXT)) continue;
      if (kid.shadow !== root.shadow) return kid.shadow === 'closed' ? undefined : UNREAD;
      stack.push(kid);
    }
  }
  return text.slice(0, MAX);
}

/** Our in-page functions that read properties. */
declare const tabwright: typeof builtIn;

/** Runs inside the page. Sent as text: it uses nothing from outside, and has no inner functions that a compiler could wrap. */
export function elementFingerprint(el: Element): string {
  const closed = '|textarea|script|style|template|noscript|iframe|video|audio|object|meter|progress|';
  const self = tabwright.property(el, 'localName').toLowerCase();
  const parts = [self];
  for (const name of ['type', 'role', 'aria-label', 'title', 'alt', 'placeholder'])
    parts.push(tabwright.method(el, 'getAttribute', name) ?? '');
  const inShadow = tabwright.method(el, 'getRootNode') !== tabwright.property(el, 'ownerDocument');
  const labels = self.includes('-') || self === 'form' ? null : (el as HTMLInputElement).labels;
  for (const root of [...(labels ?? []), el]) {
    const stack: Node[] = [root];
    let text = '';
    for (let steps = 0; stack.length && steps < 300 && text.length < 120; steps++) {
      const node = stack.pop() as Element;
      if (tabwright.property(node, 'nodeType') === 3) {
        const words = (node.nodeValue ?? '').replace(/\s+/g, ' ').trim();
        if (words) text += (text && ' ') + words;
        continue;
      }
      const tag = tabwright.property(node, 'localName').toLowerCase();
      if (closed.includes(`|${tag}|`)) continue;
      if (tag === 'slot' || tabwright.property(node, 'shadowRoot') || (inShadow && tag.includes('-'))) {
        text = '?';
        break;
      }
      const last = tabwright.property(node, 'lastChild');
      for (let kid = last; kid; kid = tabwright.property(kid, 'previousSibling'))
        if ([1, 3].includes(tabwright.property(kid, 'nodeType'))) stack.push(kid);
    }
    parts.push(text.slice(0, 120));
  }
  return parts.join('\n');
}
