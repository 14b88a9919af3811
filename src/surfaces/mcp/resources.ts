// resources/list, templates/list, read, subscribe and unsubscribe. A read is a call of a tool, so all that holds for calls holds for it.
import type { EventEmitter } from 'node:events';
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type Server,
  type ServerEvent,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import type { Call, Result } from '../../call/call.ts';
import { defined } from '../../defined.ts';
import type { ChangeSubject } from '../../engine/tab/change-events.ts';
import type { Code } from '../../errors.ts';
import { redact } from '../../policy/mask.ts';
import type { TextMask } from '../../policy/secrets/text-mask.ts';
import { showsFile } from '../../policy/urls.ts';
import { type CommonNames, isNamed, isOwn, nameFor } from '../../session/names.ts';
import type { Caller } from '../../session/server.ts';
import type { Session } from '../../session/session.ts';
import { isQuestion, runApproved } from './approval.ts';
import { KINDS, type Kind, type ResourceAddress, resourceAt, templateOf, uriOf } from './resource-kinds.ts';
import type { McpServerConfig } from './server-config.ts';

const PAGE = 500;
const LONGEST_URL = 200;
/** Of one connection. */
const MOST_SUBSCRIPTIONS = 200;

const TEMPLATES = KINDS.map(kind => {
  const { name, title, description, mimeType } = kind;
  return { uriTemplate: templateOf(kind), name, title, description, mimeType };
});

export function answerResources(server: Server, config: McpServerConfig, source: ResourceSource, caller: Caller): void {
  server.setRequestHandler('resources/list', async ({ params }) => {
    const start = startOf(params?.cursor);
    const open = await resourcesFor(source, caller);
    const mask = source.maskFor(caller);
    const resources = open
      .slice(start, start + PAGE)
      .map(one => entryOf({ ...one, url: mask?.text(one.url) ?? one.url }));
    return { resources, ...(open.length > start + PAGE && { nextCursor: String(start + PAGE) }) };
  });
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const resource = resourceAt(uri);
    if (!resource || !(await mayAsk(source, resource, caller))) throw new ResourceNotFoundError(uri);
    const { kind, session, tabId } = resource;
    const { signal } = context.mcpReq;
    const args = defined({ session, tabId });
    const call: Call = defined({ name: kind.tool, args, dialect: config.dialect, caller, signal });
    const answer = await runApproved(config.run, call, server, context);
    return isQuestion(answer) ? answer : contentsOf(answer, uri, kind.mimeType);
  });
  answerSubscriptions(server, source, caller);
}

