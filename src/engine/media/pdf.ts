// PDF: prints the page into a file, or into the answer.
import type { Protocol } from 'devtools-protocol';
import { CdpError } from '../../cdp/errors.ts';
import { Failure } from '../../errors.ts';
import { saveFile, writablePath } from '../files.ts';
import { type Limits, savingFolders } from '../limits.ts';
import type { SavedFile } from '../picture.ts';
import type { Tab } from '../tab/tab.ts';
import { checkNoSecrets } from './conceal.ts';

/** Width and height of paper in inches. */
const PAPER = {
  Letter: [8.5, 11],
  Legal: [8.5, 14],
  Tabloid: [11, 17],
  Ledger: [17, 11],
  A0: [841 / 25.4, 1189 / 25.4],
  A1: [594 / 25.4, 841 / 25.4],
  A2: [420 / 25.4, 594 / 25.4],
  A3: [297 / 25.4, 420 / 25.4],
  A4: [210 / 25.4, 297 / 25.4],
  A5: [148 / 25.4, 210 / 25.4],
  A6: [105 / 25.4, 148 / 25.4],
} as const;

export const PAPERS = Object.keys(PAPER) as [keyof typeof PAPER, ...(keyof typeof PAPER)[]];

export interface PdfInput {
  format: keyof typeof PAPER;
  landscape: boolean;
  scale: number;
  margin?: { [side in 'top' | 'bottom' | 'left' | 'right']?: string | undefined } | undefined;
  display_header_footer: boolean;
  header_template?: string | undefined;
  footer_template?: string | undefined;
  print_background: boolean;
  prefer_css_page_size: boolean;
  /** A dash stands for the answer. */
  save_path: string;
}

export interface PdfResult {
  file?: SavedFile;
  /** The file itself, when it was not saved. */
  base64?: string;
  bytes: number;
  pages: number;
}

const MAX_BYTES = 500_000_000;
export const IN_ANSWER = '-';
/** A larger PDF can only be saved to a file. */
const MAX_IN_ANSWER = 50_000_000;
const READ_BYTES = 1_000_000;

export async function pdf(tab: Tab, input: PdfInput, limits: Limits): Promise<PdfResult> {
  const params = printParams(input);
  const path = input.save_path === IN_ANSWER ? undefined : await writablePath(input.save_path, savingFolders(limits));
  await tab.readable(limits);
  await checkNoSecrets(tab, limits);
  const pdf = await print(tab, params, limits);
  await checkNoSecrets(tab, limits);
  const facts = { bytes: pdf.length, pages: pagesOf(pdf) };
  if (path === undefined) return { ...facts, base64: inAnswer(pdf) };
  await saveFile(path, pdf);
  return { ...facts, file: { path, bytes: pdf.length } };
}

function inAnswer(pdf: Buffer): string {
  if (pdf.length <= MAX_IN_ANSWER) return pdf.toString('base64');
  throw new Failure('refused', 'The PDF is too large for an answer.', 'Name a file in save_path.');
}

function printParams(input: PdfInput): Protocol.Page.PrintToPDFRequest {
  const [paperWidth, paperHeight] = PAPER[input.format];
  const { top, bottom, left, right } = input.margin ?? {};
  return {
    paperWidth,
    paperHeight,
    landscape: input.landscape,
    scale: input.scale,
    ...(top === undefined ? {} : { marginTop: inches(top) }),
    ...(bottom === undefined ? {} : { marginBottom: inches(bottom) }),
    ...(left === undefined ? {} : { marginLeft: inches(left) }),
    ...(right === undefined ? {} : { marginRight: inches(right) }),
    displayHeaderFooter: input.display_header_footer,
    // An empty template would give Chrome's default header or footer, where only the other one is wanted.
    headerTemplate: input.header_template || (input.footer_template ? EMPTY : ''),
    footerTemplate: input.footer_template || (input.header_template ? EMPTY : ''),
    printBackground: input.print_background,
    preferCSSPageSize: input.prefer_css_page_size,
    transferMode: 'ReturnAsStream',
  };
}

const EMPTY = '<span></span>';

/** Units of length per inch. */
const UNITS: Readonly<Record<string, number>> = { in: 1, cm: 2.54, mm: 25.4, pt: 72, px: 96, '': 96 };

function inches(length: string): number {
  const [, number, unit] = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*(in|cm|mm|pt|px|)\s*$/i.exec(length) ?? [];
  const perInch = UNITS[unit?.toLowerCase() ?? ''];
  if (number === undefined || perInch === undefined)
    throw new Failure(
      'bad_input',
      `${JSON.stringify(length.slice(0, 50))} is no margin.`,
      'Write a number with in, cm, mm, pt or px: "1cm".',
    );
  return Number(number) / perInch;
}

async function print(tab: Tab, params: Protocol.Page.PrintToPDFRequest, limits: Limits): Promise<Buffer> {
  const { stream } = await tab.send(limits, tab.main, 'Page.printToPDF', params).catch(refused);
  if (stream === undefined) throw new Failure('internal', 'Chrome printed nothing.');
  try {
    return await readAll(tab, stream, limits);
  } finally {
    await tab.main.send('IO.close', { handle: stream }).catch(() => undefined); // gone with the page
  }
}

function refused(error: unknown): never {
  if (!(error instanceof CdpError)) throw error;
  throw new Failure(
    'refused',
    `The page could not be printed: ${error.message}.`,
    'Smaller margins or a larger format may help. Some browsers with a window cannot print to PDF: run without --headed.',
  );
}

async function readAll(tab: Tab, handle: string, limits: Limits): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let total = 0; total <= MAX_BYTES; ) {
    const { data, eof, base64Encoded } = await tab.send(limits, tab.main, 'IO.read', { handle, size: READ_BYTES });
    const chunk = Buffer.from(data, base64Encoded ? 'base64' : 'latin1');
    chunks.push(chunk);
    total += chunk.length;
    if (eof) return Buffer.concat(chunks);
  }
  throw new Failure('refused', `The PDF is larger than ${MAX_BYTES / 1_000_000} MB.`, 'Print a smaller page.');
}

const pagesOf = (bytes: Buffer): number => bytes.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
