// MCP over stdin and stdout, which then carry nothing but the protocol.
import { Console } from 'node:console';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Log } from '../config/log.ts';
import { protocolServer } from './mcp.ts';
import type { Offer } from './offer.ts';

/** One message from the client may be this long; a longer one ends the connection. */
const MAX_MESSAGE = 64 * 1024 * 1024;

/** Serves until the client ends the connection. The process is one caller. */
export function serveMcpOnStdio(offer: Offer, log: Log): Promise<void> {
  globalThis.console = new Console(process.stderr);
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE });
  serveStdio(() => protocolServer(offer, { id: 'local' }), {
    transport,
    onerror: error => log.warn(`mcp: ${error.message}`),
  });
  return new Promise(resolve => {
    const close = transport.onclose;
    transport.onclose = () => {
      close?.();
      resolve();
    };
  });
}
