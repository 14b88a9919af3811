// The frames of one tab: which CDP session serves each, its CDP id, and the small number that callers use for it.
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { capital, phrase, TAKE_NEW_SNAPSHOT, tabName, toolName } from '../../text.ts';
import type { Limits } from '../limits.ts';
import type { CdpSession } from '../page/cdp-session.ts';
import type { Frame, FrameTree } from '../page/frame-tree.ts';
import type { Tab } from './tab.ts';

/** A frame, and the session that serves it. */
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
  judge?.check([frame.url, ...(/^https?:/.test(origin) ? [origin] : [])]);
  return world;
}

export class Frames {
  readonly #numbers: Map<string, number>;

  /** @param before those of the same tab over an earlier session */
  constructor(
    readonly tab: Tab,
    readonly tree: FrameTree,
    before?: Frames,
  ) {
    const { root } = tree.main;
    this.#numbers = before?.tree.main.root === root ? before.#numbers : new Map([[root, 0]]);
  }

  /** The sessions of the main frame and of every out-of-process frame, each with the session that holds its owner. */
  sessions(): { cdp: CdpSession; parent?: CdpSession }[] {
    return this.tree.sessions();
  }

  get main(): FrameSession {
    return placeOf(this.tree.mainFrame);
  }

  /** The number printed for a CDP frame; 0 is the main frame. */
  numberOf(id: string): number {
    const number = this.#numbers.get(id) ?? this.#numbers.size;
    this.#numbers.set(id, number);
    return number;
  }

  byNumber(number: number, limits: Limits): FrameSession {
    if (number === 0) return this.main;
    const all = this.all();
    const found = all.find(({ id }) => this.numberOf(id) === number);
    if (found) limits.judge?.check([found.frame.url]);
    if (found) return found;
    const numbers = all.map(({ id }) => this.numberOf(id)).sort((a, b) => a - b);
    throw new Failure(
      'no_frame',
      phrase`There is no frame ${number} in ${tabName(this.tab.id)}. Frames: ${numbers.join(', ')}.`,
      'A snapshot shows each frame as [frame=N]; leave frameId out for the main frame.',
    );
  }

  byId(id: string): FrameSession {
    const frame = this.tree.frames.get(id);
    if (frame) return placeOf(frame);
    throw new Failure('no_frame', 'The frame of that element is gone.', phrase`${capital(TAKE_NEW_SNAPSHOT)}.`);
  }

  /** The main one first, each before those inside it. */
  all(): FrameSession[] {
    return this.tree.inOrder().map(placeOf);
  }
}

const placeOf = (frame: Frame): FrameSession => ({ frame, cdp: frame.cdp, id: frame.id });

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
export function listFrames(tab: Tab): FrameRow[] {
  return tab.frames.all().map(({ frame, id }) => {
    const parentId = frame.parent?.id;
    const frameId = tab.frames.numberOf(id);
    const selected = frameId === tab.frame || undefined;
    return { frameId, id, url: frame.url, name: frame.name, ...defined({ parentId, selected }) };
  });
}

/** By its number or by Chrome's id; it stays selected until the tab shows another document. */
export function selectFrame(tab: Tab, wanted: string): FrameRow {
  const rows = listFrames(tab);
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
