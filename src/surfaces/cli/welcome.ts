// The welcome of `tabwright serve --welcome`: the built-in page driven once, what it showed, and how clients connect.
import { currentEnvironment } from '../../config/environment.ts';
import type { Loaded } from '../../config/load.ts';
import { ENTRY, type Entry, httpEntry, stdioEntry } from './config/clients.ts';
import { paint } from './output/terminal.ts';
import { type Proof, prove, type RunCall } from './proof.ts';

export interface Served {
  /** Where MCP is served, such as http://127.0.0.1:9223/mcp. */
  url: string;
  /** Absent when no token is asked for. */
  tokenFile?: string;
}

const { bold, dim, red } = paint(process.stdout);

/** Never rejects: a server whose browser fails goes on, and says what failed. */
export async function welcome(run: RunCall, at: Served, write: (line: string) => void, loaded: Loaded): Promise<void> {
  const proof = await prove(run);
  for (const line of ['', ...shown(proof), '', ...connecting(at, loaded)]) write(line);
}

function shown({ ok, ms, page, problem, steps }: Proof): string[] {
  if (!ok)
    return [red(`The built-in page could not be driven: ${problem}`), 'Look for the cause: npx tabwright doctor'];
  const times = steps.map(({ tool, ms }) => `${tool} ${ms} ms`).join(', ');
  return [bold(`Drove the built-in page in ${ms} ms:`), ...page.split('\n').map(line => `  ${line}`), dim(times)];
}

/** The settings for HTTP and for stdio. The token itself is never printed: logs are kept and shown around. */
function connecting({ url, tokenFile }: Served, loaded: Loaded): string[] {
  const token = tokenFile === undefined ? [] : [`  The token stands in ${tokenFile}`];
  return [
    bold('Connect a client to this server:'),
    settings({ ...httpEntry(loaded.options), url }),
    ...token,
    bold('Or let it start one of its own:'),
    settings(stdioEntry({}, loaded, currentEnvironment(), process.argv[1] ?? '')),
    dim('Settings for each client: npx tabwright config'),
  ];
}

const settings = (entry: Entry): string => `  ${JSON.stringify({ mcpServers: { [ENTRY]: entry } })}`;
