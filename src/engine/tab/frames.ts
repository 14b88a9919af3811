// The frames of one tab: which CDP session serves each, its CDP id, and the small number that callers use for it.
import type { Frame } from 'playwright-core';
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { capital, phrase, TAKE_NEW_SNAPSHOT, tabName, toolName } from '../../text.ts';
import type { Limits } from '../limits.ts';
import { CdpSession } from './cdp-session.ts';
import type { Tab } from './tab.ts';

/** A frame as Playwright and as CDP know it. */
export interface FrameSession {
  frame: Frame;
  cdp: CdpSession;
  /** CDP frame id. */
  id: string;
}

/** The script world of the page in a frame, when rules let the call run there: the url of the frame may still be that of the page before. */
export function worldOf({ frame, cdp, id }: FrameSession, { judge }: Limits): number | undefined {
  const world = cdp.worlds.get(id);
  const origin = cdp.origins.get(world ?? 0) ?? '';
  judge?.check([frame.url(), ...(/^https?:/.test(origin) ? [origin] : [])]);
  return world;
}

export class Frames {
  readonly #sessions = new Map<Frame, Promise<CdpSession | undefined>>();
  readonly #known = new Map<Frame, FrameSession>();
  readonly #numbers = new Map<string, number>();
  #opened = 0;
  #probes = 0;

  constructor(
    readonly tab: Tab,
    readonly main: CdpSession,
  ) {
    this.#numbers.set(main.root, 0);
    tab.page.on('framenavigated', this.#renew).on('framedetached', this.#forget);
  }

  /** The sessions of the main frame and of every out-of-process frame, each with the session that holds its owner. */
  async sessions(limits: Limits): Promise<{ cdp: CdpSession; parent?: CdpSession }[]> {
    const list: { cdp: CdpSession; parent?: CdpSession }[] = [{ cdp: this.main }];
    const frames = this.tab.page.frames().filter(frame => frame.parentFrame() !== null);
    await Promise.all(frames.map(frame => this.#ownSession(frame, limits)));
    for (const frame of frames) {
      const cdp = await this.#ownSession(frame, limits);
      if (cdp && !cdp.closed) list.push({ cdp, parent: await this.#sessionOf(frame.parentFrame() ?? frame, limits) });
    }
    return list;
  }

  async place(frame: Frame, limits: Limits): Promise<FrameSession> {
    if (frame === this.tab.page.mainFrame()) return { frame, cdp: this.main, id: this.main.root };
    const known = this.#known.get(frame);
    if (known && !known.cdp.closed && known.cdp.loaders.has(known.id)) return known;
    const cdp = await this.#sessionOf(frame, limits);
    const id = frame === cdp.frame ? cdp.root : await this.#probe(frame, cdp, limits);
    const found = { frame, cdp, id };
    this.#known.set(frame, found);
    return found;
  }

  /** The number printed for a CDP frame; 0 is the main frame. */
  numberOf(id: string): number {
    const number = this.#numbers.get(id) ?? this.#numbers.size;
    this.#numbers.set(id, number);
    return number;
  }

  async byNumber(number: number, limits: Limits): Promise<FrameSession> {
    if (number === 0) return this.place(this.tab.page.mainFrame(), limits);
    const all = await this.all(limits);
    const found = all.find(({ id }) => this.numberOf(id) === number);
    if (found) limits.judge?.check([found.frame.url()]);
    if (found) return found;
    const numbers = all.map(({ id }) => this.numberOf(id)).sort((a, b) => a - b);
    throw new Failure(
      'no_frame',
      phrase`There is no frame ${number} in ${tabName(this.tab.id)}. Frames: ${numbers.join(', ')}.`,
      'A snapshot shows each frame as [frame=N]; leave frameId out for the main frame.',
    );
  }

  async byId(id: string, limits: Limits): Promise<FrameSession> {
    if (id === this.main.root) return this.place(this.tab.page.mainFrame(), limits);
    const found = (await this.all(limits)).find(other => other.id === id);
    if (found) return found;
    throw new Failure('no_frame', 'The frame of that element is gone.', phrase`${capital(TAKE_NEW_SNAPSHOT)}.`);
  }

  /** Each frame as soon as it can be reached, the main one first. */
  each(limits: Limits): Promise<FrameSession>[] {
    return this.tab.page.frames().map(frame => this.place(frame, limits));
  }

  /** Every frame that can be reached, the main one first. */
  async all(limits: Limits): Promise<FrameSession[]> {
    const found = await Promise.allSettled(this.each(limits));
    limits.signal.throwIfAborted();
    return found.filter(result => result.status === 'fulfilled').map(result => result.value);
  }

  /** The session that serves the frame: its own, or that of the nearest ancestor that has one. */
  async #sessionOf(frame: Frame, limits: Limits): Promise<CdpSession> {
    for (let at: Frame | null = frame; at; at = at.parentFrame()) {
      const cdp = await this.#ownSession(at, limits);
      if (cdp && !cdp.closed) return cdp;
    }
    return this.main;
  }

  #ownSession(frame: Frame, limits: Limits): Promise<CdpSession | undefined> {
    if (frame.parentFrame() === null) return Promise.resolve(this.main);
    let cdp = this.#sessions.get(frame);
    if (!cdp) {
      cdp = this.#attach(frame);
      this.#sessions.set(frame, cdp);
    }
    return this.tab.race(limits, cdp);
  }

  async #attach(frame: Frame): Promise<CdpSession | undefined> {
    // Throws for a frame that shares the session of its parent: then that one serves it.
    const session = await this.tab.page
      .context()
      .newCDPSession(frame)
      .catch(() => undefined);
    if (!session) return undefined;
    const cdp = new CdpSession(`f${++this.#opened}`, session, frame);
    this.tab.listen(cdp);
    await cdp.open();
    return cdp;
  }

  /** Finds the CDP id of a frame that shares a session: leaves a mark in its script world, and sees which world has it. */
  async #probe(frame: Frame, cdp: CdpSession, limits: Limits): Promise<string> {
    const key = `tabwright.${++this.#probes}`;
    await this.tab.race(
      limits,
      frame.evaluate(name => void Object.defineProperty(globalThis, Symbol.for(name), { value: true }), key),
    );
    const expression = `globalThis[Symbol.for(${JSON.stringify(key)})] === true`;
    for (const [id, contextId] of cdp.worlds) {
      const { result } = await this.tab.send(limits, cdp, 'Runtime.evaluate', { expression, contextId });
      if (result.value === true) return id;
    }
    throw new Failure('no_frame', 'The frame has changed while it was looked up.', 'Try again.');
  }

  readonly #renew = async (frame: Frame): Promise<void> => {
    this.#known.delete(frame);
    const cdp = await this.#sessions.get(frame)?.catch(() => undefined);
    if (!cdp || cdp.closed) this.#sessions.delete(frame);
  };

