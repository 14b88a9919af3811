// Names that an element's own attributes give it by the rules of HTML and SVG: alt, value, label, title, placeholder.

import { ELEMENT, rawText, type SnapNode } from '../capture/node.ts';
import { inputType, isInput } from './controls.ts';

/** What Chrome writes on buttons that have no text. */
const BUTTON_TEXT = new Map([
  ['submit', 'Submit'],
  ['reset', 'Reset'],
  ['button', ''],
]);

/** A name that counts more than content. */
export function attributeName(n: SnapNode): string {
  if (!n.html) return n.type === ELEMENT ? svgName(n) : '';
  const { attrs } = n;
  switch (n.tag) {
    case 'input':
      return inputName(n);
    case 'img':
    case 'area':
      return attrs.alt ?? '';
    case 'optgroup':
    case 'option':
      return attrs.label ?? '';
    case 'iframe':
      return attrs.title ?? '';
    default:
      return '';
  }
}

function svgName(n: SnapNode): string {
  const title = n.kids.find(kid => kid.tag === 'title' && !kid.html);
  return title ? rawText(title) : (n.attrs['xlink:title'] ?? '');
}

function inputName(n: SnapNode): string {
  const { attrs } = n;
  const type = inputType(n);
  const text = BUTTON_TEXT.get(type);
  if (text !== undefined) return attrs.value === undefined ? n.value || text : (n.value ?? attrs.value);
  if (type === 'file') return attrs.multiple === undefined ? 'Choose File' : 'Choose Files';
  if (type === 'image') return attrs.alt || attrs.title || attrs.value || 'Submit';
  return '';
}

const WITH_PLACEHOLDER = new Set(['textbox', 'searchbox', 'spinbutton', 'combobox']);

/** A name of last resort, when content gives none. */
export function lastName(n: SnapNode, role: string): string {
  const { title, alt, placeholder } = n.attrs;
  if (title && !(n.tag === 'img' && alt === '')) return title;
  return WITH_PLACEHOLDER.has(role) || isInput(n) ? placeholder || n.attrs['aria-placeholder'] || '' : '';
}
