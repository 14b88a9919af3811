// The routes of the Browsion API: request → call, result → JSON.
import type { Result } from '../../call/call.ts';
import { BROWSION_ROWS } from '../../dialects/browsion/browsion.ts';
import type { ApiPath, BrowsionRow } from '../../dialects/browsion/row.ts';
import { readArgs } from '../../dialects/decode.ts';
import type { Schema } from '../../dialects/definition.ts';
import { HttpRefusal } from '../http/refuse.ts';
import type { Route, RouteRequest } from '../http/route-group.ts';
import { STATUS } from '../rest/contract.ts';

const health: Route = {
  method: 'GET',
  path: '/api/health',
  open: true,
  serve: ({ send }) => send(200, 'ok', { 'content-type': 'text/plain' }),
};

export const ROUTES: readonly Route[] = [
  health,
  ...Object.entries(BROWSION_ROWS)
    .filter(([, { unlisted }]) => !unlisted)
    .flatMap(([name, row]) => row.at.map(place => routeOf(name, row, place))),
];

function routeOf(name: string, row: BrowsionRow, place: ApiPath): Route {
  return {
    method: place.method,
    path: place.path,
    async serve(request) {
      const args = await argumentsOf(request, row, place);
      answer(request, row, await request.run({ name, args, dialect: 'browsion' }));
    },
  };
}

/** `error` and `code` are the same word: clients read either. */
function failureBody({ failure, text }: Result): object {
  const { code = 'internal', message = text, hint } = failure ?? {};
  return { error: code, message, code, ...(hint !== undefined && { hint }) };
}

function answer({ json, send }: RouteRequest, row: BrowsionRow, result: Result): void {
  const { failure } = result;
  if (failure) json(STATUS[failure.code], failureBody(result));
  else if (row.status === 204) send(204, '', {});
  else json(row.status ?? 200, bodyOf(row, result));
}

/** The data of the call, with its picture as base64 and the notes of the session. */
function bodyOf({ picture }: BrowsionRow, { data, pictures: [first], notes }: Result): unknown {
  const more = {
    ...(picture !== undefined && first && { [picture]: first.bytes.toString('base64') }),
    ...(notes && { notes }),
  };
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
  return isObject ? { ...data, ...more } : (data ?? null);
}

type Args = Record<string, unknown>;

/** A program gets a picture in full size, unless it names another size. */
const FULL_SIZE = { max_side: 16_000, max_bytes: 50_000_000 };

/** The arguments in the path, the query and the body. */
async function argumentsOf(request: RouteRequest, row: BrowsionRow, place: ApiPath): Promise<Args> {
  const { params, query } = request;
  const sent = { ...queryArgs(query, { ...row.takes, ...row.also }), ...objectOf(await request.body()) };
  for (const [name, value] of Object.entries(params))
    if (sent[name] !== undefined && sent[name] !== value)
      throw new HttpRefusal('message', `${name} in the path and in the body are not the same.`);
  const given = { ...sent, ...params };
  const read = place.reads ? { ...params, ...readArgs(place.reads, given) } : given;
  return row.picture === undefined ? read : { ...FULL_SIZE, ...read };
}

/** A null counts as not given. */
function objectOf(body: unknown): Args {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body))
    throw new HttpRefusal('message', 'The body must be a JSON object with the arguments.');
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** A query has only text: numbers and booleans are read by the type of the argument. */
function queryArgs(query: URLSearchParams, takes: Readonly<Record<string, Schema>>): Args {
  return Object.fromEntries([...query].map(([name, text]) => [name, typedText(text, takes[name]?.type)]));
}

function typedText(text: string, type: unknown): unknown {
  if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (type === 'boolean' && /^(true|1|false|0|)$/.test(text)) return text !== 'false' && text !== '0';
  return text;
}
