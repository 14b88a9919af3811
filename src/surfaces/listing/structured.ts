// The structured form of a result: what programs read, over every surface, and which clients get it unasked.
import type { Failure } from '../../errors.ts';

export type StructuredResult =
  | { success: true; data: unknown }
  | { success: false; error: string; code: string; hint?: string };

interface Ended {
  failure?: Pick<Failure, 'code' | 'message' | 'hint'>;
  data?: unknown;
}

/** What --output-schema promises of every answer; the facts in `data` differ from tool to tool. */
export const STRUCTURED_SCHEMA = {
  type: 'object' as const,
  properties: {
    success: { type: 'boolean' },
    data: {},
    error: { type: 'string' },
    code: { type: 'string' },
    hint: { type: 'string' },
  },
  required: ['success'],
};

export function structuredForm({ failure, data }: Ended): StructuredResult {
  if (!failure) return { success: true, data: data ?? null };
  const { message, code, hint } = failure;
  return { success: false, error: message, code, ...(hint && { hint }) };
}

/** Clients that show their model the text beside structuredContent, by name; docs/configuration.md has the others. */
const KEEPS_TEXT: readonly RegExp[] = [
  // claude.ai and Claude Desktop
  /^claude-ai(?: |$)/i,
  // ChatGPT
  /^openai-mcp(?: |$)/i,
  // MCP Inspector, of two generations
  /^(?:mcp-inspector|inspector-client)(?: |$)/i,
];

/** Before that revision there is no structuredContent. */
const STRUCTURED_SINCE = '2025-06-18';

export const keepsText = (client: string, revision: string): boolean =>
  revision >= STRUCTURED_SINCE && KEEPS_TEXT.some(name => name.test(client));
