// Takes a snapshot of a tab in the requested view, printed within the budget, with refs.
import { writeFile } from 'node:fs/promises';
import { ellipsis } from '../../ellipsis.ts';
import { Failure } from '../../errors.ts';
import { refOf } from '../elements/describe.ts';
import { formatRef } from '../elements/refs.ts';
import { resolve } from '../elements/resolve.ts';
import { writablePath } from '../files.ts';
import type { Limits } from '../limits.ts';
import type { SavedFile } from '../picture.ts';
import type { Tab } from '../tab/tab.ts';
import { captureTab, type TabCapture } from './capture/capture.ts';
import type { SnapNode } from './capture/node.ts';
import { filterTree, type SnapshotStyle, type SnapshotView } from './print/filter.ts';
import { print } from './print/print.ts';
import { elementOf } from './print/print-uids.ts';

export interface SnapshotInput {
  mode?: SnapshotView['mode'];
  depth?: number | undefined;
  selector?: string | undefined;
  compact?: boolean;
  style?: SnapshotStyle;
  include_text?: boolean;
  include_bounds?: boolean;
  max_chars?: number | undefined;
  save_path?: string | undefined;
  frameId?: number | undefined;
}

export interface Snapshot {
  url: string;
  title: string;
  text: string;
  /** Elements printed, and how many there are. */
  shown: number;
  total: number;
  file?: SavedFile;
}

export async function takeSnapshot(tab: Tab, input: SnapshotInput, limits: Limits): Promise<Snapshot> {
  const element = input.selector === undefined ? undefined : await resolve(tab, input.selector, input.frameId, limits);
  const capture = await captureTab(tab, limits);
  const scope = element
    ? capture.page.byKey(element.location.wire.key, element.location.id)
    : await frameScope(tab, capture, input.frameId, limits);
  if (element && !scope) throw element.stale();
  const view = viewOf(input, scope, capture.focused);
  const { url, title } = capture.page.main;
  const whole = input.save_path === undefined ? undefined : Number.POSITIVE_INFINITY;
  const printed = print(filterTree(capture.page, view), HEADS[input.style ?? 'tree'](title, url, capture), {
    view,
    maxChars: whole ?? roomFor(input, tab),
    refOf: entry => formatRef(refOf(tab, capture, elementOf(entry), entry), limits),
    frameOf: doc => tab.frames.numberOf(doc.frame),
  });
  const { text, shown, total } = printed;
  if (input.save_path === undefined) return { url, title, text, shown, total };
  const path = await writablePath(input.save_path, [tab.options.outputDir]);
  await writeFile(path, text);
  const file = { path, bytes: Buffer.byteLength(text) };
  return {
    url,
    title,
    text: `Saved a snapshot of ${total} elements (${text.length} characters) to ${path}`,
    shown,
    total,
    file,
  };
}

/** Room for the frame of a dialect's answer around the lines, and for its longer refs. */
const FRAME = 1_000;
const SHARE = 0.88;

function roomFor({ max_chars, style }: SnapshotInput, { options }: Tab): number {
  const most = style === 'uids' ? Math.max(200, (options.maxChars - FRAME) * SHARE) : options.maxChars;
  return Math.min(max_chars ?? most, most);
}

/** A data: url can be longer than the page. */
const LONGEST = 500;
const short = (text: string): string => ellipsis(text, LONGEST);

const HEADS: Record<SnapshotStyle, (title: string, url: string, capture: TabCapture) => string> = {
  tree: (title, url, { viewport }) =>
    `Page: ${short(title.replace(/\s+/g, ' ').trim()) || '(no title)'} (${short(url)})\nViewport: ${viewport.width}x${viewport.height}\n\n`,
  uids: () => '',
  list: (_title, url) => `[Snapshot of ${short((URL.canParse(url) && new URL(url).host) || url)}]\n`,
};

function viewOf(input: SnapshotInput, scope: SnapNode | undefined, focused: SnapNode | undefined): SnapshotView {
  if (input.mode === 'focused' && !focused)
    throw new Failure('not_found', 'No element has the focus.', 'Use mode full, or focus an element first.');
  return {
    mode: input.mode ?? 'full',
    compact: input.compact ?? input.style === 'uids',
    ...(input.style && { style: input.style }),
    includeText: input.include_text ?? true,
    includeBounds: input.include_bounds ?? false,
    ...(input.depth === undefined ? {} : { depth: input.depth }),
    ...(scope ? { scope } : {}),
    ...(focused ? { focused } : {}),
  };
}

/** The document of the requested frame; undefined for the main frame. */
export async function frameScope(
  tab: Tab,
  capture: TabCapture,
  frameId: number | undefined,
  limits: Limits,
): Promise<SnapNode | undefined> {
  if (frameId === undefined || frameId === 0) return undefined;
  const { id } = await tab.frames.byNumber(frameId, limits);
  return capture.page.docs.find(doc => doc.frame === id)?.nodes[0];
}
