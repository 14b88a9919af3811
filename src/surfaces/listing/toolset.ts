// The toolset of a connection: which tools it is shown, in whose words it is answered, and as which server it is met.
import type { Options } from '../../config/options.ts';
import { safeName } from '../../dialects/spelling.ts';
import { Failure } from '../../errors.ts';
import { LISTED } from './listed.ts';
import { listingOf } from './listed-dialects.ts';
import { briefEntry, type Listed, offered, type ServerIdentity, type ToolEntry } from './listing.ts';
import { STRUCTURED_SCHEMA } from './structured.ts';

export interface Toolset extends ServerIdentity {
  /** Ours when left out. */
  dialect?: Options['dialect'];
  tools: ToolEntry[];
  /** The same for a client by its name, which may refuse names with dots. */
  toolsFor?(client: string | undefined): ToolEntry[];
  /** Also answer with structuredContent; undefined: by the client. */
  structured: boolean | undefined;
  /** What the client is told about the server; our own words when left out. */
  instructions?: string;
  /** What the server is called instead of its own name and version. */
  called?: { name?: string; version?: string };
}

type Wishes = Pick<Options, 'dialect' | 'tools' | 'structured' | 'outputSchema'> &
  Partial<Pick<Options, 'safeNames' | 'serverName' | 'serverVersion'>>;

export async function toolsetFor(wishes: Wishes): Promise<Toolset> {
  const { dialect, tools, structured, outputSchema } = wishes;
  if (dialect === 'agent-browser') throw onStdioOnly();
  const answering = { dialect, structured: outputSchema || structured, called: calledBy(wishes) };
  const say = (entry: ToolEntry) => (outputSchema ? { ...entry, outputSchema: STRUCTURED_SCHEMA } : entry);
  if (dialect === 'native') return { ...answering, tools: offered(LISTED, tools).map(briefEntry).map(say) };
  const { listed, instructions, identity } = await listingOf(dialect);
  const named = offered(listed, tools).map(briefEntry).map(say);
  const hasDots = named.some(({ name }) => name.includes('.'));
  const isSafe = (client = '') => wishes.safeNames === true || refusesDots(client);
  return {
    ...answering,
    ...identity,
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

export async function listedIn(dialect: Options['dialect']): Promise<readonly Listed[]> {
  if (dialect === 'native') return LISTED;
  if (dialect === 'agent-browser') return (await import('./listed-bridge.ts')).LISTED;
  return (await listingOf(dialect)).listed;
}

/** Of our own tools, those that may be used, by whatever name. */
export const usable = (tools: readonly string[]): string[] => offered(LISTED, tools).map(({ tool }) => tool.name);

interface DotlessClient {
  /** Of the client, from its start: bridges add words behind it. */
  name: RegExp;
  why: string;
}

/** The protocol allows dots, but what a client sends a name on to may not. */
export const DOTLESS: readonly DotlessClient[] = [
  {
    name: /^claude[-_ ]?(?:ai|desktop)\b/i,
    why: 'Claude Desktop and claude.ai show no tool of a server that has one with a dot',
  },
  { name: /^claude[-_ ]?code\b/i, why: 'the API of its models takes letters, digits, _ and - only' },
  { name: /^cursor\b/i, why: 'Cursor refuses such a tool, or calls it by another name' },
  { name: /^(?:codex|openai|chatgpt)\b/i, why: 'the API of its models takes letters, digits, _ and - only' },
  {
    name: /^(?:github[-_ ])?copilot\b/i,
    why: 'Copilot passes the name on to an API that refuses the whole request',
  },
  { name: /^(?:visual studio code|vscode|code - oss)\b/i, why: 'VS Code warns, and renames the tool' },
];

const refusesDots = (client: string): boolean => DOTLESS.some(({ name }) => name.test(client));
