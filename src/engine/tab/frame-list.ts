// The frames of a tab as a list, and the one of them that later calls mean.
import { Failure } from '../../errors.ts';
import { phrase, tabName, toolName } from '../../text.ts';
import type { Limits } from '../limits.ts';
import type { Tab } from './tab.ts';

export interface FrameRow {
  /** The number that calls take; 0 is the main frame. */
  frameId: number;
  /** Chrome's own name for it. */
  id: string;
  url: string;
  name: string;
  parentId?: string;
  /** Calls that name no frame mean this one. */
  selected?: true;
}

/** The main frame first, each before those inside it. */
export async function listFrames(tab: Tab, limits: Limits): Promise<FrameRow[]> {
  const places = await tab.frames.all(limits);
  const ids = new Map(places.map(({ frame, id }) => [frame, id]));
  return places.map(({ frame, id }) => {
    const parent = frame.parentFrame();
    const parentId = parent ? ids.get(parent) : undefined;
    const frameId = tab.frames.numberOf(id);
    return {
      frameId,
      id,
      url: frame.url(),
      name: frame.name(),
      ...(parentId !== undefined && { parentId }),
      ...(frameId === tab.frame && { selected: true }),
    };
  });
}

/** By its number or by Chrome's name for it; it stays until the tab shows another document. */
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
