// MCP over the API: each tool is sent to it over HTTP, and its JSON is the answer.
import { type CallToolResult, ProtocolError, Server } from '@modelcontextprotocol/server';
import { nearest } from '../../config/nearest.ts';
import { Failure } from '../../errors.ts';
import type { ServedTool } from '../listing/listed-browsion.ts';
import type { ToolEntry } from '../listing/listing.ts';
import { type Api, type Brought, send } from './client.ts';
import { errandOf } from './to-request.ts';

export interface BrowsionOffer {
  api: Api;
  identity: { name: string; version: string };
  tools: ToolEntry[];
  served: Readonly<Record<string, ServedTool>>;
  instructions: string;
  /** What to do when nobody listens there. */
  howToStart: string;
}

/** The list changes only with the version of the server. */
const STATIC = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
/** Beyond what the server itself gives a call, in ms. */
const PATIENCE_MS = 150_000;
/** Longest text that goes into a chat. */
const MOST_CHARS = 400_000;
const NO_TOOL = -32_602;

export function browsionServer(offer: BrowsionOffer): Server {
  const { identity, instructions, tools } = offer;
  const server = new Server(identity, {
    capabilities: { tools: {} },
    instructions,
    cacheHints: { 'tools/list': STATIC, 'server/discover': STATIC },
  });
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    call(offer, params.name, params.arguments, mcpReq.signal),
  );
  return server;
}

async function call(offer: BrowsionOffer, name: string, args: unknown, signal: AbortSignal): Promise<CallToolResult> {
  const tool = Object.hasOwn(offer.served, name) ? offer.served[name] : undefined;
  if (!tool) throw new ProtocolError(NO_TOOL, noTool(offer, name));
  try {
    const errand = errandOf(name, tool, args);
    const brought = await send(offer.api, errand, timeFor(args), signal);
    return present(tool, brought, `${errand.method} ${offer.api.origin}${errand.path}`);
  } catch (error) {
    return failed(error instanceof Failure ? error : unreachable(offer, error));
  }
}

/** A wait may take as long as it says. */
function timeFor(args: unknown): number {
  const { timeout_ms = 0, duration_ms = 0 } = Object(args);
  return PATIENCE_MS + (Number(timeout_ms) || 0) + (Number(duration_ms) || 0);
}

function noTool({ served }: BrowsionOffer, name: string): string {
  const close = nearest(name.slice(0, 64), Object.keys(served)).slice(0, 3);
  const hint = close.length > 0 ? ` Did you mean ${close.join(' or ')}?` : '';
  return `There is no tool ${JSON.stringify(name.slice(0, 64))}.${hint}`;
}

const DONE = '{"ok":true}';

/** Errors carry the body of the answer; a picture stands beside what is told of it. */
function present(tool: ServedTool, { status, text }: Brought, where: string): CallToolResult {
  if (status >= 300) return { content: [{ type: 'text', text: text.trim() || `HTTP ${status}` }], isError: true };
  const { picture, rest } = tool.picture === undefined ? { rest: text.trim() } : withoutPicture(tool.picture, text);
  if (rest.length > MOST_CHARS) return failed(tooLong(rest.length, where));
  return {
    content: [...(picture ? [picture] : []), { type: 'text', text: rest || DONE }],
  };
}

function withoutPicture(member: string, text: string) {
  const { [member]: data, ...rest } = JSON.parse(text);
  const picture = { type: 'image' as const, data: String(data), mimeType: `image/${rest.format}` };
  return { picture, rest: JSON.stringify(rest) };
}

function failed({ code, message, hint }: Failure): CallToolResult {
  const body = { error: code, message, code, ...(hint && { hint }) };
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true };
}

const tooLong = (chars: number, where: string): Failure =>
  new Failure('refused', `The answer has ${chars} characters, too many for a chat.`, `A program can take it: ${where}`);

function unreachable({ api, howToStart }: BrowsionOffer, cause: unknown): Failure {
  const { code = '', name = '', message = String(cause) } = Object(cause);
  if (name === 'AbortError') return new Failure('cancelled', 'The call was cancelled.', undefined, { cause });
  if (name === 'TimeoutError')
    return new Failure('timeout', `The Browsion API at ${api.origin} did not answer in time.`, undefined, { cause });
  return new Failure(
    'server_gone',
    `The Browsion API does not answer at ${api.origin} (${code || message}).`,
    howToStart,
    { cause },
  );
}
