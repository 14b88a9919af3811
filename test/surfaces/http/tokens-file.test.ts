// The tokens file in each format: what it may say, one clear line for each mistake in it, and who may read it (S3-22, S3-23).
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { Failure } from '../../../src/errors.ts';
import { hashOf } from '../../../src/surfaces/http/auth/tokens.ts';
import { readTokens } from '../../../src/surfaces/http/auth/tokens-file.ts';
import { FORMATS, type Format, inFormat } from '../../config/folders.ts';
import { temporaryFolder } from '../process.ts';
import { LONG, tokenFiles } from './token-files.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const file = tokenFiles(folder.path);
const sha256 = hashOf(LONG).toString('hex');

async function mistake(path: string): Promise<{ code: string; line: string }> {
  const error = await readTokens(path).then(
    () => undefined,
    error => error,
  );
  if (!(error instanceof Failure)) throw new Error(`no Failure, but ${error}`);
  const line = [error.message, error.hint].filter(Boolean).join(' ');
  expect(line).not.toContain('\n');
  expect(line).not.toContain(LONG);
  return { code: error.code, line: line.replace(path, 'FILE') };
}

type Row = Record<string, unknown>;

/** One key per line. `line` is that of a key of the second row, when the first has two keys; without a key, that of the row. */
const LAYOUTS: Record<Format, { write(rows: Row[]): string; line(key: number): number }> = {
  yaml: {
    write: rows =>
      ['tokens:', ...rows.flatMap(row => keys(row, ': ').map((line, at) => `  ${at === 0 ? '-' : ' '} ${line}`))].join(
        '\n',
      ),
    line: key => 4 + Math.max(0, key),
  },
  toml: { write: rows => rows.flatMap(row => ['[[tokens]]', ...keys(row, ' = ')]).join('\n'), line: key => 5 + key },
  json: { write: rows => JSON.stringify({ tokens: rows }, null, 1), line: key => 8 + key },
};

const keys = (row: Row, sign: string): string[] =>
  Object.entries(row).map(([key, value]) => `${key}${sign}${JSON.stringify(value)}`);

describe.each(FORMATS)('a tokens file in %s', format => {
  const layout = LAYOUTS[format];
  const tokens = (...rows: Row[]) => file(`tokens.${format}`, layout.write(rows));

  it('says whose each token is, and what its holder may do (S3-22)', async () => {
    const path = tokens(
      { id: 'ada', token: LONG },
      {
        id: 'ci.bot-2',
        sha256: sha256.replace(/^./, digit => (digit === '0' ? '1' : '0')),
        may: ['read', 'write'],
        tools: ['snapshot', 'tab_*'],
        expires: '2030-01-31T18:00:00+02:00',
        maxSessions: 2,
        rateLimit: 0,
      },
    );
    const [ada, bot] = await readTokens(path);
    expect(ada).toEqual({ hash: hashOf(LONG), caller: { id: 'ada' } });
    expect(bot).toMatchObject({
      caller: {
        id: 'ci.bot-2',
        may: { effects: ['read', 'write'], tools: ['snapshot', 'tab_*'] },
        maxSessions: 2,
        rateLimit: 0,
      },
      expires: Date.parse('2030-01-31T16:00:00Z'),
    });
  });

  it('may be empty', async () => {
    expect(await readTokens(file(`none.${format}`, inFormat(format, { tokens: [] })))).toEqual([]);
    expect(await readTokens(file(`empty.${format}`, ''))).toEqual([]);
  });

  it.each([
    ['', { token: LONG }, 'id is missing'],
    ['', { id: 'ada' }, 'ada needs either token or sha256.'],
    ['token', { id: 'ada', token: LONG, sha256 }, 'ada needs either token or sha256.'],
    ['id', { id: 'a b', token: LONG }, 'id "a b": expected 1 to 64 letters'],
    ['id', { id: 'http', token: LONG }, 'id "http": expected'],
    ['id', { id: 'local', token: LONG }, 'id "local": expected'],
    ['token', { id: 'ada', token: 'short' }, 'token expected one word of at least 16 characters.'],
    ['token', { id: 'ada', token: 'two words that are long' }, 'token expected one word'],
    ['sha256', { id: 'ada', sha256: 'abc' }, 'sha256 expected 64 hexadecimal digits.'],
    ['may', { id: 'ada', token: LONG, may: ['fly'] }, 'may ["fly"]: expected a list of read, write, danger.'],
    ['may', { id: 'ada', may: [], token: LONG }, 'may []: expected'],
    ['tools', { id: 'ada', token: LONG, tools: ['snapshat'] }, 'no tool is called snapshat. Did you mean snapshot?'],
    ['tools', { id: 'ada', token: LONG, tools: ['zzz*'] }, 'no tool is called zzz*.'],
    ['expires', { id: 'ada', token: LONG, expires: 'soon' }, 'expires "soon": expected a time such as'],
    ['expires', { id: 'ada', token: LONG, expires: '2030-01-31T18:00:00' }, 'expected a time such as'],
    ['maxSessions', { id: 'ada', token: LONG, maxSessions: 0 }, 'maxSessions 0: expected a whole number'],
    ['tokken', { id: 'ada', token: LONG, tokken: 'x' }, 'unknown key "tokken". Did you mean token?'],
    ['constructor', { id: 'ada', token: LONG, constructor: 'x' }, 'unknown key "constructor".'],
  ])('is told its mistake with the line: %s of %j', async (key, row, words) => {
    const { code, line } = await mistake(tokens({ id: 'first', sha256: '0'.repeat(64) }, row));
    expect(code).toBe('bad_input');
    expect(line).toContain(words);
    // What is missing is told with the row.
    expect(line).toMatch(new RegExp(`^FILE:${layout.line(Object.keys(row).indexOf(key))}: `));
  });

  it('in which an id or a token stands twice is refused', async () => {
    expect((await mistake(tokens({ id: 'a', token: LONG }, { id: 'a', sha256: '0'.repeat(64) }))).line).toContain(
      'the id a stands twice',
    );
    expect((await mistake(tokens({ id: 'a', token: LONG }, { id: 'b', sha256 }))).line).toContain(
      'b has the token of another',
    );
  });

  it('with another key, or tokens that are no list, is refused', async () => {
    const path = file(`other.${format}`, inFormat(format, { tokens: [], token: LONG }));
    expect((await mistake(path)).line).toContain('unknown key "token". The file has one key: tokens.');
    expect((await mistake(file(`text.${format}`, inFormat(format, { tokens: 'ada' })))).line).toContain(
      'expected a list',
    );
  });

  it('that is broken is told with its line', async () => {
    expect((await mistake(file(`broken.${format}`, '{ "tokens": [\n'))).line).toMatch(/^FILE:\d+: not valid/);
  });
});

