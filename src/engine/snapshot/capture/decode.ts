// Decodes DOMSnapshot.captureSnapshot answers, one per process, into one page of linked nodes.
import type { Protocol } from 'devtools-protocol';
import { hide } from '../accessibility/hidden.ts';
import { collectLater } from './collect-garbage.ts';
import { indexIds } from './id-lookup.ts';
import { type Attributes, DOCUMENT, ELEMENT, type SnapDoc, SnapNode, type SnapPage } from './node.ts';

export interface ProcessSnapshot {
  process: string;
  snap: Protocol.DOMSnapshot.CaptureSnapshotResponse;
  /** The iframe element that holds the first document of this part. */
  owner?: { process: string; id: number };
}

type Source = Protocol.DOMSnapshot.DocumentSnapshot;

/** Deeper nodes become siblings, so that no walk over the tree can exhaust the stack. */
const MAX_DEPTH = 1000;
const NO_ATTRIBUTES: Attributes = Object.freeze({});

/** The first part is the main process. */
export function decode(parts: ProcessSnapshot[]): SnapPage {
  const decoded = parts.map(part => ({ part, docs: decodePart(part) }));
  const docs = decoded.flatMap(({ docs }) => docs);
  const main = docs[0];
  if (!main) throw new RangeError('A snapshot without documents cannot be decoded.');
  const byKey = finder(docs);
  for (const { part, docs } of decoded) {
    const owner = part.owner && byKey(part.owner.process, part.owner.id);
    if (owner && docs[0]) join(owner, docs[0]);
  }
  docs.forEach(indexIds);
  hideAll(docs);
  collectLater(docs.reduce((sum, { nodes }) => sum + nodes.length, 0));
  return { docs, main, byKey };
}

/** A document is hidden with the iframe that holds it, so holders go first. */
function hideAll(docs: SnapDoc[]): void {
  const done = new Set<SnapDoc>();
  const visit = (doc: SnapDoc): void => {
    if (done.has(doc)) return;
    done.add(doc);
    if (doc.owner) visit(doc.owner.doc);
    hide(doc);
  };
  docs.forEach(visit);
}

/** Backend node ids collide between processes: the key is both. */
function finder(docs: SnapDoc[]): SnapPage['byKey'] {
  let index: Map<string, Map<number, SnapNode>> | undefined;
  const build = () => {
    const built = new Map<string, Map<number, SnapNode>>();
    for (const doc of docs) {
      const ids = built.get(doc.process) ?? new Map<number, SnapNode>();
      built.set(doc.process, ids);
      for (const n of doc.nodes) ids.set(n.id, n);
    }
    return built;
  };
  return (process, id) => {
    index ??= build();
    return index.get(process)?.get(id);
  };
}

function join(owner: SnapNode, doc: SnapDoc): void {
  owner.content = doc;
  doc.owner = owner;
}

function decodePart({ process, snap }: ProcessSnapshot): SnapDoc[] {
  const { strings } = snap;
  const tags: string[] = [];
  const docs = snap.documents.map(source => decodeDocument(process, source, strings, tags));
  snap.documents.forEach((source, at) => {
    const frames = source.nodes.contentDocumentIndex;
    frames?.index.forEach((index, k) => {
      const owner = docs[at]?.nodes[index];
      const doc = docs[frames.value[k] ?? -1];
      if (owner && doc) join(owner, doc);
    });
  });
  return docs;
}

function decodeDocument(process: string, source: Source, strings: string[], tags: string[]): SnapDoc {
  const doc: SnapDoc = {
    process,
    frame: strings[source.frameId] ?? '',
    url: strings[source.documentURL] ?? '',
    title: strings[source.title] ?? '',
    scrollX: source.scrollOffsetX ?? 0,
    scrollY: source.scrollOffsetY ?? 0,
    strings,
    nodes: [],
    ids: new Map(),
    labels: new Map(),
    controls: new Map(),
    named: new Map(),
    maps: new Set(),
    modal: undefined,
    moved: false,
    owner: undefined,
  };
  readNodes(doc, source.nodes, tags);
  readLayout(doc, source.layout);
  readRare(doc, source.nodes);
  return doc;
}

