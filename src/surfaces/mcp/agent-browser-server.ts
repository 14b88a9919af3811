// MCP over the agent-browser bridge: a protocol server of its own name, with its own tools and answers.
import { type CallToolResult, Server } from '@modelcontextprotocol/server';
import type { Bridge, BridgeAnswer } from '../../bridge/bridge.ts';
import { SERVER_NAME, SERVER_VERSION } from '../../bridge/constants.ts';
import { textOf } from '../../bridge/show-result.ts';
import type { ToolEntry } from '../listing/listing.ts';

export interface BridgeOffer {
  bridge: Bridge;
  tools: ToolEntry[];
  instructions: string;
  /** Longest text of an answer, in characters. */
  limit: number;
}

/** The list changes only with the version of the server. */
const STATIC = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

export function bridgeServer({ bridge, tools, instructions, limit }: BridgeOffer): Server {
  const server = new Server(
    { name: SERVER_NAME, version: SERVER_VERSION },
    { capabilities: { tools: {} }, instructions, cacheHints: { 'tools/list': STATIC, 'server/discover': STATIC } },
  );
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) =>
    present(await bridge.call({ name: params.name, args: params.arguments, signal: mcpReq.signal }), limit),
  );
  return server;
}

function present({ result, picture }: BridgeAnswer, limit: number): CallToolResult {
  const { bytes, mimeType = '' } = picture ?? {};
  return {
    content: [
      { type: 'text', text: textOf(result, limit) },
      ...(bytes ? [{ type: 'image' as const, data: bytes.toString('base64'), mimeType }] : []),
    ],
    structuredContent: { ...result },
    ...(!result.ok && { isError: true }),
  };
}
