// The accessible name of a node, as Chrome computes it.
import { labelable } from '../capture/id-lookup.ts';
import {
  appended,
  areLettersOfWord,
  descendants,
  ELEMENT,
  Hidden,
  isInline,
  kidsOf,
  pseudoText,
  rawText,
  type SnapNode,
  squash,
  TEXT,
  textOf,
  up,
  visibleText,
} from '../capture/node.ts';
import { chosen, inputType, isEditable, isInput } from './controls.ts';
import {
  byWord,
  FROM_CONTENT,
  INTERACTIVE,
  NAME_PROHIBITED,
  OPAQUE,
  RANGES,
  TRANSPARENT,
  wordSet,
} from './role-data.ts';
import { ariaLabel, hasAriaName, inGrid, isBareGroup, labelledBy, roleOf } from './roles.ts';

/** More than is ever printed; keeps nested names of huge subtrees cheap. */
const MAX_NAME = 5000;

/** How a node was reached, when it is not the one being named. */
interface Via {
  /** Nodes already read; lives for one whole name, else text doubles. */
  visited: Set<SnapNode>;
  /** aria-labelledby led here. */
  reference?: boolean;
  /** The reference leads from the node to itself. */
  self?: boolean;
  /** A label led here. */
  label?: boolean;
  /** The reference names something hidden, so hidden text counts. */
  hiddenOk?: boolean;
  /** The named node is itself inside aria-hidden. */
  ariaOk?: boolean;
}

export function nameOf(n: SnapNode): string {
  n.name ??= squash(compute(n));
  return n.name;
}

/** The whole content of an element as a name: for interactive elements whose role gives no name. */
export const contentName = (n: SnapNode): string =>
  squash(content(n, { visited: new Set([n]), ariaOk: (n.hidden & Hidden.aria) !== 0 }));

function compute(n: SnapNode, via?: Via): string {
  if (n.type === TEXT) return textOf(n);
  const referred = via?.reference ? '' : fromReferences(n, via);
  if (referred) return referred;
  const role = roleOf(n);
  const value = via && !via.self ? embeddedValue(n, role, via) : undefined;
  if (value !== undefined) return value;
  const label = ariaLabel(n);
  if (label && (via || !n.html || !NAME_PROHIBITED.has(role))) return label;
  const native = role === 'none' && !via ? '' : nativeName(n, via);
  if (native) return native;
  if (n.tag === 'option' && n.html) return rawText(n);
  if (via && !via.reference && !via.label && isOpaque(n, role)) return n.attrs.title ?? '';
  return fromContent(n, role, via) || lastName(n, role);
}

/** A name from content does not include such an element. */
export const isOpaque = (n: SnapNode, role: string): boolean =>
  OPAQUE.has(role) && !TRANSPARENT.has(n.tag) && !isBareGroup(n, role);

function fromReferences(n: SnapNode, via?: Via): string {
  const targets = labelledBy(n);
  if (!targets.length) return '';
  const visited = via?.visited ?? new Set();
  return joined(targets, target => {
    visited.add(target);
    // What stands in something inert is named by its attributes alone.
    const inInert = target.parent && target.parent.hidden & Hidden.inert;
    return compute(target, { visited, reference: true, self: target === n, hiddenOk: target.hidden !== 0 && !inInert });
  });
}

const joined = (nodes: SnapNode[], name: (n: SnapNode) => string): string =>
  nodes
    .map(n => squash(name(n)))
    .filter(Boolean)
    .join(' ');

/** A control inside a name contributes its value. */
function embeddedValue(n: SnapNode, role: string, via: Via): string | undefined {
  if (!via.hiddenOk && isHiddenFor(n, via)) return undefined;
  if (RANGES.has(role)) return n.attrs['aria-valuetext'] || n.attrs['aria-valuenow'] || n.value || n.attrs.value || '';
  const isText = role === 'textbox' || role === 'searchbox';
  if (!isText && role !== 'combobox' && role !== 'listbox') return undefined;
  if (isField(n)) return n.value || undefined;
  return isText ? content(n, { visited: via.visited }) : selection(n, via);
}

const isField = (n: SnapNode): boolean => n.html && (n.tag === 'input' || n.tag === 'textarea');

function selection(n: SnapNode, via: Via): string {
  if (n.tag === 'select') return chosen(n).map(nameOf).join(' ');
  const selected = descendants(n, d => d.attrs['aria-selected'] === 'true' && roleOf(d) === 'option');
  return selected.length ? selected.map(nameOf).join(' ') : content(n, { visited: via.visited });
}

function nativeName(n: SnapNode, via?: Via): string {
  const labels = labelable(n) ? fromLabels(n, via) : '';
  if (labels) return labels;
  if (n.html && n.tag === 'fieldset') return partText(n, 'legend', via);
  if (n.html && n.tag === 'table') return partText(n, 'caption', via) || (n.attrs.summary ?? '');
  return attributeName(n);
}

