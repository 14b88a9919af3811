// What a caller reads, in the words of its dialect: its own tools where ours are named, and its refs.
import type { Options } from '../config/options.ts';
import type { Args, Dialect, Row, Spoken } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/index.ts';
import { saying } from '../dialects/saying.ts';
import { refsInData, withNames, withPages, withRefs } from '../dialects/speech.ts';
import { spelledAs } from '../dialects/spelling.ts';
import { Failure } from '../errors.ts';
import { caused } from '../tools/effects-text.ts';
import { TOOLS } from '../tools/index.ts';
import type { AnyTool } from '../tools/tool.ts';

interface Asked {
  name: string;
  dialect?: Options['dialect'];
  /** The number of the snapshot that refs are told from. */
  snapshot?: number;
  /** The tabs that are open, in order: a dialect may call them by their place. */
  tabs?: readonly number[];
}

/** Spelled as the caller spells names. */
function dialectOf({ name, dialect = 'native', snapshot = 0 }: Asked): Dialect | undefined {
  const own = DIALECTS[dialect];
  const numbered = own?.numbered ? { ...own, ref: `${snapshot}${own.ref}` } : own;
  return numbered && spelledAs(numbered, name);
}

/** Groups and tools whose answers are what a page or a server said, word for word. */
const VERBATIM: readonly string[] = ['execution', 'network', 'storage', 'data', 'read'];

const isOurs = ({ group, name }: AnyTool): boolean => !VERBATIM.includes(group) && !VERBATIM.includes(name);

const OURS: ReadonlySet<string> = new Set(TOOLS.map(({ name }) => name));

export function sayFailure(asked: Asked, tool: AnyTool | undefined, failure: Failure): Failure {
  const { code, message, hint, rule } = failure;
  const isSelf = tool !== undefined && tool.name !== asked.name && new RegExp(`^${tool.name}(?=[: ])`).test(message);
  const own = isSelf ? asked.name + message.slice(tool.name.length) : message;
  const dialect = dialectOf(asked);
  if (!dialect) return own === message ? failure : new Failure(code, own, hint, { cause: failure, rule });
  const placed = (text: string) => (dialect.hasPage ? withPages(text, asked.tabs ?? []) : text);
  const said = (text: string, ours?: typeof OURS) => withNames(dialect, withRefs(dialect, placed(text)), ours);
  const next = dialect.hints?.[code] ?? hint ?? '';
  return new Failure(code, dialect.messages?.[code] ?? said(own), said(withSession(dialect, next), OURS) || undefined, {
    cause: failure,
    rule,
  });
}

/** Where a hint names the argument `session`. */
const withSession = ({ session }: Dialect, hint: string): string =>
  session === undefined ? hint : hint.replaceAll('"session"', JSON.stringify(session));

/** A dialect's own words for an answer, and what they are filled with. */
interface OwnWords {
  row?: Row | undefined;
  facts: Args;
}

export function sayText(asked: Asked, tool: AnyTool, text: string, own?: OwnWords): string {
  const dialect = dialectOf(asked);
  const says = own?.row?.says;
  if (dialect && own && typeof says === 'string')
    return saying(says, own.facts) + withNames(dialect, caused(own.facts), OURS);
  const said = inWordsOf(dialect, tool, text);
  return own && typeof says === 'function' ? says(own.facts, said) : said;
}

/** Our own text, as the caller would write it. */
function inWordsOf(dialect: Dialect | undefined, tool: AnyTool, text: string): string {
  if (!dialect || !isOurs(tool)) return text;
  const said = withRefs(dialect, text);
  return tool.effect === 'read' ? said : withNames(dialect, said, OURS);
}

/** What the row puts at the end. */
export const sayEnd = ({ row, facts }: OwnWords): string => row?.ends?.(facts) ?? '';

/** How a failure is told that is no error. */
export const sayLenient = (words: string, facts: Args): string => saying(words, facts);

/** How the dialect prints a whole answer; the page content is put in its refs. */
export function printerOf(asked: Asked): ((answer: Spoken) => string) | undefined {
  const dialect = dialectOf(asked);
  const { print } = dialect ?? {};
  if (!dialect || !print) return undefined;
  return answer => {
    const { content } = answer.around;
    const around = content === undefined ? answer.around : { ...answer.around, content: withRefs(dialect, content) };
    return print({ ...answer, around });
  };
}

/** An answer that is data, with what the session has to tell once as one more member. */
export const sayJson = (data: unknown, notes: readonly string[]): string =>
  JSON.stringify(notes.length > 0 && isMembers(data) ? { ...data, notes } : (data ?? null));

const isMembers = (data: unknown): data is object => typeof data === 'object' && data !== null && !Array.isArray(data);

export function sayData(asked: Asked, tool: AnyTool, data: unknown): unknown {
  const dialect = dialectOf(asked);
  return dialect && isOurs(tool) ? refsInData(dialect, data) : data;
}
