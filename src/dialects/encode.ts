// Encode: native answers and failures with the tool names, refs and texts of a dialect.
import { isRecord } from '../defined.ts';
import { Failure } from '../errors.ts';
import { inWording, type Phrase, type Wording } from '../text.ts';
import { caused } from '../tools/effects-text.ts';
import type { DialectDefinition, DialectTool, PrintedAnswer, Printer } from './definition.ts';
import type { Args, EncodedAnswer, RunningCall } from './dialect.ts';
import { toolNamed } from './spelling.ts';
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

/** The text of an answer; `facts` are what a tool of the dialect makes its own text from. */
export function encodeText(wording: Wording, text: string | Phrase, tool?: DialectTool, facts: Args = {}): string {
  const native = inWording(text, wording);
  const given = {
    text: native,
    get caused() {
      return inWording(caused(facts), wording);
    },
  };
  return tool?.text?.(facts, given) ?? native;
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
  const tool = toolNamed(definition, name);
  const print = tool && (await printerOf(definition, call, tool, result));
  // After the printer, which may have taken a snapshot: its refs are the valid ones from now on.
  const wording = wordingFor(definition, call, call.session);
  const { data, pictures } = call.present(result, wording);
  const facts = { ...Object(data), input: call.input ?? {}, given: Object(args) };
  if (tool?.result) {
    const json = tool.result(facts);
    return { text: '', data: json, pictures, print: notes => jsonText(json, notes) };
  }
  const encoded = encodeText(wording, text, tool, facts);
  return {
    text: encoded,
    data,
    pictures,
    ...printed(print, { tool: name, text: encoded, footer: tool?.footer?.(facts) ?? '' }),
  };
}

/** The answer to a failure that is no error in the dialect; undefined when it is one. */
export async function tolerate(
  definition: DialectDefinition,
  call: RunningCall,
  error: unknown,
): Promise<EncodedAnswer | undefined> {
  const { name, args } = call.call;
  const tool = toolNamed(definition, name);
  const textOf = error instanceof Failure && error.rule === undefined ? tool?.tolerated?.[error.code] : undefined;
  if (!tool || !textOf) return undefined;
  const explained = await call.explain(error);
  const failure = encodeFailure(definition, wordingFor(definition, call, call.session), explained);
  const text = textOf(failure.message, Object(args));
  const print = await printerOf(definition, call, tool, undefined);
  const answer: EncodedAnswer = { text, data: undefined, pictures: [], failure, tolerated: true };
  return { ...answer, ...printed(print, { tool: name, text, footer: '' }) };
}

const printerOf = (definition: DialectDefinition, call: RunningCall, tool: DialectTool, data: unknown) =>
  definition.printer?.(call, tool, data, failure =>
    encodeFailure(definition, wordingFor(definition, call, undefined), failure),
  );

const printed = (print: Printer | undefined, answer: Omit<PrintedAnswer, 'notes'>): Pick<EncodedAnswer, 'print'> =>
  print ? { print: notes => print({ ...answer, notes }) } : {};

/** An answer that is data, with the notes of the session as one more member. */
const jsonText = (data: unknown, notes: readonly string[]): string =>
  JSON.stringify(notes.length > 0 && isRecord(data) ? { ...data, notes } : (data ?? null));
