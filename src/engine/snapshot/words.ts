// The word that stands for an element in a printed snapshot: its ARIA role where it has one, else why it can be hit.
import { type Hit, hitOf } from './hits.ts';
import type { SnapNode } from './node.ts';
import { roleOf } from './roles.ts';

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
  ('generic none paragraph strong emphasis code mark subscript superscript deletion insertion time LabelText marker').split(' '),
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

export function wordOf(n: SnapNode, hit: Hit = hitOf(n)): string {
  const role = roleOf(n);
  if (!PLAIN.has(role)) return WORDS.get(role) ?? role;
  if (hit === 'shape') return n.html ? 'img' : n.tag;
  const word = HIT_WORDS[hit];
  if (word) return word;
  return role === 'generic' || role === 'none' ? n.tag : role === 'LabelText' ? 'label' : role;
}
