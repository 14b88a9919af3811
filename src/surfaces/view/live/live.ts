// Everything live at the page: who is connected, what changed for whom, and what is watched. Without a connection it costs nothing.
import type { Duplex } from 'node:stream';
import { defined } from '../../../defined.ts';
import { boxesOf } from '../../../engine/live/boxes.ts';
import type { Tab } from '../../../engine/tab/tab.ts';
import { Failure, refusedBy } from '../../../errors.ts';
import { type Caller, isOwner, isSameCaller } from '../../../session/callers.ts';
import { displayName } from '../../../session/names.ts';
import type { Server } from '../../../session/server.ts';
import type { Session } from '../../../session/session.ts';
import type { TimelineEntry } from '../../../session/timeline.ts';
import type { TokenGrant } from '../../http/auth/tokens.ts';
import { retryLater } from '../../http/refuse.ts';
import type { Runtime } from '../../runtime.ts';
import type { ClientMessage, Control, ViewRight } from '../protocol.ts';
import { Uploads } from '../uploads.ts';
import { Casts } from './casts.ts';
import { overviewFor } from './overview.ts';
import { maySee, rightsOf } from './rights.ts';
import { Panel } from './step-in.ts';
import { Viewer, type ViewerHost } from './viewer.ts';

const MOST_SOCKETS = 64;
const MOST_PER_CALLER = 16;
/** Changes that come together are told together. */
const GATHER_MS = 200;
/** Titles change without an event. */
const LOOK_MS = 3_000;
const PING_MS = 30_000;

export class Live implements ViewerHost {
  readonly casts = new Casts();
  readonly uploads = new Uploads();
  readonly #runtime: Runtime;
  readonly #version: string;
  readonly #viewers = new Set<Viewer>();
  /** Tabs that are watched at full size, and by whom. */
  readonly #panels = new Map<Tab, Panel>();
  readonly #lookers = new Map<Tab, Viewer[]>();
  #gathering: NodeJS.Timeout | undefined;
  #timers: NodeJS.Timeout[] = [];
  readonly #changed = () => this.#gather();
  readonly #called = (entry: TimelineEntry) => this.#tellCall(entry);

  constructor(runtime: Runtime, version: string) {
    this.#runtime = runtime;
    this.#version = version;
  }

