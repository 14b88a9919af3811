// Encode: native answers and failures in the words of a dialect.
import { Failure } from '../errors.ts';
import { inWording, type Phrase, type Wording } from '../text.ts';
import { caused } from '../tools/effects-text.ts';
import type { DialectDefinition, DialectTool, PageContext } from './definition.ts';
import type { Args, EncodedAnswer, RunningCall } from './dialect.ts';
import { rowOf } from './spelling.ts';
import { wordingFor } from './wording.ts';

export function encodeFailure(
  { messages, hints }: Pick<DialectDefinition, 'messages' | 'hints'>,
  wording: Wording,
  failure: Failure,
): Failure {
  const { code, rule } = failure;
  const message = messages?.[code] ?? inWording(failure.messageText, wording);
  const hint = hints?.[code] ?? failure.hintText ?? '';
  const advice = typeof hint === 'string' ? hint : hint.adviceIn(wording);
  return new Failure(code, message, advice || undefined, { cause: failure, rule });
}

/** The text of an answer; `facts` are what a row of the dialect makes its own from. */
export function encodeText(wording: Wording, text: string | Phrase, row?: DialectTool, facts: Args = {}): string {
  const native = inWording(text, wording);
  const given = {
    text: native,
    get caused() {
      return inWording(caused(facts), wording);
    },
  };
  return row?.says?.(facts, given) ?? native;
}

/** The answer to a call that went well. */
export async function encode(
  definition: DialectDefinition,
  call: RunningCall,
  text: string | Phrase,
  result: unknown,
): Promise<EncodedAnswer> {
  const { name, args } = call.call;
  definition.afterRun?.(call, result);
  const row = rowOf(definition, name);
  const context = row && (await contextOf(definition, call, row, result));
  // After the context: a snapshot in it is the one whose refs count from now on.
  const wording = wordingFor(definition, call, call.session);
  const { data, pictures } = call.present(result, wording);
  const facts = { ...Object(data), input: call.input ?? {}, given: Object(args) };
  if (row?.result) {
    const json = row.result(facts);
    return { text: '', data: json, pictures, print: notes => jsonText(json, notes) };
  }
  const words = encodeText(wording, text, row, facts);
  return { text: words, data, pictures, ...printed(definition, name, words, context, row?.ends?.(facts)) };
}

/** The answer to a failure that is no error in the dialect; undefined when it is one. */
export async function tolerate(
  definition: DialectDefinition,
  call: RunningCall,
  error: unknown,
): Promise<EncodedAnswer | undefined> {
  const { name, args } = call.call;
  const row = rowOf(definition, name);
  const text = error instanceof Failure && error.rule === undefined ? row?.tolerated?.[error.code] : undefined;
  if (!row || !text) return undefined;
  const explained = await call.explain(error);
  const failure = encodeFailure(definition, wordingFor(definition, call, call.session), explained);
  const words = text(failure.message, Object(args));
  const context = await contextOf(definition, call, row, undefined);
  const answer: EncodedAnswer = { text: words, data: undefined, pictures: [], failure, tolerated: true };
  return { ...answer, ...printed(definition, name, words, context) };
}

const contextOf = (definition: DialectDefinition, call: RunningCall, row: DialectTool, data: unknown) =>
  definition.pageContext?.(call, row, data, failure =>
    encodeFailure(definition, wordingFor(definition, call, undefined), failure),
  );

function printed(
  { print }: DialectDefinition,
  tool: string,
  words: string,
  context: PageContext = {},
  end = '',
): Pick<EncodedAnswer, 'print'> {
  return print ? { print: notes => print({ tool, notes, words, end, context }) } : {};
}

/** An answer that is data, with what the session has to tell once as one more member. */
const jsonText = (data: unknown, notes: readonly string[]): string =>
  JSON.stringify(notes.length > 0 && isMembers(data) ? { ...data, notes } : (data ?? null));

const isMembers = (data: unknown): data is object => typeof data === 'object' && data !== null && !Array.isArray(data);
