// Record: what the journal keeps of a call, and what a person is shown of its arguments. Secrets are masked.
import { maskArgs, TYPED } from '../policy/mask.ts';
import type { JournalRecord } from '../session/journal.ts';
import type { AnyTool } from '../tools/tool.ts';

/** A tool that is not known has no argument that could be trusted to be harmless. */
export function maskedArgs(tool: AnyTool | undefined, args: unknown): unknown {
  const input = tool?.input ?? {};
  // An argument that the tool does not know may be a secret under a wrong name.
  const unknown = Object.keys(Object(args)).filter(name => !(name in input));
  return maskArgs(args, [...(TYPED[tool?.name ?? ''] ?? []), ...unknown]);
}

/** How a rule bore on a call. */
export type Ruled = Pick<JournalRecord, 'rule' | 'approval'>;
