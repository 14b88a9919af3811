// `tabwright token`: who may use `tabwright serve`. A running server sees a change within a moment.
import { existsSync } from 'node:fs';
import { currentEnvironment } from '../../../config/environment.ts';
import type { OptionKind } from '../../../config/kinds.ts';
import { suggestion } from '../../../config/nearest.ts';
import { defined } from '../../../defined.ts';
import { Failure } from '../../../errors.ts';
import { hashOf, isOver, newToken, OWNER, replaceToken, type TokenGrant, utcTime } from '../../http/auth/tokens.ts';
import { EXPIRES_KIND, ID_KIND, MAY_KIND, readTokens } from '../../http/auth/tokens-file.ts';
import type { Run, Start } from '../command.ts';
import { columns, print, printError, toJson } from '../output/terminal.ts';
import { type Edit, editTokens } from './edit-tokens-file.ts';

type Action = (start: Start, id: string | undefined) => Promise<void>;

const ACTIONS: Readonly<Record<string, Action>> = { list, add, rotate, remove };

/** The flags that go with a new token. */
const FOR_ADD = ['--may', '--expires'];

export const run: Run = async start => {
  const [word = '', id] = start.words;
  const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
  if (!action) {
    const known = Object.keys(ACTIONS);
    throw new Failure('bad_input', `token cannot ${word}.`, suggestion(word, known, `There are ${known.join(', ')}.`));
  }
  const misplaced = word === 'add' ? undefined : FOR_ADD.find(flag => flag in start.flags);
  if (misplaced) throw new Failure('bad_input', `${misplaced} goes with token add.`);
  await action(start, id);
  return 0;
};

async function list({ options, flags }: Start, id: string | undefined): Promise<void> {
  if (id !== undefined) throw new Failure('bad_input', `Unexpected word ${id} after list.`);
  const { tokenFile, tokensFile } = options;
  const grants = await grantsIn(tokensFile);
  const owner = existsSync(tokenFile) ? `in ${tokenFile}` : 'made at the first start of serve';
  if (flags['--json']) return print(toJson([{ id: OWNER, tokenFile }, ...grants.map(asJson)]));
  const rows = [
    ['ID', 'MAY', 'TOOLS', 'EXPIRES'],
    [OWNER, 'everything', 'all', `never (${owner})`],
    ...grants.map(asRow),
  ];
  print(columns(rows));
}

async function add({ options: { tokensFile }, flags }: Start, id: string | undefined): Promise<void> {
  const wanted = read(ID_KIND, 'ID', named(id, 'add'));
  const may = flags['--may'] === undefined ? undefined : read(MAY_KIND, '--may', String(flags['--may']));
  const expires = flags['--expires'] === undefined ? undefined : readExpiry(String(flags['--expires']));
  if ((await grantsIn(tokensFile)).some(({ caller }) => caller.id === wanted))
    throw new Failure('bad_input', `${wanted} has a token already.`, `A new one: tabwright token rotate ${wanted}`);
  const token = newToken();
  const row = defined({ id: wanted, sha256: hashOf(token).toString('hex'), may, expires });
  editTokens(tokensFile, { path: [-1], value: row });
  show(token, wanted, tokensFile);
}

async function rotate({ options: { tokenFile, tokensFile } }: Start, id: string | undefined): Promise<void> {
  if (id === undefined || id === OWNER) {
    replaceToken(tokenFile);
    printError(`A new token stands in ${tokenFile}. The one before is refused from now on.`);
    return;
  }
  const at = await indexOf(tokensFile, id);
  const token = newToken();
  const hash: Edit = { path: [at, 'sha256'], value: hashOf(token).toString('hex') };
  editTokens(tokensFile, { path: [at, 'token'] }, hash, ...(await withoutExpiry(tokensFile, at)));
  show(token, id, tokensFile);
}

async function remove({ options: { tokensFile } }: Start, id: string | undefined): Promise<void> {
  const wanted = named(id, 'remove');
  if (wanted === OWNER)
    throw new Failure(
      'bad_input',
      `${OWNER} is the owner's token, which serve needs.`,
      'A new one: tabwright token rotate',
    );
  editTokens(tokensFile, { path: [await indexOf(tokensFile, wanted)] });
  printError(`The token of ${wanted} is refused from now on.`);
}

function show(token: string, id: string, file: string): void {
  print(token);
  printError(`This is the token of ${id}, shown this once; ${file} keeps only its hash.`);
}

function named(id: string | undefined, action: string): string {
  if (id !== undefined) return id;
  throw new Failure('bad_input', `token ${action} needs ID.`, `Usage: tabwright token ${action} ID`);
}

const grantsIn = async (path: string): Promise<TokenGrant[]> => (existsSync(path) ? readTokens(path) : []);

async function indexOf(path: string, id: string): Promise<number> {
  const ids = (await grantsIn(path)).map(({ caller }) => caller.id);
  if (ids.includes(id)) return ids.indexOf(id);
  throw new Failure('bad_input', `${id} has no token.`, suggestion(id, ids, 'All of them: tabwright token list'));
}

/** A new token that has expired already would be worth nothing. */
async function withoutExpiry(path: string, at: number): Promise<Edit[]> {
  const grant = (await grantsIn(path))[at];
  if (!grant || !isOver(grant)) return [];
  printError('The token before had expired; this one does not. To limit it too, remove it and add it with --expires.');
  return [{ path: [at, 'expires'] }];
}

function read<T>(kind: OptionKind<T>, name: string, text: string): T {
  const value = kind.read(text, currentEnvironment());
  if (value !== undefined) return value;
  throw new Failure('bad_input', `${name} ${text}: expected ${kind.expected}.`);
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** A time, or how long from now. */
function readExpiry(text: string): string {
  const [, count, unit = ''] = /^(\d{1,4})([mhdw])$/.exec(text) ?? [];
  const time =
    count === undefined
      ? EXPIRES_KIND.read(text, currentEnvironment())
      : Date.now() + Number(count) * (UNITS[unit] ?? 0);
  if (time === undefined)
    throw new Failure('bad_input', `--expires ${text}: expected 90m, 12h, 30d, 8w, or ${EXPIRES_KIND.expected}.`);
  if (time <= Date.now()) throw new Failure('bad_input', `--expires ${text} is in the past.`);
  return new Date(Math.ceil(time / 1_000) * 1_000).toISOString().replace('.000', '');
}

const asJson = (grant: TokenGrant) => ({
  ...grant.caller,
  ...(grant.expires !== undefined && { expires: new Date(grant.expires).toISOString(), expired: isOver(grant) }),
});

function asRow(grant: TokenGrant): string[] {
  const { id, may } = grant.caller;
  const time = grant.expires === undefined ? 'never' : utcTime(grant.expires);
  return [
    id,
    may?.effects?.join(', ') ?? 'everything',
    may?.tools?.join(', ') ?? 'all',
    isOver(grant) ? `${time} (expired)` : time,
  ];
}
