// The browser of a profile: started once, told apart from those of others, and ended with all that it started.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startTimeOf } from '../../../src/engine/browser/profile/process-identity.ts';
import { RunningBrowsers } from '../../../src/session/profiles/running-browsers.ts';
import { otherBrowser } from '../../other-browser.ts';
import { descendantsOf } from '../../surfaces/process.ts';
import { runs } from './browsers.ts';
import { end, ends, kitWith, rowIn, use } from './profile-kit.ts';

describe('the own browser of a person', () => {
  afterEach(end);

  it('is not taken as a profile, wherever it keeps its data', async () => {
    const { fails } = use(await kitWith());
    for (const name of ['google-chrome', 'google-chrome-beta', 'chromium/Default', 'microsoft-edge', ''])
      expect(
        (await fails('create', { name: 'B', user_data_dir: join(homedir(), '.config', name) })).text,
        name,
      ).toContain("the person's own browser");
  });

  it('that runs on the folder is left alone', async () => {
    const other = await otherBrowser();
    ends.push(() => other.end());
    const on = use(await kitWith('--profile-dirs', join(other.profile, '..')));
    await on.profile('create', { id: 'held', name: 'B', user_data_dir: other.profile });
    const { code, text } = await on.fails('launch', { id: 'held' });
    expect([code, text]).toEqual(['profile_taken', expect.stringContaining('is in use by another browser')]);
    expect(other.process.exitCode).toBeNull();
    // Nothing was tried on its folder.
    expect(readFileSync(join(other.profile, 'DevToolsActivePort'), 'utf8')).toContain(new URL(other.endpoint).port);
  }, 60_000);
});