/** Of clients before 2026-07-28, which alone begin with a handshake. Later ones listen by a stream, see `changesFor`. */
function answerSubscriptions(server: Server, source: ResourceSource, caller: Caller): void {
  const wanted = new Set<string>();
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    const resource = resourceAt(uri);
    if (!resource || !(await isOpen(source, resource, caller))) throw new ResourceNotFoundError(uri);
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
  const send = (event: ResourceEvent, isGone: boolean) => {
    sendChange(server, event);
    if (isGone && event.kind === 'resource_updated') wanted.delete(event.uri);
  };
  let isWatched = false;
  server.oninitialized = () => {
    if (isWatched) return;
    isWatched = true;
    const end = watch(source, caller, send, uri => wanted.has(uri));
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

function entryOf(resource: OpenResource): Resource {
  const { kind, session, tabId, url } = resource;
  const of = tabId === undefined ? `session ${session}` : `tab ${tabId} of session ${session}`;
  const shown = redact(url.slice(0, 10 * LONGEST_URL)).slice(0, LONGEST_URL);
  return {
    uri: uriOf(resource),
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
  const { InvalidRequest, InternalError } = ProtocolErrorCode;
  return new ProtocolError(code === 'refused' ? InvalidRequest : InternalError, text, { code });
}

/** What resources are read from. */
export interface ResourceSource {
  /** The tools that may be used. */
  readonly offered: ReadonlySet<string>;
  /** The changes of every session. */
  readonly changes: EventEmitter<{ change: [session: Session, subject: ChangeSubject, tabId?: number] }>;
  readonly commonNames: CommonNames;
  /** None before the first call: asking for them loads nothing. */
  sessions(): Promise<readonly Session[]>;
  /** Masks the secrets that were used; undefined without any. */
  maskFor(caller: Caller): TextMask | undefined;
}

/** How the caller names the session; undefined when it may not see it. */
function visibleName(session: Session, caller: Caller, { commonNames }: ResourceSource): string | undefined {
  return isOwn(session, caller) || session.shared ? nameFor(session.name, caller, commonNames) : undefined;
}

interface OpenResource extends ResourceAddress {
  /** Of the page; empty for what belongs to the session. */
  url: string;
}

async function usableBy({ offered }: ResourceSource, { may }: Caller): Promise<(tool: string) => boolean> {
  if (!may) return tool => offered.has(tool);
  const { mayUse } = await import('../listing/permitted.ts');
  return tool => offered.has(tool) && mayUse(may, tool);
}

/** All that the caller may read, session by session, tab by tab. */
async function resourcesFor(source: ResourceSource, caller: Caller): Promise<OpenResource[]> {
  const isUsable = await usableBy(source, caller);
  const kinds = KINDS.filter(({ tool }) => isUsable(tool));
  const ofTab = kinds.filter(({ of }) => of === 'tab');
  const ofSession = kinds.filter(({ of }) => of === 'session');
  return (await source.sessions()).flatMap(known => {
    const session = visibleName(known, caller, source);
    const tabs = [...known.context.tabs.values()].filter(({ url }) => !showsFile(url));
    if (session === undefined || tabs.length === 0) return [];
    return [
      ...tabs.flatMap(({ id: tabId, url }) => ofTab.map(kind => ({ kind, session, tabId, url }))),
      ...ofSession.map(kind => ({ kind, session, url: '' })),
    ];
  });
}

async function isOpen(source: ResourceSource, address: ResourceAddress, caller: Caller): Promise<boolean> {
  const { kind, session, tabId } = address;
  const known = (await source.sessions()).find(one => visibleName(one, caller, source) === session);
  return known !== undefined && source.offered.has(kind.tool) && (tabId === undefined || known.context.tabs.has(tabId));
}

/** Also a session of another caller: reading it becomes a call, which is refused and recorded. */
async function mayAsk(source: ResourceSource, address: ResourceAddress, caller: Caller): Promise<boolean> {
  const { session } = address;
  return (session.includes('@') && isNamed(session)) || isOpen(source, address, caller);
}

type ResourceEvent = { kind: 'resources_list_changed' } | { kind: 'resource_updated'; uri: string };

/** Changes within so many ms are sent together, each once. */
const PAUSE_MS = 250;
/** So many changes are held at most. */
const MOST_CHANGES = 1_000;

/** Calls `send` with the caller's changes until the returned function is called. `isGone`: it cannot be read any more. */
function watch(
  source: ResourceSource,
  caller: Caller,
  send: (event: ResourceEvent, isGone: boolean) => void,
  wants: (uri: string) => boolean = () => true,
): () => void {
  const updated = new Map<string, boolean>();
  let listChanged = false;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    const events = [...updated];
    updated.clear();
    if (listChanged) send({ kind: 'resources_list_changed' }, false);
    listChanged = false;
    for (const [uri, isGone] of events) send({ kind: 'resource_updated', uri }, isGone);
  };
  const onChange = (session: Session, subject: ChangeSubject, tabId?: number) => {
    const name = visibleName(session, caller, source);
    if (name === undefined) return;
    listChanged ||= CHANGES_LIST.includes(subject);
    for (const kind of KINDS.filter(one => concerns(subject, one))) {
      const uri = uriOf({ kind, session: name, tabId });
      if (wants(uri) && updated.size < MOST_CHANGES) updated.set(uri, updated.get(uri) || subject !== kind.changesWith);
    }
    if (listChanged || updated.size > 0) timer ??= setTimeout(flush, PAUSE_MS).unref();
  };
  source.changes.on('change', onChange);
  return () => {
    source.changes.off('change', onChange);
    clearTimeout(timer);
  };
}

const CHANGES_LIST: readonly ChangeSubject[] = ['opened', 'closed', 'ended'];

/** The end of a tab or a session ends all resources of it. */
const concerns = (subject: ChangeSubject, { of, changesWith }: Kind): boolean =>
  subject === changesWith || (subject === 'closed' && of === 'tab') || (subject === 'ended' && of === 'session');

/** The caller's changes, watched for as long as somebody listens. */
export const resourceChanges = (source: ResourceSource | undefined, caller: Caller): ServerEventBus => ({
  publish: () => undefined,
  subscribe: listener => (source ? watch(source, caller, listener) : () => undefined),
});

/** A client that is gone gets nothing. */
export function sendChange(server: Server | undefined, event: ServerEvent): void {
  const sent =
    event.kind === 'resource_updated'
      ? server?.sendResourceUpdated({ uri: event.uri })
      : event.kind === 'resources_list_changed' && server?.sendResourceListChanged();
  if (sent) sent.catch(() => undefined);
}
