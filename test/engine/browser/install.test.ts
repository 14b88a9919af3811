// What install does on each kind of machine. The package manager and npx are fakes.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { choiceFile, findBrowser } from '../../../src/engine/browser/find-browser.ts';
import {
  type Host,
  type InstallListener,
  type InstallRequest,
  installBrowser,
  interruption,
  remember,
} from '../../../src/engine/browser/install.ts';
import { addCommand, browserCommand, SYSTEMS, systemOf } from '../../../src/engine/browser/systems.ts';
import { temporaryFolder } from '../../surfaces/process.ts';
import { BODIES, childOf, fake, runs } from './fakes.ts';

const DEBIAN = 'PRETTY_NAME="Debian"\nID=debian\n';
const UBUNTU = 'NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n';

let folder: ReturnType<typeof temporaryFolder>;
let told: string[];
let listener: InstallListener;

beforeEach(() => {
  folder = temporaryFolder();
  told = [];
  listener = {
    step: text => told.push(text),
    moved: (text, part) => told.push(part === undefined ? `… ${text}` : `${Math.round(part * 100)} % ${text}`),
    note: text => told.push(text),
  };
});
afterEach(() => folder.remove());

const wish = (more: Partial<InstallRequest> = {}): InstallRequest => ({
  withDeps: false,
  signal: new AbortController().signal,
  ...more,
});

/** Only what lies in the folder is on this machine, beside the shell's own programs. */
const host = (more: Partial<Host> = {}): Host => ({
  platform: 'linux',
  env: { PATH: folder.path, HOME: folder.path },
  folders: [],
  release: '',
  isRoot: false,
  ...more,
});

/** Notes how it was called, tells progress as apt does, and installs what BODIES.working says. */
const apt = (installs: string) =>
  fake(
    folder.path,
    'apt-get',
    `echo "$@" >> ${folder.path}/apt.log
case "$1" in install) ${installs};; esac`,
  );
const PUTS = (path: string) => `echo 'dlstatus:1:50:Retrieving file 1 of 2' >&3
echo 'pmstatus:chromium:40:Unpacking chromium' >&3
echo '#!/bin/sh
echo Chromium 151.0.0.1' > ${path}/chromium
/bin/chmod +x ${path}/chromium`;
const aptLog = (): string => readFileSync(join(folder.path, 'apt.log'), 'utf8');

describe('a browser that is there', () => {
  it('is taken, after those that do not start', async () => {
    fake(folder.path, 'google-chrome', BODIES.lacking);
    const path = fake(folder.path, 'chromium', BODIES.working);
    expect(await installBrowser(wish(), listener, host())).toEqual({ path, version: 'Chromium 150.0.1.2' });
    expect(told).toEqual([`The browser at ${folder.path}/google-chrome lacks a library that it needs: libnss3.so.`]);
  });

  it('is only checked when it is given', async () => {
    const path = fake(folder.path, 'own', BODIES.failing);
    fake(folder.path, 'chromium', BODIES.working);
    await expect(installBrowser(wish({ executablePath: path }), listener, host())).rejects.toMatchObject({
      code: 'browser_missing',
      message: `The browser at ${path} does not start: ended with code 1 (something is wrong).`,
    });
  });

  it('gets fonts with --with-deps, where root can install them', async () => {
    fake(folder.path, 'chromium', BODIES.working);
    apt(':');
    await installBrowser(wish({ withDeps: true }), listener, host({ release: UBUNTU, isRoot: true }));
    expect(aptLog()).toMatch(/install .*fonts-noto-color-emoji/);
    expect(aptLog()).not.toMatch(/chromium/);
    await installBrowser(wish({ withDeps: true }), listener, host({ release: UBUNTU }));
    expect(told.at(-1)).toMatch(/^Fonts are for root to install: sudo apt-get install -y fonts-liberation /);
  });
});

describe('Debian, as root', () => {
  it('installs the package, and tells how far it is', async () => {
    apt(PUTS(folder.path));
    const found = await installBrowser(wish(), listener, host({ release: DEBIAN, isRoot: true }));
    expect(found).toEqual({ path: join(folder.path, 'chromium'), version: 'Chromium 151.0.0.1' });
    expect(told).toEqual([
      'Fetching the list of packages',
      'Installing chromium',
      '25 % Retrieving file 1 of 2',
      '70 % Unpacking chromium',
    ]);
    expect(aptLog()).toMatch(/^update.*\ninstall -y .*chromium\n$/);
  });

  it('also when all that is there is broken, and keeps the choice', async () => {
    fake(folder.path, 'google-chrome', BODIES.failing);
    apt(PUTS(folder.path));
    const machine = host({ release: DEBIAN, isRoot: true });
    const found = await installBrowser(wish({ withDeps: true }), listener, machine);
    expect(aptLog()).toMatch(/install .*chromium fonts-liberation/);
    const find = () => findBrowser({ stateDir: join(folder.path, 'state') }, machine);
    expect(find()).toBe(join(folder.path, 'google-chrome'));
    remember(join(folder.path, 'state'), found, machine);
    expect(find()).toBe(found.path);
    fake(folder.path, 'google-chrome', BODIES.working);
    remember(join(folder.path, 'state'), await installBrowser(wish(), listener, machine), machine);
    expect(existsSync(choiceFile(join(folder.path, 'state')))).toBe(false);
  });

  it('ends what it started when it is interrupted', async () => {
    const path = apt('exec 3>&-; sleep 1000 & echo $! > "$0.child"; wait');
    fake(folder.path, 'sleep', 'exec /bin/sleep "$@"');
    const stop = new AbortController();
    const done = installBrowser(wish({ signal: stop.signal }), listener, host({ release: DEBIAN, isRoot: true }));
    await vi.waitUntil(() => existsSync(`${path}.child`) && childOf(path) > 0, { timeout: 5_000 });
    expect(runs(childOf(path))).toBe(true);
    stop.abort(interruption());
    await expect(done).rejects.toMatchObject({ code: 'cancelled' });
    await vi.waitUntil(() => !runs(childOf(path)), { timeout: 5_000 });
  });
});

