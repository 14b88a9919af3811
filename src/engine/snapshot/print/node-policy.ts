// How each element is printed: with a line of its own, by its content only, or without text because its text names another element.
import { isListbox } from '../accessibility/controls.ts';
import { isDrawing } from '../accessibility/drawings.ts';
import { type Interactivity, interactivityOf } from '../accessibility/interactive.ts';
import { FROM_CONTENT } from '../accessibility/role-data.ts';
import { ariaLabel, hasAriaName, roleOf } from '../accessibility/roles.ts';
import { Hidden, isInline, type SnapNode } from '../capture/node.ts';
import { isPlain, type PrintKind } from './print-node.ts';

export type NodePolicy =
  /** Only its content is printed. */
  | 'pass'
  /** Only its content, without text: the text is printed as another element's name. */
  | 'quiet'
  | 'frame'
  /** Its content is its value. */
  | 'field'
  /** Its content is its name. */
  | 'named'
  /** Interactive, but its role takes no name from content. */
  | 'open'
  | 'box';

/** A label is interactive only in place of a control that is not rendered. */
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
/** Roles that are part of the sentence when inline. */
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

/** Whether the text is already printed as the name of another element. */
function isNameElsewhere(n: SnapNode, role: string, interactivity: Interactivity): boolean {
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

/** The unrendered control that this label stands in for. */
export function controlBehind(label: SnapNode): SnapNode | undefined {
  const control = label.doc.controls.get(label);
  return control && control.hidden & (Hidden.unrendered | Hidden.visibility) ? control : undefined;
}

/** A label of an interactive control is no target of its own. */
const isOnlyLabel = (n: SnapNode): boolean => isShownTarget(n.doc.controls.get(n));
