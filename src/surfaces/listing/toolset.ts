// The toolset of a connection: which tools it is shown, in whose words it is answered, and as which server it is met.
import type { Options } from '../../config/options.ts';
import { safeName } from '../../dialects/spelling.ts';
import { Failure } from '../../errors.ts';
import { briefly } from './brief.ts';
import { refusesDots } from './dotless.ts';
import { LISTED } from './listed.ts';
import { type Listed, offered, type ServerIdentity, type ToolEntry } from './listing.ts';
import { STRUCTURED_SCHEMA } from './structured.ts';

export interface Toolset extends ServerIdentity {
  /** Ours when left out. */
  dialect?: Options['dialect'];
  tools: ToolEntry[];
  /** The same for a client by its name, which may refuse names with dots. */
  toolsFor?(client: string | undefined): ToolEntry[];
  /** Also answer with structuredContent. */
  structured: boolean;
  /** What the client is told about the server; our own words when left out. */
  instructions?: string;
  /** What the server is called instead of its own name and version. */
  called?: { name?: string; version?: string };
}

interface DialectListing {
  LISTED: readonly Listed[];
  INSTRUCTIONS: string;
  BEARING?: ServerIdentity;
}

const LISTINGS: Record<Exclude<Options['dialect'], 'native'>, () => Promise<DialectListing>> = {
  chrome: () => import('./listed-chrome.ts'),
  vision: () => import('./listed-vision.ts'),
  devtools: () => import('./listed-devtools.ts'),
  browsion: () => import('./listed-browsion.ts'),
  'agent-browser': () => import('./listed-bridge.ts'),
};

type Wishes = Pick<Options, 'dialect' | 'tools' | 'structured' | 'outputSchema'> &
  Partial<Pick<Options, 'safeNames' | 'serverName' | 'serverVersion'>>;

export async function toolsetFor(wishes: Wishes): Promise<Toolset> {
  const { dialect, tools, structured, outputSchema } = wishes;
  if (dialect === 'agent-browser') throw onStdioOnly();
  const answering = { dialect, structured: structured || outputSchema, called: calledBy(wishes) };
  const say = (entry: ToolEntry) => (outputSchema ? { ...entry, outputSchema: STRUCTURED_SCHEMA } : entry);
  if (dialect === 'native') return { ...answering, tools: offered(LISTED, tools).map(briefly).map(say) };
  const { LISTED: listed, INSTRUCTIONS: instructions, BEARING } = await LISTINGS[dialect]();
  const named = offered(listed, tools).map(say);
  const hasDots = named.some(({ name }) => name.includes('.'));
  const isSafe = (client = '') => wishes.safeNames === true || refusesDots(client);
  return {
    ...answering,
    ...BEARING,
    tools: named,
    ...(hasDots && { toolsFor: (client?: string) => (isSafe(client) ? named.map(safely) : named) }),
    instructions,
  };
}

/** It is no dialect of ours: another program runs its tools. */
const onStdioOnly = (): Failure =>
  new Failure(
    'bad_input',
    '--dialect agent-browser is served on stdin and stdout only.',
    'Run: tabwright mcp --dialect agent-browser',
  );

const safely = (tool: ToolEntry): ToolEntry => ({ ...tool, name: safeName(tool.name) });

const calledBy = ({ serverName, serverVersion }: Wishes) => ({
  ...(serverName !== undefined && { name: serverName }),
  ...(serverVersion !== undefined && { version: serverVersion }),
});

export const listedIn = async (dialect: Options['dialect']): Promise<readonly Listed[]> =>
  dialect === 'native' ? LISTED : (await LISTINGS[dialect]()).LISTED;

/** Of our own tools, those that may be used, by whatever name. */
export const usable = (tools: readonly string[]): string[] => offered(LISTED, tools).map(({ name }) => name);
