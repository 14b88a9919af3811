// What is shown of a call's arguments, to the journal and to a person who is asked before the call runs. Secrets are masked.
import { maskArgs, redact } from '../policy/mask.ts';
import { TOOLS } from '../tools/index.ts';
import type { AnyTool } from '../tools/tool.ts';
import { factsOf } from '../tools/touches.ts';
import type { Call } from './message.ts';
import type { Input } from './validate.ts';

/** A tool that is not known has no argument that could be trusted to be harmless. */
export function maskedArgs(tool: AnyTool | undefined, args: unknown): unknown {
  const input = tool?.input ?? {};
  const { typed, undeclared } = factsOf(input);
  // An argument that the tool does not know may be a secret under a wrong name.
  const unknown = Object.keys(Object(args)).filter(name => !(name in input));
  return maskArgs(args, [...typed, ...undeclared, ...unknown]);
}

/** Whether something of the arguments is for no record: it was typed into a page, or is a secret. */
export const hidesText = (tool: AnyTool | undefined, args: unknown): boolean =>
  /‹(?:\d+ chars|masked)›/.test(JSON.stringify(maskedArgs(tool, args)));

interface About {
  call: Call;
  tool: AnyTool;
  args: Input;
  session: string | undefined;
}

/** Of the arguments of one call, and of a url. */
const LONGEST = 1_000;
const LONGEST_URL = 300;

/** What would be done, where, and which rule wants to know. */
export function questionAbout({ call, tool, args, session }: About, rule: string, urls: readonly string[]): string {
  const where = urls.map(url => plain(redact(url), LONGEST_URL)).join(', ');
  return [
    `Allow ${tool.name}${where === '' ? '' : ` on ${where}`}?`,
    ...(tool.on === 'calls' ? steps(args) : [`With: ${json(maskedArgs(tool, args))}`]),
    `Asked for by: ${plain(call.caller.id, 100)}${session === undefined ? '' : `, in session ${plain(session, 100)}`}`,
    `Rule: ${rule}`,
  ].join('\n');
}

/** One line for each call of a batch. */
function steps({ calls }: Input): string[] {
  return (Array.isArray(calls) ? calls : []).map((step: unknown, at) => {
    const { tool, args } = Object(step);
    return `${at + 1}. ${plain(String(tool), 100)} ${json(maskArgs(args ?? {}, typedBy(tool)))}`;
  });
}

/** Of a tool by another name it is not known which of its arguments are typed: any that is typed for one of ours. */
function typedBy(name: unknown): string[] {
  const own = TOOLS.filter(tool => tool.name === name);
  return (own.length > 0 ? own : TOOLS).flatMap(({ input }) => factsOf(input).typed);
}

const json = (value: unknown): string => plain(JSON.stringify(value), LONGEST);

/** On one line, and without signs that nobody sees: what is asked must be what is read. */
function plain(text: string, longest: number): string {
  const seen = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, sign => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
  return seen.length > longest ? `${seen.slice(0, longest)}… (${seen.length} characters)` : seen;
}
