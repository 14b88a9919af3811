// The tokens file: who may use the server, what each may do, and until when.
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileFailure, type NamedFile, readEntries, readTables, type TableOf } from '../../../config/document.ts';
import { currentEnvironment } from '../../../config/environment.ts';
import { NO_KEYS } from '../../../config/formats/entry.ts';
import { type OptionKind, whole } from '../../../config/kinds.ts';
import { defined } from '../../../defined.ts';
import { Failure } from '../../../errors.ts';
import { EFFECTS, type Effect } from '../../../policy/decide.ts';
import { OWNER_IDS } from '../../../session/callers.ts';
import { strangeTool } from '../../listing/tool-glob.ts';
import { hashOf, LEAST_CHARS, type TokenGrant } from './tokens.ts';

const TOKENS_FILE = 'tokens file';

/** Callers that need no token of this file. */
const RESERVED = [...Object.values(OWNER_IDS), 'unknown', 'default'];

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/i;

const listed = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'string') ? value : undefined;

const SHAPE = {
  id: {
    expected: `1 to 64 letters, digits, dots, dashes or underscores, and none of ${RESERVED.join(', ')}`,
    read: given => (ID.test(given) && !RESERVED.includes(given) ? given : undefined),
  } as OptionKind<string>,
  token: {
    secret: true,
    expected: `one word of at least ${LEAST_CHARS} characters`,
    read: given => (given.length >= LEAST_CHARS && /^[\x21-\x7e]+$/.test(given) ? given : undefined),
  } as OptionKind<string>,
  sha256: {
    secret: true,
    expected: '64 hexadecimal digits',
    read: given => (/^[0-9a-f]{64}$/i.test(given) ? given : undefined),
  } as OptionKind<string>,
  may: {
    expected: `a list of ${EFFECTS.join(', ')}`,
    read(given) {
      const effects = given.split(',').map(word => EFFECTS.find(effect => effect === word.trim()));
      return effects.includes(undefined) ? undefined : effects;
    },
    native: listed,
  } as OptionKind<Effect[]>,
  tools: {
    expected: 'a list of tools, such as [snapshot, "tab_*"]',
    read: given => (/^[a-z0-9_*]{1,64}$/.test(given) ? [given] : undefined),
    native: listed,
  } as OptionKind<string[]>,
  expires: {
    expected: 'a time such as 2027-01-31T18:00:00Z, or a date',
    read: given => (TIME.test(given) && !Number.isNaN(Date.parse(given)) ? Date.parse(given) : undefined),
    native: value => (value instanceof Date ? [value.toISOString()] : undefined),
  } as OptionKind<number>,
  maxSessions: whole('count', 1, 1_000),
  rateLimit: whole('count', 0, 1_000_000),
};

type Row = TableOf<typeof SHAPE>;

/** The kinds that `tabwright token` reads too. */
export const { id: ID_KIND, may: MAY_KIND, expires: EXPIRES_KIND } = SHAPE;

/** Every token of the file. A mistake is a Failure that names file, line and key. */
export async function readTokens(path: string): Promise<TokenGrant[]> {
  const file: NamedFile = { path, name: path, what: TOKENS_FILE };
  const [entry, ...more] = await readEntries(file);
  if (!entry) return [];
  for (const { key, line } of [entry, ...more])
    if (key !== 'tokens') throw fileFailure(file, line(), `unknown key "${key}".`, 'The file has one key: tokens.');
  if (more[0]) throw fileFailure(file, more[0].line(), 'tokens stands twice.');
  if (entry.value === null) throw fileFailure(file, entry.line(), `tokens: ${NO_KEYS}.`);
  const rows = readTables(entry, SHAPE, file, { ...currentEnvironment(), cwd: dirname(path) });
  checkMode(path, rows);
  return rows.map((row, index) =>
    grantOf(row, rows.slice(0, index), (key, what, hint) => fileFailure(file, entry.line([index, key]), what, hint)),
  );
}

/** Whoever can write the file can admit anybody; whoever can read a token in it can use it. */
function checkMode(path: string, rows: readonly Row[]): void {
  // Windows has no such modes; there the folder of the user guards the file.
  if (process.platform === 'win32') return;
  const { mode } = statSync(path);
  const hint = `Run: chmod 600 ${path}`;
  if (mode & 0o022) throw new Failure('file_error', `Others can write the ${TOKENS_FILE} ${path}.`, hint);
  if (mode & 0o077 && rows.some(({ token }) => token !== undefined))
    throw new Failure('file_error', `Others can read the ${TOKENS_FILE} ${path}, and it holds plain tokens.`, hint);
}

function grantOf(
  row: Row,
  before: readonly Row[],
  fail: (key: string, what: string, hint?: string) => Failure,
): TokenGrant {
  const { id, token, sha256, may: effects, tools, expires, maxSessions, rateLimit } = row;
  if (id === undefined) throw fail('id', 'id is missing.', 'Each token has one: it names its holder.');
  if ((token === undefined) === (sha256 === undefined)) throw fail('token', `${id} needs either token or sha256.`);
  const hash = hashIn(row);
  if (before.some(other => other.id === id)) throw fail('id', `the id ${id} stands twice.`);
  if (before.some(other => hashIn(other).equals(hash)))
    throw fail('token', `${id} has the token of another.`, 'Each holder needs one of its own.');
  for (const glob of tools ?? []) {
    const strange = strangeTool(glob);
    if (strange) throw fail('tools', strange.what, strange.hint);
  }
  const may = effects || tools ? defined({ effects, tools }) : undefined;
  return defined({ hash, caller: defined({ id, may, maxSessions, rateLimit }), expires });
}

const hashIn = ({ token, sha256 = '' }: Row): Buffer =>
  token === undefined ? Buffer.from(sha256, 'hex') : hashOf(token);
