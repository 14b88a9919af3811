// tools/list and tools/call: wire → Call, Result → content.
import { type CallToolResult, ProtocolError, type Server, type ServerContext } from '@modelcontextprotocol/server';
import type { Call, Result } from '../../call/call.ts';
import { structuredForm } from '../listing/structured.ts';
import { isQuestion, runApproved } from './approval.ts';
import type { McpServerConfig } from './server-config.ts';

/** In the _meta of one call: answer it with structuredContent too. */
const STRUCTURED = 'tabwright/structured';

export function answerTools(server: Server, offer: McpServerConfig, caller: Call['caller']): void {
  server.setRequestHandler('tools/list', async (_request, context) => {
    if (offer.strict) checkMet(server);
    return { tools: await toolsFor(offer, caller, clientOf(server, context)) };
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    if (offer.strict) checkMet(server);
    const call: Call = {
      name: params.name,
      args: params.arguments,
      ...(offer.dialect && { dialect: offer.dialect }),
      caller,
      signal: context.mcpReq.signal,
      ...progressOf(context),
    };
    const answer = await runApproved(server, context, more => offer.run({ ...call, ...more }), call.progress);
    if (isQuestion(answer)) return answer;
    if (offer.strict) checkKnown(server, answer, offer.noTool);
    tellOf(context, answer);
    return present(answer, offer.structured || context.mcpReq._meta?.[STRUCTURED] === true, offer.picturesFirst);
  });
}

/** A caller is shown only what it may use, by names that its client takes. */
async function toolsFor(
  { tools, toolsFor: spelled = () => tools, dialect }: McpServerConfig,
  { may }: Call['caller'],
  client: string | undefined,
): Promise<McpServerConfig['tools']> {
  const shown = spelled(client);
  if (!may) return shown;
  const { definitionOf } = await import('../../dialects/index.ts');
  const { mayUse } = await import('../listing/permitted.ts');
  const definition = await definitionOf(dialect);
  return shown.filter((_, at) => mayUse(may, tools[at]?.name ?? '', definition));
}

/** What the client calls itself: in this very request, or in its handshake. */
function clientOf(server: Server, { mcpReq }: ServerContext): string | undefined {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const info = envelope['io.modelcontextprotocol/clientInfo'] ?? server.getClientVersion();
  const name: unknown = Object(info).name;
  return typeof name === 'string' ? name : undefined;
}

const INVALID_PARAMS = -32_602;
const NOT_MET = -32_000;
const NO_TOOL = -32_001;

/** A client of the older revisions begins with a handshake. */
function checkMet(server: Server): void {
  if (server.getNegotiatedProtocolVersion() !== undefined) return;
  throw new ProtocolError(NOT_MET, 'The server is not initialized. Send initialize first.');
}

/** From 2026-07-28 on the protocol itself has a code for it. */
function checkKnown(server: Server, { failure, text }: Result, noTool = NO_TOOL): void {
  if (failure?.code !== 'unknown_tool') return;
  const isModern = (server.getNegotiatedProtocolVersion() ?? '') >= '2026-07-28';
  throw new ProtocolError(isModern ? INVALID_PARAMS : noTool, text);
}

/** To clients that read the server's log, where it has one. */
function tellOf({ mcpReq }: ServerContext, { tool, ok, ms, session, failure }: Result): void {
  const data = { tool, ok, ms, ...(session !== undefined && { session }), ...(failure && { code: failure.code }) };
  // A client that is gone cannot be told.
  mcpReq.log(ok ? 'info' : 'warning', data).catch(() => undefined);
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

export function present(result: Result, structured: boolean, picturesFirst = false): CallToolResult {
  const pictures = result.pictures.map(({ bytes, mimeType }) => ({
    type: 'image' as const,
    data: bytes.toString('base64'),
    mimeType,
  }));
  // Beside a picture there need be no words.
  const texts = result.text === '' && pictures.length > 0 ? [] : [{ type: 'text' as const, text: result.text }];
  return {
    content: picturesFirst ? [...pictures, ...texts] : [...texts, ...pictures],
    ...(!result.ok && { isError: true }),
    ...(structured && { structuredContent: structuredForm(result) }),
  };
}
