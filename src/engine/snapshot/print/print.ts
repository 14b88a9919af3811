// Prints a filtered tree as text within a character limit, cut between elements only.
import type { SnapDoc } from '../capture/node.ts';
import { countLines, hasRootLine, type SnapshotStyle, type SnapshotView } from './filter.ts';
import { type Line, lineOf } from './line.ts';
import type { PrintNode } from './print-node.ts';
import { uidLine } from './print-uids.ts';
import { withoutRole } from './short-line.ts';

export interface PrintOptions {
  view: SnapshotView;
  maxChars: number;
  /** An element's ref; called in print order, for lines with a ref only. */
  refOf(entry: PrintNode): string;
  frameOf(doc: SnapDoc): number | undefined;
}

/** The lines to print of a tree that is too large. */
export interface Selection {
  shown: ReadonlySet<PrintNode>;
  /** Lists and tables that are cut in the middle, with all their rows. */
  rowsOf: ReadonlyMap<PrintNode, readonly PrintNode[]>;
  /** Why the rest is left out, unless it is for the limit. */
  why?: string;
}

export interface PrintedTree {
  text: string;
  /** Elements printed, and elements in all. */
  shown: number;
  total: number;
  cut: boolean;
}

/** Room for the line that says what is missing. */
const CLOSING = 150;
/** Room for a ref whose number is not known yet. */
export const REF = ' [ref=@e9999999]'.length;

const REFS: Record<SnapshotStyle, (ref: string) => string> = {
  tree: ref => ` [ref=${ref}]`,
  list: ref => ` ${ref}:`,
  uids: ref => ref,
  short: ref => `${ref} `,
};

const indentOf = ({ style }: SnapshotView, level: number): string => (style === 'short' ? ' ' : '  ').repeat(level);

/** A ref as it stands between the two sides of its line. */
export const refText = ({ style = 'tree' }: SnapshotView, ref: string): string => REFS[style](ref);

export function formatLine(
  entry: PrintNode,
  level: number,
  { view, frameOf }: Pick<PrintOptions, 'view' | 'frameOf'>,
): Line {
  if (entry.line?.level === level) return entry.line;
  const line = view.style === 'uids' ? uidLine(entry, level, view.focused) : lineOf(entry, level, view, frameOf);
  entry.line = { level, before: line.before, after: line.after };
  return line;
}

/** Takes lines while they fit. Lines in the space of the closing line wait until it is known that everything fits. */
class PrintBuffer {
  text: string;
  shown = 0;
  full = false;
  readonly #waiting: { entry: PrintNode; line: Line }[] = [];
  #size: number;

  constructor(
    head: string,
    readonly options: PrintOptions,
    readonly selection: Selection | undefined,
  ) {
    this.text = head;
    this.#size = head.length;
  }

  /** `last` is the line before it below the same line. */
  add(entry: PrintNode, level: number, last?: PrintNode): void {
    const { maxChars, view } = this.options;
    const full = this.#sized(entry, formatLine(entry, level, this.options));
    const line = view.style === 'short' && last?.role === entry.role ? withoutRole(full, entry.role) : full;
    this.#size = this.#sizeNow() + line.before.length + line.after.length + (this.#hasRef(entry) ? REF : 0) + 1;
    // A selection is always closed by a line that says what is missing.
    if (this.#size > (this.selection ? maxChars - CLOSING : maxChars)) this.full = true;
    else if (this.#size > maxChars - CLOSING) this.#waiting.push({ entry, line });
    else this.#write(entry, line);
  }

  /** Says how many rows a list or table has of which only some are shown. */
  #sized(entry: PrintNode, { before, after }: Line): Line {
    const rows = this.selection?.rowsOf.get(entry);
    return { before, after: rows ? `${after} [${rows.length} rows]` : after };
  }

  /** Rows can be asked for by the ref of what they are in. */
  #hasRef(entry: PrintNode): boolean {
    return entry.ref || (entry.kind !== 'root' && (this.selection?.rowsOf.has(entry) ?? false));
  }

  /** Says that rows are left out here, and how to get them. */
  addGap(count: number, offset: number, list: PrintNode, level: number): void {
    if (this.full || this.#waiting.length || !count) return;
    const within = list.kind === 'root' ? '' : ` selector=${this.options.refOf(list)}`;
    const line = `${indentOf(this.options.view, level)}… ${count} more rows: snapshot${within} offset=${offset}\n`;
    if (this.text.length + line.length <= this.options.maxChars - CLOSING) this.text += line;
  }

  /** Refs turn out shorter than the room reserved for them. */
  #sizeNow(): number {
    return this.#waiting.length ? this.#size : this.text.length;
  }

  #write(entry: PrintNode, { before, after }: Line): void {
    const ref = this.#hasRef(entry) ? refText(this.options.view, this.options.refOf(entry)) : '';
    this.text += `${before}${ref}${after}\n`;
    if (entry.kind !== 'root') this.shown++;
  }

  finish(): void {
    if (!this.full) for (const { entry, line } of this.#waiting) this.#write(entry, line);
  }
}

/** `head` stands in front as it is; it ends with a line break. */
export function print(root: PrintNode, head: string, options: PrintOptions, selection?: Selection): PrintedTree {
  const { view, maxChars } = options;
  const sheet = new PrintBuffer(fitting(head, maxChars - CLOSING), options, selection);
  const rootLine = hasRootLine(root, view);
  if (rootLine) sheet.add(root, 0);
  addBelow(root, rootLine ? 1 : 0, sheet);
  sheet.finish();
  const total = countLines(root);
  const { shown } = sheet;
  const full = sheet.full || (selection !== undefined && shown < total);
  const why = sheet.full ? undefined : selection?.why;
  const last = full ? closing(total - shown, total, options, why) : rootLine || shown ? '' : 'Nothing to show.';
  const text = sheet.text + last;
  return { text: text.trimEnd().slice(0, maxChars), shown, total, cut: full };
}

function addBelow(above: PrintNode, level: number, sheet: PrintBuffer): void {
  const { selection } = sheet;
  const rows = selection?.rowsOf.get(above) ?? [];
  const placeOf = new Map(rows.map((row, place) => [row, place]));
  let skipped = 0;
  let next = 0;
  let last: PrintNode | undefined;
  for (const entry of above.children) {
    if (sheet.full) return;
    const place = placeOf.get(entry);
    if (selection && !selection.shown.has(entry)) {
      if (place !== undefined && skipped++ === 0) next = place;
      continue;
    }
    sheet.addGap(skipped, next, above, level);
    skipped = 0;
    sheet.add(entry, level, last);
    last = entry;
    addBelow(entry, level + 1, sheet);
  }
  sheet.addGap(skipped, next, above, level);
}

const fitting = (head: string, room: number): string =>
  head.length <= room ? head : `${head.slice(0, Math.max(0, room - 2))}…\n`;

function closing(missing: number, total: number, { view, maxChars }: PrintOptions, why?: string): string {
  if (why) return `… ${missing} of ${total} elements not shown: ${why}.`;
  if (view.style === 'uids')
    return `… ${missing} of ${total} elements not shown: there is room for ${Math.round(maxChars)} characters (--max-chars of the server).`;
  const all = view.mode === 'interactive' ? 'selector or depth' : 'selector, depth or mode "interactive"';
  const ways = view.style === 'list' ? 'a selector, or ask for less' : all;
  return `… ${missing} of ${total} elements not shown (limit ${maxChars} characters): narrow with ${ways}.`;
}
