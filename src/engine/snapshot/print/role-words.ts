// The word that stands for an element in a printed snapshot: its ARIA role where it has one, else why it can be hit.
import { type Hit, hitOf } from '../accessibility/interactive.ts';
import { roleOf } from '../accessibility/roles.ts';
import type { SnapNode } from '../capture/node.ts';

/** Our own role spellings in words that models know. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    image: 'img',
    date: 'textbox',
    colorwell: 'textbox',
    file: 'button',
    dl: 'list',
    legend: 'caption',
    figcaption: 'caption',
    plugin: 'embed',
    sectionheader: 'group',
    sectionfooter: 'group',
  }),
);

/** Roles that say nothing about what a hit on them does. */
const PLAIN = new Set(
  'generic none paragraph strong emphasis code mark subscript superscript deletion insertion time LabelText marker'.split(
    ' ',
  ),
);

export const isPlain = (role: string): boolean => PLAIN.has(role);

const HIT_WORDS: Partial<Record<Hit, string>> = {
  click: 'clickable',
  cursor: 'clickable',
  focus: 'focusable',
  drag: 'draggable',
  edit: 'editable',
  scroll: 'scrollable',
};

/** Tables that only lay out still read best by rows; a div that Chrome calls a group for being draggable is just that. */
export function printedRole(n: SnapNode): string {
  const role = roleOf(n);
  if (role === 'generic' && n.html) return LAYOUT_ROLES.get(n.tag) ?? role;
  return role === 'group' && n.tag === 'div' && !n.attrs.role && n.attrs.popover === undefined ? 'generic' : role;
}
const LAYOUT_ROLES = new Map([
  ['table', 'table'],
  ['tr', 'row'],
  ['td', 'cell'],
]);

export function wordOf(n: SnapNode, hit: Hit = hitOf(n)): string {
  const role = printedRole(n);
  if (!PLAIN.has(role)) return WORDS.get(role) ?? role;
  if (hit && !n.html) return n.tag === 'svg' ? 'img' : n.tag;
  if (hit === 'shape') return n.tag === 'canvas' ? 'canvas' : 'img';
  const word = HIT_WORDS[hit];
  if (word) return word;
  return role === 'generic' || role === 'none' ? n.tag : role === 'LabelText' ? 'label' : role;
}
