// The file of profiles: both forms, what others keep in it, others who change it, and what cannot be read.
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import type { Profile } from '../../../src/session/profiles/profile.ts';
import { ProfileStore } from '../../../src/session/profiles/store.ts';
import { folder } from '../../call/stand-in.ts';

const profile = (id: string, more: Partial<Profile> = {}): Profile => ({
  id,
  name: `Name of ${id}`,
  description: '',
  user_data_dir: `/data/${id}`,
  lang: 'en-US',
  tags: [],
  custom_args: [],
  ...more,
});

const put = (store: ProfileStore, ...profiles: Profile[]) => store.change(all => void all.push(...profiles));

/** The example of the seed, with what a person adds to such a file. */
const SEED = `# mine
api_port = 38472   # 0 = disabled

[settings]
minimize_to_tray = true # keep

[[profiles]]
id = "uuid-1234"
name = "US Profile"
user_data_dir = "/home/user/chrome/us"
proxy_server = "http://proxy:8080"
lang = "en-US"
timezone = "America/Los_Angeles"
headless = false
tags = ["work"]

[profiles.notes]
colour = "of another program"

[mcp]
enabled = true # this too
`;

describe.each(['profiles.json', 'config.toml'])('%s', name => {
  it('gives back what was written, to every server, for the user alone', async () => {
    const file = join(await folder(), 'new', name);
    const one = new ProfileStore(file);
    expect(await one.all()).toEqual([]);
    const full = profile('b', {
      description: 'two\nlines "quoted"',
      proxy_server: 'socks5://host:1080',
      timezone: 'Asia/Tokyo',
      headless: true,
      fingerprint: '12',
      color: '#ff0000',
      tags: ['x', 'ä'],
      custom_args: ['--mute-audio'],
    });
    await put(one, profile('a'), full);
    expect(await new ProfileStore(file).all()).toEqual([profile('a'), full]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(file, '..'))).toEqual([name]);
  });

  it('is read again when another server has changed it', async () => {
    const file = join(await folder(), name);
    const [one, other] = [new ProfileStore(file), new ProfileStore(file)];
    await put(one, profile('a'));
    expect(await other.all()).toHaveLength(1);
    await put(other, profile('b'));
    expect((await one.all()).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('loses no change of servers that write at once', async () => {
    const file = join(await folder(), name);
    const stores = [new ProfileStore(file), new ProfileStore(file), new ProfileStore(file)];
    const ids = Array.from({ length: 24 }, (_, at) => `p${at}`);
    await Promise.all(ids.map((id, at) => put(stores[at % 3] as ProfileStore, profile(id))));
    expect((await new ProfileStore(file).all()).map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  it('is not changed by a change that fails', async () => {
    const file = join(await folder(), name);
    const store = new ProfileStore(file);
    await put(store, profile('a'));
    const before = await readFile(file, 'utf8');
    const failing = store.change(all => {
      all.pop();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(await store.all()).toHaveLength(1);
  });
});

describe('config.toml', () => {
  it('S4-07: profiles of the seed are read, and all else in the file stays, with its comments', async () => {
    const file = join(await folder(), 'config.toml');
    await writeFile(file, SEED, { mode: 0o600 });
    const store = new ProfileStore(file);
    const [us] = await store.all();
    expect(us).toMatchObject({
      id: 'uuid-1234',
      name: 'US Profile',
      user_data_dir: '/home/user/chrome/us',
      proxy_server: 'http://proxy:8080',
      lang: 'en-US',
      timezone: 'America/Los_Angeles',
      headless: false,
      tags: ['work'],
      description: '',
      custom_args: [],
    });
    await put(store, profile('second'));
    const text = await readFile(file, 'utf8');
    for (const kept of ['# mine', '# 0 = disabled', '# keep', '# this too']) expect(text).toContain(kept);
    expect(parse(text)).toMatchObject({
      api_port: 38472,
      settings: { minimize_to_tray: true },
      mcp: { enabled: true },
    });
    expect(parse(text).profiles).toMatchObject([{ notes: { colour: 'of another program' } }, { id: 'second' }]);
  });

  it('written in another way loses comments, but no value', async () => {
    const file = join(await folder(), 'config.toml');
    const text = `# gone\nsince = 1979-05-27T07:32:00Z\nprofiles = [{ id = "a", name = "A", user_data_dir = "/a", more = 1 }]\n[s]\nx = """\n[[profiles]]\n"""\n`;
    await writeFile(file, text, { mode: 0o600 });
    const store = new ProfileStore(file);
    await put(store, profile('b'));
    const keys = parse(await readFile(file, 'utf8'));
    expect(keys).toMatchObject({ s: { x: '[[profiles]]\n' }, profiles: [{ id: 'a', more: 1 }, { id: 'b' }] });
    expect(String(keys.since)).toContain('1979');
  });

  it('reached through a link is changed where it is', async () => {
    const home = await folder();
    await mkdir(join(home, 'dotfiles'));
    await writeFile(join(home, 'dotfiles', 'config.toml'), SEED, { mode: 0o600 });
    await symlink(join(home, 'dotfiles', 'config.toml'), join(home, 'config.toml'));
    await put(new ProfileStore(join(home, 'config.toml')), profile('b'));
    expect((await lstat(join(home, 'config.toml'))).isSymbolicLink()).toBe(true);
    expect(await readFile(join(home, 'dotfiles', 'config.toml'), 'utf8')).toContain('Name of b');
  });
});

describe('a file that is not as it should be', () => {
  it.each([
    ['profiles.json', '{"profiles": [', 'JSON'],
    ['profiles.json', '{"profiles": {}}', 'profiles is no list'],
    ['profiles.json', '{"profiles": [{"id": "a"}]}', 'profile 1: name is not as expected'],
    ['profiles.json', '{"profiles": [{"id": "../a", "name": "A", "user_data_dir": "/a"}]}', 'profile 1: id'],
    ['config.toml', 'profiles = [', 'TOML'],
    ['config.toml', '[[profiles]]\nid="a"\nname="A"\nuser_data_dir="/a"\n'.repeat(2), 'the id a stands twice'],
    ['config.toml', '[[profiles]]\nid="a"\nname=7\nuser_data_dir="/a"\n', 'profile 1: name is not as expected'],
  ])('%s %s: says so, and stays as it is', async (name, text, why) => {
    const file = join(await folder(), name);
    await writeFile(file, text, { mode: 0o600 });
    const store = new ProfileStore(file);
    await expect(store.all()).rejects.toMatchObject({ code: 'file_error', message: expect.stringContaining(why) });
    await expect(put(store, profile('b'))).rejects.toThrow(why);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('others may not be able to write it: it says what runs here', async () => {
    const file = join(await folder(), 'config.toml');
    await writeFile(file, SEED);
    await chmod(file, 0o664);
    await expect(new ProfileStore(file).all()).rejects.toMatchObject({
      code: 'file_error',
      message: 'The file of profiles config.toml cannot be trusted: others can write it.',
    });
    await chmod(file, 0o644);
    expect(await new ProfileStore(file).all()).toHaveLength(1);
  });

  it('a folder that cannot be written is told', async () => {
    const home = await folder();
    await writeFile(join(home, 'file'), '');
    await expect(put(new ProfileStore(join(home, 'file', 'profiles.json')), profile('a'))).rejects.toMatchObject({
      code: 'file_error',
    });
  });
});

describe('what processes that were killed left', () => {
  it('a lock of one that is gone, or of another with its id, holds nobody up', async () => {
    const file = join(await folder(), 'profiles.json');
    const store = new ProfileStore(file);
    for (const holder of ['999999999 aa 1/1', `${process.pid} aa another/boot`, 'rubbish', '']) {
      await writeFile(`${file}.lock`, holder);
      await put(store, profile(`p${Math.random()}`.replace('.', '')));
    }
    expect(await store.all()).toHaveLength(4);
    expect(await readdir(join(file, '..'))).toEqual(['profiles.json']);
  });

  it('drafts go in time, those of now stay', async () => {
    const home = await folder();
    const file = join(home, 'profiles.json');
    const [old, young] = ['profiles.json.aabbccdd.part', 'profiles.json.11223344.part'];
    for (const name of [old, young, 'profiles.json.lock.00aa11bb22cc']) await writeFile(join(home, name), '');
    const hour = Date.now() / 1_000 - 3_600;
    for (const name of [old, 'profiles.json.lock.00aa11bb22cc']) await utimes(join(home, name), hour, hour);
    await put(new ProfileStore(file), profile('a'));
    expect((await readdir(home)).sort()).toEqual([young, 'profiles.json'].sort());
  });
});
