// Runs inside the page, in our own script world: the page's main content as Markdown, without changing the page.
// Self-contained: these functions are sent as text, so they use nothing but each other, the two libraries and the DOM.

import type { InPage } from './source.ts';

/** Our other in-page functions. */
declare const tabwright: InPage;

export interface ReadAsk {
  /** Read this element only, whole. */
  part: boolean;
  mostNodes: number;
  mostChars: number;
}

export interface ReadPage {
  title: string;
  byline: string;
  site: string;
  published: string;
  /** An article that was found, the whole page, or the part that was asked for. */
  kind: 'article' | 'page' | 'part';
  markdown: string;
}

interface Article {
  title?: string | null;
  byline?: string | null;
  siteName?: string | null;
  publishedTime?: string | null;
  content?: HTMLElement | null;
  length?: number | null;
}

export interface Libraries {
  Readability: new (doc: Document, options: object) => { parse(): Article | null };
  TurndownService: new (
    options: object,
  ) => {
    escape(text: string): string;
    addRule(name: string, rule: Rule): void;
    turndown(el: HTMLElement): string;
  };
}

interface Rule {
  filter: string | string[];
  replacement(content: string, node: HTMLElement): string;
}

/** The whole page without an element. */
export function readPage(el: Element | null, ask: ReadAsk, libraries: Libraries): ReadPage {
  const root = el ?? document.body ?? document.documentElement;
  const doc = document.implementation.createHTMLDocument(document.title);
  // A control is read only when it is the element that was asked for.
  if (ask.part && isControl(root)) doc.body.append(tabwright.property(root, 'textContent') ?? '');
  else copyElement(root, doc.body, { doc, left: ask.mostNodes }, false);
  const page: ReadPage = {
    title: document.title.trim(),
    byline: '',
    site: '',
    published: '',
    kind: 'part',
    markdown: '',
  };
  const content = ask.part ? doc.body : mainOf(doc, page, libraries);
  page.markdown = markdownOf(content, libraries).slice(0, ask.mostChars);
  return page;
}

/** The article of a copied page, which the library changes; or the page without navigation, footer and search. */
export function mainOf(doc: Document, page: ReadPage, { Readability }: Libraries): HTMLElement {
  const whole = contentOf(doc.body);
  const words = (whole.textContent ?? '').replace(/\s+/g, ' ').length;
  for (const node of document.head?.childNodes ?? []) doc.head.append(doc.importNode(node, true));
  doc.documentElement.lang = document.documentElement.lang;
  const found = new Readability(doc, { keepClasses: true, serializer: (el: Element) => el }).parse();
  page.title = (found?.title || page.title).trim();
  page.site = (found?.siteName ?? '').trim();
  const length = found?.length ?? 0;
  // A short piece of a long page is rather a box beside its content.
  const isMain = length >= 1_000 || (length >= 150 && length >= words * 0.4);
  page.kind = found?.content && isMain ? 'article' : 'page';
  if (!found?.content || !isMain) return whole;
  page.byline = (found.byline ?? '').replace(/\s+/g, ' ').trim();
  page.published = (found.publishedTime ?? '').trim();
  return found.content;
}

export function contentOf(body: HTMLElement): HTMLElement {
  const mains = [...body.querySelectorAll<HTMLElement>('main, [role=main]')];
  const content = (mains.length === 1 && mains[0] ? mains[0] : body).cloneNode(true) as HTMLElement;
  for (const one of content.querySelectorAll('nav, footer, [role=navigation], [role=contentinfo], [role=search]'))
    one.remove();
  return content;
}

interface Copying {
  doc: Document;
  /** Nodes that may still be copied. */
  left: number;
}

/** Copies the visible content of the element: shadow trees in their place, links absolute, without controls. */
export function copyInto(from: Node, into: Element, copy: Copying, inPre: boolean): void {
  for (const node of shownNodes(from)) {
    if (copy.left-- <= 0) return;
    if (node instanceof Text) {
      if (isSeen(node)) into.append(node.data);
    } else if (node instanceof Element) copyElement(node, into, copy, inPre);
  }
}

