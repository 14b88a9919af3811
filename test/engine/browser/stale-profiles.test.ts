// Profile folders of browsers that were killed: removed when their process is gone, and only then.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeStaleProfiles } from '../../../src/engine/browser/stale-profiles.ts';

const GONE = 4_194_304; // above the highest process id of Linux

it('removes only profiles whose process on this machine is gone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabwright-test-'));
  const profiles = {
    'tabwright-chrome-gone': `${hostname()}-${GONE}`,
    'tabwright-chrome-alive': `${hostname()}-${process.pid}`,
    'tabwright-chrome-elsewhere': `other-${hostname()}-${GONE}`,
    'tabwright-chrome-starting': undefined,
    'another-program': `${hostname()}-${GONE}`,
  };
  for (const [name, holder] of Object.entries(profiles)) {
    mkdirSync(join(folder, name));
    if (holder) symlinkSync(holder, join(folder, name, 'SingletonLock'));
  }
  expect(await removeStaleProfiles(folder)).toEqual(['tabwright-chrome-gone']);
  expect(readdirSync(folder).sort()).toEqual(
    ['another-program', 'tabwright-chrome-alive', 'tabwright-chrome-elsewhere', 'tabwright-chrome-starting'].sort(),
  );
  rmSync(folder, { recursive: true });
});
