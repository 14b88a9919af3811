// The routes of the Browsion API: request → call, result → JSON.
import type { Result } from '../../call/call.ts';
import { isRecord } from '../../defined.ts';
import { DEFINITION } from '../../dialects/browsion/definition.ts';
import { API, type ApiRoute, type ApiTool } from '../../dialects/browsion/routes.ts';
import { readArgs } from '../../dialects/decode.ts';
import type { Schema } from '../../dialects/definition.ts';
import { HttpRefusal } from '../http/refuse.ts';
import type { HttpRequest, Route } from '../http/routes.ts';
import { STATUS } from '../rest/contract.ts';

const health: Route = {
  method: 'GET',
  path: '/api/health',
  open: true,
  serve: ({ send }) => send(200, 'ok', { 'content-type': 'text/plain' }),
};

export const ROUTES: readonly Route[] = [
  health,
  ...Object.entries(API)
    .filter(([, { unlisted }]) => !unlisted)
    .flatMap(([name, tool]) => tool.routes.map(route => routeOf(name, tool, route))),
];

function routeOf(name: string, tool: ApiTool, route: ApiRoute): Route {
  const { arguments: listed, unlistedArguments } = DEFINITION.tools[name] ?? {};
  const schemas = { ...listed, ...unlistedArguments };
  return {
    method: route.method,
    path: route.path,
    async serve(request) {
      const args = argumentsOf(request, schemas, route);
      const sized = tool.picture === undefined ? args : { ...FULL_SIZE, ...args };
      answer(request, tool, await request.run({ name, args: sized, dialect: 'browsion' }));
    },
  };
}

/** `error` and `code` are the same word: clients read either. */
function failureBody({ failure, text }: Result): object {
  const { code = 'internal', message = text, hint } = failure ?? {};
  return { error: code, message, code, ...(hint !== undefined && { hint }) };
}

function answer({ json, send }: HttpRequest, tool: ApiTool, result: Result): void {
  const { failure } = result;
  if (failure) json(STATUS[failure.code], failureBody(result));
  else if (tool.status === 204) send(204, '', {});
  else json(tool.status ?? 200, bodyOf(tool, result));
}

/** The data of the call, with its picture as base64 and the notes of the session. */
function bodyOf({ picture }: ApiTool, { data, pictures: [first], notes }: Result): unknown {
  const more = {
    ...(picture !== undefined && first && { [picture]: first.bytes.toString('base64') }),
    ...(notes && { notes }),
  };
  return isRecord(data) ? { ...data, ...more } : (data ?? null);
}

type Args = Record<string, unknown>;
type Schemas = Readonly<Record<string, Schema>>;

/** A program gets a picture in full size, unless it names another size. */
const FULL_SIZE = { max_side: 16_000, max_bytes: 50_000_000 };

/** The arguments in the path, the query and the body. */
function argumentsOf({ params, query, body }: HttpRequest, schemas: Schemas, route: ApiRoute): Args {
  const sent = { ...queryArgs(query, schemas), ...objectOf(body) };
  for (const [name, value] of Object.entries(params))
    if (sent[name] !== undefined && sent[name] !== value)
      throw new HttpRefusal('message', `${name} in the path and in the body are not the same.`);
  const given = { ...sent, ...params };
  return route.args ? { ...params, ...readArgs(route.args, given) } : given;
}

/** A null counts as not given. */
function objectOf(body: unknown): Args {
  if (body === undefined || body === null) return {};
  if (!isRecord(body)) throw new HttpRefusal('message', 'The body must be a JSON object with the arguments.');
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** A query has only text: numbers and booleans are read by the type of the argument. */
function queryArgs(query: URLSearchParams, schemas: Schemas): Args {
  return Object.fromEntries([...query].map(([name, text]) => [name, typedText(text, schemas[name]?.type)]));
}

function typedText(text: string, type: unknown): unknown {
  if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (type === 'boolean' && /^(true|1|false|0|)$/.test(text)) return text !== 'false' && text !== '0';
  return text;
}
