// Compares our reading of a page with Chrome's, element by element: role, name, states, text.
import { interactivityOf } from '../../../src/engine/snapshot/accessibility/interactive.ts';
import { nameOf } from '../../../src/engine/snapshot/accessibility/names.ts';
import { roleOf } from '../../../src/engine/snapshot/accessibility/roles.ts';
import { statesOf } from '../../../src/engine/snapshot/accessibility/states.ts';
import { ELEMENT, rawText, type SnapNode, TEXT } from '../../../src/engine/snapshot/capture/node.ts';
import { filterTree } from '../../../src/engine/snapshot/print/filter.ts';
import { type PrintNode, printedRole } from '../../../src/engine/snapshot/print/print-node.ts';
import { CHROME_ROLES, type Difference, PRINTED } from './differences.ts';
import type { AXNode, Views } from './two-views.ts';

export const NOTHING = { pages: 0, elements: 0, role: 0, name: 0, states: 0, statesSame: 0, texts: 0, textsSame: 0 };

const squash = (text: unknown): string =>
  String(text ?? '')
    .replace(/[\s\u200b\ufeff]+/g, ' ')
    .trim();

/** Chrome's internal role names, as the roles that we print. */
function chromeRole(ax: AXNode, node: SnapNode): string {
  if (node.tag === 'input' && node.attrs.type?.toLowerCase() === 'file') return 'file';
  const role = String(ax.role?.value ?? 'none');
  return CHROME_ROLES[role] ?? role;
}

/** We mask passwords, and print the words for a value where the author gave some. */
const hasPlainValue = (node: SnapNode): boolean => node.attrs.type !== 'password' && !node.attrs['aria-valuetext'];

/** Chrome keeps numbers in single precision. */
const plain = (value: unknown): string =>
  value === '' || Number.isNaN(Number(value)) ? squash(value) : String(Math.fround(Number(value)));

function describeElement(node: SnapNode): string {
  if (node.type === TEXT) return `text in ${node.parent ? describeElement(node.parent) : 'nothing'}`;
  if (node.attrs.id) return `${node.tag}#${node.attrs.id}`;
  const text = squash(rawText(node)).slice(0, 30);
  if (text) return `${node.tag} "${text}"`;
  const attribute = Object.entries(node.attrs).find(([key]) => key !== 'style' && key !== 'src');
  return attribute ? `${node.tag}[${attribute[0]}=${attribute[1].slice(0, 30)}]` : node.tag;
}

class Comparison {
  readonly differences: Difference[] = [];
  readonly figures = { ...NOTHING, pages: 1 };
  constructor(
    readonly page: string,
    readonly printed: ReadonlySet<SnapNode>,
  ) {}

  differ(kind: Difference['kind'], node: SnapNode, chrome: string, ours: string): void {
    this.differences.push({ page: this.page, kind, element: describeElement(node), chrome, ours });
  }

  /** Where another role is printed, that one counts; a word such as `draggable` is no role. */
  private roleHere(node: SnapNode): string {
    if (node.hidden) return 'hidden';
    const printed = this.printed.has(node) ? printedRole(node) : 'generic';
    return printed === 'generic' ? roleOf(node) : printed;
  }

  /** An element that Chrome exposes. */
  exposed(node: SnapNode, ax: AXNode): void {
    const role = chromeRole(ax, node);
    const ours = this.roleHere(node);
    if (!PRINTED.has(role) && !this.printed.has(node)) return;
    this.figures.elements++;
    if (ours === role) this.figures.role++;
    else this.differ('role', node, role, ours);
    const name = squash(ax.name?.value);
    if (squash(nameOf(node)) === name) this.figures.name++;
    else this.differ('name', node, name, squash(nameOf(node)));
    this.states(node, ax, role);
  }

  /** An element that we print and that Chrome does not expose. */
  extra(node: SnapNode): void {
    this.figures.elements++;
    this.differ('extra', node, 'absent', `${roleOf(node)} ${JSON.stringify(squash(nameOf(node)))}`);
  }

  /** A piece of text that Chrome exposes. */
  text(node: SnapNode, ax: AXNode): void {
    const theirs = squash(ax.name?.value);
    const ours = node.hidden ? 'hidden' : squash(node.renderedText ?? node.raw);
    this.figures.texts++;
    if (ours === theirs) this.figures.textsSame++;
    else this.differ('text', node, theirs, ours);
  }

  private states(node: SnapNode, ax: AXNode, role: string): void {
    const chrome = Object.fromEntries((ax.properties ?? []).map(({ name, value }) => [name, value.value]));
    const ours: Record<string, unknown> = { ...statesOf(node) };
    const check = (state: string, theirs: unknown, mine: unknown) => {
      this.figures.states++;
      if (String(theirs) === String(mine)) this.figures.statesSame++;
      else this.differ('state', node, `${state}=${theirs}`, `${state}=${mine}`);
    };
    if (chrome.checked !== undefined) check('checked', chrome.checked, ours.checked ?? false);
    if (chrome.disabled || ours.disabled) check('disabled', Boolean(chrome.disabled), Boolean(ours.disabled));
    if (chrome.expanded !== undefined || ours.expanded !== undefined) check('expanded', chrome.expanded, ours.expanded);
    if (chrome.selected || ours.selected) check('selected', Boolean(chrome.selected), Boolean(ours.selected));
    if (chrome.pressed !== undefined) check('pressed', chrome.pressed, ours.pressed ?? false);
    if (role === 'heading' || ours.level !== undefined) check('level', chrome.level, ours.level);
    if (ax.value && ours.value !== undefined && hasPlainValue(node))
      check('value', plain(ax.value.value), plain(ours.value));
    if (chrome.focusable && node.tag !== 'iframe') check('hit', true, Boolean(interactivityOf(node)));
  }
}

const WHOLE = { mode: 'full', compact: false, includeText: true, includeBounds: false } as const;

const printedIn = (list: PrintNode[]): SnapNode[] =>
  list.flatMap(kept => [...(kept.kind === 'run' ? [] : [kept.control ?? kept.node]), ...printedIn(kept.children)]);

export function compare(name: string, { page, chrome }: Views): Comparison {
  const printed = new Set(printedIn(filterTree(page, WHOLE).children));
  const comparison = new Comparison(name, printed);
  const exposed = new Set<SnapNode>();
  for (const { process, nodes } of chrome) {
    for (const ax of nodes) {
      if (ax.ignored || ax.backendDOMNodeId === undefined) continue;
      const node = page.byKey(process, ax.backendDOMNodeId);
      if (!node) continue;
      if (node.type === TEXT) comparison.text(node, ax);
      if (node.type !== ELEMENT || node.pseudo) continue;
      exposed.add(node);
      comparison.exposed(node, ax);
    }
  }
  // What is only hidden by aria-hidden is printed as such, and a bare picture or shape claims no role.
  for (const node of printed)
    if (!node.hidden && !exposed.has(node) && PRINTED.has(roleOf(node))) comparison.extra(node);
  return comparison;
}
