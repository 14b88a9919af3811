// The lines of a receipt about elements: what is new, has changed, is gone, and what has the focus, as snapshots name them.
import { quoted } from '../../policy/foreign-text.ts';
import { refOf } from '../elements/describe.ts';
import type { ElementLocation } from '../elements/element.ts';
import { formatRef, roleAndName } from '../elements/refs.ts';
import type { Limits } from '../limits.ts';
import type { CdpSession } from '../page/cdp-session.ts';
import { interactivityOf } from '../snapshot/accessibility/interactive.ts';
import { nameOf } from '../snapshot/accessibility/names.ts';
import { wordSet } from '../snapshot/accessibility/role-data.ts';
import { roleOf } from '../snapshot/accessibility/roles.ts';
import { statesOf } from '../snapshot/accessibility/states.ts';
import { captureTab, type TabCapture } from '../snapshot/capture/capture.ts';
import { descendants, ELEMENT, isInside, type SnapNode, squash, visibleText } from '../snapshot/capture/node.ts';
import { isField } from '../snapshot/print/node-policy.ts';
import { isPlain, wordOf } from '../snapshot/print/print-node.ts';
import type { Tab } from '../tab/tab.ts';

export interface Change {
  kind: 'focus' | 'new' | 'changed' | 'gone';
  cdp: CdpSession;
  frame: string;
  /** Backend node id. */
  id: number;
  /** Of what is gone. */
  was?: { role: string; words: string } | undefined;
}

/** The element that was acted on, or the fields of a form. */
type ActedOn = ElementLocation | 'form' | undefined;

/** Of one line. */
const MOST_ITEMS = 8;
const LONGEST_WORDS = 120;
const FIRST = new Set(['dialog', 'alertdialog', 'alert', 'status']);

export async function tellChanges(
  tab: Tab,
  limits: Limits,
  changes: readonly Change[],
  at: ActedOn,
): Promise<string[]> {
  // That an element has the focus which was acted on is no news.
  const isOwn = ({ kind, id, cdp }: Change) => kind === 'focus' && at !== 'form' && at?.id === id && at.cdp === cdp;
  if (changes.every(isOwn)) return [];
  const teller = new Teller(tab, limits, await captureTab(tab, limits), at);
  return teller.lines(changes);
}

class Teller {
  readonly #target: SnapNode | undefined;

  constructor(
    readonly tab: Tab,
    readonly limits: Limits,
    readonly taken: TabCapture,
    readonly at: ActedOn,
  ) {
    this.#target = at && at !== 'form' ? taken.page.byKey(at.cdp.key, at.id) : undefined;
  }

  lines(changes: readonly Change[]): string[] {
    const nodesOf = (kind: Change['kind']) =>
      changes.filter(change => change.kind === kind).flatMap(({ cdp, id }) => this.taken.page.byKey(cdp.key, id) ?? []);
    const fresh = nodesOf('new').filter(node => this.#says(node));
    const changed = [...new Set(nodesOf('changed').map(nearestNamed))].filter(node => this.#isNews(node, fresh));
    return [
      ...this.#groups(
        'New',
        fresh.toSorted((a, b) => rank(a) - rank(b)),
      ),
      ...this.#groups('Changed', changed),
      ...this.#gone(changes.filter(({ kind }) => kind === 'gone')),
      ...nodesOf('focus')
        .filter(node => this.#isFocusNews(node))
        .map(node => `Focus: ${this.#label(node)}`),
    ];
  }

  /** What has the words or the controls of something; inside what was acted on, only controls: its name is told anyway. */
  #says(node: SnapNode): boolean {
    const items = itemsOf(node);
    if (this.#target && isInside(node, this.#target)) return items.length > 0;
    return items.length > 0 || interactivityOf(node) !== '' || wordsOf(node) !== '';
  }

  #isNews(node: SnapNode, fresh: readonly SnapNode[]): boolean {
    if (node.hidden !== 0 || fresh.some(other => isInside(node, other))) return false;
    if (this.at === 'form' && interactivityOf(node) !== '') return statesOf(node).invalid === true;
    const target = this.#target;
    return !target || (!isInside(node, target) && !isInside(target, node)) || (node === target && hasState(node));
  }

  #isFocusNews(node: SnapNode): boolean {
    const target = this.#target;
    return (
      this.at !== 'form' && node.tag !== 'iframe' && !(target && (isInside(node, target) || isInside(target, node)))
    );
  }

  /** Those of one role in one parent share a line. */
  #groups(word: string, nodes: readonly SnapNode[]): string[] {
    const groups = new Map<string, SnapNode[]>();
    for (const node of nodes) {
      const key = `${node.process} ${node.parent?.id} ${wordOf(node)}`;
      groups.set(key, [...(groups.get(key) ?? []), node]);
    }
    return [...groups.values()].map(group => {
      const [first] = group as [SnapNode];
      if (group.length === 1) return `${word}: ${this.#whole(first)}${this.#besides(first)}`;
      if (group.every(isPlainCell)) return `${word}: ${this.#rowOf(group)}`;
      const shown = group.slice(0, MOST_ITEMS).map(node => this.#label(node));
      return `${word}: ${group.length} in ${this.#container(first)}: ${list(shown, group.length)}`;
    });
  }

