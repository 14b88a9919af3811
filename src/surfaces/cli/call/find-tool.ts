// The tools that --tools and --dialect offer, and one of them by its name.

import type { Options } from '../../../config/options.ts';
import { OLD_NAMES } from '../../../dialects/registry.ts';
import { Failure } from '../../../errors.ts';
import { unknownTool } from '../../../tools/unknown-tool.ts';
import { LISTED } from '../../listing/listed.ts';
import { type Listed, offered } from '../../listing/listing.ts';
import { listedIn, usable } from '../../listing/toolset.ts';

type Wanted = Pick<Options, 'dialect' | 'tools'>;

export const offeredTools = async ({ dialect, tools }: Wanted): Promise<Listed[]> =>
  offered(await listedIn(dialect), tools);

/** Old names are found too, whether they are listed or not. */
export async function findTool(name: string, wanted: Wanted): Promise<Listed> {
  const own = LISTED.find(({ tool }) => tool.name === name);
  if (own && !usable(wanted.tools).includes(name))
    throw new Failure('unknown_tool', `--tools leaves ${name} out.`, `It is in the group ${own.group}.`);
  const listed = [...(await listedIn(wanted.dialect)), ...(await listedIn(OLD_NAMES))];
  const found = own ?? listed.find(({ tool }) => tool.name === name);
  if (found) return found;
  throw unknownTool(
    (await offeredTools(wanted)).map(({ tool }) => tool.name),
    name,
  );
}
