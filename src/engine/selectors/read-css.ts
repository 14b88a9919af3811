// Reads CSS as callers write it: also with :visible, :has-text(), :text() and :text-is(), and steps after `>>`. Pure.
import { badSelector } from './bad-selector.ts';
import { type CssPart, type CssTest, type PageStep, textTest } from './steps.ts';

/** `css >> nth=0`, `css >> xpath=…`, `css >> css`; the description is for messages. */
export function readCss(text: string, description: string): PageStep[] {
  const reader = new Reader(text, description);
  const steps: PageStep[] = [reader.css()];
  while (reader.takes('>>')) steps.push(reader.nextStep());
  return steps;
}

const COMBINATOR = /\s*([>+~])\s*|\s+/y;
const PSEUDO = /:([-\w]+)(\(?)/y;
const IN_QUOTES = /^\s*(["'])(.*)\1\s*$/s;

/** Tests by text, with what each asks of it. */
const TEXT_TESTS: Readonly<Record<string, { is: 'has-text' | 'text'; exact: boolean }>> = {
  'has-text': { is: 'has-text', exact: false },
  text: { is: 'text', exact: false },
  'text-is': { is: 'text', exact: true },
};

class Reader {
  at = 0;
  /** It holds something that only we know. */
  isOurs = false;

  constructor(
    readonly text: string,
    readonly description: string,
  ) {}

  takes(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  nextStep(): PageStep {
    const nth = this.#match(/\s*nth=(-?\d+)\s*(?=>>|$)/y);
    if (nth) return { by: 'nth', index: Number(nth[1]) };
    const xpath = this.#match(/\s*(?:xpath=|(?=\/\/|\.\.))(.*?)\s*(?=>>|$)/sy);
    if (xpath) return { by: 'xpath', value: xpath[1] ?? '' };
    this.#match(/\s*css=/y);
    return this.css();
  }

  css(): PageStep {
    const from = this.at;
    // `> a` is about the children of what is searched in: the page reads that inside of brackets only.
    this.isOurs = /\s*[>+~]/y.test(this.text.slice(from));
    const list = this.#list();
    const native = this.text.slice(from, this.at);
    if (this.at < this.text.length && !this.text.startsWith('>>', this.at)) this.#fail();
    return { by: 'css', list, ...(this.isOurs ? {} : { native }) };
  }

  /** Selectors between commas, up to the end of the step or of the brackets around it. */
  #list(): CssPart[][] {
    const list: CssPart[][] = [];
    do list.push(this.#complex());
    while (this.takes(','));
    return list;
  }

  #complex(): CssPart[] {
    const parts: CssPart[] = [];
    this.#match(/\s+/y);
    let combinator = this.#combinator();
    if (combinator) parts.push({ css: '', tests: [{ is: 'scope' }], combinator: ' ' });
    do {
      parts.push({ ...this.#compound(), combinator: combinator ?? ' ' });
      combinator = this.#combinator();
    } while (combinator);
    return parts;
  }

  /** Undefined at the end of a selector. */
  #combinator(): CssPart['combinator'] | undefined {
    if (this.#match(/\s*(?=>>)/y)) return undefined;
    const found = this.#match(COMBINATOR);
    if (!found || (!found[1] && /^[,)]?$/.test(this.text[this.at] ?? ''))) return undefined;
    return (found[1] ?? ' ') as CssPart['combinator'];
  }

  #compound(): Omit<CssPart, 'combinator'> {
    const tests: CssTest[] = [];
    let css = '';
    for (;;) {
      const pseudo = this.#match(PSEUDO);
      if (pseudo) css += this.#pseudo(pseudo, tests);
      else {
        const rest = this.#match(
          /(?:\\.|\[(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\]"'])*\]|::[-\w]+|[^\s>+~,():\\[])+/sy,
        );
        if (!rest) break;
        css += rest[0];
      }
    }
    if (css === '' && tests.length === 0) this.#fail();
    return { css, tests };
  }

  /** Gives what the page can test itself. */
  #pseudo([whole, name = '', open]: RegExpExecArray, tests: CssTest[]): string {
    if (open === '' && (name === 'visible' || name === 'scope')) {
      this.isOurs ||= name === 'visible';
      tests.push({ is: name });
      return '';
    }
    if (open === '') return whole;
    const asked = TEXT_TESTS[name];
    if (asked) {
      this.isOurs = true;
      const argument = this.#argument();
      tests.push({ is: asked.is, text: textTest(IN_QUOTES.exec(argument)?.[2] ?? argument, asked.exact) });
      return '';
    }
    if (!/^(is|where|not|has)$/.test(name)) return `${whole}${this.#argument()})`;
    const list = this.#list();
    if (!this.takes(')')) this.#fail();
    tests.push({ is: name === 'where' ? 'is' : (name as 'is' | 'not' | 'has'), list });
    return '';
  }

  /** The text up to the bracket that closes, which is left out. */
  #argument(): string {
    const from = this.at;
    for (let depth = 1; depth > 0; ) {
      const piece = this.#match(/\\.|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\\"'()]+|[()]/sy);
      if (!piece) this.#fail();
      if (piece[0] === '(') depth++;
      else if (piece[0] === ')') depth--;
    }
    return this.text.slice(from, this.at - 1);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  #fail(): never {
    const rest = JSON.stringify(this.text.slice(this.at, this.at + 20));
    throw badSelector(this.description, rest === '""' ? 'something is missing at its end' : `${rest} is not expected`);
  }
}
