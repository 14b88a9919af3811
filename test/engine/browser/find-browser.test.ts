// Where browsers are looked for, which one is taken, and whether it really starts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { choiceFile, downloads, findBrowser, type Machine, places } from '../../../src/engine/browser/find-browser.ts';
import { probe } from '../../../src/engine/browser/probe-browser.ts';
import { temporaryFolder } from '../../surfaces/process.ts';
import { BODIES, childOf, fake, runs } from './fakes.ts';

let folder: ReturnType<typeof temporaryFolder>;
let machine: Machine;
beforeEach(() => {
  folder = temporaryFolder();
  machine = { platform: 'linux', env: { PATH: folder.path }, folders: [] };
});
afterEach(() => folder.remove());

const nowhere = () => join(folder.path, 'nowhere');

describe('places', () => {
  it('looks on Linux into the folders of PATH and the usual ones, each once', () => {
    const found = places({ platform: 'linux', env: { PATH: '/usr/bin:/own:' } });
    expect(found).toContain('/own/chromium');
    expect(found).toContain('/opt/google/chrome/google-chrome');
    expect(new Set(found).size).toBe(found.length);
    expect(found.indexOf('/own/google-chrome')).toBeLessThan(found.indexOf('/usr/bin/chromium'));
  });

  it('looks on macOS into the applications of the machine and of the user', () => {
    const found = places({ platform: 'darwin', env: { HOME: '/Users/ada' } });
    expect(found[0]).toBe('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
    expect(found).toContain('/Users/ada/Applications/Chromium.app/Contents/MacOS/Chromium');
  });

  it('looks on Windows into the folders of programs that there are', () => {
    const found = places({ platform: 'win32', env: { PROGRAMFILES: 'C:\\Program Files' } });
    expect(found).toEqual([
      'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
      'C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe',
    ]);
  });
});

/** Puts a browser where a download would. */
function downloadedTo(place: string, program: string): string {
  const at = join(folder.path, place);
  mkdirSync(at, { recursive: true });
  return fake(at, program, BODIES.working);
}

describe('downloads', () => {
  const APP = 'Google Chrome for Testing.app/Contents/MacOS';

  it.each([
    ['linux', 'HOME', '.cache/puppeteer/chrome/linux-140.0.1.2/chrome-linux64', 'chrome'],
    ['linux', 'HOME', '.cache/ms-playwright/chromium-1228/chrome-linux', 'chrome'],
    ['linux', 'XDG_CACHE_HOME', 'ms-playwright/chromium-1228/chrome-linux64', 'chrome'],
    ['linux', 'PLAYWRIGHT_BROWSERS_PATH', 'chromium-1228/chrome-linux-arm64', 'chrome'],
    ['linux', 'PUPPETEER_CACHE_DIR', 'chrome/linux-140.0.1.2/chrome-linux64', 'chrome'],
    [
      'darwin',
      'HOME',
      `.cache/puppeteer/chrome/mac_arm-140.0.1.2/chrome-mac-arm64/${APP}`,
      'Google Chrome for Testing',
    ],
    ['darwin', 'HOME', 'Library/Caches/ms-playwright/chromium-9/chrome-mac/Chromium.app/Contents/MacOS', 'Chromium'],
    ['win32', 'USERPROFILE', '.cache/puppeteer/chrome/win64-140.0.1.2/chrome-win64', 'chrome.exe'],
    ['win32', 'LOCALAPPDATA', 'ms-playwright/chromium-1228/chrome-win', 'chrome.exe'],
  ] as const)('on %s below %s: %s', (platform, variable, place, program) => {
    const path = downloadedTo(place, program);
    expect(downloads({ platform, env: { [variable]: folder.path } })).toContain(path);
  });

  it('are looked at from the newest on, without shells that show no window', () => {
    for (const version of ['99.0.1.2', '140.0.1.2', '100.0.1.2'])
      downloadedTo(`.cache/puppeteer/chrome/linux-${version}/chrome-linux64`, 'chrome');
    downloadedTo('.cache/puppeteer/chrome-headless-shell/linux-150.0.1.2/chrome-headless-shell-linux64', 'chrome');
    downloadedTo('.cache/ms-playwright/chromium_headless_shell-1228/chrome-linux', 'chrome');
    const found = downloads({ platform: 'linux', env: { HOME: folder.path } });
    expect(found.map(path => /-(\d+)\.0\.1\.2/.exec(path)?.[1])).toEqual(['140', '100', '99']);
  });
});

describe('findBrowser', () => {
  it('takes the given one, or says why not', () => {
    const given = fake(folder.path, 'own', BODIES.working);
    expect(findBrowser({ executablePath: given }, machine)).toBe(given);
    expect(() => findBrowser({ executablePath: nowhere() }, machine)).toThrow('does not exist');
    expect(() => findBrowser({ executablePath: folder.path }, machine)).toThrow('cannot be run');
  });

  it("takes the machine's own before the downloaded one", () => {
    machine.env.HOME = folder.path;
    const downloaded = downloadedTo('.cache/puppeteer/chrome/linux-140.0.1.2/chrome-linux64', 'chrome');
    expect(findBrowser({}, machine)).toBe(downloaded);
    const own = fake(folder.path, 'chromium', BODIES.working);
    expect(findBrowser({}, machine)).toBe(own);
  });

  it('passes over folders, files that cannot be run, and the stub of Ubuntu', () => {
    mkdirSync(join(folder.path, 'google-chrome'));
    writeFileSync(join(folder.path, 'chromium'), 'text');
    fake(folder.path, 'chromium-browser', BODIES.stub);
    const edge = fake(folder.path, 'microsoft-edge', BODIES.working);
    expect(findBrowser({}, machine)).toBe(edge);
  });

  it('takes what install chose, as long as it is there', () => {
    const own = fake(folder.path, 'chromium', BODIES.failing);
    const chosen = fake(folder.path, 'chosen', BODIES.working);
    writeFileSync(choiceFile(folder.path), `${chosen}\n`);
    expect(findBrowser({ stateDir: folder.path }, machine)).toBe(chosen);
    writeFileSync(choiceFile(folder.path), nowhere());
    expect(findBrowser({ stateDir: folder.path }, machine)).toBe(own);
  });

  it('names the command that installs one', () => {
    expect(() => findBrowser({}, machine)).toThrow(
      expect.objectContaining({ code: 'browser_missing', hint: expect.stringContaining('npx tabwright install') }),
    );
  });
});

describe('probe', () => {
  it('tells the version of a browser that starts', async () => {
    const path = fake(folder.path, 'chromium', BODIES.working);
    expect(await probe(path)).toEqual({ path, version: 'Chromium 150.0.1.2' });
  });

  it.each([
    ['failing', 'does not start: ended with code 1 (something is wrong)'],
    ['lacking', 'lacks a library that it needs: libnss3.so'],
    ['stub', 'is only a stub that asks for its snap package'],
    ['other', 'is no browser: it told no version'],
  ] as const)('tells what is wrong with one that is %s', async (kind, problem) => {
    const path = fake(folder.path, 'chromium', BODIES[kind]);
    expect(await probe(path)).toEqual({ path, problem });
  });

  it('tells of one that was built for another system', async () => {
    const path = fake(folder.path, 'chromium', '');
    writeFileSync(path, '#!/no/such/interpreter\n');
    expect(await probe(path)).toMatchObject({ problem: expect.stringContaining('loader is missing') });
  });

  it('ends one that hangs, with its children', async () => {
    const path = fake(folder.path, 'chromium', BODIES.hanging);
    const started = performance.now();
    const ending = AbortSignal.timeout(300);
    expect(await probe(path, ending)).toMatchObject({ problem: expect.stringContaining('interrupted') });
    expect(performance.now() - started).toBeLessThan(5_000);
    await vi.waitUntil(() => !runs(childOf(path)), { timeout: 5_000 });
  });

  it('starts none on Windows, where that opens a window', async () => {
    const path = fake(folder.path, 'chrome.exe', BODIES.hanging);
    mkdirSync(join(folder.path, '150.0.7.8'));
    expect(await probe(path, undefined, 'win32')).toEqual({ path, version: '150.0.7.8' });
  });
});
