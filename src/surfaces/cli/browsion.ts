// `tabwright mcp --dialect browsion`, and the command browsion-mcp: MCP on stdin and stdout over the HTTP API of a running serve.
import { Failure } from '../../errors.ts';
import { browsionServer } from '../browsion/bridge.ts';
import { type Api, send } from '../browsion/client.ts';
import { howToStart } from '../browsion/start-api.ts';
import { inUrl, isWildcard } from '../http/auth/host-origin.ts';
import { INSTRUCTIONS, LISTED, SERVED } from '../listing/listed-browsion.ts';
import { offered } from '../listing/listing.ts';
import { resourceChanges } from '../mcp/resources/subscribers.ts';
import { serveOnStdio } from '../mcp/stdio.ts';
import { type Run, type Start, signalled } from './command.ts';

const PROBE_MS = 2_000;

export const run: Run = async start => {
  const { options, version, log } = start;
  const { serverName = 'browsion-mcp', serverVersion = version } = options;
  const api = apiOf(start);
  const offer = {
    api,
    identity: { name: serverName, version: serverVersion },
    tools: offered(LISTED, options.tools),
    served: SERVED,
    instructions: INSTRUCTIONS,
    howToStart: howToStart(start),
  };
  const protocol = { build: () => browsionServer(offer), changes: () => resourceChanges(undefined, { id: 'local' }) };
  const served = serveOnStdio(protocol, log);
  // Clients need not wait for it: the tools are listed either way.
  void probe(api).catch((error: Error) => log.warn(`${error.message} ${offer.howToStart}`));
  await Promise.race([served, signalled()]);
  return 0;
};

function apiOf({ options: { host, port, token } }: Start): Api {
  const name = isWildcard(host) ? '127.0.0.1' : inUrl(host);
  return { origin: `http://${name}:${port}`, key: token };
}

async function probe(api: Api): Promise<void> {
  const { status, text } = await send(api, { method: 'GET', path: '/api/health' }, PROBE_MS).catch(cause => {
    throw new Failure('server_gone', `The Browsion API does not answer at ${api.origin}.`, undefined, { cause });
  });
  if (status !== 200 || text.trim() !== 'ok')
    throw new Failure('server_gone', `What answers at ${api.origin} is no Browsion API.`);
}
