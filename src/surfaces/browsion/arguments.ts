// The arguments of a call, out of the path, the query and the body of a request.
import type { BrowsionRow, Place } from '../../dialects/browsion/row.ts';
import type { Schema } from '../../dialects/dialect.ts';
import { readArgs } from '../../dialects/translation.ts';
import { HttpRefusal } from '../http/refuse.ts';
import type { RouteRequest } from '../http/route-group.ts';

type Args = Record<string, unknown>;

/** A program that asks for a picture gets it in full size, unless it names another. */
const FULL_SIZE = { max_side: 16_000, max_bytes: 50_000_000 };

export async function argumentsOf(visit: RouteRequest, row: BrowsionRow, place: Place): Promise<Args> {
  const { params, query } = visit;
  const sent = { ...queried(query, { ...row.takes, ...row.also }), ...objectOf(await visit.body()) };
  for (const [name, value] of Object.entries(params))
    if (sent[name] !== undefined && sent[name] !== value) throw twoValues(name);
  const given = { ...sent, ...params };
  const read = place.reads ? { ...params, ...readArgs(place.reads, given) } : given;
  return row.picture === undefined ? read : { ...FULL_SIZE, ...read };
}

const twoValues = (name: string): HttpRefusal =>
  new HttpRefusal('message', `${name} in the path and in the body are not the same.`);

/** What is null is not given. */
function objectOf(body: unknown): Args {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body))
    throw new HttpRefusal('message', 'The body must be a JSON object with the arguments.');
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** A query has only text: what is a number or a switch is read as one. */
function queried(query: URLSearchParams, takes: Readonly<Record<string, Schema>>): Args {
  return Object.fromEntries([...query].map(([name, text]) => [name, readText(text, takes[name]?.type)]));
}

function readText(text: string, type: unknown): unknown {
  if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (type === 'boolean' && /^(true|1|false|0|)$/.test(text)) return text !== 'false' && text !== '0';
  return text;
}
