// Which tools a server offers: the listing, filtered by --tools.
import { nearest } from '../../config/nearest.ts';
import { Failure } from '../../errors.ts';
import type { ToolAnswer } from '../../tools/tool.ts';

export type JsonSchema = { [keyword: string]: unknown };

/** One tool as the tools/list of MCP shows it. */
export interface ToolEntry {
  name: string;
  description: string;
  inputSchema: JsonSchema & { type: 'object' };
  outputSchema?: JsonSchema & { type: 'object' };
  annotations?: { category?: string; readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean };
}

/** An entry with what --tools chooses by, and what JSON Schema would say at too great a length. */
export interface Listed {
  group: string;
  core: boolean;
  /** Exactly one of each list must be given. */
  oneOf?: readonly (readonly string[])[];
  /** Words of a command line that make a good call. */
  example?: readonly string[];
  answer?: ToolAnswer;
  tool: ToolEntry;
  /** The arguments as tools/list shows them, in fewer words: every model pays for them in every chat. */
  brief?: ToolEntry['inputSchema'];
}

/** What is computed beforehand of a dialect. */
export interface DialectListing {
  listed: readonly Listed[];
  instructions: string;
  identity: ServerIdentity;
}

/** How a server that speaks another dialect presents itself; as ours does when left out. */
export interface ServerIdentity {
  server?: {
    name: string;
    version: string;
    capabilities: { tools: { listChanged?: boolean }; logging?: Record<string, never> };
  };
  /** A tool that it has not is an error of the protocol, of that code. */
  strict?: true;
  unknownToolCode?: number;
  picturesFirst?: true;
}

/** The chosen entries: `all`, `core`, and any group by its name. An unknown name is a Failure. */
export function offered(listed: readonly Listed[], wanted: readonly string[]): Listed[] {
  const known = ['all', 'core', ...new Set(listed.map(({ group }) => group))];
  const unknown = wanted.find(name => !known.includes(name));
  if (unknown !== undefined) {
    const [close] = nearest(unknown, known);
    const list = `Groups: ${known.join(', ')}.`;
    throw new Failure(
      'bad_input',
      `--tools: there is no group "${unknown}".`,
      close ? `Did you mean ${close}? ${list}` : list,
    );
  }
  return listed.filter(
    ({ group, core }) => wanted.includes('all') || wanted.includes(group) || (core && wanted.includes('core')),
  );
}

/** As tools/list shows it. */
export const briefEntry = ({ tool, brief }: Listed): ToolEntry => (brief ? { ...tool, inputSchema: brief } : tool);
