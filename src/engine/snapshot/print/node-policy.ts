// In which policy an element is entry while the tree grows: by itself, by its content only, quietly, or not at all.
import { isListbox } from '../accessibility/controls.ts';
import { type Interactivity, interactivityOf, isDrawing } from '../accessibility/interactive.ts';
import { FROM_CONTENT } from '../accessibility/role-data.ts';
import { ariaLabel, hasAriaName, roleOf } from '../accessibility/roles.ts';
import { Hidden, isInline, type SnapNode } from '../capture/node.ts';
import { isPlain, type PrintKind } from './print-node.ts';

export type NodePolicy =
  /** Not itself, only what stands in it. */
  | 'pass'
  /** The same, and its text is known as the name of something else. */
  | 'quiet'
  | 'frame'
  /** What stands in it is its value. */
  | 'field'
  /** Its content is its name. */
  | 'named'
  /** A interactivity that has no name by its role. */
  | 'open'
  | 'box';

/** Why a person can interactivity it here: a label counts only for a control that is not there. */
export function printedInteractivity(n: SnapNode, role: string): Interactivity {
  if (role !== 'LabelText') return interactivityOf(n);
  return controlBehind(n) ? 'click' : isOnlyLabel(n) ? '' : interactivityOf(n);
}

export function policyOf(n: SnapNode, role: string, interactivity: Interactivity): NodePolicy {
  if (role === 'iframe') return 'frame';
  if (isNameElsewhere(n, role, interactivity)) return 'quiet';
  if (interactivity) return targetPolicy(n, role, interactivity);
  return n.hidden ? 'pass' : staticPolicy(n, role);
}

function targetPolicy(n: SnapNode, role: string, interactivity: Interactivity): NodePolicy {
  if (interactivity === 'shape') return picturePolicy(n);
  if (isField(n)) return 'field';
  return (FROM_CONTENT.has(role) && interactivity !== 'edit') || controlBehind(n) ? 'named' : 'open';
}

/** Inside aria-hidden a picture is decoration. */
function picturePolicy(n: SnapNode): NodePolicy {
  if (n.hidden) return 'pass';
  return isDrawing(n) ? 'box' : 'named';
}

export const isField = (n: SnapNode): boolean =>
  n.html && (n.tag === 'input' || n.tag === 'textarea' || (n.tag === 'select' && !isListbox(n)));

const FIGURES = new Set(['image', 'progressbar', 'meter', 'canvas', 'video', 'audio', 'plugin']);
const TEXTS = new Set(['paragraph', 'caption', 'legend', 'figcaption']);
/** Words of a sentence when they stand in one. */
const WORDS = new Set(['status', 'term', 'definition', 'note', 'timer']);

function staticPolicy(n: SnapNode, role: string): NodePolicy {
  if (role === 'heading' || FIGURES.has(role)) return 'named';
  if (role === 'separator' || role === 'math' || (WORDS.has(role) && isInline(n))) return 'pass';
  return isPlain(role) && role !== 'paragraph' && !(role === 'generic' && ariaLabel(n)) ? 'pass' : 'box';
}

export function kindOf(role: string, interactivity: Interactivity): PrintKind {
  if (interactivity) return 'target';
  if (role === 'iframe') return 'frame';
  if (role === 'heading') return 'heading';
  return FIGURES.has(role) ? 'figure' : TEXTS.has(role) ? 'text' : 'box';
}

/** The text is already printed as a name. */
export function isNameElsewhere(n: SnapNode, role: string, interactivity: Interactivity): boolean {
  const { controls, named } = n.doc;
  if (role === 'LabelText' && controls.size) return takesLabel(controls.get(n));
  if (named.size && isPlain(role) && (interactivity === '' || interactivity === 'click'))
    return isShownTarget(named.get(n));
  return isHeadOfParent(n);
}

const takesLabel = (control: SnapNode | undefined): boolean => !!control && !control.hidden && !hasAriaName(control);

const isShownTarget = (control: SnapNode | undefined): boolean =>
  !!control && !control.hidden && interactivityOf(control) !== '';

/** The legend or caption that names its fieldset or table. */
function isHeadOfParent(n: SnapNode): boolean {
  const p = n.parent;
  if (!p || !((n.tag === 'legend' && p.tag === 'fieldset') || (n.tag === 'caption' && p.tag === 'table'))) return false;
  return p.kids.find(kid => kid.tag === n.tag) === n && roleOf(p) !== 'none' && !hasAriaName(p);
}

/** The control that a person can only reach by this label, because it is not rendered itself. */
export function controlBehind(label: SnapNode): SnapNode | undefined {
  const control = label.doc.controls.get(label);
  return control && control.hidden & (Hidden.unrendered | Hidden.visibility) ? control : undefined;
}

/** A label of a control that can be interactivity is no target of its own. */
export const isOnlyLabel = (n: SnapNode): boolean => isShownTarget(n.doc.controls.get(n));