describe('the download', () => {
  /** Stands in for npx: notes where and how it was called, and what it does then. */
  const npx = (does: string) => fake(folder.path, 'npx', `echo "$PWD $@" >> ${folder.path}/npx.log\n${does}`);
  const npxLog = (): string => readFileSync(join(folder.path, 'npx.log'), 'utf8');
  const PUTS_CHROME = `/bin/mkdir -p chrome/linux-150.0.1.2/chrome-linux64
echo '#!/bin/sh
${BODIES.working}' > chrome/linux-150.0.1.2/chrome-linux64/chrome
/bin/chmod +x chrome/linux-150.0.1.2/chrome-linux64/chrome`;

  it('is tried when apt fails; then both causes are told, and what else can be done', async () => {
    apt('echo "E: Unable to locate package chromium" >&2; exit 100');
    npx('echo "npm error code ECONNREFUSED" >&2; exit 1');
    await expect(installBrowser(wish(), listener, host({ release: DEBIAN, isRoot: true }))).rejects.toMatchObject({
      code: 'browser_missing',
      message: expect.stringMatching(
        /apt-get could not install chromium: E: Unable to locate package chromium\. The download of Chrome failed: code ECONNREFUSED\./,
      ),
      hint: 'Either install one yourself: apt-get install -y chromium, or give the path of one: --executable-path.',
    });
  });

  it('says when there is no npx', async () => {
    await expect(installBrowser(wish(), listener, host())).rejects.toMatchObject({
      message: expect.stringMatching(/The download of Chrome failed: .*npx/),
    });
  });

  it('is the way on Ubuntu, whose package is a stub', async () => {
    fake(folder.path, 'chromium-browser', BODIES.stub);
    apt(':');
    npx(PUTS_CHROME);
    const ubuntu = host({ release: UBUNTU, isRoot: true });
    const found = await installBrowser(wish({ withDeps: true }), listener, ubuntu);
    const home = join(folder.path, '.cache', 'puppeteer');
    expect(found).toEqual({
      version: 'Chromium 150.0.1.2',
      path: join(home, 'chrome/linux-150.0.1.2/chrome-linux64/chrome'),
    });
    expect(npxLog()).toBe(`${home} --yes @puppeteer/browsers@2 install chrome@stable --install-deps\n`);
    expect(existsSync(join(folder.path, 'apt.log'))).toBe(false);
    expect(told).toContain('Downloading Chrome');
    expect(findBrowser({}, ubuntu)).toBe(found.path);
    expect(await installBrowser(wish(), listener, ubuntu)).toEqual(found);
    expect(npxLog().match(/install/g)).toHaveLength(2);
  });

  it('leaves libraries to root', async () => {
    npx(PUTS_CHROME);
    await installBrowser(wish({ withDeps: true }), listener, host({ release: UBUNTU }));
    expect(npxLog()).not.toContain('--install-deps');
  });
});

describe('systems', () => {
  it('are known by their own name, or by one that they are like', () => {
    expect(systemOf(DEBIAN)).toBe(SYSTEMS.debian);
    expect(systemOf(UBUNTU)).toBe(SYSTEMS.ubuntu);
    expect(systemOf('ID=linuxmint\nID_LIKE="ubuntu debian"')).toBe(SYSTEMS.ubuntu);
    expect(systemOf('ID="rocky"\nID_LIKE="rhel centos fedora"')).toBe(SYSTEMS.fedora);
    expect(systemOf('ID=constructor')).toBeUndefined();
    expect(systemOf('')).toBeUndefined();
  });

  it('have a command that a person can type', () => {
    expect(browserCommand('linux', DEBIAN, true)).toBe('apt-get install -y chromium');
    expect(browserCommand('linux', UBUNTU, false)).toBeUndefined();
    expect(browserCommand('darwin', '', false)).toMatch(/^brew /);
    expect(addCommand(SYSTEMS.alpine!, 'chromium', false)).toBe('sudo apk add --no-cache chromium');
  });
});