  /** Cells of one row are one line, as in snapshots. */
  #rowOf(cells: readonly SnapNode[]): string {
    const words = ellipsed(cells.map(wordsOf).join(' | '));
    const row = (cells[0] as SnapNode).parent;
    return row && roleOf(row) === 'row' ? this.#label(row, words) : `cells ${quoted(words)}`;
  }

  #container(node: SnapNode): string {
    const parent = node.parent && nearestNamed(node.parent);
    return parent ? (isPlain(roleOf(parent)) ? 'the page' : this.#label(parent, nameOf(parent))) : 'the page';
  }

  /** The element, and the controls inside it. */
  #whole(node: SnapNode): string {
    const items = itemsOf(node);
    if (items.length === 0) return this.#label(node) + this.#state(node);
    const shown = items.slice(0, MOST_ITEMS).map(item => this.#label(item));
    const name = nameOf(node);
    const words = name === '' && items.length < 4 ? wordsOf(node) : '';
    const self = this.#label(node, name || ellipsed(words));
    return `${self}: ${list(shown, items.length)}`;
  }

  #label(node: SnapNode, name?: string): string {
    // What the element that was acted on is called now is told apart from the receipt, by what it was called before.
    const ref = (node === this.#target && this.#refOf(node)) || refOf(this.tab, this.taken, node);
    const role = isPlain(roleOf(node)) && interactivityOf(node) === '' ? 'text' : ref.role;
    return `${formatRef(ref, this.limits)} ${roleAndName({ role, name: name ?? (ref.name || wordsOf(node)) })}`;
  }

  #state(node: SnapNode): string {
    const states = Object.entries(statesOf(node)).filter(([, value]) => value === true);
    return states.length === 0 ? '' : ` [${states.map(([name]) => name).join(', ')}]`;
  }

  /** The field that a message is about. */
  #besides(node: SnapNode): string {
    const field = fieldOf(node);
    return field && !isInside(field, node) ? ` at ${this.#label(field)}` : '';
  }

  #gone(changes: readonly Change[]): string[] {
    const labels = changes.flatMap(change => {
      const { cdp, id, frame } = change;
      const ref = this.#refOf({ process: cdp.key, id, doc: { frame } });
      if (ref) return `${formatRef(ref, this.limits)} ${roleAndName(ref)}`;
      const { role, words } = change.was ?? { role: '', words: '' };
      return words === '' ? [] : `${role === '' ? '' : `${role} `}${quoted(words)}`;
    });
    return labels.length === 0 ? [] : [`Gone: ${list(labels.slice(0, MOST_ITEMS), labels.length)}`];
  }

  #refOf({ process: session, id, doc: { frame } }: Pick<SnapNode, 'process' | 'id'> & { doc: { frame: string } }) {
    return this.tab.refs.find({ session, id, frame, loader: this.taken.loaders.get(frame) ?? '' });
  }
}

const list = (shown: string[], count: number): string =>
  shown.join(', ') + (count > shown.length ? `, … ${count - shown.length} more` : '');

const rank = (node: SnapNode): number => (FIRST.has(roleOf(node)) ? 0 : 1);

const wordsOf = (node: SnapNode): string => squash(visibleText(node));

const ellipsed = (text: string): string =>
  text.length > LONGEST_WORDS ? `${text.slice(0, LONGEST_WORDS - 1)}…` : text;

const hasState = (node: SnapNode): boolean => Object.values(statesOf(node)).some(value => value === true);

const isPlainCell = (node: SnapNode): boolean => roleOf(node) === 'cell' && itemsOf(node).length === 0;

/** A label is told by its field, and an empty cell of a grid not at all. */
const isItem = (node: SnapNode): boolean =>
  node.type === ELEMENT &&
  node.hidden === 0 &&
  interactivityOf(node) !== '' &&
  !(roleOf(node) === 'gridcell' && wordsOf(node) === '') &&
  !(node.tag === 'label' && descendants(node, isField).length > 0);

/** What a person can act on below it. */
const itemsOf = (node: SnapNode): SnapNode[] =>
  descendants(node, isItem).filter((inner, _, all) => !all.some(other => other !== inner && isInside(inner, other)));

/** How far up a role is looked for, for a text that changed. */
const UP = 3;

/** Their names do not say what is in them. */
const CONTAINERS = wordSet(
  'region dialog group tabpanel list table grid tree menu toolbar navigation article banner complementary contentinfo log',
);

/** The element that a text belongs to by name: the button, cell or paragraph around it; else its own. */
function nearestNamed(node: SnapNode): SnapNode {
  for (let at: SnapNode | undefined = node, up = 0; at && up <= UP; at = at.parent, up++)
    if (at.type === ELEMENT && !isPlain(roleOf(at)) && !/^(body|html|main|form)$/.test(at.tag))
      return at !== node && CONTAINERS.has(roleOf(at)) ? node : at;
  return node;
}

/** The field that names the message, or the only one beside it. */
function fieldOf(node: SnapNode): SnapNode | undefined {
  const { id } = node.attrs;
  const names = (field: SnapNode) =>
    `${field.attrs['aria-describedby'] ?? ''} ${field.attrs['aria-errormessage'] ?? ''}`.split(' ').includes(id ?? '');
  const named = id ? node.doc.nodes.find(names) : undefined;
  if (named) return named;
  const around = node.parent && !/^(body|main|form)$/.test(node.parent.tag) ? node.parent : undefined;
  const beside = around ? descendants(around, inner => isField(inner) && inner.hidden === 0) : [];
  return beside.length === 1 ? beside[0] : undefined;
}
