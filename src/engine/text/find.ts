// Find: the lines of a page's snapshot that match a text, with refs and a little context.
import { Failure } from '../../errors.ts';
import { compileRegex, isTimeout, regexLiteral, search, type TextMatch } from '../../policy/safe-regex.ts';
import { refOf } from '../elements/describe.ts';
import { formatRef, roleAndName } from '../elements/refs.ts';
import { quoteSelector } from '../elements/resolve.ts';
import type { Limits } from '../limits.ts';
import { optionsOf } from '../snapshot/accessibility/controls.ts';
import { isScrollable } from '../snapshot/accessibility/interactive.ts';
import { nameOf } from '../snapshot/accessibility/names.ts';
import { wordSet } from '../snapshot/accessibility/role-data.ts';
import type { TabCapture } from '../snapshot/capture/capture.ts';
import { ELEMENT, type SnapNode, up } from '../snapshot/capture/node.ts';
import { countLines, FULL_VIEW, filterTree, type SnapshotView } from '../snapshot/print/filter.ts';
import { lineOf } from '../snapshot/print/line.ts';
import type { PrintNode } from '../snapshot/print/print-node.ts';
import { captureScope } from '../snapshot/snapshot.ts';
import type { Tab } from '../tab/tab.ts';

export interface FindInput {
  text: string;
  case_sensitive: boolean;
  max_results: number;
  /** Only inside this element. */
  selector?: string | undefined;
  include_bounds: boolean;
  frameId?: number | undefined;
}

export interface FindResult {
  /** How many lines match, and the refs of those that are shown. */
  count: number;
  refs: string[];
  text: string;
  /** Without a match: the first list on the page that scrolls, whose further items may not be in the document. */
  scrollable?: { number: number; label: string };
}

export async function find(tab: Tab, input: FindInput, limits: Limits): Promise<FindResult> {
  const { capture, scope } = await captureScope(tab, input, limits);
  const view: SnapshotView = { ...FULL_VIEW, includeBounds: input.include_bounds, ...(scope && { scope }) };
  const lines = linesOf(filterTree(capture.page, view));
  const found = matchesOf(
    lines.map(({ entry }) => searchable(entry)),
    input.text,
    input.case_sensitive,
  );
  const matching = lines.flatMap((line, index) => (found[index] ? [{ line, match: found[index] }] : []));
  const shown = matching.slice(0, input.max_results);
  const matchOf = new Map(shown.map(({ line, match }) => [line.entry, match]));
  const printer = new MatchPrinter(tab, capture, view, matchOf, limits);
  for (const { line } of shown) printer.add(line);
  const list = matching.length === 0 ? lines.find(({ entry }) => entry.ref && isScrollable(entry.node)) : undefined;
  if (list) {
    const ref = refOf(tab, capture, list.entry.node, list.entry);
    return { count: 0, refs: [], text: '', scrollable: { number: ref.number, label: roleAndName(ref) } };
  }
  return { count: matching.length, refs: shown.map(({ line }) => printer.refOf(line.entry)), text: printer.text };
}

/** A regular expression may backtrack without end: it gets this long for all lines together. */
const SEARCH_MS = 250;

/** The first match in each of the texts. Blanks of plain text match any white space. */
function matchesOf(texts: string[], pattern: string, matchCase: boolean): (TextMatch | undefined)[] {
  const hint = 'Mend it, or leave the slashes out to look for plain text.';
  const regex = compileRegex(() => regexOf(pattern, matchCase), quoteSelector(pattern), hint);
  try {
    return search([regex], texts, SEARCH_MS)[0] ?? [];
  } catch (cause) {
    if (!isTimeout(cause)) throw cause;
    throw new Failure(
      'bad_input',
      `${quoteSelector(pattern)} takes too long on this page.`,
      'Write a simpler regular expression, without repeats inside repeats, or plain text.',
    );
  }
}

function regexOf(pattern: string, matchCase: boolean): RegExp {
  const literal = regexLiteral(pattern);
  // A text has its parts (name, value) in lines: ^ and $ stand for the ends of each.
  const flags = [...new Set([...(literal?.flags ?? ''), ...(matchCase ? 'mu' : 'imu')])].join('');
  if (!literal) return new RegExp(plainSource(pattern), flags);
  try {
    return new RegExp(literal.source, flags);
  } catch {
    // The u flag refuses harmless escapes such as \-, which browsers accept without it.
    return new RegExp(literal.source, flags.replace('u', ''));
  }
}

