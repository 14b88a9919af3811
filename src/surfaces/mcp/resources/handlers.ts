// resources/list, templates/list, read, subscribe and unsubscribe. A read is a call of a tool, so all that holds for calls holds for it.
import {
  ProtocolError,
  ProtocolErrorCode,
  type Server as ProtocolServer,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import type { Call, Result } from '../../../call/call.ts';
import type { Code } from '../../../errors.ts';
import { redact } from '../../../policy/mask.ts';
import type { Caller } from '../../../session/server.ts';
import { isQuestion, runApproved } from '../approval.ts';
import type { McpServerConfig } from '../server-config.ts';
import { isOfAnother, isOpen, type Open, type OpenPlace, placesFor } from './open.ts';
import { sendChange } from './subscribers.ts';
import { KINDS, placeAt, templateOf, uriOf } from './table.ts';
import { type Told, watch } from './watch.ts';

export const RESOURCES = { subscribe: true, listChanged: true } as const;

const PAGE = 500;
const LONGEST_URL = 200;
/** Of one connection. */
const MOST_SUBSCRIPTIONS = 200;

const TEMPLATES = KINDS.map(kind => ({
  uriTemplate: templateOf(kind),
  name: kind.name,
  title: kind.title,
  description: kind.description,
  mimeType: kind.mimeType,
}));

export function answerResources(server: ProtocolServer, offer: McpServerConfig, open: Open, caller: Caller): void {
  server.setRequestHandler('resources/list', async ({ params }) => {
    const start = startOf(params?.cursor);
    const places = await placesFor(open, caller);
    const resources = places.slice(start, start + PAGE).map(entryOf);
    return { resources, ...(places.length > start + PAGE && { nextCursor: String(start + PAGE) }) };
  });
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const place = placeAt(uri);
    if (!place || !((await isOpen(open, place, caller)) || (await isOfAnother(open, place, caller))))
      throw new ResourceNotFoundError(uri);
    const { kind, session, tabId } = place;
    const call: Call = {
      name: kind.tool,
      args: { session, ...(tabId !== undefined && { tabId }) },
      ...(offer.dialect && { dialect: offer.dialect }),
      caller,
      signal: context.mcpReq.signal,
    };
    const answer = await runApproved(server, context, more => offer.run({ ...call, ...more }), undefined);
    return isQuestion(answer) ? answer : contentsOf(answer, uri, kind.mimeType);
  });
  answerSubscriptions(server, open, caller);
}

/** Of clients before 2026-07-28, which alone shake hands. Later ones listen by a stream, see `changesFor`. */
function answerSubscriptions(server: ProtocolServer, open: Open, caller: Caller): void {
  const wanted = new Set<string>();
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    const place = placeAt(uri);
    if (!place || !(await isOpen(open, place, caller))) throw new ResourceNotFoundError(uri);
    if (wanted.size >= MOST_SUBSCRIPTIONS && !wanted.has(uri))
      throw new ProtocolError(
        ProtocolErrorCode.InvalidRequest,
        `There are already ${MOST_SUBSCRIPTIONS} subscriptions, the most for one connection. Unsubscribe from one first.`,
      );
    wanted.add(uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    wanted.delete(uri);
    return {};
  });
  const told: Told = (event, gone) => {
    sendChange(server, event);
    if (gone && event.kind === 'resource_updated') wanted.delete(event.uri);
  };
  let isWatched = false;
  server.oninitialized = () => {
    if (isWatched) return;
    isWatched = true;
    const end = watch(open, caller, told, uri => wanted.has(uri));
    const { onclose } = server;
    server.onclose = () => {
      end();
      onclose?.();
    };
  };
}

function startOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,6}$/.test(cursor)) return Number(cursor);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'That cursor is not one of this list.');
}

function entryOf(place: OpenPlace): Resource {
  const { kind, session, tabId, url } = place;
  const of = tabId === undefined ? `session ${session}` : `tab ${tabId} of session ${session}`;
  const shown = redact(url.slice(0, 10 * LONGEST_URL)).slice(0, LONGEST_URL);
  return {
    uri: uriOf(place),
    name: `${kind.name}, ${of}`,
    title: shown === '' ? `${kind.title} of ${of}` : `${kind.title}: ${shown}`,
    description: kind.description,
    mimeType: kind.mimeType,
  };
}

function contentsOf({ ok, text, pictures, failure }: Result, uri: string, mimeType: string): ReadResourceResult {
  if (!ok) throw failed(uri, text, failure?.code);
  const [picture] = pictures;
  if (picture) return { contents: [{ uri, mimeType: picture.mimeType, blob: picture.bytes.toString('base64') }] };
  return { contents: [{ uri, mimeType, text }] };
}

const MISSING: readonly (Code | undefined)[] = ['no_tab', 'no_session'];

function failed(uri: string, text: string, code: Code | undefined): ProtocolError {
  if (MISSING.includes(code)) return new ResourceNotFoundError(uri);
  const wire = code === 'refused' ? ProtocolErrorCode.InvalidRequest : ProtocolErrorCode.InternalError;
  return new ProtocolError(wire, text, { code });
}
