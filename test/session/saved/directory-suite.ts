// What every directory of kept sessions must do, however it keeps them.
import { describe, expect, it } from 'vitest';
import type { SavedSession, SessionDirectory } from '../../../src/session/saved/directory.ts';

/** A session as it may be kept. */
export const kept = (name: string, more: Partial<SavedSession> = {}): SavedSession => ({
  name,
  owner: 'ann',
  shared: false,
  createdAt: 1_000,
  lastActivity: 2_000,
  ...more,
  state: {
    at: 3_000,
    cookies: [
      {
        name: 'sid',
        value: 'made-up',
        domain: '.example.com',
        path: '/',
        expires: -1,
        httpOnly: true,
        secure: true,
        sameSite: 'Lax',
        partitionKey: 'https://top.example',
      },
    ],
    origins: [{ origin: 'https://example.com', local: [['token', '“x”\u2028']], databases: [] }],
    tabs: [{ id: 3, url: 'https://example.com/', title: 'Example', active: true, session: [['step', '2']] }],
    ...more.state,
  },
});

/** `make` gives one more user of the same directory each time; the first has an empty one. */
export function directorySuite(name: string, make: () => Promise<() => SessionDirectory>): void {
  describe(`${name}: a directory of kept sessions`, () => {
    it('S3-18: gives back what was written, to every server that uses it', async () => {
      const open = await make();
      const one = open();
      expect(await one.list()).toEqual([]);
      expect(await one.read('work')).toBeUndefined();
      await one.write(kept('work'));
      const other = open();
      expect(await other.read('work')).toEqual(kept('work'));
      expect(await other.list()).toEqual([
        {
          name: 'work',
          owner: 'ann',
          shared: false,
          createdAt: 1_000,
          lastActivity: 2_000,
          tabs: [{ id: 3, url: 'https://example.com/', title: 'Example', active: true }],
        },
      ]);
    });

    it('takes the place of what was written before, and shows that to the others', async () => {
      const open = await make();
      const [one, other] = [open(), open()];
      await one.write(kept('work'));
      await other.list();
      await one.write(kept('work', { shared: true, lastActivity: 9_000 }));
      expect((await other.read('work'))?.shared).toBe(true);
      expect((await other.list()).map(({ lastActivity }) => lastActivity)).toEqual([9_000]);
    });

    it('keeps names apart that look alike', async () => {
      const one = (await make())();
      const names = ['work', 'Work', 'WORK', 'a.b', 'a_b', '..', '.', 'con', 'x'.repeat(64)];
      for (const name of names) await one.write(kept(name, { owner: name }));
      for (const name of names) expect((await one.read(name))?.owner).toBe(name);
      expect((await one.list()).length).toBe(names.length);
    });

    it('forgets, and says whether there was something', async () => {
      const one = (await make())();
      await one.write(kept('work'));
      expect(await one.remove('work')).toBe(true);
      expect(await one.remove('work')).toBe(false);
      expect(await one.read('work')).toBeUndefined();
      expect(await one.list()).toEqual([]);
    });

    it('two servers that write at once: always one whole state or the other', async () => {
      const open = await make();
      const servers = [open(), open()];
      const long = 'x'.repeat(200_000);
      const states = servers.map((_, at) => kept('work', { owner: `${at}${long}` }));
      const writes = Array.from({ length: 20 }, (_, at) => servers[at % 2]?.write(states[at % 2] as SavedSession));
      const reads = Array.from({ length: 20 }, () => open().read('work'));
      await Promise.all(writes);
      for (const seen of [...(await Promise.all(reads)), await open().read('work')])
        if (seen) expect(states).toContainEqual(seen);
    });
  });
}
