// The routes of the API: each place of each row, from request to call and from result to JSON.
import type { Result } from '../../call/call.ts';
import { BROWSION_ROWS } from '../../dialects/browsion/browsion.ts';
import type { BrowsionRow, Place } from '../../dialects/browsion/row.ts';
import type { Route, RouteRequest } from '../http/route-group.ts';
import { STATUS } from '../rest/status.ts';
import { argumentsOf } from './arguments.ts';
import { failureBody } from './bodies.ts';

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

function routeOf(name: string, row: BrowsionRow, place: Place): Route {
  return {
    method: place.method,
    path: place.path,
    async serve(visit) {
      const args = await argumentsOf(visit, row, place);
      answer(visit, row, await visit.run({ name, args, dialect: 'browsion' }));
    },
  };
}

function answer({ json, send }: RouteRequest, row: BrowsionRow, result: Result): void {
  const { failure } = result;
  if (failure) json(STATUS[failure.code], failureBody(result));
  else if (row.status === 204) send(204, '', {});
  else json(row.status ?? 200, bodyOf(row, result));
}

/** The data of the call, with its picture as base64 and what the session has to tell once. */
function bodyOf({ picture }: BrowsionRow, { data, pictures: [first], notes }: Result): unknown {
  const more = {
    ...(picture !== undefined && first && { [picture]: first.bytes.toString('base64') }),
    ...(notes && { notes }),
  };
  const isMembers = typeof data === 'object' && data !== null && !Array.isArray(data);
  return isMembers ? { ...data, ...more } : (data ?? null);
}