  /** Detaches from the page, and from its frames in other processes. */
  leave(): void {
    this.tab.page.off('framenavigated', this.#renew).off('framedetached', this.#forget);
    // A session that has ended already needs no end.
    for (const opened of this.#sessions.values()) opened.then(cdp => cdp?.session.detach()).catch(() => undefined);
    this.#sessions.clear();
  }

  readonly #forget = (frame: Frame): void => {
    this.#known.delete(frame);
    this.#sessions.delete(frame);
  };
}

export interface FrameRow {
  /** The number that calls take; 0 is the main frame. */
  frameId: number;
  /** Chrome's own id. */
  id: string;
  url: string;
  name: string;
  parentId?: string;
  /** Calls that name no frame mean this frame. */
  selected?: true;
}

/** The main frame first, each before those inside it. */
export async function listFrames(tab: Tab, limits: Limits): Promise<FrameRow[]> {
  const frames = await tab.frames.all(limits);
  const ids = new Map(frames.map(({ frame, id }) => [frame, id]));
  return frames.map(({ frame, id }) => {
    const parent = frame.parentFrame();
    const parentId = parent ? ids.get(parent) : undefined;
    const frameId = tab.frames.numberOf(id);
    const selected = frameId === tab.frame || undefined;
    return { frameId, id, url: frame.url(), name: frame.name(), ...defined({ parentId, selected }) };
  });
}

/** By its number or by Chrome's id; it stays selected until the tab shows another document. */
export async function selectFrame(tab: Tab, wanted: string, limits: Limits): Promise<FrameRow> {
  const rows = await listFrames(tab, limits);
  const row = rows.find(({ id, frameId }) => id === wanted || String(frameId) === wanted);
  if (!row)
    throw new Failure(
      'no_frame',
      phrase`There is no frame ${JSON.stringify(wanted.slice(0, 64))} in ${tabName(tab.id)}. Frames: ${rows.map(({ id }) => id).join(', ')}.`,
      phrase`List the frames: ${toolName('tab_list')} with frames: true.`,
    );
  tab.frame = row.frameId;
  return row;
}
