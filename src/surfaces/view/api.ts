// What the page asks for by requests: older calls, pictures of calls.
import { Failure } from '../../errors.ts';
import type { TimelineEntry } from '../../session/timeline.ts';
import { HttpRefusal } from '../http/refuse.ts';
import type { Route } from '../http/routes.ts';
import type { Runtime } from '../runtime.ts';
import { check, type Live } from './live/live.ts';
import { callOf } from './live/viewer.ts';
import type { Logins } from './logins.ts';
import type { CallsPage, UploadedFile } from './protocol.ts';

/** Of older calls. */
const MOST_CALLS = 100;

export function apiOf(logins: Logins, live: Live, { timeline }: Runtime): Route[] {
  const row = (path: string, serve: Route['serve'], method: 'GET' | 'POST' | 'DELETE' = 'GET'): Route => ({
    kind: 'status',
    method,
    path: `/view/api/${path}`,
    admits: headers => logins.admit(headers),
    serve: request => explained(() => serve(request)),
  });
  return [
    row('sessions/:session/calls', ({ caller, params, query, json }) => {
      const { name } = live.sessionFor(caller, params.session ?? '');
      const isWanted = ({ failure }: TimelineEntry) => !query.has('failed') || failure !== undefined;
      const calls = timeline.of(name, Number(query.get('before') ?? Number.POSITIVE_INFINITY), isWanted);
      const page: CallsPage = { calls: calls.slice(-MOST_CALLS).map(callOf), more: calls.length > MOST_CALLS };
      json(200, page);
    }),
    row(
      'files',
      async ({ caller, req, query, json }) => {
        check(caller, 'act');
        const answer: UploadedFile = { id: await live.uploads.add(req, caller.id, query.get('name') ?? '') };
        json(200, answer);
      },
      'POST',
    ),
    row('pictures/:id', ({ caller, params, send }) => {
      const kept = live.casts.picture(params.id ?? '');
      if (!kept || !live.sessionFor(caller, kept.session))
        throw new HttpRefusal('path', 'There is no such picture any more.');
      send(200, kept.jpeg, { 'content-type': 'image/jpeg', 'cross-origin-resource-policy': 'same-origin' });
    }),
  ];
}

/** What a person asks for and cannot have is refused as a request is. */
async function explained(serve: () => void | Promise<void>): Promise<void> {
  try {
    await serve();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const rule = error.code === 'refused' ? 'rights' : 'path';
    throw new HttpRefusal(rule, [error.message, error.hint].filter(Boolean).join(' '));
  }
}
