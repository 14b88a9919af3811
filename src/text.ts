// Phrase: an answer or an error message in which the names of tools, refs and tabs are marked, because dialects write them differently.

/** How one dialect writes the names in our texts. */
export interface Wording {
  /** Native tools that it has no name for cannot be called. */
  readonly strict: boolean;
  /** Its tool for a native one; undefined when it has none. */
  tool(name: string): string | undefined;
  ref(number: number): string;
  /** `tab 3`, or what the dialect calls it. */
  tab(id: number): string;
  /** A noun such as `ref` or `session`. */
  noun(word: string): string;
  /** The name by which the caller called the native tool. */
  called(name: string): string | undefined;
  /** What the tool that was called takes as that native argument; undefined when it takes none. */
  argument(name: string): string | undefined;
  /** Only what was done, not what came of it. */
  readonly brief?: boolean;
}

/** A marked place: its native form, and its form in another wording. */
interface Mark {
  readonly native: string;
  /** Undefined when the wording has no name for it. */
  in(wording: Wording): string | undefined;
}

export type Part = string | number | Mark | Phrase;

export class Phrase {
  constructor(readonly parts: readonly (string | Mark)[]) {}

  /** The native form. */
  toString(): string {
    return this.parts.map(part => (typeof part === 'string' ? part : part.native)).join('');
  }

  toJSON(): string {
    return this.toString();
  }

  /** What the wording has no name for keeps its native one. */
  in(wording: Wording): string {
    return this.parts.map(part => (typeof part === 'string' ? part : (part.in(wording) ?? part.native))).join('');
  }

  /** '' when it names a tool that the caller lacks: such advice helps nobody. */
  adviceIn(wording: Wording): string {
    const isLacking = this.parts.some(part => typeof part !== 'string' && part.in(wording) === undefined);
    return wording.strict && isLacking ? '' : this.in(wording);
  }
}

/** The native form when there is no wording. */
export const inWording = (text: string | Phrase, wording: Wording | undefined): string =>
  typeof text === 'string' || !wording ? String(text) : text.in(wording);

/** phrase`See ${toolName('tab_list')}.` */
export function phrase(strings: TemplateStringsArray, ...values: readonly Part[]): Phrase {
  return joined(strings.flatMap((string, at) => (at === 0 ? [string] : [values[at - 1] ?? '', string])));
}

export const joined = (parts: readonly Part[], between = ''): Phrase =>
  new Phrase(parts.flatMap((part, at) => [...(at > 0 && between !== '' ? [between] : []), ...flat(part)]));

const flat = (part: Part): readonly (string | Mark)[] => {
  if (part instanceof Phrase) return part.parts;
  return [typeof part === 'number' ? String(part) : part];
};

/** A name of a tool. */
export const toolName = (name: string): Mark => ({ native: name, in: wording => wording.tool(name) });

/** `the dialog tool`, `the check or uncheck tool`. */
export const theTool = (...names: string[]): Mark => ({
  native: `the ${names.join(' or ')} tool`,
  in(wording) {
    const found = new Set(names.flatMap(name => wording.tool(name) ?? []));
    return found.size === 0 ? undefined : [...found].join(' or ');
  },
});

/** The tool that is running, at the beginning of a message. */
export const calledTool = (name: string): Mark => ({ native: name, in: wording => wording.called(name) });

/** An argument of the tool that is running, in advice to give it. */
export const argumentName = (name: string): Mark => ({ native: name, in: wording => wording.argument(name) });

/** An option of the server; the servers that strict dialects replace have others. */
export const optionName = (name: string): Mark => ({
  native: name,
  in: wording => (wording.strict ? undefined : name),
});

const snapshot = (native: string, again: string): Mark => ({
  native,
  in(wording) {
    const name = wording.tool('snapshot');
    return name && `call ${name}${again}`;
  },
});

export const TAKE_SNAPSHOT: Mark = snapshot('take a snapshot', '');
export const TAKE_NEW_SNAPSHOT: Mark = snapshot('take a new snapshot', ' again');

export const refName = (number: number): Mark => ({ native: `@e${number}`, in: wording => wording.ref(number) });

/** `@e5 button "Save"`. */
export const refLabel = (number: number, words: string): Mark => ({
  native: `@e${number} ${words}`,
  in: wording => `${wording.ref(number)} ${words}`.trimStart(),
});

export const tabName = (id: number): Mark => ({ native: `tab ${id}`, in: wording => wording.tab(id) });

export const noun = (word: string): Mark => ({ native: word, in: wording => wording.noun(word) });

/** With a capital letter, for the start of a sentence. */
export const capital = (mark: Mark): Mark => ({
  native: upperFirst(mark.native),
  in(wording) {
    const word = mark.in(wording);
    return word && upperFirst(word);
  },
});

const upperFirst = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** What came of the deed that a text tells. */
export const consequence = (inner: Phrase): Mark => ({
  native: String(inner),
  in: wording => (wording.brief ? '' : inner.in(wording)),
});

/** Advice inside a longer text; left out where it names a tool that the dialect lacks. */
export const advice = (inner: Phrase): Mark => ({ native: String(inner), in: wording => inner.adviceIn(wording) });

export const OR_MORE_TIME: Mark = advice(phrase`, or give a larger ${argumentName('timeout')}`);
