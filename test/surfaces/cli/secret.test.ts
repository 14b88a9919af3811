// `tabwright secret`: values that come from stdin only, kept in a keychain or a private file, never printed.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Printed, runCommand } from './command.ts';

const VALUE = 'correct horse "battery"';
let home: string;
let state: string;
/** Programs that the command finds: none but those that a test puts there. */
let programs: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tabwright-test-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  state = join(home, 'state');
  programs = join(home, 'bin');
  mkdirSync(programs);
});

const secret = (args: string[], input = ''): Promise<Printed> =>
  runCommand(state, ['secret', ...args, '--state-dir', state], { input, env: { PATH: programs } });
const add = (...args: string[]) => secret(['add', ...args], `${VALUE}\n`);
const file = () => join(state, 'secrets.json');

describe('15 secret add, list, remove', () => {
  it('keeps the value in a file for its owner only, and prints it nowhere', async () => {
    const added = await add(
      'shop',
      '--origin',
      'https://shop.example',
      '--origin=https://pay.example/',
      '--caller',
      'ci',
    );
    expect(added).toMatchObject({ code: 0, stdout: '' });
    expect(added.stderr).toContain(`Kept in ${file()}. Callers write {{secret:shop}}.`);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file(), 'utf8')).secrets).toEqual([
      {
        name: 'shop',
        kind: 'secret',
        origins: ['https://shop.example', 'https://pay.example'],
        callers: ['ci'],
        value: VALUE,
      },
    ]);
    const [plain, json] = [await secret(['list']), await secret(['list', '--json'])];
    expect(plain.stdout).toMatch(
      /\{\{secret:shop\}\} +https:\/\/shop\.example, https:\/\/pay\.example +owner, ci +file/,
    );
    expect(JSON.parse(json.stdout)).toEqual([
      {
        name: 'shop',
        kind: 'secret',
        origins: ['https://shop.example', 'https://pay.example'],
        callers: ['ci'],
        keptIn: 'file',
      },
    ]);
    expect(added.stderr + plain.stdout + json.stdout).not.toContain('horse');
    expect((await secret(['remove', 'shop'])).code).toBe(0);
    expect(JSON.parse(readFileSync(file(), 'utf8')).secrets).toEqual([]);
  });

  it.each([
    [['add', 'shop'], VALUE, 'secret add needs --origin'],
    [['add', '--origin', 'https://a.example'], VALUE, 'secret add needs NAME.'],
    [['add', 'a b', '--origin', 'https://a.example'], VALUE, 'NAME a b: expected'],
    [['add', 'x', '--origin', 'a.example'], VALUE, '--origin a.example: expected an origin'],
    [['add', 'x', '--origin', 'https://a.example/path'], VALUE, 'expected an origin'],
    [['add', 'x', '--origin', 'https://a.example'], 'abc', 'at least 4 characters'],
    [['add', 'x', '--origin', 'https://a.example', '--totp'], 'not a seed!', 'That is no TOTP seed.'],
    [['add', 'x', 'value', '--origin', 'https://a.example'], '', 'Unexpected word value after secret.'],
    [['remove', 'nothing'], '', 'There is no secret nothing.'],
    [['list', '--totp'], '', '--totp goes with secret add.'],
    [['ad', 'x'], '', 'secret cannot ad. Did you mean add?'],
  ])('refuses %j', async (args, input, message) => {
    const { code, stderr } = await secret(args, input);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(file())).toBe(false);
  });

  it('refuses a name that is taken', async () => {
    await add('shop', '--origin', 'https://shop.example');
    expect((await add('shop', '--origin', 'https://shop.example')).stderr).toContain('There is a secret shop already.');
  });
});

/** A keychain in files, spoken to as that of the Linux desktop. */
const SECRET_TOOL = (store: string) => `#!/bin/sh
for last; do :; done
case "$1" in
  store) /bin/cat > "${store}/$last" ;;
  lookup) /bin/cat "${store}/$last" ;;
  clear) /bin/rm "${store}/$last" ;;
esac
`;

describe.runIf(process.platform === 'linux')('15 a keychain', () => {
  function offer(script: string): void {
    const path = join(programs, 'secret-tool');
    writeFileSync(path, script);
    chmodSync(path, 0o755);
  }

  it('keeps the value instead of the file, and forgets it', async () => {
    offer(SECRET_TOOL(home));
    expect((await add('shop', '--origin', 'https://shop.example')).stderr).toContain("Kept in the system's keychain.");
    const [row] = JSON.parse(readFileSync(file(), 'utf8')).secrets;
    expect(row).not.toHaveProperty('value');
    expect(Buffer.from(readFileSync(join(home, row.keychain), 'utf8'), 'base64').toString()).toBe(VALUE);
    expect((await secret(['list'])).stdout).toContain('keychain');
    await secret(['remove', 'shop']);
    expect(existsSync(join(home, row.keychain))).toBe(false);
  });

  it('that does not work is not used, nor is one that is not wanted', async () => {
    offer('#!/bin/sh\nexit 1\n');
    expect((await add('shop', '--origin', 'https://shop.example')).stderr).toContain(`Kept in ${file()}.`);
    offer(SECRET_TOOL(home));
    expect((await add('other', '--origin', 'https://shop.example', '--in-file')).stderr).toContain(
      `Kept in ${file()}.`,
    );
  });
});