describe('a browser', () => {
  afterEach(end);

  it('S4-35 S4-36 S4-37: is launched once, is not deleted or moved while it runs, and is killed once', async () => {
    const kit = await kitWith();
    const on = use(kit);
    await on.profile('create', { id: 'a', name: 'A' });
    expect(await on.fails('kill', { id: 'a' })).toEqual({
      code: 'browser_not_running',
      text: 'The browser of profile a does not run.\nStart it with profile {"action":"launch","id":"a"}.',
    });
    expect((await kit.fails('navigate', { session: 'profile@a', url: kit.site.url })).code).toBe('browser_not_running');
    // Many at once start one.
    const tries = await Promise.all(
      Array.from({ length: 4 }, () => kit.call('profile', { action: 'launch', id: 'a' })),
    );
    expect(tries.map(({ failure }) => failure?.code ?? 'launched').sort()).toEqual([
      'launched',
      'profile_running',
      'profile_running',
      'profile_running',
    ]);
    const launched = rowIn(tries.find(({ ok }) => ok)?.data);
    expect(launched).toMatchObject({ is_running: true, run: { profile_id: 'a', pid: expect.any(Number) } });
    expect(await kit.server.profiles.running()).toEqual([launched.run]);
    const { text } = await on.fails('launch', { id: 'a' });
    expect(text).toContain(`runs already (pid ${launched.run?.pid})`);
    const moved = { id: 'a', user_data_dir: join(kit.folder, 'state', 'profiles', 'b') };
    for (const [action, args] of [
      ['delete', { id: 'a' }],
      ['update', moved],
    ] as const)
      expect((await on.fails(action, args)).code).toBe('profile_running');
    expect(await kit.ok('profile', { action: 'update', id: 'a', name: 'New' })).toContain(
      'It holds from its next launch.',
    );
    expect((await kit.fails('session_close', { session: 'profile@a' })).text).toContain('which goes on');
    expect((await on.profile('kill', { id: 'a' })).is_running).toBe(false);
    expect(runs(launched.run?.pid ?? 0)).toBe(false);
    expect((await on.fails('kill', { id: 'a' })).code).toBe('browser_not_running');
    await on.profile('delete', { id: 'a' });
    expect(readFileSync(join(launched.user_data_dir, 'Local State'), 'utf8')).toContain('{');
  }, 90_000);

  it('a call that runs is told when the browser is killed under it', async () => {
    const kit = await kitWith();
    const on = use(kit);
    await on.profile('create', { id: 'a', name: 'A' });
    await on.profile('launch', { id: 'a' });
    await kit.ok('navigate', { session: 'profile@a', url: `${kit.site.url}/tables.html` });
    const waiting = kit.call('wait', { session: 'profile@a', for: 'text', text: 'never', timeout: 60_000 });
    await vi.waitFor(() => expect(kit.server.list().find(({ name }) => name === 'profile@a')?.isBusy).toBe(true));
    await on.profile('kill', { id: 'a' });
    expect((await waiting).failure?.code).toBe('browser_not_running');
  }, 60_000);

  it('that does not answer is killed with all its processes, also when its profile is gone from the file', async () => {
    const kit = await kitWith();
    const on = use(kit);
    await on.profile('create', { id: 'a', name: 'A' });
    const { run } = await on.profile('launch', { id: 'a' });
    const pid = run?.pid ?? 0;
    const helpers = descendantsOf(pid);
    expect(helpers.length).toBeGreaterThan(1);
    process.kill(pid, 'SIGSTOP');
    rmSync(kit.server.options.profilesFile);
    expect(await on.list()).toEqual([]);
    expect(await kit.ok('profile', { action: 'kill', id: 'a' })).toMatch(/^Ended /);
    expect([pid, ...helpers].filter(runs)).toEqual([]);
    expect((await on.fails('kill', { id: 'a' })).code).toBe('no_profile');
  }, 60_000);

  it('S4-11: is told apart from another process that has got its id', async () => {
    const kit = await kitWith();
    const on = use(kit);
    await on.profile('create', { id: 'a', name: 'A' });
    const other = spawn('sleep', ['60']);
    ends.push(async () => void other.kill());
    const pid = other.pid ?? 0;
    const { options } = kit.server;
    const folder = join(options.stateDir, 'profiles', 'a');
    mkdirSync(folder, { recursive: true });
    const url = 'ws://127.0.0.1:9/devtools/browser/x';
    const record = { profile_id: 'a', folder, pid, launched_at: 1, headless: true, url };
    const told = new RunningBrowsers(join(options.stateDir, 'running'), options.profilesFile);
    await told.add({ ...record, began: 'another start' });
    expect((await on.list())[0]?.is_running).toBe(false);
    expect((await on.fails('kill', { id: 'a' })).code).toBe('browser_not_running');
    // The same process: then it would be the browser.
    await told.add({ ...record, began: (await startTimeOf(pid)) ?? '' });
    expect((await on.list())[0]).toMatchObject({ is_running: true, run: { pid, cdp_port: 9 } });
  });

  it('has no idle end, and does not count as a session of anybody; as many run as sessions may', async () => {
    const kit = await kitWith('--session-idle', '1000', '--max-sessions', '1', '--max-sessions-per-caller', '1');
    const on = use(kit);
    for (const id of ['a', 'b']) await on.profile('create', { id, name: id });
    await on.profile('launch', { id: 'a' });
    expect(await on.fails('launch', { id: 'b' })).toMatchObject({
      code: 'refused',
      text: expect.stringContaining('--max-sessions'),
    });
    await kit.ok('navigate', { session: 'profile@a', url: `${kit.site.url}/tables.html` });
    await kit.open('/signup.html');
    await vi.waitFor(() => expect(kit.server.list().map(({ name }) => name)).toEqual(['profile@a']), 20_000);
    expect(await kit.ok('title', { session: 'profile@a' })).toBe('Tables');
  }, 60_000);

  it.each([
    ['--allow-urls', '*.example.com'],
    ['--block-urls', '*.example.com'],
    ['--block-private', 'true'],
  ])('with %s it is not launched or used: it could not be held to the rule', async (flag, value) => {
    const kit = await kitWith(`${flag}=${value}`);
    const on = use(kit);
    await on.profile('create', { id: 'a', name: 'A' });
    for (const { code, text } of [
      await on.fails('launch', { id: 'a' }),
      await kit.fails('title', { session: 'profile@a' }),
    ])
      expect([code, text]).toEqual(['refused', expect.stringContaining(`rule "${flag}"`)]);
    expect(await kit.ok('session_list')).toBe('No sessions.');
  });

  it('that cannot be started is said in its own words, and nothing of it is left', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tabwright-test-'));
    ends.push(async () => rmSync(folder, { recursive: true, force: true }));
    const broken = join(folder, 'browser');
    writeFileSync(broken, '#!/bin/sh\necho "error: no such display" >&2\nexit 3\n', { mode: 0o755 });
    const on = use(await kitWith('--executable-path', broken));
    await on.profile('create', { id: 'a', name: 'A' });
    expect(await on.fails('launch', { id: 'a' })).toMatchObject({
      code: 'browser_missing',
      text: expect.stringContaining('did not start: error: no such display'),
    });
    expect((await on.list())[0]?.is_running).toBe(false);
  });
});