export function copyElement(el: Element, into: Element, copy: Copying, inPre: boolean): void {
  const tag = tabwright.property(el, 'localName');
  const { display } = getComputedStyle(el);
  if (display === 'none' || tabwright.method(el, 'getAttribute', 'aria-hidden') === 'true') return;
  const isBlock = /^(block|flex|grid|table|list-item|flow-root)/.test(display);
  if (inPre && tag === 'br') into.append('\n');
  else if (tag === 'math') into.append(formula(el));
  else if (isControl(el)) into.append(' ');
  else {
    const made = copy.doc.createElement(tag === 'body' ? 'div' : tag.includes('-') ? (isBlock ? 'div' : 'span') : tag);
    // By its id a field would hide a property of its form in the copy as well.
    const isField = /^(fieldset|output|img)$/.test(tag);
    for (const { name, value } of tabwright.property(el, 'attributes'))
      if (/^(class|id|alt|title|colspan|rowspan|start|rel|itemprop|lang|dir|role|datetime)$/.test(name))
        if (name !== 'id' || !isField) made.setAttribute(name, value);
    if (el instanceof HTMLAnchorElement) copyLink(el, made);
    if (el instanceof HTMLImageElement) copyImage(el, made);
    copyInto(el, made, copy, inPre || tag === 'pre');
    into.append(made);
    // Lines of code are often blocks of their own.
    if (inPre && isBlock && !(made.textContent ?? '').endsWith('\n')) into.append('\n');
  }
}

/** Controls, scripts and embedded content: not part of the text. */
export function isControl(el: Element): boolean {
  return (
    tabwright.method(el, 'getAttribute', 'role') === 'button' ||
    /^(script|style|noscript|template|iframe|svg|canvas|video|audio|object|embed|button|input|select|textarea)$/.test(
      tabwright.property(el, 'localName'),
    )
  );
}

export function formula(el: Element): string {
  const tex = el.querySelector('annotation[encoding="application/x-tex"]')?.textContent;
  return tex ? `$${tex.trim()}$` : (el.textContent ?? '');
}

/** The children as they are shown: of a shadow host those of its shadow tree, of a slot those put into it. */
export function shownNodes(node: Node): Node[] {
  if (node instanceof HTMLSlotElement) {
    const given = node.assignedNodes({ flatten: true });
    return given.length > 0 ? given : [...node.childNodes];
  }
  const shadow = node instanceof Element ? tabwright.property(node, 'shadowRoot') : null;
  return [...tabwright.property(shadow ?? node, 'childNodes')];
}

export function isSeen(text: Text): boolean {
  const parent = text.parentElement ?? (text.getRootNode() as ShadowRoot).host;
  return !(parent instanceof Element) || getComputedStyle(parent).visibility === 'visible';
}

export function copyLink(from: HTMLAnchorElement, into: Element): void {
  const written = from.getAttribute('href') ?? '';
  if (written !== '' && !written.startsWith('#') && /^(https?|mailto|tel|ftp):/.test(from.href))
    into.setAttribute('href', from.href);
}

/** The image keeps its alt text, which copyElement has copied, and its URL. */
export function copyImage(from: HTMLImageElement, into: Element): void {
  const src = from.currentSrc || from.src || from.dataset.src || '';
  if (/^https?:/.test(src)) into.setAttribute('src', src);
}

