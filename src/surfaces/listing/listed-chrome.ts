// The listing of the dialect `chrome`, loaded only when it is asked for. The build replaces this module by its result.
import { CHROME } from '../../dialects/chrome/chrome.ts';
import { TOOLS } from '../../tools/index.ts';
import type { Listed } from './listing.ts';
import { listDialect } from './schema.ts';

export const LISTED: readonly Listed[] = listDialect(CHROME, TOOLS);

export const INSTRUCTIONS: string = CHROME.instructions;
