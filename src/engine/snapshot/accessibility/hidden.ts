// Decides which nodes of a document are hidden, and why: fills exempt, visible, hidden and editing of every node.
import { css, DOCUMENT, ELEMENT, Hidden, once, type SnapDoc, type SnapNode, TEXT } from '../capture/node.ts';
import { wordSet } from './role-data.ts';

const NEVER = wordSet(
  'head script style template noscript meta link title base param source track datalist defs clippath symbol',
);
/** Reasons that hide the whole subtree. */
const GONE = Hidden.never | Hidden.inert | Hidden.unrendered;
const INHERITED = GONE | Hidden.aria;

export function hide(doc: SnapDoc): void {
  doc.modal = doc.nodes.findLast(isModal);
  for (const n of doc.nodes) {
    n.hidden = reasons(n);
    n.editing = n.type === ELEMENT ? isEditing(n) : (n.parent?.editing ?? false);
  }
  if (doc.moved) for (const n of doc.nodes) if (n.owner) settleOwner(n, n.owner);
}

/** A hidden owner owns nothing; a shown one takes a node out of aria-hidden. */
function settleOwner(n: SnapNode, owner: SnapNode): void {
  if (!owner.hidden) {
    if (n.hidden === Hidden.aria) unhide(n);
    return;
  }
  n.owner = undefined;
  owner.owned = owner.owned?.filter(other => other !== n);
}

/** `dialog popover` could be either: taken as not modal. */
const isModal = (n: SnapNode): boolean =>
  n.tag === 'dialog' && css(n, 'overlay') === 'auto' && n.attrs.popover === undefined;

function reasons(n: SnapNode): number {
  const inherited = n.parent ? n.parent.hidden & INHERITED : fromOwner(n.doc.owner);
  if (inherited & GONE) return inherited;
  if (n.type === DOCUMENT) return inherited;
  if (!n.rendered) n.exempt = isExempt(n);
  const own = n.type === ELEMENT ? elementReason(n) : textReason(n);
  if (own & GONE) return inherited | own;
  const visibility = css(n, 'visibility');
  n.visible = visibility ? visibility === 'visible' : (n.parent?.visible ?? true);
  return inherited | own | (n.visible ? 0 : Hidden.visibility) | behindModal(n);
}

/** In design mode Chrome reports even the head as clickable. */
const isDesigned = (n: SnapNode): boolean =>
  n.tag === 'html' && n.kids.some(kid => kid.tag === 'head' && kid.clickable);

function isEditing(n: SnapNode): boolean {
  const { contenteditable } = n.attrs;
  if (contenteditable === undefined) return (n.parent?.editing ?? false) || isDesigned(n);
  return (
    /^(|true|plaintext-only)$/i.test(contenteditable) || (contenteditable !== 'false' && (n.parent?.editing ?? false))
  );
}

/** A hidden iframe hides its document. */
const fromOwner = (owner: SnapNode | undefined): number =>
  owner?.hidden ? (owner.hidden === Hidden.aria ? Hidden.aria : Hidden.unrendered) : 0;

function elementReason(n: SnapNode): number {
  if (NEVER.has(n.tag) && (n.html || n.tag !== 'title')) return Hidden.never;
  if (n.attrs.inert !== undefined) return Hidden.inert;
  if (isUnrendered(n)) return Hidden.unrendered;
  return isAriaHidden(n) && n.tag !== 'body' && n.tag !== 'html' ? Hidden.aria : 0;
}

/** Chrome takes any other value as true. */
const isAriaHidden = (n: SnapNode): boolean => !/^(|false|undefined)$/i.test(n.attrs['aria-hidden'] ?? '');

function textReason(n: SnapNode): number {
  if (n.type !== TEXT) return Hidden.never;
  return isUnrendered(n) ? Hidden.unrendered : 0;
}

const isUnrendered = (n: SnapNode): boolean => (!n.rendered && !n.exempt) || isSkipped(n);

/** Under a closed details or content-visibility:hidden, layout keeps stale boxes: decide by the parent, never by box. */
function isSkipped(n: SnapNode): boolean {
  const p = n.parent;
  if (!p) return false;
  if (css(p, 'content-visibility') === 'hidden') return true;
  if (p.tag !== 'details' || !p.html || p.attrs.open !== undefined || n.pseudo) return false;
  return n.tag !== 'summary' || p.kids.find(kid => kid.tag === 'summary') !== n;
}

function isExempt(n: SnapNode): boolean {
  const p = n.parent;
  if (!p || p.exempt) return true;
  if (p.tag === 'canvas' && p.rendered) return true;
  if (n.type === TEXT) return false;
  if (n.tag === 'area') return n.doc.maps.has(`#${p.attrs.name}`);
  if ((n.tag === 'option' || n.tag === 'optgroup') && p.rendered) return true;
  return css(p, 'content-visibility') === 'auto' && isOffScreen(p);
}

/** content-visibility:auto skips the layout of children that are off screen. */
const isOffScreen = once((p: SnapNode) => !p.kids.some(kid => kid.rendered));

function behindModal(n: SnapNode): number {
  const { modal } = n.doc;
  if (!modal || n === modal) return 0;
  return !n.parent || n.parent.type === DOCUMENT ? Hidden.modal : n.parent.hidden & Hidden.modal;
}

function unhide(n: SnapNode): void {
  if (isAriaHidden(n)) return;
  n.hidden &= ~Hidden.aria;
  for (const kid of n.kids) unhide(kid);
}
