// Read: the main content of a page, or of one element, as Markdown; in parts when it is long.
import { ellipsis } from '../../ellipsis.ts';
import { Failure } from '../../errors.ts';
import { capital, phrase, TAKE_SNAPSHOT } from '../../text.ts';
import { resolve } from '../elements/resolve.ts';
import { declarations } from '../inpage/declarations.ts';
import * as functions from '../inpage/read.ts';
import { type Limits, under } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import { type RowsInput, readRows } from './rows.ts';

export interface ReadInput {
  selector?: string | undefined;
  /** So many rows of a list or table, scrolled for where they are not in the document yet. */
  rows?: number | undefined;
  offset: number;
  max_chars?: number | undefined;
  frameId?: number | undefined;
}

export interface ReadResult extends Omit<functions.ReadPage, 'markdown'> {
  url: string;
  text: string;
  /** Characters of the whole content. */
  total: number;
  /** The offset of the next part; none when this is the last. */
  next?: number;
}

const ASK = { mostNodes: 200_000, mostChars: 2_000_000 };
/** Characters reserved for the line that gives the offset of the next part. */
const CLOSING = 100;

export async function read(tab: Tab, input: ReadInput, limits: Limits): Promise<ReadResult> {
  const page =
    input.rows === undefined
      ? await ask(tab, input, limits)
      : await askRows(tab, { ...input, rows: input.rows }, limits);
  const { markdown: whole, ...facts } = page;
  const markdown = withoutTitle(whole, page.title);
  if (markdown === '')
    throw new Failure('not_found', 'There is no text to read.', phrase`${capital(TAKE_SNAPSHOT)} or a screenshot.`);
  if (input.offset >= markdown.length)
    throw new Failure('bad_input', `The content has only ${markdown.length} characters.`, 'Give a smaller offset.');
  const url = tab.url;
  const head = input.offset === 0 && page.kind !== 'part' ? headOf(page, url) : '';
  const budget = Math.min(input.max_chars ?? tab.options.maxChars, tab.options.maxChars);
  const { text, end } = partOf(markdown, input.offset, Math.max(100, budget - head.length - CLOSING));
  const isAll = end >= markdown.length;
  const closing = isAll ? '' : `\n\n[${end} of ${markdown.length} characters. Go on with offset: ${end}.]`;
  return { ...facts, url, text: head + text + closing, total: markdown.length, ...(isAll ? {} : { next: end }) };
}

async function askRows(tab: Tab, input: RowsInput, limits: Limits): Promise<functions.ReadPage> {
  return { title: '', byline: '', site: '', published: '', kind: 'part', markdown: await readRows(tab, input, limits) };
}

async function ask(tab: Tab, { selector, frameId }: ReadInput, limits: Limits): Promise<functions.ReadPage> {
  await tab.readable(limits);
  const element = selector === undefined ? undefined : await resolve(tab, { selector, frameId }, limits);
  const place = element?.location ?? (await rootOf(tab, frameId, limits));
  // Large and rarely needed: loaded with the first read.
  const { LIBRARIES } = await import('./libraries.ts');
  const on = element
    ? { objectId: await element.object() }
    : { executionContextId: await under(limits.signal, place.cdp.own(place.frame)) };
  const { result, exceptionDetails } = await tab.send(limits, place.cdp, 'Runtime.callFunctionOn', {
    ...on,
    functionDeclaration: source(LIBRARIES),
    arguments: [{ value: { ...ASK, part: element !== undefined } satisfies functions.ReadAsk }],
    returnByValue: true,
  });
  if (exceptionDetails)
    throw new Failure(
      'internal',
      `The page could not be read: ${exceptionDetails.exception?.description?.slice(0, 300) ?? exceptionDetails.text}`,
      phrase`${capital(TAKE_SNAPSHOT)} instead.`,
    );
  return result.value as functions.ReadPage;
}

async function rootOf(tab: Tab, frameId: number | undefined, limits: Limits) {
  const { cdp, id } = tab.frames.byNumber(frameId ?? 0, limits);
  return { cdp, frame: id };
}

const source = (libraries: string): string => `function(ask) {
${libraries}
${declarations(Object.values(functions))}
return ${functions.readPage.name}(this instanceof Element ? this : null, ask, { Readability, TurndownService });
}`;

/** The title stands above the text already. */
function withoutTitle(markdown: string, title: string): string {
  const [first = ''] = markdown.split('\n', 1);
  return first === `# ${title}` ? markdown.slice(first.length).trimStart() : markdown;
}

function headOf({ title, byline, site, published }: functions.ReadPage, url: string): string {
  const about = [byline && `By ${byline}`, site, published].filter(Boolean).join(' · ');
  return [
    `# ${title.replace(/\s+/g, ' ').slice(0, 300) || '(no title)'}`,
    ...(about ? [about.slice(0, 300)] : []),
    ellipsis(url, 300),
    '',
    '',
  ].join('\n');
}

export interface MarkdownPart {
  text: string;
  /** The offset of the next part. */
  end: number;
}

const FENCE = /^ *(`{3,})\S*$/gm;

/** At most about `room` characters from `offset` on. Code that is cut keeps its fences in both parts. */
export function partOf(whole: string, offset: number, room: number): MarkdownPart {
  const opening = openFence(whole.slice(0, offset));
  const rest = whole.slice(offset);
  const length = rest.length <= room ? rest.length : cutAt(rest, room, opening);
  const text = rest.slice(0, length);
  const start = opening === '' ? '' : `${opening}\n`;
  const open = openFence(start + text);
  const close = open === '' || length === rest.length ? '' : `\n${open}`;
  return { text: `${start}${text.trimEnd()}${close}`, end: offset + length };
}

/** The fence that is still open at the end of the text. */
function openFence(text: string): string {
  let open = '';
  for (const [, fence = ''] of text.matchAll(FENCE)) {
    if (open === '') open = fence;
    else if (fence === open) open = '';
  }
  return open;
}

/** Between blocks if that leaves at least half, else at the end of a line, else between words, else between characters. */
function cutAt(text: string, room: number, opening: string): number {
  const least = room / 2;
  for (let at = text.lastIndexOf('\n\n', room); at > least; at = text.lastIndexOf('\n\n', at - 1))
    if (openFence(`${opening}\n${text.slice(0, at)}`) === '') return at + 2;
  for (const gap of ['\n', ' ']) {
    const at = text.lastIndexOf(gap, room);
    if (at > least) return at + 1;
  }
  return /[\uD800-\uDBFF]/.test(text[room - 1] ?? '') ? room - 1 : room;
}

export interface PlainText {
  url: string;
  text: string;
  /** Characters of the whole text. */
  total: number;
}

export async function plainText(
  tab: Tab,
  { frameId, max_chars }: { frameId?: number | undefined; max_chars?: number | undefined },
  limits: Limits,
): Promise<PlainText> {
  await tab.readable(limits);
  const { cdp, id, frame } = tab.frames.byNumber(frameId ?? 0, limits);
  const most = max_chars ?? tab.options.maxChars;
  const { result } = await tab.send(limits, cdp, 'Runtime.evaluate', {
    expression: `(text => ({ text: text.slice(0, ${most}), total: text.length }))(document.body?.innerText ?? '')`,
    contextId: await cdp.own(id),
    returnByValue: true,
  });
  return { url: frame.url, ...(result.value as Omit<PlainText, 'url'>) };
}
