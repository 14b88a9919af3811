// What a selector is once it is read: a list of steps, each of which narrows what the one before it has found.

/** `part`: in any case, somewhere in it; `whole`: just this; both with blanks as one. */
export type TextTest = { value: string; how: 'part' | 'whole' } | { value: string; how: 'regex'; flags: string };

/** One test of CSS that the page does not know, or that has to look into shadow roots. */
export type CssTest =
  | { is: 'visible' | 'scope' }
  | { is: 'has-text' | 'text'; text: TextTest }
  | { is: 'is' | 'not' | 'has'; list: CssPart[][] };

/** `a.b:visible`: what one element must be, and how it stands to the part before it. */
export interface CssPart {
  css: string;
  tests: CssTest[];
  combinator: ' ' | '>' | '+' | '~';
}

/** A step that is taken inside the page. */
export type PageStep =
  /** `native` when the page itself can read it. */
  | { by: 'css'; list: CssPart[][]; native?: string }
  | { by: 'xpath'; value: string }
  | { by: 'text' | 'label'; text: TextTest }
  | { by: 'attribute'; name: string; text: TextTest }
  /** What any of them finds, in page order. */
  | { by: 'any'; steps: PageStep[] }
  | { by: 'nth'; index: number }
  | { by: 'hasText' | 'hasNotText'; text: TextTest }
  | { by: 'visible' };

/** A step that is taken on a capture of the page: roles and names are those that snapshots print. */
export interface RoleStep {
  by: 'role';
  role: string;
  name?: TextTest;
  states: { level?: number; checked?: boolean; pressed?: boolean; expanded?: boolean };
  includeHidden?: boolean;
}

export type SelectorStep = PageStep | RoleStep;

export const FIRST: PageStep = { by: 'nth', index: 0 };
export const VISIBLE: PageStep = { by: 'visible' };

export const textTest = (value: string, exact = false): TextTest => ({ value, how: exact ? 'whole' : 'part' });
