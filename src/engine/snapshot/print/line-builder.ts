// Collects the lines below one element while the tree is walked: finished nodes, and the run of inline text under way.
import { areLettersOfWord, css, isBlank, isInline, keepsLines, type SnapNode } from '../capture/node.ts';
import { type Piece, PrintNode } from './print-node.ts';

interface Run {
  first: SnapNode;
  pieces: Piece[];
  /** Text of controls: part of the sentence only if the sentence goes on after it. */
  held: Piece[];
  entries: PrintNode[];
  chars: number;
  /** Blanks count, as in a program. */
  verbatim: boolean;
}

/**
 * How an inline element joins the sentence around it: `words` adds its text, `control` adds it if the sentence goes on,
 * `field` adds nothing, `apart` ends the sentence.
 */
export type LinePart = 'words' | 'control' | 'field' | 'apart';

export class LineBuilder {
  readonly out: PrintNode[] = [];
  /** Characters of text so far, and how many of them a name from content covers. */
  chars = 0;
  nameChars = 0;
  ariaHiddenChars = 0;
  /** Interactive elements so far, without pictures. */
  targets = 0;
  /** Drawings with text in them so far. */
  drawings = 0;
  /** The text being walked is the name of another element. */
  quiet = false;
  #run: Run | undefined = undefined;
  #letter: SnapNode | undefined = undefined;

  /** An inline box: blanks around it, unless it is a letter beside another one. */
  inlineBox(n: SnapNode, visit: () => void): void {
    if (!areLettersOfWord(this.#letter, n)) this.space();
    this.#letter = undefined;
    visit();
    this.#letter = n;
  }

  #endLetter(): void {
    if (this.#letter) this.space();
    this.#letter = undefined;
  }

  text(n: SnapNode, text: string): void {
    this.#endLetter();
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

  space(): void {
    this.#run?.pieces.push(' ');
  }

  /** Ends the run: a block begins or ends here. */
  flush(): void {
    this.#letter = undefined;
    const run = this.#run;
    if (!run) return;
    this.#run = undefined;
    if (!isSentence(run)) {
      for (const entry of run.entries) this.out.push(entry);
      return;
    }
    const entry = new PrintNode(run.first, 'run', 'text');
    entry.pieces = run.pieces;
    entry.verbatim = run.verbatim;
    entry.children = run.entries;
    entry.chars = run.chars;
    this.out.push(entry);
  }

  /** Adds an element: as a line of its own, or to the sentence around it. */
  place(entry: PrintNode, part: LinePart): void {
    const n = entry.node;
    this.#endLetter();
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
    this.#run ??= { first: n, pieces: [], held: [], entries: [], chars: 0, verbatim: keepsLines(n) };
    return this.#run;
  }
}

function release(run: Run): void {
  for (const piece of run.held) run.pieces.push(piece);
  run.held = [];
}

/** A run is a sentence when more than separators stands between its elements. */
const SEPARATORS = /^[\s\u200b\p{Co}|·•,;:/\\()[\]<>«»‹›→←.–—-]*$/u;
const isSentence = (run: Run): boolean =>
  run.entries.length === 0
    ? run.chars > 0
    : run.pieces.some(piece => typeof piece === 'string' && !SEPARATORS.test(piece));

export const isBlock = (n: SnapNode): boolean => !isInline(n) && !css(n, 'display').startsWith('inline-');
