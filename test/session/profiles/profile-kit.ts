// A server whose profiles are used through the front door, and whose browsers end with the test.
import { join } from 'node:path';
import type { ProfileInfo } from '../../../src/session/profiles/profiles.ts';
import { type Kit, startKit } from '../../kit.ts';
import { endAll } from './browsers.ts';

export const ends: (() => Promise<void>)[] = [];
/** Ends all that the tests of a file have started. */
export const end = async () => {
  for (const one of ends.splice(0).reverse()) await one();
};

/** A server of its own, whose browsers end with the test. */
export async function kitWith(...flags: string[]): Promise<Kit> {
  const kit = await startKit(...flags);
  ends.push(async () => {
    await kit.server.close();
    await endAll(join(kit.folder, 'state'));
    await kit.close();
  });
  return kit;
}

export const rowIn = (data: unknown): ProfileInfo => (data as { profile: ProfileInfo }).profile;

/** The calls of a caller. */
export const use = (kit: Kit) => ({
  async profile(action: string, args: Record<string, unknown> = {}): Promise<ProfileInfo> {
    const { ok, text, data } = await kit.call('profile', { action, ...args });
    if (!ok) throw new Error(text);
    return rowIn(data);
  },
  fails: (action: string, args: Record<string, unknown> = {}) => kit.fails('profile', { action, ...args }),
  async list(): Promise<ProfileInfo[]> {
    return ((await kit.call('profile_list')).data as { profiles: ProfileInfo[] }).profiles;
  },
});
