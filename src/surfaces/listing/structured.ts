// The structured form of a result: what programs read, over every surface.
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
