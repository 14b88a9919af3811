// `tabwright secret`: values that callers use by their names. A running server sees a change at once.
import { suggestion } from '../../../config/nearest.ts';
import { defined } from '../../../defined.ts';
import { Failure } from '../../../errors.ts';
import { SECRET_NAME } from '../../../policy/secrets/handles.ts';
import { readSeed } from '../../../policy/secrets/totp.ts';
import { forget, keep } from '../../../session/secrets/keychain.ts';
import { readSecrets, type SecretRow, writeSecrets } from '../../../session/secrets/store.ts';
import type { Run, Start } from '../command.ts';
import { columns, print, printError, toJson } from '../output/terminal.ts';
import { readValue } from './read-value.ts';

type Action = (start: Start, name: string | undefined) => Promise<void>;

const ACTIONS: Readonly<Record<string, Action>> = { list, add, remove };

/** The flags that go with a new secret. */
const FOR_ADD = ['--origin', '--caller', '--totp', '--in-file'];

/** Shorter values stand in ordinary text too often to be masked there. */
const LEAST = 4;
const MOST = 10_000;

export const run: Run = async start => {
  const [word = '', name] = start.words;
  const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
  if (!action) {
    const known = Object.keys(ACTIONS);
    throw new Failure('bad_input', `secret cannot ${word}.`, suggestion(word, known, `There are ${known.join(', ')}.`));
  }
  const misplaced = word === 'add' ? undefined : FOR_ADD.find(flag => flag in start.flags);
  if (misplaced) throw new Failure('bad_input', `${misplaced} goes with secret add.`);
  await action(start, name);
  return 0;
};

async function list({ options: { stateDir }, flags }: Start, name: string | undefined): Promise<void> {
  if (name !== undefined) throw new Failure('bad_input', `Unexpected word ${name} after list.`);
  const rows = await readSecrets(stateDir);
  if (flags['--json']) return print(toJson(rows.map(shown)));
  const lines = rows.map(row => [
    handleOf(row),
    row.origins.join(', '),
    ['owner', ...row.callers].join(', '),
    where(row),
  ]);
  print(columns([['HANDLE', 'ORIGINS', 'CALLERS', 'KEPT IN'], ...lines]));
}

async function add({ options: { stateDir }, flags }: Start, name: string | undefined): Promise<void> {
  const wanted = named(name, 'add');
  if (!SECRET_NAME.test(wanted))
    throw new Failure('bad_input', `NAME ${wanted}: expected 1 to 64 letters, digits, dots, dashes or underscores.`);
  const origins = listIn(flags['--origin']).map(originOf);
  if (origins.length === 0)
    throw new Failure(
      'bad_input',
      'secret add needs --origin: where may it go?',
      `For example --origin https://shop.example`,
    );
  for (const origin of origins.filter(one => one.startsWith('http:')))
    printError(`${origin} is not encrypted: whoever is on the way there can read the secret.`);
  const rows = await readSecrets(stateDir);
  if (rows.some(row => row.name === wanted))
    throw new Failure('bad_input', `There is a secret ${wanted} already.`, `First: tabwright secret remove ${wanted}`);
  const kind = flags['--totp'] ? 'totp' : 'secret';
  const value = checked(await readValue(`${kind === 'totp' ? 'Seed' : 'Value'} of ${wanted} (not shown): `), kind);
  const keychain = flags['--in-file'] ? undefined : await keep(wanted, value);
  const row: SecretRow = defined({
    name: wanted,
    kind,
    origins,
    callers: listIn(flags['--caller']),
    keychain,
    value: keychain === undefined ? value : undefined,
  });
  const file = await writeSecrets(stateDir, [...rows, row]);
  printError(`Kept in ${keychain === undefined ? file : "the system's keychain"}. Callers write ${handleOf(row)}.`);
}

async function remove({ options: { stateDir } }: Start, name: string | undefined): Promise<void> {
  const wanted = named(name, 'remove');
  const rows = await readSecrets(stateDir);
  const row = rows.find(one => one.name === wanted);
  if (!row) {
    const names = rows.map(one => one.name);
    throw new Failure(
      'bad_input',
      `There is no secret ${wanted}.`,
      suggestion(wanted, names, 'All of them: tabwright secret list'),
    );
  }
  await writeSecrets(
    stateDir,
    rows.filter(one => one !== row),
  );
  if (row.keychain !== undefined && !(await forget(row.keychain)))
    printError(`The system's keychain still has the entry ${row.keychain}: remove it there.`);
  printError(`${wanted} cannot be used any more.`);
}

const handleOf = ({ kind, name }: SecretRow): string => `{{${kind}:${name}}}`;
const where = ({ keychain }: SecretRow): string => (keychain === undefined ? 'file' : 'keychain');

const shown = (row: SecretRow) => {
  const { name, kind, origins, callers } = row;
  return { name, kind, origins, callers, keptIn: where(row) };
};

const listIn = (flag: string | true | undefined): string[] => [
  ...new Set(typeof flag === 'string' ? flag.split(',').filter(one => one !== '') : []),
];

/** As browsers write it. */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) throw new Failure('bad_input', `--origin ${text}: expected an origin such as https://shop.example.`);
  return url.origin;
}

function checked(value: string, kind: SecretRow['kind']): string {
  if (kind === 'totp' && !readSeed(value))
    throw new Failure(
      'bad_input',
      'That is no TOTP seed.',
      'It is base32 (letters and 2 to 7) or an otpauth://totp/ url.',
    );
  if (value.length < LEAST)
    throw new Failure('bad_input', `A secret has at least ${LEAST} characters: shorter ones cannot be masked.`);
  if (value.length > MOST || value.includes('\0'))
    throw new Failure('bad_input', `A secret is text of at most ${MOST} characters.`);
  return value;
}

function named(name: string | undefined, action: string): string {
  if (name !== undefined) return name;
  throw new Failure('bad_input', `secret ${action} needs NAME.`, `Usage: tabwright secret ${action} NAME`);
}