function fromLabels(n: SnapNode, via?: Via): string {
  const labels = n.doc.labels.get(n);
  if (!labels || via?.label) return '';
  const visited = new Set([n]);
  const read = labels.filter(label => !via?.visited.has(label) && !(label.hidden & ~Hidden.aria));
  return joined(read, label => {
    if (visited.has(label)) return '';
    visited.add(label);
    return compute(label, { visited, label: true });
  });
}

/** The label of the web component whose field this is: the field itself has none, but a person reads it beside it. */
export function hostLabel(n: SnapNode): string {
  const host = n.shadow && INTERACTIVE.has(roleOf(n)) ? up(n, p => p.html && p.tag.includes('-')) : undefined;
  return host ? squash(fromLabels(host)) : '';
}

/** The text of a legend or caption. */
function partText(n: SnapNode, tag: string, via?: Via): string {
  const part = n.kids.find(kid => kid.tag === tag && (!kid.hidden || via?.hiddenOk));
  return part ? squash(content(part, { visited: new Set([n]) })) : '';
}

function fromContent(n: SnapNode, role: string, via?: Via): string {
  if (via) return content(n, via);
  if (isEditable(n) || !(FROM_CONTENT.has(role) || (role === 'row' && inGrid(n)))) return '';
  return contentName(n);
}

const ALWAYS_OUT = Hidden.never | Hidden.inert | Hidden.unrendered;

/** Modal and visibility are not asked here: what stands below them may still be shown. */
const isHiddenFor = (n: SnapNode, via: Via): boolean => (n.hidden & (via.ariaOk ? ~Hidden.aria : ~0)) !== 0;

function counts(kid: SnapNode, via: Via): boolean {
  if (via.visited.has(kid) || (kid.type !== ELEMENT && kid.type !== TEXT)) return false;
  if (via.hiddenOk) return !(kid.hidden & Hidden.never);
  if (kid.hidden & (via.ariaOk ? ALWAYS_OUT : ALWAYS_OUT | Hidden.aria)) return false;
  return kid.type === ELEMENT && !kid.pseudo ? true : !(kid.hidden & Hidden.visibility);
}

function content(n: SnapNode, via: Via): string {
  const inner = via.self ? { ...via, self: false } : via;
  let text = '';
  let last: SnapNode | undefined;
  for (const kid of kidsOf(n)) {
    if (text.length > MAX_NAME) break;
    const ofWord = areLettersOfWord(last, kid);
    last = kid;
    if (counts(kid, inner)) text = appended(text, piece(n, kid, inner), ofWord);
    else if (inner.visited.has(kid) && !isInline(kid)) text += ' ';
  }
  return text;
}

const SPACED = wordSet('input select textarea img button');

function piece(n: SnapNode, kid: SnapNode, via: Via): string {
  if (kid.type === TEXT) return textOf(kid);
  if (kid.tag === 'br') return ' ';
  if (kid.tag === 'rt') return ''; // Chrome leaves ruby annotations out.
  if (kid.pseudo) return pseudoText(kid);
  via.visited.add(kid);
  // Of an invisible element only its visible descendants count, not its own title or aria-label.
  const invisible = kid.hidden & Hidden.visibility && !via.hiddenOk;
  const text = invisible ? content(kid, via) : compute(kid, via);
  const spaced =
    !isInline(kid) || kid.owner === n || (text && SPACED.has(kid.tag)) || roleOf(kid) === 'image' || hasAriaName(kid);
  return spaced ? ` ${text} ` : text;
}

/** What Chrome writes on buttons that have no text. */
const BUTTON_TEXT = new Map([
  ['submit', 'Submit'],
  ['reset', 'Reset'],
  ['button', ''],
]);

/** The attribute that names an element, by tag. */
const NAMING_ATTRIBUTE = byWord({ alt: 'img area', label: 'optgroup option', title: 'iframe' });

/** A name that counts more than content. */
function attributeName(n: SnapNode): string {
  if (!n.html) return n.type === ELEMENT ? svgName(n) : '';
  return n.tag === 'input' ? inputName(n) : (n.attrs[NAMING_ATTRIBUTE.get(n.tag) ?? ''] ?? '');
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

/** A title that only repeats the text is no name. */
const isSaid = (n: SnapNode, title: string): boolean => n.kids.length > 0 && squash(visibleText(n)) === squash(title);

const WITH_PLACEHOLDER = wordSet('textbox searchbox spinbutton combobox');

/** A name of last resort, when content gives none. */
function lastName(n: SnapNode, role: string): string {
  const { title, alt, placeholder } = n.attrs;
  if (title && !(n.tag === 'img' && alt === '') && !isSaid(n, title)) return title;
  return WITH_PLACEHOLDER.has(role) || isInput(n) ? placeholder || n.attrs['aria-placeholder'] || '' : '';
}