  /** A connection of the holder of that grant. */
  open(socket: Duplex, { caller }: TokenGrant, answer: () => void): void {
    const own = [...this.#viewers].filter(viewer => isSameCaller(viewer.caller.id, caller.id)).length;
    if (this.#viewers.size >= MOST_SOCKETS || own >= MOST_PER_CALLER)
      throw retryLater('connections', `There are ${own} connections of yours to this page. Close some.`, 5);
    answer();
    const viewer = new Viewer(socket, caller, this);
    if (this.#viewers.size === 0) this.#begin();
    this.#viewers.add(viewer);
    const approves = rightsOf(caller).includes('approve') ? 1 : 0;
    this.#runtime.people.approvers += approves;
    socket.once('close', () => {
      this.#viewers.delete(viewer);
      this.#runtime.people.approvers -= approves;
      if (this.#viewers.size === 0) this.#end();
    });
    viewer.send({ type: 'hello', version: this.#version, caller: caller.id, rights: rightsOf(caller) });
    void this.#tell(viewer);
  }

  calls({ caller }: Viewer, session: string): TimelineEntry[] {
    return this.#runtime.timeline.of(this.sessionFor(caller, session).name);
  }

  watch(viewer: Viewer, { session: name, tab: id, size }: Extract<ClientMessage, { type: 'watch' }>) {
    const session = this.sessionFor(viewer.caller, name);
    this.#checkSecrets(viewer.caller, session);
    const tab = tabOf(session, id);
    const { cast, leave } = this.casts.watch(tab, size);
    const cleanups = [leave, ...(size === 'full' ? [this.#look(viewer, session, tab)] : [])];
    return {
      latest: cast.latest,
      follow(picture: Parameters<typeof cast.on<'picture'>>[1], lost: () => void) {
        cast.on('picture', picture).on('lost', lost);
        cleanups.push(() => void cast.off('picture', picture).off('lost', lost));
      },
      leave: () => {
        for (const clean of cleanups) clean();
      },
    };
  }

  async perform(viewer: Viewer, message: ClientMessage): Promise<{ lease: string } | undefined> {
    const { caller, leases } = viewer;
    if (message.type === 'approve') return this.#approve(caller, message);
    if (!('session' in message)) throw new Failure('bad_input', `${message.type} is not known here.`);
    const session = this.sessionFor(caller, message.session);
    if (message.type === 'look') return this.#show(viewer, session, message);
    check(caller, 'act');
    switch (message.type) {
      case 'close':
        return this.#close(session, caller);
      case 'take': {
        const lease = session.lease.take(caller.id);
        leases.set(session.name, lease);
        session.lease.once('ended', this.#changed);
        this.#gather();
        return { lease };
      }
      case 'beat':
        session.lease.beat(message.lease);
        session.lastActivity = Date.now();
        leases.set(session.name, message.lease);
        return undefined;
      case 'handBack':
        return void session.lease.release(message.lease);
      case 'input':
      case 'answer':
      case 'permit': {
        session.lease.use(message.lease);
        const panel = this.#panelOf(tabOf(session, message.tab));
        if (message.type === 'input') panel.do(message.input);
        else if (message.type === 'permit') await panel.permit(message);
        else await panel.answer(message.control, message.value, this.uploads, caller.id);
        return undefined;
      }
      default:
        throw new Failure('bad_input', `${message.type} is not known here.`);
    }
  }

  /** What the agent was told of the page last, with the places of its elements now. */
  async #show(viewer: Viewer, session: Session, { tab: id, ...asked }: Extract<ClientMessage, { type: 'look' }>) {
    const told = this.#runtime.timeline.snapshotOf(session.name, id) ?? { text: '', time: 0 };
    const refs = told.text.split('\n').map(line => Number(/\[ref=@e(\d+)\]/.exec(line)?.[1] ?? 0));
    const boxes = await boxesOf(tabOf(session, id), refs.filter(Boolean));
    const elements = refs.flatMap((ref, line) => {
      const box = boxes.get(ref);
      return box ? [{ line, ref: `@e${ref}`, box }] : [];
    });
    viewer.send({ type: 'snapshot', session: session.name, tab: id, ...told, elements, ...defined({ id: asked.id }) });
    return undefined;
  }

  #approve(caller: Caller, { approval, answer }: Extract<ClientMessage, { type: 'approve' }>): undefined {
    check(caller, 'approve');
    if (!this.#runtime.people.answer(approval, answer))
      throw new Failure('not_found', 'That question was answered, or is over.', 'See the overview.');
  }

  async #close(session: Session, caller: Caller): Promise<undefined> {
    if (!isOwner(caller.id) && !isSameCaller(session.owner, caller.id))
      throw refusedBy('a session belongs to its owner', 'Only the caller who made the session may close it.');
    const why = new Failure('no_session', `A person closed session ${displayName(session.name)}.`, 'Ask why.');
    await this.#server().sessions.end(session, { forget: false, why });
  }

  /** Tells the viewer of the controls of that tab, until the returned function is called. */
  #look(viewer: Viewer, session: Session, tab: Tab): () => void {
    const viewers = this.#lookers.get(tab) ?? [];
    this.#lookers.set(tab, [...viewers, viewer]);
    const tell = (one: Viewer, controls: Control[]) =>
      one.send({ type: 'controls', session: session.name, tab: tab.id, controls });
    const changed = () => {
      for (const one of new Set(this.#lookers.get(tab))) tell(one, this.#panelOf(tab).controls);
    };
    const panel = this.#panels.get(tab) ?? new Panel(session, tab, changed, () => this.casts.offsetTop(tab));
    this.#panels.set(tab, panel);
    if (panel.controls.length > 0) tell(viewer, panel.controls);
    return () => {
      const left = this.#lookers.get(tab) ?? [];
      left.splice(left.indexOf(viewer), 1);
      if (left.length > 0) return;
      this.#lookers.delete(tab);
      this.#panels.delete(tab);
      panel.end();
    };
  }

  #panelOf(tab: Tab): Panel {
    const panel = this.#panels.get(tab);
    if (panel) return panel;
    throw new Failure('bad_input', 'Nobody looks at that tab.', 'Watch it at full size first.');
  }

  /** The open session of that key, if that caller may see it: others are as if they were not there. */
  sessionFor(caller: Caller, key: string): Session {
    const session = this.#runtime.server?.list().find(({ name }) => name === key);
    if (session && maySee(caller, session) && !session.refusal) return session;
    throw new Failure('no_session', 'There is no such session, or it has ended.', 'See the overview.');
  }

  /** Values that are used by their names only would be seen in a picture; the owner has given them. */
  #checkSecrets(caller: Caller, session: Session): void {
    if (isOwner(caller.id) || !this.#server().secrets.of('', () => session).mask) return;
    throw refusedBy('secrets stay secret', 'A secret was used in this session: only the owner sees its pictures.');
  }

  #server(): Server {
    const { server } = this.#runtime;
    if (server) return server;
    throw new Failure('no_session', 'No call has come yet.', 'Wait for the first one.');
  }

  #begin(): void {
    const { changes, timeline, people } = this.#runtime;
    changes.on('change', this.#changed);
    people.on('change', this.#changed);
    timeline.on('call', this.#called);
    this.#timers = [
      setInterval(this.#changed, LOOK_MS).unref(),
      setInterval(() => {
        for (const viewer of this.#viewers) viewer.ping();
      }, PING_MS).unref(),
    ];
  }

  #end(): void {
    const { changes, timeline, people } = this.#runtime;
    changes.off('change', this.#changed);
    people.off('change', this.#changed);
    timeline.off('call', this.#called);
    for (const timer of [...this.#timers, this.#gathering]) clearTimeout(timer);
    this.#gathering = undefined;
  }

  #gather(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      for (const viewer of this.#viewers) void this.#tell(viewer);
    }, GATHER_MS).unref();
  }

  async #tell(viewer: Viewer): Promise<void> {
    const { server } = this.#runtime;
    viewer.sendOverview(
      server ? await overviewFor(server, this.#runtime.people, viewer) : { sessions: [], approvals: [], asks: [] },
    );
  }

  #tellCall(entry: TimelineEntry): void {
    const session = this.#runtime.server?.list().find(({ name }) => name === entry.session);
    const tab = entry.tab === undefined ? undefined : session?.context.tabs.get(entry.tab);
    if (tab && entry.ms === undefined) Object.assign(entry, picture('before', this.casts.keep(tab, entry.session)));
    this.#send(entry);
    this.#gather();
    if (!tab || entry.ms === undefined) return;
    void this.casts.keepNext(tab, entry.session).then(id => {
      if (id === undefined) return;
      entry.after = id;
      this.#send(entry);
    });
  }

  #send(entry: TimelineEntry): void {
    for (const viewer of this.#viewers) viewer.sendCall(entry);
  }
}

const picture = (key: 'before' | 'after', id: string | undefined) => (id === undefined ? {} : { [key]: id });

function tabOf({ context }: Session, id: number) {
  const tab = context.tabs.get(id);
  if (tab) return tab;
  throw new Failure('no_tab', `There is no tab ${id} in this session.`, 'See the overview.');
}

export function check(caller: Caller, right: ViewRight): void {
  if (!rightsOf(caller).includes(right))
    throw refusedBy(`permissions of ${caller.id}`, `You lack the right to ${right}.`, 'Ask whoever runs this server.');
}
