// Prints what is different since the last snapshot: lines with a sign, each group below one line of its ancestors.
import type { ElementIdentity } from '../../elements/refs.ts';
import { compareLines, type Difference } from './compare-lines.ts';
import { type KeptLine, type KeptLines, type ReadLines, ROOT } from './kept-lines.ts';
import { type Line, quote } from './line.ts';
import { type PrintedTree, type PrintOptions, refText } from './print.ts';
import type { PrintNode } from './print-node.ts';

interface DifferenceOptions extends PrintOptions {
  /** What the answer calls the page. */
  page: string;
  /** The ref that was given to an element which is gone; '' if none was. */
  formerRef(element: ElementIdentity): string;
}

/** Room for the first and the last line. */
const FRAME = 300;

export function printDifferences(before: KeptLines, now: ReadLines, options: DifferenceOptions): PrintedTree {
  const difference = compareLines(before, now.lines);
  const total = difference.signs.size + [...difference.went.values()].flat().length;
  if (total === 0)
    return { text: `Nothing has changed since the last snapshot of ${options.page}.`, shown: 0, total, cut: false };
  const sheet = new DifferenceSheet(before, now, difference, options);
  sheet.add();
  const { text, shown } = sheet;
  const cut = shown < total;
  const rest = cut
    ? `… ${total - shown} of ${total} differences not shown (limit ${options.maxChars} characters): take a snapshot without since.`
    : '';
  return { text: (firstLine(difference, options.page) + text + rest).trimEnd(), shown, total, cut };
}

function firstLine({ signs, went }: Difference, page: string): string {
  const all = [...signs.values(), ...[...went.values()].flat().map(() => '-')];
  const counts = Object.entries(WORDS).flatMap(([sign, word]) => {
    const count = all.filter(other => other === sign).length;
    return count ? [`${count} ${word} (${sign})`] : [];
  });
  return `Since the last snapshot of ${page}: ${counts.join(', ')}.\n`;
}

const WORDS = { '+': 'appeared', '~': 'changed', '>': 'moved', '-': 'went' };

class DifferenceSheet {
  text = '';
  /** Lines with a sign that are printed. */
  shown = 0;
  #full = false;

  constructor(
    readonly before: KeptLines,
    readonly now: ReadLines,
    readonly difference: Difference,
    readonly options: DifferenceOptions,
  ) {}

  add(): void {
    const sign = this.difference.signs.get(ROOT);
    if (sign) this.#add(ROOT, sign, 0);
    this.#addBelow(ROOT, sign && 0);
  }

  /** What is different below a line, which is printed at that level already, or not at all. */
  #addBelow(key: string, level: number | undefined): void {
    const { signs, went } = this.difference;
    const { children } = this.#line(key);
    const gone = went.get(key) ?? [];
    if (level === undefined && (gone.length > 0 || children.some(child => signs.has(child)))) this.#addPath(key);
    const inner = (level ?? 0) + 1;
    for (const child of gone) this.#addGone(child, inner);
    children.forEach((child, at) => {
      const sign = signs.get(child);
      if (!sign) return;
      if (sign === '>') this.#addPlace(children[at - 1], inner);
      this.#add(child, sign, inner);
      this.#addBelow(child, inner);
    });
    for (const child of children) if (!signs.has(child) && !this.#full) this.#addBelow(child, undefined);
  }

  #line(key: string): KeptLine {
    return this.now.lines.get(key) as KeptLine;
  }

  #entry(key: string): PrintNode {
    return this.now.entries.get(key) as PrintNode;
  }

  #add(key: string, sign: string, level: number): void {
    const entry = this.#entry(key);
    const ref = entry.ref && !this.#full ? this.options.refOf(entry) : '';
    if (this.#write(sign, this.#line(key), ref, level)) this.shown++;
  }

  /** What a moved line stands behind, where that has no sign of its own. */
  #addPlace(key: string | undefined, level: number): void {
    if (key === undefined || this.difference.signs.has(key) || this.#full) return;
    const entry = this.#entry(key);
    this.#write('=', this.#line(key), entry.ref ? this.options.refOf(entry) : '', level);
  }

  #addGone(key: string, level: number): void {
    const line = this.before.get(key) as KeptLine;
    const inside = this.#goneBelow(line);
    const ref = line.element ? this.options.formerRef(line.element) : '';
    const { before, after } = line;
    if (this.#write('-', { before, after: inside ? `${after} [${inside} inside]` : after }, ref, level)) this.shown++;
  }

  #goneBelow({ children }: KeptLine): number {
    return children.reduce((sum, child) => {
      const line = this.before.get(child) as KeptLine;
      return sum + (this.difference.isThere(child) ? 0 : 1) + this.#goneBelow(line);
    }, 0);
  }

  /** The line of ancestors: roles and names from the outside in. */
  #addPath(key: string): void {
    const path: string[] = [];
    for (let at = key; at !== ROOT && path.length < MOST_ANCESTORS; at = this.#line(at).parent)
      path.unshift(titleOf(this.#entry(at)));
    const entry = this.#entry(key);
    const ref = entry.ref && key !== ROOT && !this.#full ? ` ${this.options.refOf(entry)}` : '';
    this.#push(`in ${path.join(' > ') || 'document'}${ref}\n`);
  }

  #write(sign: string, { before, after }: Line, ref: string, level: number): boolean {
    const { view } = this.options;
    const line = before.replace(/^-/, '') + (ref && refText(view, ref)) + after;
    return this.#push(`${'  '.repeat(level)}${sign} ${line.trimStart()}\n`);
  }

  #push(line: string): boolean {
    this.#full ||= this.text.length + line.length > this.options.maxChars - FRAME;
    if (!this.#full) this.text += line;
    return !this.#full;
  }
}

const MOST_ANCESTORS = 8;
const LONGEST_NAME = 40;

const titleOf = ({ role, name }: PrintNode): string => (name ? `${role} "${quote(name, LONGEST_NAME)}"` : role);
