// Puts an entry into the settings file of a client: keeps everything else in it, and a backup beside it.
import type { Stats } from 'node:fs';
import { lstat, mkdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { hasCode, reason } from '../../../config/document.ts';
import { replaceFile } from '../../../config/private-files.ts';
import { isRecord } from '../../../defined.ts';
import { Failure } from '../../../errors.ts';
import { writeNewFile } from '../output/write-new-file.ts';
import type { Entry } from './clients.ts';

/** Claude Code keeps its history in the same file. */
const MOST_BYTES = 100_000_000;
const MOST_BACKUPS = 1_000;
const BOM = '\ufeff';
const LENIENT = { allowTrailingComma: true, allowEmptyContent: true };

export interface Written {
  file: string;
  /** False when the entry was there already. */
  changed: boolean;
  /** The file as it was before; absent when there was none. */
  backup?: string;
}

/** The key of all servers, and the key of one in it. */
type At = readonly [servers: string, name: string];

/** Sets the fields of the entry; missing parents are made. */
export async function mergeInto(file: string, at: At, entry: Entry): Promise<Written> {
  const old = await read(file);
  const text = edited(old?.text ?? '', file, at, entry);
  if (text === old?.text) return { file, changed: false };
  try {
    const backup = old && (await backUp(file, old));
    await replace(file, text, old?.stats);
    return { file, changed: true, ...(backup && { backup }) };
  } catch (cause) {
    throw new Failure('file_error', `Cannot write ${file}: ${reason(cause)}.`, undefined, { cause });
  }
}

interface Old {
  text: string;
  bytes: Uint8Array;
  stats: Stats;
}

async function read(file: string): Promise<Old | undefined> {
  try {
    const stats = await stat(file);
    if (!stats.isFile()) throw new Error('it is not a file');
    if (stats.size > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES / 1_000_000} MB`);
    const bytes = await readFile(file);
    return { bytes, stats, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw new Failure('file_error', `Cannot read ${file}: ${reason(cause)}.`, undefined, { cause });
  }
}

/** The text with the entry in it; comments, order and indent stay as they are. */
function edited(text: string, file: string, at: At, entry: Entry): string {
  const mark = text.startsWith(BOM) ? BOM : '';
  const body = text.slice(mark.length);
  const root = readable(body, file);
  for (const path of [[], [at[0]]]) checkObject(root, path, file);
  const node = root && findNodeAtLocation(root, [...at]);
  const before: unknown = node && getNodeValue(node);
  // An entry of another kind, such as one with a url, would be a mixture.
  const isOfOurKind = isRecord(before) && 'command' in before;
  const changes: [JSONPath, unknown][] = isOfOurKind
    ? Object.entries(entry)
        .filter(([field, value]) => !isDeepStrictEqual(before[field], value))
        .map(([field, value]) => [[...at, field], value])
    : [[[...at], entry]];
  const start = root ? body : `${body.trim() && `${body.trimEnd()}\n`}{}\n`;
  const formattingOptions = formatOf(body);
  const after = changes.reduce(
    (now, [path, value]) => applyEdits(now, modify(now, path, value, { formattingOptions })),
    start,
  );
  checkOutcome(after, file, at, entry);
  return changes.length ? mark + after : text;
}

function readable(body: string, file: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, LENIENT);
  const [error] = errors;
  if (!error) return root;
  const line = body.slice(0, error.offset).split('\n').length;
  throw new Failure(
    'file_error',
    `${file}:${line} is not valid JSON (${printParseErrorCode(error.error)}), so it was left as it is.`,
    'Mend it, then try again.',
  );
}

function checkObject(root: Node | undefined, path: readonly string[], file: string): void {
  const node = root && findNodeAtLocation(root, [...path]);
  if (!node || node.type === 'object') return;
  const what = path.length ? `"${path.join('.')}" of ${file}` : file;
  throw new Failure('file_error', `${what} is no JSON object, so it was left as it is.`);
}

/** A key that stands twice is edited in one place, and read in the other. */
function checkOutcome(text: string, file: string, at: At, entry: Entry): void {
  const found = at.reduce<unknown>(
    (value, key) => (isRecord(value) ? value[key] : undefined),
    parse(text, [], LENIENT),
  );
  const isThere =
    isRecord(found) && Object.entries(entry).every(([key, value]) => isDeepStrictEqual(found[key], value));
  if (isThere) return;
  throw new Failure('file_error', `A key of ${file} stands twice, so it was left as it is.`, `Look for "${at[0]}".`);
}

/** The indent and line ends that the file has. */
function formatOf(body: string) {
  const indent = /\n([ \t]+)\S/.exec(body)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: body.includes('\r\n') ? '\r\n' : '\n',
  };
}

/** Under the first free name: an older backup is never lost. */
const backUp = (file: string, { bytes, stats }: Old): Promise<string> =>
  writeNewFile(number => `${file}.bak${number === 0 ? '' : `.${number}`}`, bytes, {
    mode: stats.mode,
    most: MOST_BACKUPS,
  });

/** All or nothing: a reader sees the old file or the new one. A link stays, and what it leads to is replaced. */
async function replace(file: string, text: string, old: Stats | undefined): Promise<void> {
  const real = await ending(file);
  await mkdir(dirname(real), { recursive: true });
  await replaceFile(real, text, { durable: true, like: old });
}

/** Where the links end, also when nothing is there yet. */
async function ending(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const isLink = (await lstat(file).catch(() => undefined))?.isSymbolicLink();
    return isLink ? ending(resolve(dirname(file), await readlink(file))) : file;
  }
}

const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT');
