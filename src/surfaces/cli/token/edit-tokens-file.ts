// Changes of the tokens file that leave everything else in it as it is, comments too. Loaded only by `tabwright token`.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { applyEdits, type JSONPath, modify } from 'jsonc-parser';
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml';
import { isSeq, parseDocument } from 'yaml';
import { reason } from '../../../config/document.ts';
import { replaceFileSync } from '../../../config/private-files.ts';
import { defined } from '../../../defined.ts';
import { Failure } from '../../../errors.ts';

/** One change of the list: [index] is a row, [index, key] a member of it, [-1] a new row; without a value it is removed. */
export interface Edit {
  path: [index: number, key?: string];
  value?: unknown;
}

interface Format {
  empty: string;
  edit(text: string, edits: readonly Edit[]): string;
}

const HEAD =
  '# Who may use this server over HTTP. See `tabwright token --help`; only hashes of the tokens stand here.\n';

const yaml: Format = {
  empty: `${HEAD}tokens: []\n`,
  edit(text, edits) {
    const document = parseDocument(text);
    const list = document.get('tokens');
    // An empty list stands in brackets; a long one is read more easily without.
    if (isSeq(list) && list.items.length === 0) list.flow = false;
    for (const { path, value } of edits)
      if (path[0] < 0) document.addIn(['tokens'], document.createNode(value));
      else if (value === undefined) document.deleteIn(['tokens', ...path]);
      else document.setIn(['tokens', ...path], value);
    return document.toString({ lineWidth: 0 });
  },
};

const json: Format = {
  empty: '{\n  "tokens": []\n}\n',
  edit: (text, edits) =>
    edits.reduce((before, { path, value }) => {
      const options = { isArrayInsertion: path[0] < 0, formattingOptions: { insertSpaces: true, tabSize: 2 } };
      return applyEdits(before, modify(before, ['tokens', ...path] as JSONPath, value, options));
    }, text),
};

/** Its library writes no comments, so a file that has some is left to its writer. */
const toml: Format = {
  empty: '',
  edit(text, edits) {
    if (text.includes('#'))
      throw new Failure(
        'file_error',
        'A TOML file with comments cannot be changed without losing them.',
        'Edit it by hand, or keep the tokens in YAML.',
      );
    const { tokens = [], ...rest } = parseToml(text) as { tokens?: Record<string, unknown>[] };
    for (const {
      path: [index, key],
      value,
    } of edits)
      if (index < 0) tokens.push(defined(value as Record<string, unknown>));
      else if (key === undefined) tokens.splice(index, 1);
      else tokens[index] = defined({ ...tokens[index], [key]: value });
    return `${stringifyToml({ ...rest, tokens })}\n`;
  },
};

const FORMATS: Readonly<Record<string, Format>> = { '.yaml': yaml, '.yml': yaml, '.json': json, '.toml': toml };

/** Changes the file, whole or not at all; the first change makes it, for its owner only. */
export function editTokens(path: string, ...edits: Edit[]): void {
  const format = FORMATS[extname(path).toLowerCase()] ?? yaml;
  try {
    const isThere = existsSync(path);
    const file = isThere ? realpathSync(path) : path;
    const text = isThere ? readFileSync(file, 'utf8') : format.empty;
    const mode = isThere ? statSync(file).mode & 0o777 : 0o600;
    replaceFileSync(file, format.edit(text.trim() === '' ? format.empty : text, edits), mode);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    const message = `The tokens file ${path} cannot be written: ${reason(cause)}.`;
    throw new Failure('file_error', message, undefined, { cause });
  }
}
