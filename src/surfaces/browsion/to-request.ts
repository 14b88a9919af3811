// From a tool call to a request of the API. Pure.
import { Failure } from '../../errors.ts';
import type { ServedTool } from '../listing/listed-browsion.ts';
import type { Errand } from './client.ts';

/** What a chat can hold of a picture; programs that ask the API themselves get it in full size. */
const IN_CHAT = { max_side: 2_000, max_bytes: 5_000_000 };

/** Arguments that stand in the path go there, those of a GET into the query, all others into the body. */
export function errandOf(name: string, { method, path, picture }: ServedTool, given: unknown): Errand {
  const { ...rest }: Record<string, unknown> = Object(given);
  const segments = path.split('/').map(segment => {
    if (!segment.startsWith(':')) return segment;
    const value = rest[segment.slice(1)];
    if (typeof value !== 'string' || value === '') throw missing(name, segment.slice(1));
    delete rest[segment.slice(1)];
    return encodeURIComponent(value);
  });
  const args = picture === undefined ? rest : { ...IN_CHAT, ...rest };
  const at = segments.join('/');
  if (method === 'GET') return { method, path: withQuery(at, args) };
  return { method, path: at, ...(Object.keys(args).length > 0 && { body: args }) };
}

const missing = (name: string, argument: string): Failure =>
  new Failure('bad_input', `${name}: ${argument} is missing.`, `Give ${argument}; list_profiles tells the ids.`);

function withQuery(path: string, args: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(args).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(pairs.map(([key, value]) => [key, textOf(value)]));
  return pairs.length > 0 ? `${path}?${query}` : path;
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
