// profile_list and profile through the front door: what is kept of a profile, and what is refused and why.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/call/call.ts';
import { TOOLS } from '../../src/tools/index.ts';
import type { Kit } from '../kit.ts';
import { end, kitWith, use } from '../session/profiles/profile-kit.ts';

describe('what is kept', () => {
  let kit: Kit;
  let data: string;
  let on: ReturnType<typeof use>;
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'tabwright-test-'));
    kit = await kitWith('--profile-dirs', data);
    on = use(kit);
  });
  afterAll(async () => {
    await end();
    rmSync(data, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const { id } of await on.list()) await on.profile('delete', { id });
  });

  it('S4-30 S4-31 S4-32: create makes an id and a folder, get and list show all of it', async () => {
    expect(await kit.ok('profile_list')).toBe('No profiles.');
    const made = await on.profile('create', { name: 'Work' });
    expect(made.id).toMatch(/^[0-9a-f]{8}-/);
    expect(made).toEqual({
      id: made.id,
      name: 'Work',
      description: '',
      user_data_dir: join(kit.folder, 'state', 'profiles', made.id),
      lang: 'en-US',
      tags: [],
      custom_args: [],
      is_running: false,
      session: `profile@${made.id}`,
    });
    const full = {
      id: 'full',
      name: 'All of it',
      description: 'two\nlines',
      user_data_dir: join(data, 'full'),
      proxy_server: 'socks5://127.0.0.1:1080',
      lang: 'de-DE',
      timezone: 'Europe/Berlin',
      headless: true,
      fingerprint: '10000',
      color: '#ff0000',
      tags: ['work', 'eu'],
      custom_args: ['--mute-audio', '--proxy-bypass-list=<-loopback>', '--disable-features=Translate'],
    };
    const more = { is_running: false, session: 'profile@full' };
    expect(await on.profile('create', full)).toEqual({ ...full, ...more });
    expect(await on.profile('get', { id: 'full' })).toEqual({ ...full, ...more });
    expect(await on.list()).toEqual([made, { ...full, ...more }]);
    await kit.restart();
    expect(await on.list()).toEqual([made, { ...full, ...more }]);
    expect(await kit.ok('profile_list')).toContain(
      'full "All of it": stopped; de-DE, Europe/Berlin, through socks5://127.0.0.1:1080, tags work, eu',
    );
  });

  it('S4-33: update changes what is given, and takes away what is given as nothing', async () => {
    await on.profile('create', { id: 'a', name: 'A', proxy_server: 'host:3128', timezone: 'UTC', tags: ['x'] });
    const changed = await on.profile('update', { id: 'a', name: 'B', description: 'd', timezone: '', lang: 'fr' });
    expect(changed).toMatchObject({ name: 'B', description: 'd', lang: 'fr', proxy_server: 'host:3128', tags: ['x'] });
    expect(changed).not.toHaveProperty('timezone');
    const all = { description: '', lang: '', proxy_server: '', fingerprint: '', tags: [], custom_args: [] };
    const bare = await on.profile('update', { id: 'a', name: 'A', ...all });
    expect(bare).toMatchObject({ description: '', lang: 'en-US', tags: [] });
    expect(bare).not.toHaveProperty('proxy_server');
    expect(await on.profile('get', { id: 'a' })).toEqual(bare);
    expect(await on.profile('update', { id: 'a', user_data_dir: join(data, 'moved') })).toMatchObject({
      user_data_dir: join(data, 'moved'),
    });
  });

  it('S4-34: what is not there is said, also where another id differs only in its capitals', async () => {
    await on.profile('create', { id: 'Work', name: 'Work' });
    for (const action of ['get', 'update', 'delete', 'launch', 'kill'])
      expect(await on.fails(action, { id: 'work' })).toEqual({
        code: 'no_profile',
        text: 'There is no profile "work".\nSee profile_list.',
      });
    expect((await kit.fails('title', { session: 'profile@../x' })).code).toBe('no_profile');
    const deleted = await on.profile('delete', { id: 'Work' });
    expect(deleted).toMatchObject({ id: 'Work', is_running: false });
    expect(await on.list()).toEqual([]);
  });

  it('S4-32: an id or a folder that another one has is not given twice', async () => {
    await on.profile('create', { id: 'a', name: 'A', user_data_dir: join(data, 'a') });
    expect(await on.fails('create', { id: 'A', name: 'again' })).toMatchObject({ code: 'profile_taken' });
    mkdirSync(join(data, 'a'), { recursive: true });
    symlinkSync(join(data, 'a'), join(data, 'link'));
    for (const folder of ['a', 'link', 'x/../a']) {
      const { code, text } = await on.fails('create', { name: 'B', user_data_dir: `${data}/${folder}` });
      expect(code).toBe('profile_taken');
      expect(text).toContain('in use by profile a');
    }
    await on.profile('create', { id: 'b', name: 'B' });
    expect((await on.fails('update', { id: 'b', user_data_dir: join(data, 'a') })).code).toBe('profile_taken');
  });

  it('an argument that cannot be right is said with what is expected', async () => {
    await on.profile('create', { id: 'a', name: 'A' });
    const wrong: Record<string, unknown>[] = [
      { name: ' ' },
      { name: 'two\nlines' },
      { lang: 'not a tag' },
      { timezone: 'Mars/Base' },
      { timezone: '+01:00' },
      { proxy_server: 'http://user:secret@host:1' },
      { proxy_server: 'ftp://host' },
      { proxy_server: 'http=a:1;https=b:2' },
      { proxy_server: 'http://host:1/path' },
      { fingerprint: '--x y' },
      { tags: Array.from({ length: 51 }, String) },
      { custom_args: ['file:///etc/passwd'] },
      { custom_args: ['-no-sandbox'] },
      { custom_args: ['--'] },
      { custom_args: ['--Mute-audio'] },
      { user_data_dir: 'relative/folder' },
    ];
    for (const args of wrong)
      for (const [action, more] of [
        ['create', { name: 'B' }],
        ['update', { id: 'a' }],
      ] as const) {
        const { code, text } = await on.fails(action, { ...more, ...args });
        expect([code, text], JSON.stringify(args)).toEqual([
          'bad_input',
          expect.stringContaining(Object.keys(args)[0] === 'custom_args' ? '--name' : 'expected'),
        ]);
      }
    for (const id of ['..', 'a/b', '.x', 'x'.repeat(65)])
      expect((await on.fails('create', { name: 'B', id })).code, id).toBe('bad_input');
    expect((await on.fails('create')).text).toContain('profile create needs name');
    expect((await on.fails('launch')).text).toContain('profile launch needs id');
    expect(await on.list()).toHaveLength(1);
    // What was wrong may have been a secret.
    expect(readFileSync(kit.server.options.journalFile, 'utf8')).not.toContain('secret');
  });

  it('S4-07: a person writes profiles by hand: folders from home or beside the file, and any switch', async () => {
    const mine = await kitWith('--profile-dirs', data, '--profiles-file', join(data, 'config.toml'));
    const row = (id: string, folder: string) =>
      `[[profiles]]\nid = "${id}"\nname = "${id}"\nuser_data_dir = "${folder}"\n`;
    const text = `api_port = 38472\n${row('a', '~/chrome/a')}custom_args = ["--no-sandbox"]\n${row('b', 'beside')}`;
    writeFileSync(join(data, 'config.toml'), text, { mode: 0o600 });
    const by = use(mine);
    expect((await by.list()).map(({ user_data_dir }) => user_data_dir)).toEqual([
      join(homedir(), 'chrome', 'a'),
      join(data, 'beside'),
    ]);
    await by.profile('update', { id: 'a', name: 'New' });
    const after = readFileSync(join(data, 'config.toml'), 'utf8');
    for (const kept of ['api_port = 38472', '"~/chrome/a"', '"--no-sandbox"', '"New"']) expect(after).toContain(kept);
    expect((await by.fails('update', { id: 'a', user_data_dir: join(data, 'beside') })).text).toContain('profile b');
  });

  it('a folder that belongs to something else is refused', async () => {
    writeFileSync(join(data, 'a file'), '');
    mkdirSync(join(data, 'full of files'));
    writeFileSync(join(data, 'full of files', 'letter.txt'), '');
    symlinkSync('/etc', join(data, 'way out'));
    const tried: [string, string][] = [
      ['/etc/tabwright-profile', 'refused'],
      [join(data, 'way out', 'profile'), 'refused'],
      [join(data, '..', 'elsewhere'), 'refused'],
      [join(data, 'a file'), 'file_error'],
      [join(data, 'full of files'), 'profile_taken'],
      [data, 'profile_taken'],
    ];
    for (const [user_data_dir, code] of tried)
      expect((await on.fails('create', { name: 'B', user_data_dir })).code, user_data_dir).toBe(code);
  });

  it('callers cannot give a switch that starts programs or lifts a protection', async () => {
    for (const arg of [
      '--no-sandbox',
      '--renderer-cmd-prefix=x',
      '--remote-debugging-address=0.0.0.0',
      '--load-extension=/x',
    ])
      expect(await on.fails('create', { name: 'B', custom_args: [arg] })).toMatchObject({
        code: 'refused',
        text: expect.stringContaining('switches of profiles'),
      });
  });

  it('is dangerous: a token may be kept from it, and still list', async () => {
    const caller = { id: 'reader', may: { effects: ['read', 'write'] as const } };
    const as = (name: string, args: Record<string, unknown>) =>
      run({ server: kit.server, tools: TOOLS }, { name, args, caller });
    expect((await as('profile', { action: 'create', name: 'X' })).failure?.code).toBe('refused');
    expect((await as('profile_list', {})).ok).toBe(true);
  });
});
