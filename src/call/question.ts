// The question that a person is asked before a call runs: what would be done, where, and which rule wants to know.
import { maskArgs, redact, TYPED } from '../policy/mask.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { Call } from './message.ts';
import { maskedArgs } from './record.ts';
import type { Input } from './validate.ts';

interface About {
  call: Call;
  tool: AnyTool;
  args: Input;
  session: string | undefined;
}

/** Of the arguments of one call, and of a url. */
const LONGEST = 1_000;
const LONGEST_URL = 300;

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
    return `${at + 1}. ${plain(String(tool), 100)} ${json(maskArgs(args ?? {}, TYPED[tool] ?? ANY_TYPED))}`;
  });
}

/** Of a tool by another name it is not known which of its arguments are typed. */
const ANY_TYPED = Object.values(TYPED).flat();

const json = (value: unknown): string => plain(JSON.stringify(value), LONGEST);

/** On one line, and without signs that nobody sees: what is asked must be what is read. */
function plain(text: string, longest: number): string {
  const seen = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, sign => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
  return seen.length > longest ? `${seen.slice(0, longest)}… (${seen.length} characters)` : seen;
}
