// `tabwright mcp --dialect browsion`, and the command browsion-mcp: MCP on stdin and stdout over the HTTP API of a running serve.
import { type CallToolResult, ProtocolError } from '@modelcontextprotocol/server';
import { nearest } from '../../config/nearest.ts';
import { defined } from '../../defined.ts';
import { API, type ApiTool } from '../../dialects/browsion/routes.ts';
import { Failure } from '../../errors.ts';
import { type Run, signalled } from '../cli/command.ts';
import { readText, sendRequest, timeoutSignal } from '../client/http.ts';
import { originOf } from '../http/auth/host-origin.ts';
import { listingOf } from '../listing/listed-dialects.ts';
import { offered } from '../listing/listing.ts';
import { serveToolsOnStdio } from '../mcp/stdio.ts';
import { howToStart } from './route-group.ts';

interface BrowsionApi {
  /** Such as http://127.0.0.1:38472. */
  origin: string;
  token: string | undefined;
  /** The hint when nothing listens there. */
  howToStart: string;
}

interface ApiRequest {
  method: string;
  /** With its query. */
  path: string;
  body?: unknown;
}

interface ApiResponse {
  status: number;
  text: string;
}

/** How long, in ms, the API may take beyond the waiting time that the call itself asks for. */
const TIMEOUT_MS = 150_000;
/** Longest text that goes into a chat. */
const MAX_CHARS = 400_000;
const NO_TOOL = -32_602;
/** The size of a picture for a chat; programs that use the API themselves get it in full size. */
const CHAT_PICTURE = { max_side: 2_000, max_bytes: 5_000_000 };
const DONE = '{"ok":true}';
/** How long, in ms, the API may take to answer at the start. */
const PROBE_MS = 2_000;

export const run: Run = async start => {
  const { options, version, log } = start;
  const { serverName = 'browsion-mcp', serverVersion = version } = options;
  const { listed, instructions } = await listingOf('browsion');
  const { host, port, token } = options;
  const api = { origin: originOf(host, port), token, howToStart: howToStart(start) };
  const forwarded = {
    identity: { name: serverName, version: serverVersion },
    instructions,
    tools: offered(listed, options.tools).map(({ tool }) => tool),
    call: (name: string, args: unknown, signal: AbortSignal) => callApi(api, name, args, signal),
  };
  const served = serveToolsOnStdio(forwarded, log);
  // Clients need not wait for it: the tools are listed either way.
  void probe(api).catch((error: Error) => log.warn(`${error.message} ${api.howToStart}`));
  await Promise.race([served, signalled()]);
  return 0;
};

async function probe(api: BrowsionApi): Promise<void> {
  const { status, text } = await send(api, { method: 'GET', path: '/api/health' }, PROBE_MS).catch(cause => {
    throw new Failure('server_gone', `The Browsion API does not answer at ${api.origin}.`, undefined, { cause });
  });
  if (status !== 200 || text.trim() !== 'ok')
    throw new Failure('server_gone', `What answers at ${api.origin} is no Browsion API.`);
}

async function callApi(api: BrowsionApi, name: string, args: unknown, signal: AbortSignal): Promise<CallToolResult> {
  const tool = Object.hasOwn(API, name) ? API[name] : undefined;
  if (!tool) throw new ProtocolError(NO_TOOL, noTool(name));
  try {
    const request = requestOf(name, tool, args);
    const response = await send(api, request, timeoutFor(args), signal);
    return toolResult(tool, response, `${request.method} ${api.origin}${request.path}`);
  } catch (error) {
    return failed(error instanceof Failure ? error : unreachable(api, error));
  }
}

