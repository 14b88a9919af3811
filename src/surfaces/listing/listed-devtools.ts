// The listing of the dialect `devtools`, loaded only when it is asked for. The build replaces this module by its result.
import { DEVTOOLS } from '../../dialects/devtools/devtools.ts';
import { TOOLS } from '../../tools/index.ts';
import type { Listed, ServerIdentity } from './listing.ts';
import { bearingOf, listDialect } from './schema.ts';

export const LISTED: readonly Listed[] = listDialect(DEVTOOLS, TOOLS);

export const INSTRUCTIONS: string = DEVTOOLS.instructions;

export const BEARING: ServerIdentity = bearingOf(DEVTOOLS);
