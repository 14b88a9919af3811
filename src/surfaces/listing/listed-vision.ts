// The listing of the dialect `vision`, loaded only when it is asked for. The build replaces this module by its result.
import { VISION } from '../../dialects/vision/vision.ts';
import { TOOLS } from '../../tools/index.ts';
import type { Listed, ServerIdentity } from './listing.ts';
import { bearingOf, listDialect } from './schema.ts';

export const LISTED: readonly Listed[] = listDialect(VISION, TOOLS);

export const INSTRUCTIONS: string = VISION.instructions;

export const BEARING: ServerIdentity = bearingOf(VISION);
