// What a caller reads, in the words of its dialect: its own tools where ours are named, and its refs.
import type { Options } from '../config/options.ts';
import type { Args, Dialect, Row, Spoken } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/index.ts';
import { saying } from '../dialects/saying.ts';
import { spelledAs } from '../dialects/spelling.ts';
import { aliasWording, refPrefix, wordingOf } from '../dialects/wording.ts';
import { Failure } from '../errors.ts';
import type { Session } from '../session/session.ts';
import type { Phrase, Wording } from '../text.ts';
import { caused } from '../tools/effects-text.ts';
import type { AnyTool } from '../tools/tool.ts';

interface Asked {
  name: string;
  dialect?: Options['dialect'];
  /** The number of the last snapshot. */
  snapshot?: number;
  /** The tabs that are open, in order: a dialect may call them by their place. */
  tabs?: readonly number[];
}

/** Spelled as the caller spells names. */
function dialectOf({ name, dialect = 'native' }: Asked): Dialect | undefined {
  const own = DIALECTS[dialect];
  return own && spelledAs(own, name);
}

/** Undefined where our own words are right. */
export function wordingFor(asked: Asked, tool: AnyTool | undefined): Wording | undefined {
  const dialect = dialectOf(asked);
  const called = tool && tool.name !== asked.name ? { tool: tool.name, name: asked.name } : undefined;
  if (dialect)
    return wordingOf(dialect, { ...(called && { called }), tabs: asked.tabs ?? [], snapshot: asked.snapshot ?? 0 });
  return called && aliasWording(called);
}

export const inWording = (text: string | Phrase, wording: Wording | undefined): string =>
  typeof text === 'string' || !wording ? String(text) : text.in(wording);

/** What the refs begin with that a call prints; a snapshot that it takes is the next one. */
export function refsOf(dialect: Options['dialect'] | undefined, session: Session | undefined): { refPrefix?: string } {
  const own = DIALECTS[dialect ?? 'native'];
  return own ? { refPrefix: refPrefix(own, (session?.shown.snapshot?.number ?? 0) + 1) } : {};
}

export function sayFailure(asked: Asked, tool: AnyTool | undefined, failure: Failure): Failure {
  const wording = wordingFor(asked, tool);
  if (!wording) return failure;
  const { code, rule } = failure;
  const dialect = dialectOf(asked);
  const message = dialect?.messages?.[code] ?? inWording(failure.messageText, wording);
  const hint = dialect?.hints?.[code] ?? failure.hintText ?? '';
  const advice = typeof hint === 'string' ? hint : hint.adviceIn(wording);
  return new Failure(code, message, advice || undefined, { cause: failure, rule });
}

/** A dialect's own words for an answer, and what they are filled with. */
interface OwnWords {
  row?: Row | undefined;
  facts: Args;
}

export function sayText(asked: Asked, tool: AnyTool, text: string | Phrase, own?: OwnWords): string {
  const wording = wordingFor(asked, tool);
  const says = own?.row?.says;
  if (own && typeof says === 'string') return saying(says, own.facts) + inWording(caused(own.facts), wording);
  const said = inWording(text, wording);
  return own && typeof says === 'function' ? says(own.facts, said) : said;
}

/** What the row puts at the end. */
export const sayEnd = ({ row, facts }: OwnWords): string => row?.ends?.(facts) ?? '';

/** How a failure is told that is no error. */
export const sayLenient = (words: string, facts: Args): string => saying(words, facts);

/** How the dialect prints a whole answer. */
export const printerOf = (asked: Asked): ((answer: Spoken) => string) | undefined => dialectOf(asked)?.print;

/** An answer that is data, with what the session has to tell once as one more member. */
export const sayJson = (data: unknown, notes: readonly string[]): string =>
  JSON.stringify(notes.length > 0 && isMembers(data) ? { ...data, notes } : (data ?? null));

const isMembers = (data: unknown): data is object => typeof data === 'object' && data !== null && !Array.isArray(data);
