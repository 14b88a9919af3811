// Takes a snapshot of a tab in the requested view, printed within the budget, with refs.
import { defined } from '../../defined.ts';
import { ellipsis } from '../../ellipsis.ts';
import { Failure } from '../../errors.ts';
import { onLine } from '../../policy/foreign-text.ts';
import { refOf } from '../elements/describe.ts';
import { formatRef } from '../elements/refs.ts';
import { resolve } from '../elements/resolve.ts';
import { saveFile, writablePath } from '../files.ts';
import type { Size } from '../geometry.ts';
import { type Limits, savingFolders } from '../limits.ts';
import type { SavedFile } from '../picture.ts';
import { maskedBytes } from '../secrets.ts';
import type { Tab } from '../tab/tab.ts';
import { captureTab, type TabCapture } from './capture/capture.ts';
import type { SnapNode, SnapPage } from './capture/node.ts';
import { cutRows, dialogFirst, inView, mostImportant, openDialog, rowsFrom } from './print/choose.ts';
import { filterTree, type SnapshotStyle, type SnapshotView } from './print/filter.ts';
import { keepLines, lastLines, readLines } from './print/kept-lines.ts';
import { type PrintedTree, type PrintOptions, print, type Selection } from './print/print.ts';
import { printDifferences } from './print/print-differences.ts';
import type { PrintNode } from './print/print-node.ts';
import { elementOf } from './print/print-uids.ts';
import { shortUrl } from './print/short-line.ts';

export interface SnapshotInput {
  mode?: SnapshotView['mode'];
  depth?: number | undefined;
  selector?: string | undefined;
  compact?: boolean;
  style?: SnapshotStyle | undefined;
  since?: 'last' | undefined;
  scope?: 'dialog' | 'view' | undefined;
  /** The first row to show of a long list or table. */
  offset?: number | undefined;
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

export async function takeSnapshot(tab: Tab, asked: SnapshotInput, limits: Limits): Promise<Snapshot> {
  const input = { ...asked, style: asked.style ?? tab.options.snapshotStyle };
  const { capture, scope } = await captureScope(tab, input, limits);
  const view = viewOf(input, scope, capture.focused);
  const { url, title } = capture.page.main;
  const whole = input.save_path === undefined ? undefined : Number.POSITIVE_INFINITY;
  const root = rootOf(capture.page, view, input);
  const options: PrintOptions = {
    view,
    maxChars: whole ?? roomFor(input, tab),
    refOf: entry => formatRef(refOf(tab, capture, elementOf(entry), entry), limits),
    frameOf: doc => tab.frames.numberOf(doc.frame),
  };
  const printed = printSince(tab, capture, root, options, input, limits);
  const { text, shown, total } = printed;
  if (input.save_path === undefined) return { url, title, text, shown, total };
  const path = await writablePath(input.save_path, savingFolders(limits));
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

function rootOf(page: SnapPage, view: SnapshotView, { scope, style }: SnapshotInput): PrintNode {
  const root = filterTree(page, view);
  if (scope === 'dialog') {
    const dialog = openDialog(root);
    if (!dialog) throw new Failure('not_found', 'No dialog is open.', 'Leave scope out.');
    root.children = [dialog];
  } else if (style !== 'uids') dialogFirst(root);
  return root;
}

/** The whole, or what is different since the last snapshot of the same view and document. */
function printSince(
  tab: Tab,
  capture: TabCapture,
  root: PrintNode,
  options: PrintOptions,
  input: SnapshotInput,
  limits: Limits,
): PrintedTree {
  const { since, style = 'tree' } = input;
  const key = viewKey(options.view);
  const { url, title } = capture.page.main;
  const last = since && lastLines(tab, capture, key);
  const read = readLines(root, capture, options);
  keepLines(tab, capture, key, root, read);
  if (!last) return printChosen(root, HEADS[style](title, url, capture), options, input, capture.viewport);
  return printDifferences(last, read(), {
    ...options,
    page: nameOfPage(ellipsis(title, LONGEST_HERE), ellipsis(shortUrl(url), LONGEST_HERE)),
    formerRef: element => {
      const ref = tab.refs.find(element);
      return ref ? formatRef(ref, limits) : '';
    },
  });
}

/** The whole where it fits, else what matters most. */
function printChosen(
  root: PrintNode,
  head: string,
  options: PrintOptions,
  { offset, scope, style }: SnapshotInput,
  viewport: Size,
): PrintedTree {
  if (offset !== undefined) return print(root, head, options, rowsFrom(root, offset));
  if (scope === 'view') return print(root, head, options, inView(root, viewport));
  // Refs are for what is shown in the end.
  const isCut = (selection?: Selection): boolean =>
    print(root, head, { ...options, refOf: () => '@e9999999' }, selection).cut;
  if (style === 'uids' || !isCut()) return print(root, head, options);
  const selection = cutRows(root, viewport);
  return print(root, head, options, mostImportant(root, selection, options, viewport));
}

/** Of title and url, where the page is known already. */
const LONGEST_HERE = 80;

/** Snapshots of one view can be compared. */
const viewKey = ({ focused, scope, ...view }: SnapshotView): string => {
  const at = view.mode === 'focused' ? focused : scope;
  return JSON.stringify({ ...view, at: at && `${at.process}/${at.id}` });
};

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

const nameOfPage = (title: string, url: string): string =>
  `${onLine(short(title.replace(/\s+/g, ' ').trim())) || '(no title)'} (${short(url)})`;

const HEADS: Record<SnapshotStyle, (title: string, url: string, capture: TabCapture) => string> = {
  tree: (title, url, { viewport }) =>
    `Page: ${nameOfPage(title, url)}\nViewport: ${viewport.width}x${viewport.height}\n\n`,
  short: (title, url) => `${nameOfPage(title, shortUrl(url))}\n`,
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