export function markdownOf(el: HTMLElement, { TurndownService }: Libraries): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
  });
  // Without escapes: names such as snake_case must stay as they are.
  service.escape = text => text;
  const rules: Record<string, Rule> = {
    listItem: { filter: 'li', replacement: listItem },
    link: { filter: 'a', replacement: link },
    picture: {
      filter: 'img',
      replacement(_content, node) {
        const alt = (node.getAttribute('alt') ?? '').replace(/\s+/g, ' ').trim();
        const src = node.getAttribute('src');
        return alt === '' || !src ? alt : `![${alt}](${src})`;
      },
    },
    code: { filter: 'pre', replacement: (_content, node) => codeBlock(node) },
    quote: { filter: 'q', replacement: content => `“${content}”` },
    caption: { filter: 'caption', replacement: content => `\n\n${content.trim()}\n\n` },
    cell: { filter: ['th', 'td'], replacement: tableCell },
    row: { filter: 'tr', replacement: tableRow },
    rows: { filter: ['thead', 'tbody', 'tfoot'], replacement: content => content },
    table: { filter: 'table', replacement: content => `\n\n${content.trim()}\n\n` },
  };
  for (const [name, rule] of Object.entries(rules)) service.addRule(name, rule);
  return service
    .turndown(el)
    .replace(/\u00a0/g, ' ')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

export function listItem(content: string, node: HTMLElement): string {
  const list = node.parentElement;
  const mark = list?.localName === 'ol' ? `${Number(list.getAttribute('start') ?? 1) + placeOf(node)}. ` : '- ';
  const text = content
    .trim()
    .replace(/\n{2,}(?=\s*(?:- |\d+\. ))/g, '\n')
    .replace(/\n(?!\n)/g, `\n${' '.repeat(mark.length)}`);
  return text === '' ? '' : `${mark}${text}\n`;
}

export function placeOf(item: Element): number {
  let place = 0;
  for (let at = item.previousElementSibling; at; at = at.previousElementSibling) if (at.localName === 'li') place++;
  return place;
}

export function link(content: string, node: HTMLElement): string {
  const text = content
    .replace(/\s+/g, ' ')
    .replace(/^ ?#+ /, '')
    .trim();
  const href = node.getAttribute('href') ?? '';
  if (text === '' || href === '') return text;
  return `[${text}](${href.replace(/[()\s]/g, sign => `%${sign.charCodeAt(0).toString(16)}`)})`;
}

export function codeBlock(node: HTMLElement): string {
  const code = (node.textContent ?? '').replace(/^\n|\s+$/g, '');
  const classes = `${node.className} ${node.parentElement?.className} ${node.querySelector('code')?.className}`;
  const language = /(?:^|\s)(?:language|lang|highlight-source|brush)[-:]\s?([\w+#-]+)/.exec(classes)?.[1] ?? '';
  let fence = '```';
  while (code.includes(fence)) fence += '`';
  return code === '' ? '' : `\n\n${fence}${language}\n${code}\n${fence}\n\n`;
}

/** Layout tables are read cell after cell. The result is cached on the table. */
export function isLayout(node: Element): boolean {
  const table = node.closest('table');
  if (!table) return true;
  table.dataset.layout ??= String(
    table.querySelector('table') !== null ||
      table.getAttribute('role') === 'presentation' ||
      ![...table.querySelectorAll('tr')].some(row => row.children.length > 1),
  );
  return table.dataset.layout === 'true';
}

export function tableCell(content: string, node: HTMLElement): string {
  if (isLayout(node)) return `\n\n${content.trim()}\n\n`;
  const more = Math.min(50, Math.max(1, Number(node.getAttribute('colspan') ?? 1)) || 1) - 1;
  return ` ${content
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')} |${'  |'.repeat(more)}`;
}

export function tableRow(content: string, node: HTMLElement): string {
  if (isLayout(node)) return `\n\n${content.trim()}\n\n`;
  const table = node.closest('table');
  const isFirst = table?.querySelector('tr') === node;
  const cells = content.match(/(?<!\\)\|/g)?.length ?? 0;
  return `\n|${content.trimEnd()}${isFirst ? `\n|${' --- |'.repeat(cells)}` : ''}`;
}
