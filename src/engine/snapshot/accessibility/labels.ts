// Elements whose text is the name of something else, so that it is not printed twice: labels, legends, captions.

import { Hidden, type SnapNode } from '../capture/node.ts';
import { isPlain } from '../print/role-words.ts';
import { type Hit, hitOf } from './interactive.ts';
import { hasAriaName, roleOf } from './roles.ts';

/** The text is already printed as a name. */
export function isNameElsewhere(n: SnapNode, role: string, hit: Hit): boolean {
  const { controls, named } = n.doc;
  if (role === 'LabelText' && controls.size) return isSaidBy(controls.get(n));
  if (named.size && isPlain(role) && (hit === '' || hit === 'click')) return isHitShown(named.get(n));
  return isHeadOfParent(n);
}

const isSaidBy = (control: SnapNode | undefined): boolean => !!control && !control.hidden && !hasAriaName(control);

const isHitShown = (control: SnapNode | undefined): boolean => !!control && !control.hidden && hitOf(control) !== '';

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

/** A label of a control that can be hit is no target of its own. */
export const isOnlyLabel = (n: SnapNode): boolean => isHitShown(n.doc.controls.get(n));