function readNodes(doc: SnapDoc, source: Source['nodes'], tags: string[]): void {
  const { strings, nodes } = doc;
  const { nodeName = [], backendNodeId = [], nodeType = [], nodeValue = [], attributes = [] } = source;
  const xml = isXhtml(source, strings);
  const { parents, counts } = readParents(source);
  const filled = new Int32Array(nodeName.length);
  for (let i = 0; i < nodeName.length; i++) {
    const at = nodeName[i] as number;
    const written = strings[at] ?? '';
    const tag = tags[at] ?? written.toLowerCase();
    tags[at] = tag;
    const from = parents[i] as number;
    const parent = nodes[from];
    const html = tag !== written || (xml && isHtmlIn(parent, tag));
    const text = strings[nodeValue[i] as number] ?? '';
    const attrs = readAttributes(attributes[i], strings);
    const n = new SnapNode(doc, parent, i, backendNodeId[i] as number, nodeType[i] as number, tag, html, attrs, text);
    const count = counts[i] as number;
    if (count) n.kids = new Array<SnapNode>(count);
    if (parent) {
      const place = filled[from] as number;
      parent.kids[place] = n;
      filled[from] = place + 1;
    }
    nodes.push(n);
  }
}

/** The parent of each node, none deeper than MAX_DEPTH, and the number of its children: lists of the right size from the start. */
function readParents({ parentIndex = [] }: Source['nodes']): { parents: Int32Array; counts: Int32Array } {
  const parents = Int32Array.from(parentIndex);
  const depths = new Int32Array(parents.length);
  const counts = new Int32Array(parents.length);
  for (let i = 0; i < parents.length; i++) {
    let parent = parents[i] as number;
    if (parent < 0) continue;
    if ((depths[parent] as number) >= MAX_DEPTH) parent = parents[parent] as number;
    parents[i] = parent;
    depths[i] = (depths[parent] as number) + 1;
    counts[parent] = (counts[parent] as number) + 1;
  }
  return { parents, counts };
}

/** HTML documents spell HTML elements in upper case; XHTML ones do not. */
const isXhtml = ({ nodeName = [], nodeType = [] }: Source['nodes'], strings: readonly string[]): boolean =>
  strings[nodeName[nodeType.indexOf(ELEMENT)] as number] === 'html';

function isHtmlIn(parent: SnapNode | undefined, tag: string): boolean {
  if (tag === 'svg' || tag === 'math') return false;
  return !parent || parent.type === DOCUMENT || parent.html || parent.tag === 'foreignobject';
}

function readAttributes(source: number[] | undefined, strings: readonly string[]): Attributes {
  if (!source?.length) return NO_ATTRIBUTES;
  const attrs: Record<string, string> = {};
  for (let j = 0; j < source.length; j += 2)
    attrs[strings[source[j] as number] ?? ''] = strings[source[j + 1] as number] ?? '';
  return attrs;
}

function readLayout({ nodes, strings }: SnapDoc, layout: Source['layout']): void {
  layout.nodeIndex.forEach((index, k) => {
    const n = nodes[index];
    if (!n) return;
    const text = strings[layout.text[k] as number];
    // Generated content has one layout object for its box and one for each piece of text.
    if (text !== undefined) n.renderedText = n.renderedText === undefined ? text : n.renderedText + text;
    if (n.box) return;
    n.box = layout.bounds[k];
    n.style = layout.styles[k];
    n.rendered = true;
  });
  // A parent without a box of its own (display: contents) is rendered when something in it is.
  for (let i = nodes.length - 1; i > 0; i--) {
    const n = nodes[i] as SnapNode;
    if (n.rendered && n.parent) n.parent.rendered = true;
  }
}

function readRare({ nodes, strings }: SnapDoc, source: Source['nodes']): void {
  const each = (
    rare: { index: number[]; value?: number[] } | undefined,
    set: (n: SnapNode, value: string) => void,
  ): void =>
    rare?.index.forEach((index, k) => {
      const n = nodes[index];
      if (n) set(n, strings[rare.value?.[k] ?? -1] ?? '');
    });
  each(source.shadowRootType, (n, type) => (n.shadow = type));
  each(source.isClickable, n => (n.clickable = true));
  each(source.inputValue, (n, value) => (n.value = value));
  each(source.textValue, (n, value) => (n.value = value));
  each(source.inputChecked, n => (n.checked = true));
  each(source.optionSelected, n => (n.selected = true));
  each(source.pseudoType, setPseudo);
}

/** ::after is listed before the children of its element. */
function setPseudo(n: SnapNode, type: string): void {
  n.pseudo = type;
  const kids = n.parent?.kids;
  if (type !== 'after' || !kids || kids.at(-1) === n) return;
  kids.splice(kids.indexOf(n), 1);
  kids.push(n);
}
