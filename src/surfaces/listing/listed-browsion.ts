// The listing of the dialect `browsion`, and where the HTTP API serves each tool. The build replaces this module by its result.
import { BROWSION, BROWSION_ROWS } from '../../dialects/browsion/browsion.ts';
import { TOOLS } from '../../tools/index.ts';
import type { Listed, ServerIdentity } from './listing.ts';
import { listDialect } from './schema.ts';

export const LISTED: readonly Listed[] = listDialect(BROWSION, TOOLS);

export const INSTRUCTIONS: string = BROWSION.instructions;

export const BEARING: ServerIdentity = { strict: true };

/** What the bridge must know of a tool to send it. */
export interface ServedTool {
  method: string;
  path: string;
  /** The member of the answer that holds its picture. */
  picture?: string;
}

export const SERVED: Readonly<Record<string, ServedTool>> = Object.fromEntries(
  Object.entries(BROWSION_ROWS).map(
    ([
      name,
      {
        at: [{ method, path }],
        picture,
      },
    ]) => [name, { method, path, ...(picture !== undefined && { picture }) }],
  ),
);
