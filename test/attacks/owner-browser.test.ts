// Browsers with tabs and logins of their own: another caller tries to get at those of the owner by being first.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { page, person } from '../engine/attach/person.ts';
import { type Kit, startKit } from '../kit.ts';

const MAIL = 'Mail of the owner';

it('15.7 an attached browser shows its tabs to the owner only', async () => {
  const owner = await person();
  const kit = await startKit('--cdp-endpoint', owner.browser.endpoint);
  try {
    await owner.open(page(MAIL), MAIL);
    const first = await kit.call('tab_list', {}, { caller: 'guest' });
    expect(first.text).not.toContain(MAIL);
    expect(first.text).toContain(
      "The tabs and logins of this browser are its owner's: this session is apart from them.",
    );
    expect(await kit.ok('tab_list')).toContain(MAIL);
    expect((await kit.call('tab_list', {}, { caller: 'guest' })).text).not.toContain(MAIL);
  } finally {
    await kit.close();
    await owner.end();
  }
});

it('15.7 the profile of --user-data-dir goes to the owner only, whoever is first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabwright-test-profile-'));
  const site = await startKit();
  const url = `${site.site.url}/signup.html`;
  const cookies = async (kit: Kit, caller: string) => {
    await kit.call('navigate', { url }, { caller });
    return (await kit.call('cookies', { action: 'get_all' }, { caller })).text;
  };
  const start = () => startKit('--user-data-dir', folder);
  try {
    const before = await start();
    await before.ok('navigate', { url });
    await before.ok('cookies', { action: 'set', name: 'login', value: 'owner', expires: 4_000_000_000 });
    await before.close();
    const after = await start();
    expect(await cookies(after, 'guest')).not.toContain('login');
    expect(await cookies(after, 'local')).toContain('login');
    await after.close();
  } finally {
    await site.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
