// The listing of the agent-browser bridge, loaded only when it is asked for. The build replaces this module by its result.

import { BRIDGE_TOOLS, INSTRUCTIONS as WORDS } from '../../bridge/tools/index.ts';
import { inputOf } from '../../bridge/tools/tool.ts';
import { RESULT } from '../../bridge/types.ts';
import type { Listed } from './listing.ts';
import { inputSchema } from './schema.ts';

const outputSchema = inputSchema(RESULT.shape);

export const LISTED: readonly Listed[] = BRIDGE_TOOLS.map(tool => ({
  group: tool.group,
  core: tool.core === true,
  ...(tool.oneOf && { oneOf: tool.oneOf }),
  tool: {
    name: tool.name,
    description: tool.summary,
    inputSchema: inputSchema(inputOf(tool)),
    outputSchema,
    annotations: tool.hints,
  },
}));

export const INSTRUCTIONS: string = WORDS;