it.each([
  ['yaml', 'tokens:\n  - id: ada\n    token: a-token-that-is-long\n    expires: TIME\n'],
  ['toml', '[[tokens]]\nid = "ada"\ntoken = "a-token-that-is-long"\nexpires = TIME\n'],
])('takes a time as %s itself writes it, but none without a zone', async (format, text) => {
  const write = (time: string) => file(`times.${format}`, text.replace('TIME', time));
  const read = async (time: string) => (await readTokens(write(time)))[0]?.expires;
  expect(await read('2030-01-31T18:00:00Z')).toBe(Date.parse('2030-01-31T18:00:00Z'));
  expect(await read('2030-01-31T18:00:00+05:30')).toBe(Date.parse('2030-01-31T12:30:00Z'));
  expect(await read('2030-01-31')).toBe(Date.parse('2030-01-31T00:00:00Z'));
  expect((await mistake(write('2030-01-31T18:00:00'))).line).toContain('expected a time such as');
});

it('as the guide shows it is right', async () => {
  const [, example = ''] = /```yaml\n(tokens:[\s\S]*?)```/.exec(readFileSync('docs/shared-server.md', 'utf8')) ?? [];
  const [ada, ci] = await readTokens(file('guide.yaml', example));
  expect(ada?.caller).toEqual({ id: 'ada' });
  expect(ci).toMatchObject({
    caller: { id: 'ci', maxSessions: 1, rateLimit: 60 },
    expires: Date.parse('2027-01-31T18:00Z'),
  });
});

describe('the mode of a tokens file', () => {
  const plain = `tokens: [{ id: ada, token: ${LONG} }]`;
  const hashed = `tokens: [{ id: ada, sha256: ${sha256} }]`;

  it.each([0o640, 0o604, 0o644])('must hide plain tokens: not %o (S3-23)', async mode => {
    const path = file('tokens.yaml', plain, mode);
    const { code, line } = await mistake(path);
    expect({ code, line }).toEqual({
      code: 'file_error',
      line: `Others can read the tokens file FILE, and it holds plain tokens. Run: chmod 600 ${path}`,
    });
    expect(await readTokens(file('tokens.yaml', hashed, mode))).toHaveLength(1);
  });

  it.each([0o620, 0o602, 0o666])('must let nobody else write: not %o', async mode => {
    expect((await mistake(file('tokens.yaml', hashed, mode))).line).toContain('Others can write the tokens file');
  });
});
