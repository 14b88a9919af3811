// `tabwright mcp --dialect browsion`, and the command browsion-mcp: MCP on stdin and stdout over the HTTP API of a running serve.
import { Failure } from '../../errors.ts';
import { type BrowsionApi, callApi, send } from '../browsion/mcp-server.ts';
import { howToStart } from '../browsion/route-group.ts';
import { inUrl, isWildcard } from '../http/auth/host-origin.ts';
import { INSTRUCTIONS, LISTED, SERVED } from '../listing/listed-browsion.ts';
import { offered } from '../listing/listing.ts';
import { serveToolsOnStdio } from '../mcp/stdio.ts';
import { type Run, type Start, signalled } from './command.ts';

const PROBE_MS = 2_000;

export const run: Run = async start => {
  const { options, version, log } = start;
  const { serverName = 'browsion-mcp', serverVersion = version } = options;
  const api = apiOf(start);
  const forwarded = {
    identity: { name: serverName, version: serverVersion },
    instructions: INSTRUCTIONS,
    tools: offered(LISTED, options.tools),
    call: (name: string, args: unknown, signal: AbortSignal) => callApi(api, name, args, signal),
  };
  const served = serveToolsOnStdio(forwarded, log);
  // Clients need not wait for it: the tools are listed either way.
  void probe(api).catch((error: Error) => log.warn(`${error.message} ${api.howToStart}`));
  await Promise.race([served, signalled()]);
  return 0;
};

function apiOf(start: Start): BrowsionApi {
  const { host, port, token } = start.options;
  const name = isWildcard(host) ? '127.0.0.1' : inUrl(host);
  return { origin: `http://${name}:${port}`, token, tools: SERVED, howToStart: howToStart(start) };
}

async function probe(api: BrowsionApi): Promise<void> {
  const { status, text } = await send(api, { method: 'GET', path: '/api/health' }, PROBE_MS).catch(cause => {
    throw new Failure('server_gone', `The Browsion API does not answer at ${api.origin}.`, undefined, { cause });
  });
  if (status !== 200 || text.trim() !== 'ok')
    throw new Failure('server_gone', `What answers at ${api.origin} is no Browsion API.`);
}
