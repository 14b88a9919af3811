// Tells elements of one role and name apart: by a description or title of their own, or by the row or card that they are in.
import { contentName, nameOf } from '../accessibility/names.ts';
import { wordSet } from '../accessibility/role-data.ts';
import { roleOf } from '../accessibility/roles.ts';
import { referenced } from '../capture/id-lookup.ts';
import { ELEMENT, once, type SnapNode, squash, visibleText } from '../capture/node.ts';
import type { PrintNode } from './print-node.ts';

/** Fills `apart` of the targets that say the same. Where the containers around them are printed, what they are in is seen. */
export function tellApart(root: PrintNode, withContainers: boolean): void {
  const targets = targetsIn(root);
  // Where no element of a role has words of its own, none of them is told apart by words, and their names are not needed yet.
  const roles = withContainers && new Set(targets.filter(mayHaveWords).map(({ role }) => role));
  for (const entries of alike(roles ? targets.filter(({ role }) => roles.has(role)) : targets)) {
    const differ = new Set(entries.map(ownWords)).size > 1;
    for (const entry of entries) {
      if (differ) entry.apart = { description: ownWords(entry) };
      else if (!withContainers) entry.apart = { in: contextOf(entry) };
    }
  }
}

/** Two or more targets of one role and name each. */
function alike(targets: PrintNode[]): PrintNode[][] {
  const groups = new Map<string, PrintNode[]>();
  for (const entry of targets) {
    const key = `${entry.role} ${entry.shownName || entry.text}`;
    const known = groups.get(key);
    if (known) known.push(entry);
    else groups.set(key, [entry]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** More than fit into an answer of usual length: names of those behind them would be computed for nothing. */
const MOST = 1_500;

/** The first ones. */
function targetsIn(entry: PrintNode, into: PrintNode[] = []): PrintNode[] {
  for (const child of entry.children) {
    if (into.length >= MOST) break;
    if (child.kind === 'target' && child.ref) into.push(child);
    targetsIn(child, into);
  }
  return into;
}

function mayHaveWords({ control, node }: PrintNode): boolean {
  const { attrs } = control ?? node;
  return !!(attrs.title || attrs['aria-description'] || attrs['aria-describedby']);
}

function ownWords({ control, node, name }: PrintNode): string {
  const n = control ?? node;
  const described = referenced(n, 'aria-describedby').map(contentName).join(' ');
  const said = squash(described || n.attrs['aria-description'] || n.attrs.title || '');
  return said === name ? '' : said;
}

const CONTEXTS = wordSet('row listitem article region group form figure dialog');

/** The words of the nearest row or card around it that says more than the element itself. */
function contextOf({ node, name }: PrintNode): string {
  for (let p = node.parent; p; p = p.parent) {
    if (p.type !== ELEMENT || !CONTEXTS.has(roleOf(p))) continue;
    const said = wordsOf(p);
    if (said && said !== name) return said;
  }
  return '';
}

/** More is not printed. */
const LONGEST = 80;
const wordsOf = once((n: SnapNode) => squash(nameOf(n) || visibleText(n)).slice(0, LONGEST));
