// The place where kept elements are put while the tree is walked: finished ones, and the run of inline text under way.
import { Kept, type Piece } from './kept.ts';
import { css, type SnapNode } from './node.ts';
import { isBlank, isInline } from './text.ts';

interface Run {
  first: SnapNode;
  pieces: Piece[];
  /** Text of controls: part of the sentence only if the sentence goes on after it. */
  held: Piece[];
  kept: Kept[];
  chars: number;
}

/** What an element gives to the sentence it stands in: its words, its words if the sentence goes on, nothing; or it ends it. */
export type Part = 'words' | 'control' | 'field' | 'apart';

export class Spot {
  readonly out: Kept[] = [];
  /** Characters of text seen so far. */
  chars = 0;
  /** Hits so far, pictures not counted. */
  hits = 0;
  #run: Run | undefined = undefined;

  /** The text here is the name of something else. */
  quiet = false;

  constructor(
    /** False inside a name: only hits are kept, text is only counted. */
    readonly texts: boolean,
  ) {}

  text(n: SnapNode, text: string): void {
    if (!text) return;
    const blank = isBlank(text);
    if (!blank) this.chars += text.length;
    if (!this.texts || this.quiet) return;
    if (blank) {
      this.#run?.pieces.push(' ');
      return;
    }
    const run = this.#runFrom(n);
    run.pieces.push(...run.held, text);
    run.held = [];
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
      this.out.push(...run.kept);
      return;
    }
    const kept = new Kept(run.first, 'run', 'text');
    kept.pieces = run.pieces;
    kept.children = run.kept;
    kept.chars = run.chars;
    this.out.push(kept);
  }

  /** Puts an element where it stands: on its own, or in the sentence around it. */
  place(kept: Kept, part: Part): void {
    const n = kept.node;
    if (isBlock(n) || part === 'apart') {
      this.flush();
      this.out.push(kept);
      return;
    }
    const run = this.#runFrom(n);
    run.kept.push(kept);
    if (part === 'words' && this.texts && !this.quiet) run.pieces.push(...run.held.splice(0), n);
    else if (part === 'control' && run.pieces.length) run.held.push(' ', n, ' ');
    else this.space();
  }

  #runFrom(n: SnapNode): Run {
    this.#run ??= { first: n, pieces: [], held: [], kept: [], chars: 0 };
    return this.#run;
  }
}

/** More than separators stands between the elements of the run. */
const SEPARATORS = /^[\s\u200b\p{Co}|·•,;:/\\()[\]<>«»‹›→←.–—-]*$/u;
const isSentence = (run: Run): boolean =>
  run.kept.length === 0
    ? run.chars > 0
    : run.pieces.some(piece => typeof piece === 'string' && !SEPARATORS.test(piece));

export const isBlock = (n: SnapNode): boolean => !isInline(n) && !css(n, 'display').startsWith('inline-');
