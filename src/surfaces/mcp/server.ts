// MCP: one factory of protocol servers for every era and transport.
import { Server, type ServerEventBus, type ServerOptions } from '@modelcontextprotocol/server';
import { config as configureZod } from 'zod';
import type { Call } from '../../call/call.ts';
import { handshakeOf, sourceOf } from './handshake.ts';
import { answerResources, resourceChanges } from './resources.ts';
import type { McpServerConfig } from './server-config.ts';
import { answerTools } from './tool-calls.ts';

// Most schemas check few messages in the life of a server: compiling each one first costs more than it saves.
configureZod({ jitless: true });

/** The list changes only with the version of the server; names may be spelled as the client needs them. */
export const STATIC = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
const PER_CLIENT = { ...STATIC, cacheScope: 'private' } as const;
/** What a caller may use can be changed while the server runs. */
const PER_CALLER = { ttlMs: 60_000, cacheScope: 'private' } as const;

export function protocolServer(config: McpServerConfig, caller: Call['caller']): Server {
  return config.protocol?.build(caller) ?? ownServer(config, caller);
}

/** The changes for clients from 2026-07-28 on; those before get them from their server. */
export function changesFor(config: McpServerConfig, caller: Call['caller']): ServerEventBus {
  return config.protocol?.changes(caller) ?? resourceChanges(sourceOf(config), caller);
}

function ownServer(config: McpServerConfig, caller: Call['caller']): Server {
  const source = sourceOf(config);
  const { serverInfo, capabilities, instructions } = handshakeOf(config);
  const options: ServerOptions = {
    capabilities,
    instructions,
    cacheHints: {
      'tools/list': caller.may ? PER_CALLER : config.toolsFor ? PER_CLIENT : STATIC,
      'server/discover': STATIC,
    },
  };
  const server = new Server(serverInfo, options);
  answerTools(server, config, caller);
  if (source) answerResources(server, config, source, caller);
  return server;
}
