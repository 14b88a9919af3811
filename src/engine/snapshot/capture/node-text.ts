// Text of nodes: rendered pieces, generated content, whitespace, and what a person sees below an element.
import { css, ELEMENT, Hidden, kidsOf, type SnapNode, TEXT } from './node.ts';

const INLINE = new Set(['inline', 'contents', '', 'ruby', 'ruby-text']);

export const isInline = (n: SnapNode): boolean => INLINE.has(css(n, 'display'));

export const squash = (text: string): string => text.replace(/[\s\u200b]+/g, ' ').trim();

/** Icon fonts put their glyphs into the private use areas: noise to a reader. */
export const stripIcons = (text: string): string => text.replace(/\p{Co}+/gu, '');

export const isBlank = (text: string): boolean => !/[^\s\u200b\p{Co}]/u.test(text);

export const textOf = (n: SnapNode): string => n.shown ?? n.raw;

/** Generated content, or the text that `content: … / "text"` gives for it. Markers of list items say nothing. */
export function pseudoText(n: SnapNode): string {
  if (n.pseudo === 'marker') return '';
  const alt = / \/ "((?:[^"\\]|\\.)*)"$/.exec(css(n, 'content'))?.[1];
  const text = alt ?? n.shown ?? '';
  return isInline(n) && alt === undefined ? text : ` ${text} `;
}

/** Why a node's text is not seen. Below a hit inside aria-hidden, aria-hidden does not count. */
const UNSEEN = Hidden.never | Hidden.inert | Hidden.unrendered | Hidden.modal;

/** What a person reads below an element, whitespace not collapsed. */
export function seenText(n: SnapNode, hidden = UNSEEN | (n.hidden & Hidden.aria ? 0 : Hidden.aria)): string {
  if (n.type === TEXT) return n.visible ? textOf(n) : '';
  if (n.pseudo) return n.visible ? pseudoText(n) : '';
  if (n.tag === 'br') return ' ';
  let text = '';
  for (const kid of kidsOf(n)) {
    if (!(kid.hidden & hidden) && (kid.type === TEXT || kid.type === ELEMENT)) text += seenText(kid, hidden);
  }
  return isInline(n) ? text : ` ${text} `;
}
