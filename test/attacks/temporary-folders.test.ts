// Folders that another user of the machine puts where Tabwright cleans up.
import { chownSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROFILE_PREFIX } from '../../src/engine/browser/chrome-process.ts';
import { removeStaleProfiles } from '../../src/engine/browser/stale-profiles.ts';
import { temporaryFolder } from '../surfaces/process.ts';

const NO_PROCESS = 4_194_300;

it('15.18 what a link leads to is not removed', async () => {
  const folder = temporaryFolder();
  const [kept = '', link = ''] = ['kept', `${PROFILE_PREFIX}link`].map(name => join(folder.path, name));
  mkdirSync(kept);
  symlinkSync(`${hostname()}-${NO_PROCESS}`, join(kept, 'SingletonLock'));
  symlinkSync(kept, link);
  expect(await removeStaleProfiles(folder.path)).toEqual([]);
  expect([kept, link].map(existsSync)).toEqual([true, true]);
  folder.remove();
});

// Only root can make a folder that belongs to somebody else.
it.runIf(process.getuid?.() === 0)('15.18 a folder of another user is not removed', async () => {
  const folder = temporaryFolder();
  const [own = '', foreign = ''] = ['own', 'foreign'].map(name => join(folder.path, `${PROFILE_PREFIX}${name}`));
  for (const profile of [own, foreign]) {
    mkdirSync(profile);
    symlinkSync(`${hostname()}-${NO_PROCESS}`, join(profile, 'SingletonLock'));
  }
  chownSync(foreign, 65_534, 65_534);
  expect(await removeStaleProfiles(folder.path)).toEqual([`${PROFILE_PREFIX}own`]);
  expect([own, foreign].map(existsSync)).toEqual([false, true]);
  folder.remove();
});
