// The checks of the doctor, each with machines on which it finds something.
import { chmodSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { load } from '../../../../src/config/load.ts';
import type { Options } from '../../../../src/config/options.ts';
import { sandbox } from '../../../../src/surfaces/cli/doctor/browser.ts';
import { type Check, type DoctorInput, examine } from '../../../../src/surfaces/cli/doctor/check.ts';
import { config, profiles, stateFolder, temporary, token } from '../../../../src/surfaces/cli/doctor/folders.ts';
import { display, fonts, node, proxy } from '../../../../src/surfaces/cli/doctor/machine.ts';
import { stale } from '../../../../src/surfaces/cli/doctor/processes.ts';
import { fake } from '../../../engine/browser/fakes.ts';
import { temporaryFolder } from '../../process.ts';

let folder: ReturnType<typeof temporaryFolder>;
let options: Options;
beforeAll(async () => {
  ({ options } = await load([], { env: {}, platform: 'linux', home: '/home/ada', cwd: '/' }));
});
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder.path, 'proc'));
});
afterEach(() => folder.remove());

type More = { options?: Partial<Options>; host?: Partial<DoctorInput['host']> } & Partial<
  Omit<DoctorInput, 'options' | 'host'>
>;

/** A machine with nothing on it, where Ada works. */
function patient(more: More = {}): DoctorInput {
  const stateDir = join(folder.path, 'state');
  return {
    files: [],
    node: '20.19.0',
    home: folder.path,
    temporary: folder.path,
    proc: join(folder.path, 'proc'),
    ...more,
    options: { ...options, stateDir, tokenFile: join(stateDir, 'token'), ...more.options },
    host: {
      platform: 'linux',
      env: { PATH: folder.path },
      folders: [],
      release: 'ID=debian',
      isRoot: false,
      ...more.host,
    },
  };
}

const check = (row: Check, more?: More) => examine(row, patient(more), 5_000, new AbortController().signal);

describe('Node', () => {
  it.each(['20.19.0', '20.20.1', '22.0.0'])('%s is enough', async version =>
    expect(await check(node, { node: version })).toMatchObject({ state: 'ok', found: version }),
  );
  it.each(['18.20.0', '20.9.0'])('%s is too old', async version =>
    expect(await check(node, { node: version })).toMatchObject({
      state: 'problem',
      mend: 'install Node 20.19 or newer',
    }),
  );
});

describe('display', () => {
  it('matters only with --headed, on Linux', async () => {
    expect(await check(display)).toMatchObject({ state: 'ok' });
    expect(await check(display, { options: { headed: true } })).toMatchObject({
      state: 'problem',
      mend: expect.stringContaining('xvfb-run'),
    });
    expect(await check(display, { options: { headed: true }, host: { env: { DISPLAY: ':0' } } })).toMatchObject({
      state: 'ok',
      found: 'DISPLAY=:0',
    });
    expect(await check(display, { options: { headed: true }, host: { platform: 'darwin' } })).toMatchObject({
      state: 'ok',
    });
  });
});

describe('fonts', () => {
  const listed = (...lines: string[]) => fake(folder.path, 'fc-list', `printf '${lines.join('\\n')}\\n'`);
  const LATIN = '/usr/share/fonts/Liberation.ttf\\tde|en|fr';

  it('are fine with emoji and Chinese', async () => {
    listed(LATIN, '/x/Color.ttf\\tund-zsye', '/x/Zen.ttc\\ten|zh-cn|ja');
    expect(await check(fonts)).toMatchObject({ state: 'ok', found: expect.stringMatching(/^3, /) });
  });

  it('are all looked at, however many they are', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `/x/Latin${index}.ttf\\tde|en|fr|nl|pl|pt|sv|tr`);
    listed('/x/Color.ttf\\tund-zsye', '/x/Zen.ttc\\ten|zh-cn|ja', ...many);
    expect(await check(fonts)).toMatchObject({ state: 'ok', found: expect.stringMatching(/^2002, /) });
  });

  it('that are missing are named with the packages', async () => {
    listed(LATIN);
    expect(await check(fonts)).toMatchObject({
      state: 'warning',
      found: '1, but none for emoji and for Chinese, Japanese and Korean',
      mend: 'sudo apt-get install -y fonts-liberation fonts-noto-color-emoji fonts-wqy-zenhei',
    });
  });

  it('are looked for in folders where fontconfig is not there', async () => {
    const own = join(folder.path, '.fonts', 'noto');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'NotoColorEmoji.ttf'), '');
    writeFileSync(join(own, 'NotoSansCJK.ttc'), '');
    expect(await check(fonts)).toMatchObject({ state: 'ok' });
  });
});

describe('proxy', () => {
  it('is shown without its password; clients that ask it for this machine are warned of', async () => {
    expect(await check(proxy)).toMatchObject({ state: 'ok', found: 'none' });
    const env = { https_proxy: 'http://ada:secret@proxy:3128' };
    expect(await check(proxy, { host: { env } })).toMatchObject({
      state: 'warning',
      found: expect.stringMatching(/^HTTPS_PROXY is http:\/\/…@proxy:3128;/),
      mend: 'export NO_PROXY=127.0.0.1,localhost',
    });
    const both = { ...env, NO_PROXY: 'localhost,127.0.0.1' };
    expect(await check(proxy, { host: { env: both } })).toMatchObject({ state: 'ok' });
    expect(await check(proxy, { options: { proxy: 'http://p:1' } })).toMatchObject({ found: 'http://p:1, by --proxy' });
  });
});

