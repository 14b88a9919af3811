// Prints a filtered tree as text within a character limit, cut between elements only.
import type { SnapDoc } from '../capture/node.ts';
import { countLines, hasRootLine, type SnapshotStyle, type SnapshotView } from './filter.ts';
import { type Line, lineOf } from './line.ts';
import type { PrintNode } from './print-node.ts';
import { uidLine } from './print-uids.ts';

export interface PrintOptions {
  view: SnapshotView;
  maxChars: number;
  /** An element's ref; called in print order, for lines with a ref only. */
  refOf(entry: PrintNode): string;
  frameOf(doc: SnapDoc): number | undefined;
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
const REF = ' [ref=@e9999999]'.length;

const REFS: Record<SnapshotStyle, (ref: string) => string> = {
  tree: ref => ` [ref=${ref}]`,
  list: ref => ` ${ref}:`,
  uids: ref => ref,
};

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
  ) {
    this.text = head;
    this.#size = head.length;
  }

  add(entry: PrintNode, level: number): void {
    const { view, maxChars, frameOf } = this.options;
    const line = view.style === 'uids' ? uidLine(entry, level, view.focused) : lineOf(entry, level, view, frameOf);
    this.#size = this.#sizeNow() + line.before.length + line.after.length + (entry.ref ? REF : 0) + 1;
    if (this.#size > maxChars) this.full = true;
    else if (this.#size > maxChars - CLOSING) this.#waiting.push({ entry, line });
    else this.#write(entry, line);
  }

  /** Refs turn out shorter than the room reserved for them. */
  #sizeNow(): number {
    return this.#waiting.length ? this.#size : this.text.length;
  }

  #write(entry: PrintNode, { before, after }: Line): void {
    const ref = entry.ref ? REFS[this.options.view.style ?? 'tree'](this.options.refOf(entry)) : '';
    this.text += `${before}${ref}${after}\n`;
    if (entry.kind !== 'root') this.shown++;
  }

  finish(): void {
    if (!this.full) for (const { entry, line } of this.#waiting) this.#write(entry, line);
  }
}

/** `head` stands in front as it is; it ends with a line break. */
export function print(root: PrintNode, head: string, options: PrintOptions): PrintedTree {
  const { view, maxChars } = options;
  const sheet = new PrintBuffer(fitting(head, maxChars - CLOSING), options);
  const rootLine = hasRootLine(root, view);
  if (rootLine) sheet.add(root, 0);
  addAll(root.children, rootLine ? 1 : 0, sheet);
  sheet.finish();
  const total = countLines(root);
  const { shown, full } = sheet;
  const last = full ? closing(total - shown, total, options) : rootLine || shown ? '' : 'Nothing to show.';
  const text = sheet.text + last;
  return { text: text.trimEnd().slice(0, maxChars), shown, total, cut: full };
}

function addAll(list: PrintNode[], level: number, sheet: PrintBuffer): void {
  for (const entry of list) {
    if (sheet.full) return;
    sheet.add(entry, level);
    addAll(entry.children, level + 1, sheet);
  }
}

const fitting = (head: string, room: number): string =>
  head.length <= room ? head : `${head.slice(0, Math.max(0, room - 2))}…\n`;

function closing(missing: number, total: number, { view, maxChars }: PrintOptions): string {
  if (view.style === 'uids')
    return `… ${missing} of ${total} elements not shown: there is room for ${Math.round(maxChars)} characters (--max-chars of the server).`;
  const all = view.mode === 'interactive' ? 'selector or depth' : 'selector, depth or mode "interactive"';
  const ways = view.style === 'list' ? 'a selector, or ask for less' : all;
  return `… ${missing} of ${total} elements not shown (limit ${maxChars} characters): narrow with ${ways}.`;
}
