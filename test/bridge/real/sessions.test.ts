// Sessions, an attached Chrome, files and the long tail, with the real agent-browser and a real browser.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TESTED } from '../../../src/bridge/constants.ts';
import { type Site, startSite } from '../../site/serve.ts';
import { browserPath, type Driver, NO_SANDBOX, startDriver } from './driver.ts';

let site: Site;
let driver: Driver;
let chrome: ChildProcess | undefined;
beforeAll(async () => {
  site = await startSite();
  driver = await startDriver();
}, 90_000);
afterAll(async () => {
  endChrome();
  const left = await driver.close();
  await site.close();
  expect(left).toEqual([]);
}, 90_000);

/** A Chrome that somebody else started, with a debugging port. */
async function startChrome(): Promise<number> {
  const profile = join(driver.folder, 'profile');
  mkdirSync(profile);
  const switches = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, ...NO_SANDBOX];
  chrome = spawn(await browserPath(), [...switches, 'about:blank'], { stdio: 'ignore', detached: true });
  // The file is there a moment before the number in it.
  const read = () => {
    const [port] = /^\d+(?=\n)/.exec(readFileSync(join(profile, 'DevToolsActivePort'), 'utf8')) ?? [];
    return port ? Number(port) : Promise.reject(new Error('no port yet'));
  };
  return vi.waitFor(read, { timeout: 30_000 });
}

function endChrome(): void {
  if (chrome?.pid && chrome.exitCode === null && chrome.signalCode === null) process.kill(-chrome.pid, 'SIGKILL');
}

const titleIn = async (session: string) => (await driver.data('get', { session, what: 'title' })).title;

describe('sessions', () => {
  it('S0-51 S0-72 S0-34 drive two pages side by side, each with cookies of its own', async () => {
    const [one, two] = [{ session: 'one' }, { session: 'two' }];
    await Promise.all([
      driver.data('open', { ...one, url: `${site.url}/signup.html` }),
      driver.data('open', { ...two, url: `${site.url}/login.html` }),
    ]);
    await Promise.all([
      driver.data('eval', { ...one, script: 'document.cookie = "who=one"' }),
      driver.data('eval', { ...two, script: 'document.cookie = "who=two"' }),
    ]);
    expect((await driver.data('eval', { ...one, script: 'document.cookie' })).result).toBe('who=one');
    expect((await driver.data('eval', { ...two, script: 'document.cookie' })).result).toBe('who=two');
    expect(await titleIn('one')).not.toBe(await titleIn('two'));
    expect((await driver.data('session_list')).sessions).toEqual(expect.arrayContaining(['one', 'two']));
    expect((await driver.data('session', two)).session).toBe('two');
  }, 90_000);

  it('S0-35 S0-52 S0-68 attach to a running Chrome by its port, and leave it running', async () => {
    const session = 'attached';
    const port = await startChrome();
    await driver.data('connect', { session, cdp_port: port });
    await driver.data('open', { session, url: `${site.url}/todo.html` });
    const [, ref] =
      /textbox "New item"[^\n]*ref=(e\d+)/.exec(String((await driver.data('snapshot', { session })).snapshot)) ?? [];
    await driver.data('fill', { session, target: `@${ref}`, value: 'From outside' });
    const open = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as { url: string }[];
    expect(open.map(({ url }) => url)).toContain(`${site.url}/todo.html`);
    await driver.data('close', { session });
    expect((await fetch(`http://127.0.0.1:${port}/json/version`)).ok).toBe(true);
  }, 90_000);
});

describe('requests', () => {
  const seen = (path: string, header: string) => site.requests.findLast(({ url }) => url === path)?.headers[header];

  it('S0-23 S0-36 carry headers to one origin, or to all', async () => {
    const session = 'one';
    await driver.data('open', { session, url: `${site.url}/spa.html`, headers: { 'X-Origin': 'own' } });
    expect(seen('/spa.html', 'x-origin')).toBe('own');
    await driver.data('open', { session, url: `${site.otherSiteUrl}/todo.html` });
    expect(seen('/todo.html', 'x-origin')).toBeUndefined();
    await driver.data('set_headers', { session, headers: { 'X-All': 'everywhere' } });
    await driver.data('open', { session, url: `${site.otherSiteUrl}/menu.html` });
    expect(seen('/menu.html', 'x-all')).toBe('everywhere');
  }, 90_000);
});

describe('files and pictures', () => {
  const session = 'two';

  it('S0-50 S0-18 keep a large snapshot out of the answer', async () => {
    await driver.data('open', { session, url: `${site.url}/rows?n=400` });
    const whole = await driver.call('snapshot', { session });
    expect(whole.stdout.length).toBeGreaterThan(25_000);
    expect(whole).toMatchObject({ ok: true, truncated: false });
    const saved = await driver.call('snapshot', { session, save_output_path: 'rows.json' });
    expect(saved).toMatchObject({ ok: true, stdout: '', parsedJson: null });
    const refs = (text: string) => text.match(/\bref=e\d+/g)?.length;
    expect(refs(readFileSync(saved.savedOutputPath ?? '', 'utf8'))).toBe(refs(whole.stdout));
  }, 90_000);

  it('S0-55 show screenshots, and take files to upload', async () => {
    await driver.data('screenshot', { session });
    expect(driver.shown()).toEqual(['text', 'image']);
    mkdirSync(join(driver.folder, 'out'), { recursive: true });
    writeFileSync(join(driver.folder, 'out', 'note.txt'), 'a note');
    await driver.data('open', { session, url: `${site.url}/inputs.html` });
    await driver.data('upload', { session, target: 'input[type=file]', files: ['note.txt'] });
    const script = "document.querySelector('input[type=file]').files[0].name";
    expect((await driver.data('eval', { session, script })).result).toBe('note.txt');
  }, 90_000);
});

describe('the long tail', () => {
  const session = 'two';

  it('S0-37 S0-43 runs a batch, and S0-21 failures are results', async () => {
    await driver.data('open', { session, url: `${site.url}/signup.html` });
    if (!process.env.AGENT_BROWSER_TEST_BIN) {
      const { parsedJson } = await driver.call('command', {
        session,
        argv: ['batch', 'fill #name "Ada L"', 'get value #name'],
      });
      expect(parsedJson).toMatchObject([{ success: true }, { success: true, result: { value: 'Ada L' } }]);
    }
    expect(await driver.call('click', { session, target: '@e9999', timeout_ms: 40_000 })).toMatchObject({
      ok: false,
      exitCode: 1,
    });
    expect((await driver.call('command', { session, argv: ['install'] })).exitCode).toBe(-1);
  }, 90_000);

  it('S0-69 says that all is well', async () => {
    const { ok, parsedJson } = await driver.call('health', { timeout_ms: 60_000 });
    expect(ok).toBe(true);
    expect(parsedJson).toMatchObject({ browser: { starts: true } });
    if (!process.env.AGENT_BROWSER_TEST_BIN)
      expect(parsedJson).toMatchObject({ version: TESTED.newest, standing: 'supported' });
    // Its daemon needs a moment to end.
    const sessions = async () => (await driver.data('session_list')).sessions;
    await vi.waitFor(async () => expect(await sessions()).not.toContainEqual(expect.stringMatching(/^health/)), 15_000);
  }, 90_000);
});
