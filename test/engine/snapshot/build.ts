// Builds captures by hand for tests: elements as nested calls, laid out in the way Chrome reports them.
import type { Protocol } from 'devtools-protocol';
import { decode, type ProcessSnapshot } from '../../../src/engine/snapshot/capture/decode.ts';
import {
  COMPUTED_STYLES,
  type SnapNode,
  type SnapPage,
  type StyleName,
} from '../../../src/engine/snapshot/capture/node.ts';

type Snap = Protocol.DOMSnapshot.CaptureSnapshotResponse;
type Source = Protocol.DOMSnapshot.DocumentSnapshot;

export interface Traits {
  attrs?: Record<string, string>;
  style?: Partial<Record<StyleName, string>>;
  box?: [number, number, number, number];
  /** No layout for it and all below it. */
  unrendered?: boolean;
  clickable?: boolean;
  value?: string;
  checked?: boolean;
  selected?: boolean;
  shadow?: 'open' | 'closed';
  /** Its generated text. */
  pseudo?: { type: string; text: string };
  /** The document in this iframe. */
  frame?: Made[];
}

export interface Made extends Traits {
  tag: string;
  kids: Kid[];
}
export type Kid = Made | string;

/** `h('a', { attrs: { href: '#' } }, 'text')`; SVG tags are written `svg:circle`. */
export const h = (tag: string, traits: Traits = {}, ...kids: Kid[]): Made => ({ ...traits, tag, kids });

const INLINE = new Set([
  'a',
  'abbr',
  'b',
  'code',
  'em',
  'i',
  'label',
  'small',
  'span',
  'strong',
  'output',
  'img',
  'iframe',
]);
const INLINE_BLOCK = new Set(['button', 'input', 'select', 'textarea', 'meter', 'progress']);
const DEFAULTS: Record<StyleName, string> = {
  display: 'block',
  visibility: 'visible',
  cursor: 'auto',
  'pointer-events': 'auto',
  overlay: 'none',
  'content-visibility': 'visible',
  content: 'normal',
  'background-image': 'none',
  overflow: 'visible',
  'white-space-collapse': 'collapse',
};

/** Options have no layout, nor has anything in the head. */
const NOT_LAID_OUT = new Set(['option', 'optgroup', 'area', 'head', 'script', 'title', 'datalist']);

class Writer {
  readonly strings: string[] = [];
  readonly documents: Source[] = [];
  readonly #places = new Map<string, number>();
  #nextId = 1;

