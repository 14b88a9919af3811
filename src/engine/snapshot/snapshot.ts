// Takes a snapshot of a tab in the requested view, printed within the budget, with refs.
import { defined } from '../../defined.ts';
import { ellipsis } from '../../ellipsis.ts';
import { Failure } from '../../errors.ts';
import { onLine } from '../../policy/foreign-text.ts';
import { refOf } from '../elements/describe.ts';
import { formatRef } from '../elements/refs.ts';
import { resolve } from '../elements/resolve.ts';
import { saveFile, writablePath } from '../files.ts';
import { foldersIn, type Limits } from '../limits.ts';
import type { SavedFile } from '../picture.ts';
import { maskedBytes } from '../secrets.ts';
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
  const { capture, scope } = await captureScope(tab, input, limits);
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
  const path = await writablePath(input.save_path, [foldersIn(limits).output]);
  const bytes = maskedBytes(Buffer.from(text), limits);
  await saveFile(path, bytes);
  const file = { path, bytes: bytes.length };
  return {
    url,
    title,
    text: `Saved a snapshot of ${total} elements (${text.length} characters) to ${path}`,
    shown,
    total,
    file,
  };
}

/** Room that a dialect needs for its answer around the lines, and for its longer refs. */
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
    `Page: ${onLine(short(title.replace(/\s+/g, ' ').trim())) || '(no title)'} (${short(url)})\nViewport: ${viewport.width}x${viewport.height}\n\n`,
  uids: () => '',
  list: (_title, url) => `[Snapshot of ${short((URL.canParse(url) && new URL(url).host) || url)}]\n`,
};

function viewOf(input: SnapshotInput, scope: SnapNode | undefined, focused: SnapNode | undefined): SnapshotView {
  if (input.mode === 'focused' && !focused)
    throw new Failure('not_found', 'No element has the focus.', 'Use mode full, or focus an element first.');
  return defined({
    mode: input.mode ?? 'full',
    compact: input.compact ?? input.style === 'uids',
    includeText: input.include_text ?? true,
    includeBounds: input.include_bounds ?? false,
    style: input.style,
    depth: input.depth,
    scope,
    focused,
  });
}

/** The page, and the element or the document of the frame that is asked for; undefined for the main frame. */
export async function captureScope(
  tab: Tab,
  { selector, frameId }: { selector?: string | undefined; frameId?: number | undefined },
  limits: Limits,
): Promise<{ capture: TabCapture; scope: SnapNode | undefined }> {
  const element = selector === undefined ? undefined : await resolve(tab, { selector, frameId }, limits);
  const capture = await captureTab(tab, limits);
  if (!element) return { capture, scope: await frameScope(tab, capture, frameId, limits) };
  const scope = capture.page.byKey(element.location.cdp.key, element.location.id);
  if (!scope) throw element.stale();
  return { capture, scope };
}

/** The document of the requested frame; undefined for the main frame. */
export async function frameScope(
  tab: Tab,
  capture: TabCapture,
  frameId: number | undefined,
  limits: Limits,
): Promise<SnapNode | undefined> {
  if (frameId === undefined || frameId === 0) return undefined;
  const { id } = tab.frames.byNumber(frameId, limits);
  return capture.page.docs.find(doc => doc.frame === id)?.nodes[0];
}
