// The toolset of a connection: which tools it is shown, and in whose words it is answered.
import type { Options } from '../config/options.ts';
import { briefly } from './brief.ts';
import { LISTED } from './listed.ts';
import { type Listed, offered, type ToolEntry } from './listing.ts';
import { STRUCTURED_SCHEMA } from './structured.ts';

export interface Toolset {
  /** Ours when left out. */
  dialect?: Options['dialect'];
  tools: ToolEntry[];
  /** Also answer with structuredContent. */
  structured: boolean;
  /** What the client is told about the server; our own words when left out. */
  instructions?: string;
}

interface DialectListing {
  LISTED: readonly Listed[];
  INSTRUCTIONS: string;
}

const LISTINGS: Record<Exclude<Options['dialect'], 'native'>, () => Promise<DialectListing>> = {
  chrome: () => import('./listed-chrome.ts'),
};

type Wishes = Pick<Options, 'dialect' | 'tools' | 'structured' | 'outputSchema'>;

export async function toolsetFor({ dialect, tools, structured, outputSchema }: Wishes): Promise<Toolset> {
  const answering = { dialect, structured: structured || outputSchema };
  const say = (entry: ToolEntry) => (outputSchema ? { ...entry, outputSchema: STRUCTURED_SCHEMA } : entry);
  if (dialect === 'native') return { ...answering, tools: offered(LISTED, tools).map(briefly).map(say) };
  const listing = await LISTINGS[dialect]();
  return { ...answering, tools: offered(listing.LISTED, tools).map(say), instructions: listing.INSTRUCTIONS };
}

export const listedIn = async (dialect: Options['dialect']): Promise<readonly Listed[]> =>
  dialect === 'native' ? LISTED : (await LISTINGS[dialect]()).LISTED;

/** Of our own tools, those that may be used, by whatever name. */
export const usable = (tools: readonly string[]): string[] => offered(LISTED, tools).map(({ name }) => name);
