// The lines of a snapshot by the identity of what they show, and those of the last snapshots of each tab, kept to tell what is different now.
import type { ElementIdentity } from '../../elements/refs.ts';
import type { Tab } from '../../tab/tab.ts';
import type { TabCapture } from '../capture/capture.ts';
import { countLines, hasRootLine } from './filter.ts';
import type { Line } from './line.ts';
import { formatLine, type PrintOptions } from './print.ts';
import type { PrintNode } from './print-node.ts';
import { elementOf } from './print-uids.ts';

export interface KeptLine extends Line {
  /** Key of the line that it is below; '' for the root. */
  parent: string;
  children: string[];
  /** Of a line with a ref. */
  element: ElementIdentity | undefined;
}

export type KeptLines = ReadonlyMap<string, KeptLine>;

export const ROOT = 'root';

/** The lines of a tree by key, and what each shows. */
export interface ReadLines {
  lines: KeptLines;
  entries: ReadonlyMap<string, PrintNode>;
}

type LineOptions = Pick<PrintOptions, 'view' | 'frameOf'>;

/** Every line without its indent; read once, when it is needed. */
export function readLines(root: PrintNode, capture: TabCapture, options: LineOptions): () => ReadLines {
  let read: ReadLines | undefined;
  return () => {
    read ??= readTree(root, capture, options);
    return read;
  };
}

function readTree(root: PrintNode, capture: TabCapture, options: LineOptions): ReadLines {
  const lines = new Map<string, KeptLine>();
  const entries = new Map<string, PrintNode>();
  const seen = new Map<string, number>();
  const keyOf = (entry: PrintNode): string => {
    const { session, id, loader, item = '' } = identityOf(entry, capture, entry.node);
    const key = `${session}/${id}/${loader}/${item}`;
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    return times ? `${key}#${times}` : key;
  };
  const add = (entry: PrintNode, key: string, parent: string, line: Line): void => {
    const element = entry.ref ? identityOf(entry, capture) : undefined;
    const children = entry.children.map(keyOf);
    lines.set(key, { ...line, parent, children, element });
    entries.set(key, entry);
    entry.children.forEach((child, at) => {
      add(child, children[at] as string, key, formatLine(child, 0, options));
    });
  };
  const isShown = hasRootLine(root, options.view);
  add(root, ROOT, '', isShown ? formatLine(root, 0, options) : { before: '', after: '' });
  return { lines, entries };
}

function identityOf(entry: PrintNode, { loaders }: TabCapture, node = elementOf(entry)): ElementIdentity {
  const { frame } = node.doc;
  return { session: node.process, id: node.id, frame, loader: loaders.get(frame) ?? '', item: entry.item?.key };
}

/** A larger page is always shown whole. */
const MOST_LINES = 20_000;
/** Kinds of views whose last snapshots are kept. */
const MOST_VIEWS = 3;

/** In ms after a snapshot; a server that is busy for longer keeps the capture for longer, too. */
const REST_MS = 500;

/** The lines of a snapshot: read when they are needed, or when the server rests, to let the capture go. One that is replaced before is never read. */
class Pending {
  #lines: KeptLines | undefined;
  #read: (() => ReadLines) | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(read: () => ReadLines) {
    this.#read = read;
    this.#timer = setTimeout(() => this.lines, REST_MS).unref();
  }

  get lines(): KeptLines | undefined {
    this.#lines ??= this.#read?.().lines;
    this.drop();
    return this.#lines;
  }

  drop(): void {
    clearTimeout(this.#timer);
    this.#read = undefined;
  }
}

interface Kept {
  /** The document of the page: another one begins anew. */
  loader: string;
  views: Map<string, Pending>;
}

const kept = new WeakMap<Tab, Kept>();

const loaderOf = ({ page: { main }, loaders }: TabCapture): string => `${main.process}/${loaders.get(main.frame)}`;

/** The lines of the last snapshot of this view of the same document. */
export function lastLines(tab: Tab, capture: TabCapture, view: string): KeptLines | undefined {
  const last = kept.get(tab);
  return last?.loader === loaderOf(capture) ? last.views.get(view)?.lines : undefined;
}

export function keepLines(tab: Tab, capture: TabCapture, view: string, root: PrintNode, read: () => ReadLines): void {
  const loader = loaderOf(capture);
  const last = kept.get(tab);
  const views = last?.loader === loader ? last.views : new Map<string, Pending>();
  if (views !== last?.views) for (const each of last?.views.values() ?? []) each.drop();
  const drop = (each: string): void => {
    views.get(each)?.drop();
    views.delete(each);
  };
  drop(view);
  if (countLines(root) <= MOST_LINES) views.set(view, new Pending(read));
  for (const oldest of views.keys()) if (views.size > MOST_VIEWS) drop(oldest);
  kept.set(tab, { loader, views });
}