describe('folders', () => {
  it('of state: not there yet, there, open to others, not a folder', async () => {
    expect(await check(stateFolder)).toMatchObject({ state: 'ok', found: expect.stringMatching(/ free$/) });
    const stateDir = join(folder.path, 'state');
    mkdirSync(stateDir, { mode: 0o700 });
    expect(await check(stateFolder)).toMatchObject({ state: 'ok' });
    chmodSync(stateDir, 0o777);
    expect(await check(stateFolder)).toMatchObject({ state: 'warning', mend: `chmod 700 ${stateDir}` });
    writeFileSync(join(folder.path, 'file'), '');
    expect(await check(stateFolder, { options: { stateDir: join(folder.path, 'file', 'state') } })).toMatchObject({
      state: 'problem',
      found: `${join(folder.path, 'file')} cannot be written`,
      mend: expect.stringContaining('--state-dir'),
    });
  });

  it('with the token: not there yet, for its owner, for everybody', async () => {
    expect(await check(token)).toMatchObject({ state: 'ok', found: 'none yet; serve makes it' });
    const tokenFile = join(folder.path, 'token');
    writeFileSync(tokenFile, 'x', { mode: 0o600 });
    expect(await check(token, { options: { tokenFile } })).toMatchObject({ state: 'ok' });
    chmodSync(tokenFile, 0o644);
    expect(await check(token, { options: { tokenFile } })).toMatchObject({
      state: 'problem',
      mend: `chmod 600 ${tokenFile}`,
    });
  });

  it('for temporary files, and config files', async () => {
    expect(await check(temporary)).toMatchObject({ state: 'ok' });
    expect(await check(config, { files: ['/a.yaml'] })).toMatchObject({ found: '/a.yaml' });
  });
});

/** A process in the folder that stands for /proc. */
function process(pid: number, parent: number, ...args: string[]): void {
  const place = join(folder.path, 'proc', String(pid));
  mkdirSync(place);
  writeFileSync(join(place, 'cmdline'), `${args.join('\0')}\0`);
  writeFileSync(join(place, 'status'), `Name:\tx\nPPid:\t${parent}\n`);
}

const profile = (name: string) => `--user-data-dir=${join(folder.path, `tabwright-chrome-${name}`)}`;

describe('stale browsers', () => {
  it('are those whose Tabwright is gone, and only their first processes', async () => {
    process(1, 0, '/sbin/init');
    process(10, 1, 'node', '/x/tabwright.js');
    process(11, 10, 'chrome', profile('alive'));
    process(20, 1, 'chrome', profile('gone'));
    process(21, 20, 'chrome', '--type=renderer', profile('gone'));
    process(22, 1, 'chrome', '--user-data-dir=/home/ada/own');
    process(30, 5, '/usr/lib/systemd/systemd', '--user');
    process(31, 30, 'chrome', profile('gone2'));
    expect(await check(stale)).toMatchObject({
      state: 'warning',
      found: '2 whose Tabwright is gone',
      mend: 'kill 20 31',
    });
  });

  it('are not those of a Tabwright that is the first process of its container', async () => {
    process(1, 0, 'node', '/app/dist/tabwright.js', 'serve');
    process(9, 1, 'chrome', profile('alive'));
    expect(await check(stale)).toMatchObject({ state: 'ok', found: 'none' });
  });
});

describe('old profiles', () => {
  it('are those that no browser uses and that are not new', async () => {
    process(9, 1, 'chrome', profile('used'));
    const old = new Date(Date.now() - 3_600_000);
    for (const name of ['used', 'left', 'new']) {
      const path = join(folder.path, `tabwright-chrome-${name}`);
      mkdirSync(path);
      if (name !== 'new') utimesSync(path, old, old);
    }
    expect(await check(profiles)).toMatchObject({
      state: 'warning',
      mend: `rm -r ${join(folder.path, 'tabwright-chrome-left')}`,
    });
  });
});

describe('the sandbox', () => {
  const kernel = (file: string, value: string) => {
    const path = join(folder.path, 'proc', 'sys', file);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `${value}\n`);
  };

  it('is off for root and with --no-sandbox', async () => {
    expect(await check(sandbox, { host: { isRoot: true } })).toMatchObject({ state: 'warning' });
    expect(await check(sandbox, { options: { noSandbox: true } })).toMatchObject({ state: 'warning' });
  });

  it('works where a user may make namespaces', async () => {
    fake(folder.path, 'unshare', 'exit 0');
    expect(await check(sandbox)).toMatchObject({ state: 'ok', found: 'on, by user namespaces' });
  });

  it('cannot work where that is forbidden, by the kernel or by a container', async () => {
    fake(folder.path, 'unshare', 'exit 1');
    expect(await check(sandbox)).toMatchObject({
      state: 'problem',
      mend: expect.stringMatching(/--no-sandbox.*Docker/),
    });
    kernel('kernel/apparmor_restrict_unprivileged_userns', '1');
    expect(await check(sandbox)).toMatchObject({
      state: 'problem',
      mend: 'sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0, or give --no-sandbox',
    });
  });
});

describe('a check', () => {
  it('that does not end is a problem after its time', async () => {
    const never: Check = () => new Promise(() => undefined);
    expect(await examine(never, patient(), 50, new AbortController().signal)).toMatchObject({
      state: 'problem',
      found: 'could not be checked: no answer within 0.05 s',
    });
  });

  it('that fails is a problem', async () => {
    const bad: Check = () => {
      throw new Error('broken');
    };
    expect(await check(bad)).toMatchObject({ state: 'problem', found: 'could not be checked: broken' });
  });
});
