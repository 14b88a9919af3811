// tools/list and tools/call: request → Call, Result → content.
import { type CallToolResult, ProtocolError, type Server, type ServerContext } from '@modelcontextprotocol/server';
import type { Call, Result } from '../../call/call.ts';
import { defined } from '../../defined.ts';
import { keepsText, structuredForm } from '../listing/structured.ts';
import { isQuestion, runApproved } from './approval.ts';
import type { McpServerConfig } from './server-config.ts';

/** In the _meta of one call: answer it with structuredContent too. */
const STRUCTURED = 'tabwright/structured';

export function answerTools(server: Server, config: McpServerConfig, caller: Call['caller']): void {
  server.setRequestHandler('tools/list', async (_request, context) => {
    if (config.strict) checkInitialized(server);
    return { tools: await toolsFor(config, caller, clientOf(server, context)) };
  });
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args } }, context) => {
    if (config.strict) checkInitialized(server);
    const { signal, _meta } = context.mcpReq;
    const progress = progressOf(context);
    const call: Call = { name, args, caller, signal, ...defined({ dialect: config.dialect, progress }) };
    const answer = await runApproved(config.run, call, server, context);
    if (isQuestion(answer)) return answer;
    if (config.strict) checkKnown(server, answer, config.unknownToolCode);
    logCall(context, answer);
    const structured = config.structured ?? isStructuredFor(server, context, config);
    return toolResult(answer, structured || _meta?.[STRUCTURED] === true, config.picturesFirst);
  });
}

/** A caller is shown only what it may use, by names that its client takes. */
async function toolsFor(
  { tools, toolsFor: named = () => tools, dialect }: McpServerConfig,
  { may }: Call['caller'],
  client: string | undefined,
): Promise<McpServerConfig['tools']> {
  const shown = named(client);
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

/** By what is known of the client; the servers that strict dialects replace give none. */
const isStructuredFor = (server: Server, context: ServerContext, { strict }: McpServerConfig): boolean =>
  !strict && keepsText(clientOf(server, context) ?? '', server.getNegotiatedProtocolVersion() ?? '');

const INVALID_PARAMS = -32_602;
const NOT_INITIALIZED = -32_000;
const NO_TOOL = -32_001;

/** A client of the older revisions begins with a handshake. */
function checkInitialized(server: Server): void {
  if (server.getNegotiatedProtocolVersion() !== undefined) return;
  throw new ProtocolError(NOT_INITIALIZED, 'The server is not initialized. Send initialize first.');
}

/** From 2026-07-28 on the protocol itself has a code for it. */
function checkKnown(server: Server, { failure, text }: Result, code = NO_TOOL): void {
  if (failure?.code !== 'unknown_tool') return;
  const isModern = (server.getNegotiatedProtocolVersion() ?? '') >= '2026-07-28';
  throw new ProtocolError(isModern ? INVALID_PARAMS : code, text);
}

/** Sends a log message to clients that read the server's log, where it has one. */
function logCall({ mcpReq }: ServerContext, { tool, ok, ms, session, failure }: Result): void {
  const data = defined({ tool, ok, ms, session, code: failure?.code });
  // A client that is gone gets no log.
  mcpReq.log(ok ? 'info' : 'warning', data).catch(() => undefined);
}

/** Undefined for a caller that did not ask for progress with a token. */
function progressOf({ mcpReq }: ServerContext): Call['progress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return ({ done: progress, total, message }) => {
    const params = defined({ progressToken, progress, total, message: message || undefined });
    // The call of a client that is gone is cancelled anyway.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

export function toolResult(result: Result, structured: boolean, picturesFirst = false): CallToolResult {
  const { ok, text, pictures: taken } = result;
  const pictures = taken.map(({ bytes, mimeType }) => ({
    type: 'image' as const,
    data: bytes.toString('base64'),
    mimeType,
  }));
  // Beside a picture there need be no words.
  const texts = text === '' && pictures.length > 0 ? [] : [{ type: 'text' as const, text }];
  return {
    content: picturesFirst ? [...pictures, ...texts] : [...texts, ...pictures],
    ...(!ok && { isError: true }),
    ...(structured && { structuredContent: structuredForm(result) }),
  };
}
