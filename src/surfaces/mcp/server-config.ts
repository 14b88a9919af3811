// The offer: what all protocol servers of one process share, however a client reaches them.
import type { Server, ServerEventBus } from '@modelcontextprotocol/server';
import type { Call, Result } from '../../call/call.ts';
import type { Toolset } from '../listing/toolset.ts';
import type { Open } from './resources.ts';

/** Whoever runs the command on this machine: no limit of calls guards it against itself. */
export const LOCAL: Call['caller'] = { id: 'local', rateLimit: 0 };

export interface McpServerConfig extends Toolset {
  version: string;
  run(call: Call): Promise<Result>;
  /** What can be read as resources; none when left out. */
  open?: Open;
  /** Something else than ours to speak over the same transports: what conformance is tested with. */
  protocol?: Protocol;
}

export interface Protocol {
  /** Once for a connection, or for each request of a client from 2026-07-28 on. */
  build(caller: Call['caller']): Server;
  /** Where such clients of that caller hear of changes. */
  changes(caller: Call['caller']): ServerEventBus;
}