  string(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.strings.length);
    return this.strings.push(text) - 1;
  }

  document(kids: Kid[], title: string): number {
    const at = this.documents.length;
    const source = emptyDocument(
      this.string(`http://test.example/${at}`),
      this.string(title),
      this.string(`frame-${at}`),
    );
    this.documents.push(source);
    const root = this.#node(source, -1, 9, '#document', '', []);
    this.#layout(source, root, [0, 0, 1280, 720], [], undefined);
    for (const kid of kids) this.#kid(source, root, kid, true, 'block', undefined);
    return at;
  }

  #node(source: Source, parent: number, type: number, name: string, value: string, attributes: string[]): number {
    const { nodes } = source;
    nodes.parentIndex?.push(parent);
    nodes.nodeType?.push(type);
    nodes.nodeName?.push(this.string(name));
    nodes.nodeValue?.push(value ? this.string(value) : -1);
    nodes.backendNodeId?.push(this.#nextId++);
    nodes.attributes?.push(attributes.map(text => this.string(text)));
    return (nodes.nodeType?.length ?? 0) - 1;
  }

  #layout({ layout }: Source, index: number, box: number[], styles: string[], text: string | undefined): void {
    layout.nodeIndex.push(index);
    layout.bounds.push(box);
    layout.styles.push(styles.map(style => this.string(style)));
    layout.text.push(text === undefined ? -1 : this.string(text));
  }

  #kid(source: Source, parent: number, kid: Kid, rendered: boolean, display: string, shadow: string | undefined): void {
    if (typeof kid !== 'string') {
      this.#element(source, parent, kid, rendered, shadow);
      return;
    }
    const index = this.#node(source, parent, 3, '#text', kid, []);
    if (rendered) this.#layout(source, index, [0, 0, 50, 17], stylesOf({ display }), kid);
    this.#rare(source.nodes.shadowRootType, index, shadow);
  }

  #element(source: Source, parent: number, made: Made, around: boolean, inherited: string | undefined): void {
    const svg = made.tag.startsWith('svg:');
    const name = svg ? made.tag.slice(4) : made.tag.toUpperCase();
    const rendered = around && !made.unrendered && !NOT_LAID_OUT.has(made.tag);
    const shadow = made.shadow ?? inherited;
    const index = this.#node(
      source,
      parent,
      1,
      made.pseudo ? `::${made.pseudo.type}` : name,
      '',
      Object.entries(made.attrs ?? {}).flat(),
    );
    const display =
      INLINE.has(made.tag) || made.pseudo ? 'inline' : INLINE_BLOCK.has(made.tag) ? 'inline-block' : 'block';
    const style = { display, ...made.style };
    if (rendered && style.display !== 'contents') {
      this.#layout(source, index, made.box ?? [0, 0, 100, 20], stylesOf(style), undefined);
      if (made.pseudo) this.#layout(source, index, [0, 0, 10, 10], stylesOf(style), made.pseudo.text);
    }
    this.#traits(source, index, made, shadow);
    for (const kid of made.kids) this.#kid(source, index, kid, rendered, style.display, shadow);
    if (made.frame) this.#frame(source, index, made.frame);
  }

  #traits({ nodes }: Source, index: number, made: Made, shadow: string | undefined): void {
    this.#rare(nodes.shadowRootType, index, shadow);
    this.#rare(nodes.pseudoType, index, made.pseudo?.type);
    this.#rare(made.tag === 'textarea' ? nodes.textValue : nodes.inputValue, index, made.value);
    if (made.clickable) nodes.isClickable?.index.push(index);
    if (made.checked) nodes.inputChecked?.index.push(index);
    if (made.selected) nodes.optionSelected?.index.push(index);
  }

  #frame({ nodes }: Source, index: number, kids: Made[]): void {
    const at = this.document(kids, 'Framed');
    nodes.contentDocumentIndex?.index.push(index);
    nodes.contentDocumentIndex?.value.push(at);
  }

  #rare(rare: { index: number[]; value: number[] } | undefined, index: number, text: string | undefined): void {
    if (text === undefined || !rare) return;
    rare.index.push(index);
    rare.value.push(this.string(text));
  }
}

const stylesOf = (style: Partial<Record<StyleName, string>>): string[] => {
  const all: Record<string, string> = { ...DEFAULTS, ...style };
  return COMPUTED_STYLES.map(name => all[name] ?? '');
};

function emptyDocument(url: number, title: number, frameId: number): Source {
  const rare = () => ({ index: [], value: [] });
  return {
    documentURL: url,
    title,
    frameId,
    baseURL: -1,
    contentLanguage: -1,
    encodingName: -1,
    publicId: -1,
    systemId: -1,
    nodes: {
      parentIndex: [],
      nodeType: [],
      nodeName: [],
      nodeValue: [],
      backendNodeId: [],
      attributes: [],
      shadowRootType: rare(),
      textValue: rare(),
      inputValue: rare(),
      inputChecked: rare(),
      optionSelected: rare(),
      contentDocumentIndex: rare(),
      pseudoType: rare(),
      isClickable: rare(),
    },
    layout: { nodeIndex: [], styles: [], bounds: [], text: [], stackingContexts: { index: [] } },
    textBoxes: { layoutIndex: [], bounds: [], start: [], length: [] },
  };
}

/** A capture of a page with this body. */
export function capture(...body: Kid[]): Snap {
  const writer = new Writer();
  writer.document([h('html', {}, h('head'), h('body', {}, ...body))], 'Test page');
  return { documents: writer.documents, strings: writer.strings };
}

export const pageOf = (...body: Kid[]): SnapPage => decode([{ process: 'main', snap: capture(...body) }]);

export const parted = (process: string, snap: Snap, owner?: ProcessSnapshot['owner']): ProcessSnapshot => ({
  process,
  snap,
  ...(owner ? { owner } : {}),
});

/** The element with this id. */
export function byId(page: SnapPage, id: string): SnapNode {
  for (const doc of page.docs) for (const n of doc.nodes) if (n.attrs.id === id) return n;
  throw new Error(`No element #${id}`);
}

/** The first element below the body. */
export function first(page: SnapPage): SnapNode {
  const body = page.main.nodes.find(n => n.tag === 'body');
  const found = body?.kids.find(n => n.type === 1);
  if (!found) throw new Error('An empty body');
  return found;
}
