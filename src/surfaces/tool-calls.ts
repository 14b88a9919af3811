// tools/list and tools/call: wire → Call, Result → content.
import type { CallToolResult, Server, ServerContext } from '@modelcontextprotocol/server';
import type { Call, Result } from '../call/call.ts';
import type { Offer } from './offer.ts';
import { structuredForm } from './structured.ts';

/** In the _meta of one call: answer it with structuredContent too. */
const STRUCTURED = 'tabwright/structured';

export function answerTools(server: Server, offer: Offer, caller: Call['caller']): void {
  server.setRequestHandler('tools/list', () => ({ tools: offer.tools }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const result = await offer.run({
      name: params.name,
      args: params.arguments,
      ...(offer.dialect && { dialect: offer.dialect }),
      caller,
      signal: context.mcpReq.signal,
      ...progressOf(context),
    });
    return present(result, offer.structured || context.mcpReq._meta?.[STRUCTURED] === true);
  });
}

/** Progress goes out only to a caller that asked for it with a token. */
function progressOf(context: ServerContext): Pick<Call, 'progress'> {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return {};
  return {
    progress({ done, total, message }) {
      const params = {
        progressToken,
        progress: done,
        ...(total !== undefined && { total }),
        ...(message && { message }),
      };
      // A caller that is gone cannot be told; its call is cancelled by the same event.
      context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}

export function present(result: Result, structured: boolean): CallToolResult {
  return {
    content: [
      { type: 'text', text: result.text },
      ...result.pictures.map(({ bytes, mimeType }) => ({
        type: 'image' as const,
        data: bytes.toString('base64'),
        mimeType,
      })),
    ],
    ...(!result.ok && { isError: true }),
    ...(structured && { structuredContent: structuredForm(result) }),
  };
}
