// resources/list, templates/list, read, subscribe and unsubscribe. A read is a call of a tool, so all that holds for calls holds for it.
import type { EventEmitter } from 'node:events';
import type { Server, ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import {
  ProtocolError,
  ProtocolErrorCode,
  type Server as ProtocolServer,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import type { Call, Result } from '../../call/call.ts';
import type { ChangeSubject } from '../../engine/tab/change-events.ts';
import type { Code } from '../../errors.ts';
import { redact } from '../../policy/mask.ts';
import type { Caller } from '../../session/server.ts';
import type { Session } from '../../session/session.ts';
import { isQuestion, runApproved } from './approval.ts';
import { KINDS, type Kind, placeAt, type ResourceAddress, templateOf, uriOf } from './resource-kinds.ts';
import type { McpServerConfig } from './server-config.ts';

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

export interface Open {
  /** The tools that may be used. */
  readonly offered: ReadonlySet<string>;
  /** What changes in any session, from the first one on. */
  readonly changes: EventEmitter<{ change: [session: Session, subject: ChangeSubject, tabId?: number] }>;
  /** None before the first call: to look loads nothing. */
  sessions(): Promise<readonly Session[]>;
}

/** Each caller has a session without a name; all call theirs so. */
const DEFAULT = 'default';

/** How the caller names the session; undefined when it may not see it. */
function nameFor(session: Session, caller: Caller): string | undefined {
  if (session.owner !== caller.id && !session.shared) return undefined;
  return session.name.startsWith(`${DEFAULT}@`) ? DEFAULT : session.name;
}

interface OpenPlace extends ResourceAddress {
  /** Of the page; empty for what belongs to the session. */
  url: string;
}

async function usableBy({ offered }: Open, { may }: Caller): Promise<(tool: string) => boolean> {
  if (!may) return tool => offered.has(tool);
  const { mayUse } = await import('../listing/permitted.ts');
  return tool => offered.has(tool) && mayUse(may, tool);
}

/** All that the caller may read, session by session, tab by tab. */
async function placesFor(open: Open, caller: Caller): Promise<OpenPlace[]> {
  const isUsable = await usableBy(open, caller);
  const kinds = KINDS.filter(({ tool }) => isUsable(tool));
  const ofTab = kinds.filter(({ of }) => of === 'tab');
  const ofSession = kinds.filter(({ of }) => of === 'session');
  return (await open.sessions()).flatMap(known => {
    const session = nameFor(known, caller);
    const tabs = [...known.context.tabs.values()];
    if (session === undefined || tabs.length === 0) return [];
    return [
      ...tabs.flatMap(({ id: tabId, url }) => ofTab.map(kind => ({ kind, session, tabId, url }))),
      ...ofSession.map(kind => ({ kind, session, url: '' })),
    ];
  });
}

async function isOpen(open: Open, { kind, session, tabId }: ResourceAddress, caller: Caller): Promise<boolean> {
  const known = (await open.sessions()).find(one => nameFor(one, caller) === session);
  return known !== undefined && open.offered.has(kind.tool) && (tabId === undefined || known.context.tabs.has(tabId));
}

/** To ask for it is a call, which is refused and recorded. */
async function isOfAnother(open: Open, { session }: ResourceAddress, caller: Caller): Promise<boolean> {
  return (await open.sessions()).some(one => one.name === session && nameFor(one, caller) === undefined);
}

type ResourceEvent = { kind: 'resources_list_changed' } | { kind: 'resource_updated'; uri: string };

/** `gone`: what changed cannot be read any more. */
export type Told = (event: ResourceEvent, gone: boolean) => void;

/** What happens within so many ms is told once. */
const PAUSE_MS = 250;
/** So many wait at most to be told of. */
const MOST = 1_000;

/** Tells the caller's changes until the returned function is called. */
function watch(open: Open, caller: Caller, told: Told, wants: (uri: string) => boolean = () => true) {
  const waiting = new Map<string, boolean>();
  let listChanged = false;
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    timer = undefined;
    const updated = [...waiting];
    waiting.clear();
    if (listChanged) told({ kind: 'resources_list_changed' }, false);
    listChanged = false;
    for (const [uri, gone] of updated) told({ kind: 'resource_updated', uri }, gone);
  };
  const heard = (session: Session, subject: ChangeSubject, tabId?: number) => {
    const name = nameFor(session, caller);
    if (name === undefined) return;
    listChanged ||= CHANGES_LIST.includes(subject);
    for (const kind of KINDS.filter(one => concerns(subject, one))) {
      const uri = uriOf({ kind, session: name, tabId });
      if (wants(uri) && waiting.size < MOST) waiting.set(uri, waiting.get(uri) || subject !== kind.changesWith);
    }
    if (listChanged || waiting.size > 0) timer ??= setTimeout(tell, PAUSE_MS).unref();
  };
  open.changes.on('change', heard);
  return () => {
    open.changes.off('change', heard);
    clearTimeout(timer);
  };
}

const CHANGES_LIST: readonly ChangeSubject[] = ['opened', 'closed', 'ended'];

/** A tab takes all of its own along, and so does a session. */
const concerns = (subject: ChangeSubject, { of, changesWith }: Kind): boolean =>
  subject === changesWith || (subject === 'closed' && of === 'tab') || (subject === 'ended' && of === 'session');

/** Toolsets beside our own that may have more than the server whose names they speak. */
const WITH_RESOURCES: readonly McpServerConfig['dialect'][] = [undefined, 'native', 'chrome'];

export const openOf = ({ open, dialect }: McpServerConfig): Open | undefined =>
  WITH_RESOURCES.includes(dialect) ? open : undefined;

/** The caller's changes, watched for as long as somebody listens. */
export const resourceChanges = (open: Open | undefined, caller: Caller): ServerEventBus => ({
  publish: () => undefined,
  subscribe: listener => (open ? watch(open, caller, listener) : () => undefined),
});

/** A client that is gone cannot be told. */
export function sendChange(server: Server | undefined, event: ServerEvent): void {
  const sent =
    event.kind === 'resource_updated'
      ? server?.sendResourceUpdated({ uri: event.uri })
      : event.kind === 'resources_list_changed' && server?.sendResourceListChanged();
  if (sent) sent.catch(() => undefined);
}