/** Rejects when no response came: nothing listens there, the time is over, or the signal aborted. */
async function send(
  { origin, token }: Pick<BrowsionApi, 'origin' | 'token'>,
  { method, path, body }: ApiRequest,
  ms: number,
  signal?: AbortSignal,
): Promise<ApiResponse> {
  const timeout = timeoutSignal(ms);
  const type = body === undefined ? undefined : 'application/json';
  const headers = defined({ accept: 'application/json', 'x-api-key': token, 'content-type': type });
  const options = { method, headers, signal: signal ? AbortSignal.any([signal, timeout]) : timeout };
  const response = await sendRequest(`${origin}${path}`, options, body === undefined ? body : JSON.stringify(body));
  return { status: response.statusCode ?? 0, text: await readText(response) };
}

/** The call's own waiting times count on top. */
function timeoutFor(args: unknown): number {
  const { timeout_ms = 0, duration_ms = 0 } = Object(args);
  return TIMEOUT_MS + (Number(timeout_ms) || 0) + (Number(duration_ms) || 0);
}

/** Arguments named in the path go there, those of a GET into the query, all others into the body. */
function requestOf(name: string, { routes: [{ method, path }], picture }: ApiTool, given: unknown): ApiRequest {
  const { ...rest }: Record<string, unknown> = Object(given);
  const segments = path.split('/').map(segment => {
    if (!segment.startsWith(':')) return segment;
    const value = rest[segment.slice(1)];
    if (typeof value !== 'string' || value === '') throw missing(name, segment.slice(1));
    delete rest[segment.slice(1)];
    return encodeURIComponent(value);
  });
  const args = picture === undefined ? rest : { ...CHAT_PICTURE, ...rest };
  const target = segments.join('/');
  if (method === 'GET') return { method, path: withQuery(target, args) };
  return { method, path: target, ...(Object.keys(args).length > 0 && { body: args }) };
}

const missing = (name: string, argument: string): Failure =>
  new Failure('bad_input', `${name}: ${argument} is missing.`, `Give ${argument}; list_profiles tells the ids.`);

function withQuery(path: string, args: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(args).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(pairs.map(([key, value]) => [key, queryText(value)]));
  return pairs.length > 0 ? `${path}?${query}` : path;
}

const queryText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function noTool(name: string): string {
  const close = nearest(name.slice(0, 64), Object.keys(API)).slice(0, 3);
  const hint = close.length > 0 ? ` Did you mean ${close.join(' or ')}?` : '';
  return `There is no tool ${JSON.stringify(name.slice(0, 64))}.${hint}`;
}

/** An error is the body of the response; a picture becomes content of its own. */
function toolResult(tool: ApiTool, { status, text }: ApiResponse, where: string): CallToolResult {
  if (status >= 300) return { content: [{ type: 'text', text: text.trim() || `HTTP ${status}` }], isError: true };
  const { picture, rest } = tool.picture === undefined ? { rest: text.trim() } : withoutPicture(tool.picture, text);
  if (rest.length > MAX_CHARS) return failed(tooLong(rest.length, where));
  return { content: [...(picture ? [picture] : []), { type: 'text', text: rest || DONE }] };
}

function withoutPicture(member: string, text: string) {
  const { [member]: data, ...rest } = JSON.parse(text);
  const picture = { type: 'image' as const, data: String(data), mimeType: `image/${rest.format}` };
  return { picture, rest: JSON.stringify(rest) };
}

function failed({ code, message, hint }: Failure): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify({ error: code, message, code, hint }) }], isError: true };
}

const tooLong = (chars: number, where: string): Failure =>
  new Failure('refused', `The answer has ${chars} characters, too many for a chat.`, `A program can take it: ${where}`);

function unreachable({ origin, howToStart }: BrowsionApi, cause: unknown): Failure {
  const { code = '', name = '', message = String(cause) } = Object(cause);
  if (name === 'AbortError') return new Failure('cancelled', 'The call was cancelled.', undefined, { cause });
  if (name === 'TimeoutError')
    return new Failure('timeout', `The Browsion API at ${origin} did not answer in time.`, undefined, { cause });
  const what = `The Browsion API does not answer at ${origin} (${code || message}).`;
  return new Failure('server_gone', what, howToStart, { cause });
}
