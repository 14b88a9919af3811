// MCP over stdin and stdout, which then carry nothing but the protocol.
import { type CallToolResult, type Implementation, type McpRequestContext, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Log } from '../../config/log.ts';
import type { ToolEntry } from '../listing/listing.ts';
import { keepStdout } from './first-answers.ts';
import { resourceChanges, sendChange } from './resources.ts';
import { changesFor, protocolServer, STATIC } from './server.ts';
import { LOCAL, type McpServerConfig, type Protocol } from './server-config.ts';

/** Longest message of a client, in bytes; a longer one ends the connection. */
const MAX_MESSAGE = 64 * 1024 * 1024;

/** `answered`: the request of the handshake, when the client has had its answer. */
export const serveMcpOnStdio = (config: McpServerConfig, log: Log, answered?: string | number): Promise<void> =>
  serveOnStdio(
    { build: caller => protocolServer(config, caller), changes: caller => changesFor(config, caller) },
    log,
    answered,
  );

export type ToolArguments = Readonly<Record<string, unknown>> | undefined;

/** Tools that another program runs. */
export interface ForwardedTools {
  identity: Implementation;
  instructions: string;
  tools: ToolEntry[];
  call(name: string, args: ToolArguments, signal: AbortSignal): Promise<CallToolResult>;
}

export const serveToolsOnStdio = (forwarded: ForwardedTools, log: Log): Promise<void> =>
  serveOnStdio({ build: () => serverOf(forwarded), changes: () => resourceChanges(undefined, LOCAL) }, log);

function serverOf({ identity, instructions, tools, call }: ForwardedTools): Server {
  const server = new Server(identity, {
    capabilities: { tools: {} },
    instructions,
    cacheHints: { 'tools/list': STATIC, 'server/discover': STATIC },
  });
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    call(params.name, params.arguments, mcpReq.signal),
  );
  return server;
}

/** Serves until the client ends the connection. The process is one caller. */
function serveOnStdio(protocol: Protocol, log: Log, answered?: string | number): Promise<void> {
  keepStdout();
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE });
  if (answered !== undefined) leaveOut(transport, answered);
  let modern: Server | undefined;
  const build = ({ era }: McpRequestContext) => {
    const server = protocol.build(LOCAL);
    if (era === 'modern') modern = server;
    return server;
  };
  serveStdio(build, { transport, onerror: error => log.warn(`mcp: ${error.message}`) });
  // The first answers paused it.
  process.stdin.resume();
  onSubscription(transport, () => protocol.changes(LOCAL).subscribe(event => sendChange(modern, event)));
  return new Promise(resolve => {
    const close = transport.onclose;
    transport.onclose = () => {
      close?.();
      resolve();
    };
  });
}

/** The client has had the answer to that request: the next one to it is not sent. */
function leaveOut(transport: StdioServerTransport, request: string | number): void {
  const send = transport.send.bind(transport);
  transport.send = async message => {
    if (!('id' in message) || message.id !== request) return send(message);
    transport.send = send;
  };
}

/**
 * Calls `subscribe` when a client from 2026-07-28 on first subscribes to changes. The SDK does not report to which, but
 * drops the others before they are sent: so all changes are passed to it.
 */
function onSubscription(transport: StdioServerTransport, subscribe: () => void): void {
  const { onmessage = () => undefined } = transport;
  transport.onmessage = message => {
    if (Object(message).method === 'subscriptions/listen') {
      transport.onmessage = onmessage;
      subscribe();
    }
    onmessage(message);
  };
}
