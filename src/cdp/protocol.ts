// The commands and events of the Chrome DevTools Protocol, by name.
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';

export type CdpCommands = ProtocolMapping.Commands;
export type CdpEvents = ProtocolMapping.Events;
export type CdpParams<M extends keyof CdpCommands> = CdpCommands[M]['paramsType'];
export type CdpResult<M extends keyof CdpCommands> = CdpCommands[M]['returnType'];
