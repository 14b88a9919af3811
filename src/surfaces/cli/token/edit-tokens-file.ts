// Changes of the tokens file that leave everything else in it as it is, comments too. Loaded only by `tabwright token`.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml';
import { isSeq, parseDocument } from 'yaml';
import { reason } from '../../../config/document.ts';
import { replaceFileSync } from '../../../config/private-files.ts';
import { Failure } from '../../../errors.ts';

interface TokenRow {
  id: string;
  sha256: string;
  may?: readonly string[];
  expires?: string;
}

/** One change: a new row at the end, keys of the row at an index, or that row taken out. */
export type Change = { add: TokenRow } | { at: number; set: Readonly<Record<string, unknown>> } | { remove: number };

interface Format {
  empty: string;
  change(text: string, change: Change): string;
}

const HEAD =
  '# Who may use this server over HTTP. See `tabwright token --help`; only hashes of the tokens stand here.\n';

const yaml: Format = {
  empty: `${HEAD}tokens: []\n`,
  change(text, change) {
    const document = parseDocument(text);
    const list = document.get('tokens');
    // An empty list stands in brackets; a long one is read more easily without.
    if (isSeq(list) && list.items.length === 0) list.flow = false;
    if ('add' in change) document.addIn(['tokens'], document.createNode(change.add));
    else if ('remove' in change) document.deleteIn(['tokens', change.remove]);
    else for (const [key, value] of Object.entries(change.set)) place(document, ['tokens', change.at, key], value);
    return document.toString({ lineWidth: 0 });
  },
};

function place(document: ReturnType<typeof parseDocument>, path: (string | number)[], value: unknown): void {
  if (value === undefined) document.deleteIn(path);
  else document.setIn(path, value);
}

const json: Format = {
  empty: '{\n  "tokens": []\n}\n',
  change(text, change) {
    const edit = (before: string, path: (string | number)[], value: unknown, isArrayInsertion = false) =>
      applyEdits(
        before,
        modify(before, path, value, { isArrayInsertion, formattingOptions: { insertSpaces: true, tabSize: 2 } }),
      );
    if ('add' in change) return edit(text, ['tokens', -1], change.add, true);
    if ('remove' in change) return edit(text, ['tokens', change.remove], undefined);
    return Object.entries(change.set).reduce(
      (before, [key, value]) => edit(before, ['tokens', change.at, key], value),
      text,
    );
  },
};

/** Its library writes no comments, so a file that has some is left to its writer. */
const toml: Format = {
  empty: '',
  change(text, change) {
    if (text.includes('#'))
      throw new Failure(
        'file_error',
        'A TOML file with comments cannot be changed without losing them.',
        'Edit it by hand, or keep the tokens in YAML.',
      );
    const { tokens = [], ...rest } = parseToml(text) as { tokens?: Record<string, unknown>[] };
    if ('add' in change) tokens.push({ ...change.add });
    else if ('remove' in change) tokens.splice(change.remove, 1);
    else
      tokens[change.at] = Object.fromEntries(
        Object.entries({ ...tokens[change.at], ...change.set }).filter(([, value]) => value !== undefined),
      );
    return `${stringifyToml({ ...rest, tokens })}\n`;
  },
};

const FORMATS: Readonly<Record<string, Format>> = { '.yaml': yaml, '.yml': yaml, '.json': json, '.toml': toml };

/** Changes the file, whole or not at all; the first change makes it, for its owner only. */
export function changeTokens(path: string, change: Change): void {
  const format = FORMATS[extname(path).toLowerCase()] ?? yaml;
  try {
    const isThere = existsSync(path);
    const file = isThere ? realpathSync(path) : path;
    const text = isThere ? readFileSync(file, 'utf8') : format.empty;
    const mode = isThere ? statSync(file).mode & 0o777 : 0o600;
    replaceFileSync(file, format.change(text.trim() === '' ? format.empty : text, change), mode);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure('file_error', `The tokens file ${path} cannot be written: ${reason(cause)}.`, undefined, {
      cause,
    });
  }
}
