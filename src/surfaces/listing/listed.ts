// The listing of all tools. The build replaces this module by its result, so that a start loads no schemas.
import { TOOLS } from '../../tools/index.ts';
import type { Listed } from './listing.ts';
import { list } from './schema.ts';

export const LISTED: readonly Listed[] = list(TOOLS);
