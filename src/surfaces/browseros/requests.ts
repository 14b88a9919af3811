// The lines about calls: what was asked for, with secrets masked, and what failed. Each is one line with a bound.
import type { Call, Result } from '../../call/call.ts';
import { maskArgs, redact } from '../../policy/mask.ts';
import type { ToolEntry } from '../listing/listing.ts';

/** What is typed into pages may be a secret. */
const TYPED = ['value', 'promptText'];
const LONGEST = 2_000;
const LONGEST_NAME = 64;

/** An argument that the tool does not list may be a secret under another name. */
export function requestLine({ name, args }: Pick<Call, 'name' | 'args'>, tools: readonly ToolEntry[]): string {
  const listed = Object(tools.find(tool => tool.name === name)?.inputSchema.properties);
  const unknown = Object.keys(Object(args)).filter(key => !Object.hasOwn(listed, key));
  const masked = JSON.stringify(maskArgs(args ?? {}, [...TYPED, ...unknown]));
  return `${spelled(name)} request: ${oneLine(masked)}`;
}

export const errorLine = ({ name }: Pick<Call, 'name'>, { text }: Result): string =>
  `${spelled(name)} error: ${oneLine(redact(text.slice(0, LONGEST)))}`;

const spelled = (name: string): string => name.slice(0, LONGEST_NAME).replace(/[^\w.-]/g, '?');

function oneLine(text: string): string {
  const line = text.trim().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
