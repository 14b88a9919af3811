// The listing of a dialect by its name. The build replaces this module: listings are computed beforehand, and each is loaded when it is asked for.
import { definitionOf } from '../../dialects/index.ts';
import type { DialectName } from '../../dialects/registry.ts';
import { TOOLS } from '../../tools/index.ts';
import type { DialectListing } from './listing.ts';
import { dialectListing } from './schema.ts';

export async function listingOf(name: DialectName): Promise<DialectListing> {
  const definition = await definitionOf(name);
  if (!definition) throw new Error(`there is no dialect ${name}`);
  return dialectListing(definition, TOOLS);
}
