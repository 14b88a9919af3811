// Reads what a server has printed: the refs of elements by role and name.

export interface PrintedElement {
  ref: string;
  role: string;
  name: string;
}

/** How a server prints an element; the groups are ref, role and name, the name perhaps without quotes. */
export type PrintedForm = RegExp;

const NAME = String.raw`"(?<name>(?:[^"\\]|\\.)*)"`;
export const FORMS = {
  /** `@e3 button Greet, disabled`, and in receipts `@e3 button "Greet"`. */
  tabwright: new RegExp(String.raw`(?<ref>@e\d+) (?<role>[\w-]+)(?: ${NAME}| (?<bare>[^,:"\n]+))?`, 'g'),
  /** `- button "Greet" [ref=e3]`, or `[level=1, ref=e3]`. */
  yaml: new RegExp(String.raw`^\s*- '?(?<role>[\w-]+)(?: ${NAME})?[^\n]*?[[ ]ref=(?<ref>\w+)\]`, 'gm'),
  /** `uid=1_3 button "Greet"`. */
  uids: new RegExp(String.raw`uid=(?<ref>\S+) (?<role>[\w-]+)(?: ${NAME})?`, 'g'),
} as const satisfies Record<string, PrintedForm>;

export const elementsIn = (text: string, form: PrintedForm): PrintedElement[] =>
  [...text.matchAll(form)].map(({ groups = {} }) => ({
    ref: groups.ref ?? '',
    role: groups.role ?? '',
    name: (groups.name ?? groups.bare ?? '').replaceAll('\\"', '"').trim(),
  }));

/** `button "Save"`, or `"Receipt"`, whatever that is. */
export function readTarget(target: string): { role: string | undefined; name: string } {
  const [, role, name] = /^(?:([\w-]+) )?"(.*)"$/.exec(target) ?? [];
  if (name === undefined) throw new Error(`not a target: ${target}`);
  return { role, name };
}

/** The element with that role and name; else one of that role whose name begins so; else one of that name. */
export function refIn(elements: readonly PrintedElement[], target: string): string | undefined {
  const wanted = readTarget(target);
  const ofRole = elements.filter(({ role }) => wanted.role === undefined || role === wanted.role);
  const found =
    ofRole.find(({ name }) => name === wanted.name) ??
    ofRole.find(({ name }) => name.startsWith(wanted.name)) ??
    elements.find(({ name }) => name === wanted.name);
  return found?.ref;
}
