// What all protocol servers of one process share, over every transport.
import type { Server, ServerEventBus } from '@modelcontextprotocol/server';
import type { Call, Result } from '../../call/call.ts';
import { OWNER_IDS } from '../../session/callers.ts';
import type { Toolset } from '../listing/toolset.ts';
import type { ResourceSource } from './resources.ts';

/** Whoever runs the command on this machine: its calls are not limited. */
export const LOCAL: Call['caller'] = { id: OWNER_IDS.local, rateLimit: 0 };

export interface McpServerConfig extends Toolset {
  version: string;
  run(call: Call): Promise<Result>;
  /** No resources when left out. */
  resources?: ResourceSource;
  /** Another server over the same transports, for the conformance tests. */
  protocol?: Protocol;
}

export interface Protocol {
  /** Once for a connection, or for each request of a client from 2026-07-28 on. */
  build(caller: Call['caller']): Server;
  /** The changes for such clients of that caller. */
  changes(caller: Call['caller']): ServerEventBus;
}
