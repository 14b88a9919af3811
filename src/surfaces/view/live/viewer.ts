// One person's connection: what the page is told, and what it asks for. The newest picture wins; a slow reader slows nobody.
import type { Duplex } from 'node:stream';
import { ServerSocket } from '../../../cdp/websocket-server.ts';
import { defined } from '../../../defined.ts';
import type { LivePicture } from '../../../engine/live/cast.ts';
import { Failure } from '../../../errors.ts';
import type { Caller } from '../../../session/callers.ts';
import type { TimelineEntry } from '../../../session/timeline.ts';
import { type ClientMessage, FRAME, type ServerEvent, type TimelineCall } from '../protocol.ts';
import { readMessage } from './messages.ts';

const BOUNDS = { message: 256 * 1024, unread: 8 * 1024 * 1024 };
/** Of one socket. */
const MOST_WATCHES = 64;
/** How many calls are sent at first. */
const FIRST_CALLS = 200;

/** What a connection needs of the whole. */
export interface ViewerHost {
  /** Answers what is more than a matter of the connection. */
  perform(viewer: Viewer, message: ClientMessage): Promise<{ lease: string } | undefined>;
  watch(viewer: Viewer, message: Extract<ClientMessage, { type: 'watch' }>): WatchedCast;
  calls(viewer: Viewer, session: string): TimelineEntry[];
}

interface WatchedCast {
  latest: LivePicture | undefined;
  follow(picture: (picture: LivePicture) => void, lost: () => void): void;
  leave(): void;
}

interface Watch {
  cast: WatchedCast;
  frame: number;
  /** One is under way; the page has not said yet that it is drawn. */
  isBusy: boolean;
  next: LivePicture | undefined;
}

export class Viewer {
  /** The session whose calls are told. */
  followed: string | undefined;
  /** By the key of the session, those that this page has. */
  readonly leases = new Map<string, string>();
  readonly #socket: ServerSocket;
  readonly #host: ViewerHost;
  readonly #watches = new Map<number, Watch>();
  #seq = 0;
  #overview = '';

  constructor(
    socket: Duplex,
    readonly caller: Caller,
    host: ViewerHost,
  ) {
    this.#host = host;
    this.#socket = new ServerSocket(socket, BOUNDS, json => void this.#receive(json));
    socket.once('close', () => this.leave());
  }

  send(event: ServerEvent): void {
    this.#socket.send(Buffer.from(JSON.stringify({ seq: ++this.#seq, ...event })));
  }

  /** Unless it is what was sent before. */
  sendOverview(overview: Omit<Extract<ServerEvent, { type: 'overview' }>, 'type'>): void {
    const json = JSON.stringify(overview);
    if (json === this.#overview) return;
    this.#overview = json;
    this.send({ type: 'overview', ...overview });
  }

  sendCall(entry: TimelineEntry): void {
    if (entry.session === this.followed)
      this.send({ type: 'calls', session: entry.session, calls: [callOf(entry)], more: false });
  }

  ping(): void {
    this.#socket.ping();
  }

  /** Ends what it watches. */
  leave(): void {
    for (const number of [...this.#watches.keys()]) this.#unwatch(number);
  }

  async #receive(json: string): Promise<void> {
    const message = readMessage(json);
    if (!message)
      return this.send({ type: 'error', code: 'bad_input', message: 'That is no message of this protocol.' });
    const { id } = message;
    try {
      const value = await this.#obey(message);
      if (id !== undefined && message.type !== 'look') this.send({ type: 'done', id, ...defined({ value }) });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { code, message: words, hint } = error;
      this.send({ type: 'error', code, message: words, ...defined({ id, hint }) });
    }
  }

  async #obey(message: ClientMessage): Promise<{ lease: string } | undefined> {
    if (message.type === 'watch') this.#watch(message);
    else if (message.type === 'unwatch') this.#unwatch(message.watch);
    else if (message.type === 'drawn') this.#drawn(message.watch, message.frame);
    else if (message.type === 'follow') this.#follow(message.session, message.after);
    else if (message.type === 'unfollow') this.followed = undefined;
    else return this.#host.perform(this, message);
    return undefined;
  }

  #follow(session: string, after = 0): void {
    const calls = this.#host.calls(this, session).filter(({ id }) => id > after);
    this.followed = session;
    const more = calls.length > FIRST_CALLS;
    this.send({ type: 'calls', session, calls: calls.slice(-FIRST_CALLS).map(callOf), more });
  }

  #watch(message: Extract<ClientMessage, { type: 'watch' }>): void {
    const { watch: number } = message;
    this.#unwatch(number);
    if (this.#watches.size >= MOST_WATCHES)
      throw new Failure('rate_limited', `This page watches ${MOST_WATCHES} tabs, the most at once.`, 'Unwatch one.');
    const cast = this.#host.watch(this, message);
    const watch: Watch = { cast, frame: 0, isBusy: false, next: cast.latest };
    this.#watches.set(number, watch);
    cast.follow(
      picture => {
        watch.next = picture;
        this.#sendNext(number, watch);
      },
      () => this.send({ type: 'noPicture', watch: number, why: 'The page has gone.' }),
    );
    this.#sendNext(number, watch);
  }

  #unwatch(number: number): void {
    this.#watches.get(number)?.cast.leave();
    this.#watches.delete(number);
  }

  #drawn(number: number, frame: number): void {
    const watch = this.#watches.get(number);
    if (!watch || frame !== watch.frame) return;
    watch.isBusy = false;
    this.#sendNext(number, watch);
  }

  #sendNext(number: number, watch: Watch): void {
    const { next, isBusy } = watch;
    if (isBusy || !next) return;
    watch.next = undefined;
    watch.isBusy = true;
    this.#socket.send(frameOf(number, ++watch.frame, next), true);
  }
}

function frameOf(watch: number, frame: number, { time, width, height, jpeg }: LivePicture): Buffer {
  const header = Buffer.alloc(FRAME.jpeg);
  header.writeUInt32LE(watch, FRAME.watch);
  header.writeUInt32LE(frame, FRAME.frame);
  header.writeDoubleLE(time, FRAME.time);
  header.writeUInt16LE(Math.round(width), FRAME.width);
  header.writeUInt16LE(Math.round(height), FRAME.height);
  return Buffer.concat([header, jpeg]);
}

export const callOf = ({ ms, failure, ...entry }: TimelineEntry): TimelineCall => ({
  ...entry,
  state: ms === undefined ? 'running' : failure ? 'failed' : 'ok',
  ...defined({ ms, failure }),
});
