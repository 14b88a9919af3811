// Who is told of changes, and how: on streams of clients from 2026-07-28 on, or by the server of a connection.
import type { Server, ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { Caller } from '../../../session/server.ts';
import type { McpServerConfig } from '../server-config.ts';
import type { Open } from './open.ts';
import { watch } from './watch.ts';

/** Toolsets beside our own that may have more than the server whose names they speak. */
const WITH_RESOURCES: readonly McpServerConfig['dialect'][] = [undefined, 'native', 'chrome'];

export const openOf = ({ open, dialect }: McpServerConfig): Open | undefined =>
  WITH_RESOURCES.includes(dialect) ? open : undefined;

/** The caller's changes, watched for as long as somebody listens. */
export const resourceChanges = (open: Open | undefined, caller: Caller): ServerEventBus => ({
  publish: () => undefined,
  subscribe: listener => (open ? watch(open, caller, listener) : () => undefined),
});

/** A client that is gone cannot be told. */
export function sendChange(server: Server | undefined, event: ServerEvent): void {
  const sent =
    event.kind === 'resource_updated'
      ? server?.sendResourceUpdated({ uri: event.uri })
      : event.kind === 'resources_list_changed' && server?.sendResourceListChanged();
  if (sent) sent.catch(() => undefined);
}
