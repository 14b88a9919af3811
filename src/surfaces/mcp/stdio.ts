// MCP over stdin and stdout, which then carry nothing but the protocol.
import { Console } from 'node:console';
import type { McpRequestContext, Server, ServerEventBus } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Log } from '../../config/log.ts';
import { sendChange } from './resources/subscribers.ts';
import { changesFor, protocolServer } from './server.ts';
import { LOCAL, type McpServerConfig, type Protocol } from './server-config.ts';

/** One message from the client may be this long; a longer one ends the connection. */
const MAX_MESSAGE = 64 * 1024 * 1024;

export const serveMcpOnStdio = (offer: McpServerConfig, log: Log): Promise<void> =>
  serveOnStdio({ build: caller => protocolServer(offer, caller), changes: caller => changesFor(offer, caller) }, log);

/** Serves until the client ends the connection. The process is one caller. */
export function serveOnStdio(protocol: Protocol, log: Log): Promise<void> {
  globalThis.console = new Console(process.stderr);
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE });
  let modern: Server | undefined;
  const build = ({ era }: McpRequestContext) => {
    const server = protocol.build(LOCAL);
    if (era === 'modern') modern = server;
    return server;
  };
  serveStdio(build, { transport, onerror: error => log.warn(`mcp: ${error.message}`) });
  tellWhoListens(transport, protocol.changes(LOCAL), () => modern);
  return new Promise(resolve => {
    const close = transport.onclose;
    transport.onclose = () => {
      close?.();
      resolve();
    };
  });
}

/**
 * A client from 2026-07-28 on says that it listens. The SDK keeps to itself to what, and drops all else on the way out:
 * so from then on all changes are sent.
 */
function tellWhoListens(
  transport: StdioServerTransport,
  changes: ServerEventBus,
  modern: () => Server | undefined,
): void {
  const { onmessage } = transport;
  let listens = false;
  transport.onmessage = message => {
    if (!listens && Object(message).method === 'subscriptions/listen') {
      listens = true;
      changes.subscribe(event => sendChange(modern(), event));
    }
    onmessage?.(message);
  };
}
