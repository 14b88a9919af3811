// `tabwright token`: who may use serve; what else stands in the file stays, and a running server sees it (S3-23, S3-40).
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { hashOf } from '../../../src/surfaces/http/auth/tokens.ts';
import { readTokens } from '../../../src/surfaces/http/auth/tokens-file.ts';
import { ask, modern, withToken } from '../http/ask.ts';
import { Served } from '../http/served.ts';
import { runIn } from './run.ts';

let home: string;
let state: string;
let file: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tabwright-test-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  state = join(home, 'state');
  file = join(state, 'tokens.yaml');
});

const token = (...args: string[]) => runIn(home, ['token', ...args, '--state-dir', state]);

function ok(...args: string[]): string {
  const { status, stdout, stderr } = token(...args);
  expect({ status, args, stderr }).toMatchObject({ status: 0, args });
  return stdout.trimEnd();
}

function fails(...args: string[]): string {
  const { status, stdout, stderr } = token(...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr.trimEnd()).not.toContain('\n');
  return stderr.trimEnd();
}

const TOKEN = /^[\w-]{43}$/;

describe('token add', () => {
  it('prints the token once and keeps only its hash, in a file for its owner only', async () => {
    const given = ok('add', 'ci');
    expect(given).toMatch(TOKEN);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(given);
    expect(text).toContain(hashOf(given).toString('hex'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await readTokens(file)).toEqual([{ hash: hashOf(given), caller: { id: 'ci' } }]);
  });

  it('takes what the holder may do, and until when', async () => {
    ok('add', 'reader', '--may', 'read,write', '--expires', '30d');
    ok('add', 'guest', '--expires', '2099-01-01T00:00:00Z');
    const [reader, guest] = await readTokens(file);
    expect(reader?.caller.may).toEqual({ effects: ['read', 'write'] });
    expect(Math.abs((reader?.expires ?? 0) - Date.now() - 30 * 86_400_000)).toBeLessThan(60_000);
    expect(guest?.expires).toBe(Date.parse('2099-01-01T00:00:00Z'));
  });

  it.each([
    [['add'], 'token add needs ID.'],
    [['add', 'a b'], 'ID a b: expected 1 to 64 letters'],
    [['add', 'http'], 'ID http: expected'],
    [['add', 'x', '--may', 'fly'], '--may fly: expected a list of read, write, danger.'],
    [['add', 'x', '--expires', 'soon'], '--expires soon: expected 90m, 12h, 30d, 8w, or a time'],
    [['add', 'x', '--expires', '2001-01-01'], '--expires 2001-01-01 is in the past.'],
    [['ad', 'x'], 'token cannot ad. Did you mean add?'],
    [['rotate', 'nobody'], 'nobody has no token.'],
    [['remove', 'nobody'], 'nobody has no token.'],
    [['remove'], 'token remove needs ID.'],
    [['remove', 'http'], "http is the owner's token, which serve needs."],
    [['list', 'x'], 'Unexpected word x after list.'],
    [['rotate', 'x', '--may', 'read'], '--may goes with token add.'],
  ])('%j is refused', (args, words) => {
    expect(fails(...args)).toContain(words);
    expect(existsSync(file)).toBe(false);
  });

  it('refuses a name that is taken', () => {
    ok('add', 'ci');
    expect(fails('add', 'ci')).toContain('ci has a token already. A new one: tabwright token rotate ci');
  });
});

describe('token rotate and remove', () => {
  it('replace and take out one, and leave the rest', async () => {
    const [ci, bot] = [ok('add', 'ci', '--may', 'read'), ok('add', 'bot')];
    const next = ok('rotate', 'ci');
    expect(next).toMatch(TOKEN);
    expect(next).not.toBe(ci);
    expect(await readTokens(file)).toEqual([
      { hash: hashOf(next), caller: { id: 'ci', may: { effects: ['read'] } } },
      { hash: hashOf(bot), caller: { id: 'bot' } },
    ]);
    ok('remove', 'ci');
    expect((await readTokens(file)).map(({ caller }) => caller.id)).toEqual(['bot']);
    expect(fails('remove', 'bott')).toContain('Did you mean bot?');
  });

  it("without an ID replaces the owner's, which stands in its own file", () => {
    ok('rotate');
    const path = join(state, 'token');
    const first = readFileSync(path, 'utf8');
    expect(first.trim()).toMatch(TOKEN);
    expect(ok('rotate')).toBe('');
    expect(readFileSync(path, 'utf8')).not.toBe(first);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('of a plain token keeps its hash instead', () => {
    mkdirSync(state);
    writeFileSync(file, 'tokens:\n  - id: old # since the start\n    token: a-plain-old-token\n', { mode: 0o600 });
    const next = ok('rotate', 'old');
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('a-plain-old-token');
    expect(text).toContain(hashOf(next).toString('hex'));
    expect(text).toContain('# since the start');
  });
});

describe('what else stands in the file', () => {
  const sha256 = '0'.repeat(64);

  it('stays in YAML, comments too', () => {
    mkdirSync(state);
    const head = '# Mine.\ntokens:\n  # the build\n  - id: ci # nightly\n';
    writeFileSync(file, `${head}    sha256: "${sha256}"\n    tools: [snapshot]\n`, { mode: 0o600 });
    ok('add', 'two');
    const text = readFileSync(file, 'utf8');
    expect(text.startsWith(head)).toBe(true);
    expect(text).toMatch(/tools: \[ ?snapshot ?\]/);
    ok('remove', 'two');
    expect(readFileSync(file, 'utf8').startsWith(head)).toBe(true);
  });

  it('stays in JSON, comments too', async () => {
    const path = join(home, 'tokens.json');
    writeFileSync(path, `{\n  // mine\n  "tokens": [\n    { "id": "ci", "sha256": "${sha256}" } // nightly\n  ]\n}\n`, {
      mode: 0o600,
    });
    const given = ok('add', 'two', '--tokens-file', path);
    expect((await readTokens(path)).map(({ caller }) => caller.id)).toEqual(['ci', 'two']);
    ok('rotate', 'ci', '--tokens-file', path);
    ok('remove', 'ci', '--tokens-file', path);
    expect(await readTokens(path)).toEqual([{ hash: hashOf(given), caller: { id: 'two' } }]);
    expect(readFileSync(path, 'utf8')).toContain('// mine');
  });

  it('stays in TOML, which is left alone when it has comments', async () => {
    const path = join(home, 'tokens.toml');
    ok('add', 'one', '--tokens-file', path);
    const two = ok('add', 'two', '--tokens-file', path, '--may', 'read');
    ok('remove', 'one', '--tokens-file', path);
    expect(await readTokens(path)).toEqual([{ hash: hashOf(two), caller: { id: 'two', may: { effects: ['read'] } } }]);
    const text = `# mine\n${readFileSync(path, 'utf8')}`;
    writeFileSync(path, text);
    const { status, stderr } = token('add', 'three', '--tokens-file', path);
    expect(status).toBe(1);
    expect(stderr).toContain('A TOML file with comments cannot be changed without losing them.');
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('stays where a link leads', () => {
    mkdirSync(state);
    const real = join(home, 'real.yaml');
    writeFileSync(real, 'tokens: []\n', { mode: 0o640 });
    symlinkSync(real, file);
    ok('add', 'ci');
    expect(readFileSync(real, 'utf8')).toContain('ci');
    expect(statSync(real).mode & 0o777).toBe(0o640);
  });

  it('is not touched when it is wrong', () => {
    mkdirSync(state);
    writeFileSync(file, 'tokens:\n  - idd: x\n', { mode: 0o600 });
    expect(fails('add', 'ci')).toContain('tokens.yaml:2: unknown key "idd". Did you mean id?');
    expect(readFileSync(file, 'utf8')).toBe('tokens:\n  - idd: x\n');
  });
});

it('token list tells who may do what, and never a token', () => {
  const given = [ok('add', 'reader', '--may', 'read', '--expires', '12h'), ok('add', 'all')];
  const text = ok('list');
  expect(text).toMatch(/^ID +MAY +TOOLS +EXPIRES\nhttp +everything +all +never \(made at the first start of serve\)\n/);
  expect(text).toMatch(/^reader +read +all +\d{4}-\d\d-\d\d \d\d:\d\d UTC$/m);
  expect(text).toMatch(/^all +everything +all +never$/m);
  const rows = JSON.parse(ok('list', '--json'));
  expect(rows).toMatchObject([
    { id: 'http' },
    { id: 'reader', may: { effects: ['read'] }, expired: false },
    { id: 'all' },
  ]);
  for (const secret of given) expect(text + JSON.stringify(rows)).not.toContain(secret);
});

it('a running server sees each change, without a restart', async () => {
  const served = await new Served(state).ready();
  onTestFinished(async () => void (await served.kill('SIGKILL')));
  const status = async (secret: string) => (await ask(served.url, withToken(modern('tools/list'), secret))).status;
  const own = served.token;
  const first = ok('add', 'ci');
  await expect.poll(() => status(first)).toBe(200);
  const second = ok('rotate', 'ci');
  await expect.poll(() => status(first)).toBe(401);
  expect(await status(second)).toBe(200);
  ok('remove', 'ci');
  await expect.poll(() => status(second)).toBe(401);
  ok('rotate');
  await expect.poll(() => status(own)).toBe(401);
  expect(await status(served.token)).toBe(200);
  expect(await served.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});
