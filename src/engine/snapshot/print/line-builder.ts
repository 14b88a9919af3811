// The place where entry elements are put while the tree is walked: finished ones, and the run of inline text under way.
import { css, isBlank, isInline, type SnapNode } from '../capture/node.ts';
import { type Piece, PrintNode } from './print-node.ts';

interface Run {
  first: SnapNode;
  pieces: Piece[];
  /** Text of controls: part of the sentence only if the sentence goes on after it. */
  held: Piece[];
  entries: PrintNode[];
  chars: number;
}

/** What an element gives to the sentence it stands in: its words, its words if the sentence goes on, nothing; or it ends it. */
export type LinePart = 'words' | 'control' | 'field' | 'apart';

export class LineBuilder {
  readonly out: PrintNode[] = [];
  /** Characters of text seen so far, and those of them that a name from content has. */
  chars = 0;
  nameChars = 0;
  /** Characters of text in aria-hidden. */
  ariaHiddenChars = 0;
  /** Hits so far, pictures not counted. */
  targets = 0;
  /** The text here is the name of something else. */
  quiet = false;
  #run: Run | undefined = undefined;

  text(n: SnapNode, text: string): void {
    const blank = isBlank(text);
    if (n.hidden) {
      this.ariaHiddenChars += blank ? 0 : text.length;
      return;
    }
    if (blank) {
      this.space();
      return;
    }
    this.chars += text.length;
    this.nameChars += text.length;
    if (!this.quiet) this.#add(n, text);
  }

  #add(n: SnapNode, text: string): void {
    const run = this.#runFrom(n);
    release(run);
    run.pieces.push(text);
    run.chars += text.length;
  }

  /** A gap between words. */
  space(): void {
    this.#run?.pieces.push(' ');
  }

  /** Ends the run: a block begins or ends here. */
  flush(): void {
    const run = this.#run;
    if (!run) return;
    this.#run = undefined;
    if (!isSentence(run)) {
      for (const entry of run.entries) this.out.push(entry);
      return;
    }
    const entry = new PrintNode(run.first, 'run', 'text');
    entry.pieces = run.pieces;
    entry.children = run.entries;
    entry.chars = run.chars;
    this.out.push(entry);
  }

  /** Puts an element where it stands: on its own, or in the sentence around it. */
  place(entry: PrintNode, part: LinePart): void {
    const n = entry.node;
    if (isBlock(n) || part === 'apart') {
      this.flush();
      this.out.push(entry);
      return;
    }
    const run = this.#runFrom(n);
    run.entries.push(entry);
    if (part === 'words' && !this.quiet) {
      release(run);
      run.pieces.push(n);
    } else if (part === 'control' && run.pieces.length) run.held.push(' ', n, ' ');
    else this.space();
  }

  #runFrom(n: SnapNode): Run {
    this.#run ??= { first: n, pieces: [], held: [], entries: [], chars: 0 };
    return this.#run;
  }
}

function release(run: Run): void {
  for (const piece of run.held) run.pieces.push(piece);
  run.held = [];
}

/** More than separators stands between the elements of the run. */
const SEPARATORS = /^[\s\u200b\p{Co}|·•,;:/\\()[\]<>«»‹›→←.–—-]*$/u;
const isSentence = (run: Run): boolean =>
  run.entries.length === 0
    ? run.chars > 0
    : run.pieces.some(piece => typeof piece === 'string' && !SEPARATORS.test(piece));

export const isBlock = (n: SnapNode): boolean => !isInline(n) && !css(n, 'display').startsWith('inline-');
