// Tabs with files of this machine, in browsers that others can open tabs in: a caller tries to read them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { CdpConnection } from '../../src/cdp/connection.ts';
import { openSocket } from '../../src/engine/browser/attach/socket.ts';
import { type Person, person } from '../engine/attach/person.ts';
import { type Kit, startKit } from '../kit.ts';
import { endAll } from '../session/profiles/browsers.ts';
import { temporaryFolder } from '../surfaces/process.ts';

const SECRET = 'Secret of the owner';
const folder = temporaryFolder();
const file = join(folder.path, 'secret.html');
writeFileSync(file, `<title>${SECRET}</title>${SECRET}`);
const url = pathToFileURL(file).href;

let owner: Person;
beforeAll(async () => {
  owner = await person();
}, 60_000);
afterAll(async () => {
  await owner.end();
  folder.remove();
});

it('15.2 a file that a person has open in an attached browser is neither listed nor read', async () => {
  await owner.open(url, SECRET);
  const kit = await startKit('--cdp-endpoint', owner.browser.endpoint);
  expect(await kit.ok('tab_list')).not.toContain('secret.html');
  // The tab in use goes to the file.
  await kit.ok('tab_new', { url: `${kit.site.url}/signup.html` });
  await kit.ok('snapshot');
  const { id = '' } = (await owner.pages()).find(row => row.url.endsWith('/signup.html')) ?? {};
  await (await owner.line.attach(id)).send('Page.navigate', { url });
  await vi.waitFor(async () => expect((await owner.pages()).filter(row => row.title === SECRET)).toHaveLength(2));
  for (const [tool, args] of [
    ['snapshot', {}],
    ['evaluate', { expression: 'document.body.innerText' }],
    ['screenshot', {}],
  ] as const)
    expect(await kit.fails(tool, args), tool).toMatchObject({
      code: 'refused',
      text: expect.stringContaining('rule "no file:"'),
    });
  expect(await kit.ok('tab_list')).not.toContain('secret.html');
  await kit.close();
}, 60_000);

it('15.2 a file that another program of the owner opens in the browser of a profile is neither listed nor read; others are not told its port', async () => {
  const kit: Kit = await startKit();
  const session = 'profile@work';
  await kit.ok('profile', { action: 'create', id: 'work', name: 'Work' });
  await kit.ok('profile', { action: 'launch', id: 'work' });
  const { cdp_port: port, cdp_url = '' } = (await kit.server.profiles.running())[0] ?? {};
  await kit.ok('tab_list', { session });
  const line = new CdpConnection(await openSocket(cdp_url, AbortSignal.timeout(10_000)));
  await line.root.send('Target.createTarget', { url });
  line.close();
  expect(await kit.ok('tab_list', { session })).not.toContain('secret.html');
  for (const tabId of [2, 3]) expect((await kit.call('snapshot', { session, tabId })).text).not.toContain(SECRET);
  const asGuest = await kit.call('profile_list', {}, { caller: 'guest' });
  expect(asGuest.text + JSON.stringify(asGuest.data)).not.toContain(String(port));
  expect((await kit.call('profile', { action: 'launch', id: 'work' }, { caller: 'guest' })).text).not.toContain(
    String(port),
  );
  expect(JSON.stringify((await kit.call('profile_list')).data)).toContain(`"cdp_port":${port}`);
  await kit.server.close();
  await endAll(join(kit.folder, 'state'));
  await kit.close();
}, 60_000);