const plainSource = (text: string): string =>
  text
    .trim()
    .replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
    .replace(/\s+/g, '\\s+');

/** A line of the snapshot with its surroundings. */
interface Line {
  entry: PrintNode;
  /** Its ancestors, the nearest first. */
  around: PrintNode[];
  /** The last heading before it. */
  heading: PrintNode | undefined;
}

function linesOf(root: PrintNode): Line[] {
  const lines: Line[] = [];
  let heading: PrintNode | undefined;
  const visit = (entry: PrintNode, around: PrintNode[]): void => {
    lines.push({ entry, around, heading });
    if (entry.kind === 'heading') heading = entry;
    const inside = [entry, ...around];
    for (const child of entry.children) visit(child, inside);
  };
  for (const child of root.children) visit(child, []);
  return lines;
}

/** All texts of a line. Its own text comes first, because a match in it decides which excerpt is printed. */
function searchable(entry: PrintNode): string {
  const { value = '', placeholder = '' } = entry.states;
  const { tag } = entry.node;
  const options = tag === 'select' ? optionsOf(entry.node).map(nameOf) : [];
  return [entry.text, entry.name, value, placeholder, ...options].join('\n');
}

/** Items of lists and tables: one with few lines is printed whole, for its other parts explain the match. */
const ITEMS = wordSet('row listitem article treeitem definition');
const FEW_LINES = 6;

/** A longer text is cut to an excerpt around the match, with so many characters on each side. */
const MAX_TEXT = 300;
const CONTEXT = 120;

class MatchPrinter {
  text = '';
  readonly #printed = new Set<PrintNode>();
  /** The container or heading that is printed above the next lines, and their level. */
  #above: PrintNode | undefined;
  #level = 0;
  #last: { entry: PrintNode; level: number } | undefined;

  constructor(
    readonly tab: Tab,
    readonly capture: TabCapture,
    readonly view: SnapshotView,
    readonly matchOf: ReadonlyMap<PrintNode, TextMatch>,
    readonly limits: Limits,
  ) {}

  add({ entry, around, heading }: Line): void {
    if (this.#printed.has(entry)) return;
    const item = [entry, ...around].find(({ nodeRole }) => ITEMS.has(nodeRole));
    const whole = item && countLines(item) < FEW_LINES ? item : undefined;
    const outside = whole ? around.slice(around.indexOf(whole) + 1) : around;
    const above = outside.find(({ name }) => name !== '') ?? (entry.kind === 'heading' ? undefined : heading);
    this.#printAbove(above);
    if (whole) this.#printAll(whole, this.#level);
    else this.#print(entry, this.#level);
  }

  #printAbove(above: PrintNode | undefined): void {
    if (above === this.#above) return;
    if (above === undefined) this.#level = 0;
    else if (above === this.#last?.entry) this.#level = this.#last.level + 1;
    else {
      this.#print(above, 0);
      this.#level = 1;
    }
    this.#above = above;
  }

  #printAll(entry: PrintNode, level: number): void {
    this.#print(entry, level);
    for (const child of entry.children) this.#printAll(child, level + 1);
  }

  #print(entry: PrintNode, level: number): void {
    const match = this.matchOf.get(entry);
    if (match && entry.text.length > MAX_TEXT) entry.pieces = [excerpt(entry.text, match)];
    const { before, after } = lineOf(entry, level, this.view, doc => this.tab.frames.numberOf(doc.frame));
    this.text += `${before}${entry.ref || match ? ` [ref=${this.refOf(entry)}]` : ''}${after}\n`;
    this.#printed.add(entry);
    this.#last = { entry, level };
  }

  /** Every match has a ref; that of a text is the ref of the element around it. */
  refOf(entry: PrintNode): string {
    const { tab, capture, limits } = this;
    if (entry.kind !== 'run') return formatRef(refOf(tab, capture, entry.control ?? entry.node, entry), limits);
    const node = isElement(entry.node) ? entry.node : up(entry.node, isElement);
    return formatRef(refOf(tab, capture, node ?? entry.node), limits);
  }
}

const isElement = (n: SnapNode): boolean => n.type === ELEMENT && n.pseudo === undefined;

function excerpt(text: string, { from, to }: TextMatch): string {
  const start = Math.max(0, from - CONTEXT);
  const end = Math.min(text.length, to + CONTEXT, start + 2 * MAX_TEXT);
  return `${start > 0 ? '…' : ''}${text.slice(start, end).trim()}${end < text.length ? '…' : ''}`;
}
