// `tabwright attach`: a browser that somebody runs is found, used by the commands that follow, and still there afterwards.
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { otherBrowser } from '../../other-browser.ts';
import { page, Shell } from './shell.ts';

const shell = new Shell();
afterAll(() => shell.end());

it.skipIf(process.platform !== 'linux')('finds the browser of the user by its data folder', async () => {
  const config = join(shell.folder.path, 'config');
  const env = { XDG_CONFIG_HOME: config, HOME: shell.folder.path };
  const none = await shell.run(['attach'], { env });
  expect(none).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^tabwright: No running browser allows debugging\. .*chrome:\/\/inspect.*\n$/),
  });
  const browser = await otherBrowser(`--user-data-dir=${join(config, 'chromium')}`);
  try {
    await shell.out('open', page('<title>Own</title>'));
    const { code, stdout, stderr } = await shell.run(['attach'], { env });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'tabwright: the background server that ran was ended; its pages are closed.\n',
    });
    expect(stdout).toMatch(/^Attached to the browser at 127\.0\.0\.1:\d+\. .*tabwright stop\n[\s\S]*about:blank/);
    await shell.out('open', page('<title>Theirs</title>'));
    expect(await shell.out('tab_list')).toContain('Theirs');
    expect(await shell.out('stop')).toContain('has ended');
    const tabs = (await (await fetch(new URL('/json', browser.endpoint))).json()) as { title: string }[];
    expect(tabs.map(({ title }) => title)).toContain('Theirs');
  } finally {
    await browser.end();
  }
});

it('of a port where nobody answers fails, and leaves no server', async () => {
  const { code, stderr } = await shell.run(['attach', '1']);
  expect(code).toBe(1);
  expect(stderr).toContain('Could not attach to the browser at http://127.0.0.1:1');
  expect(shell.pid()).toBeUndefined();
});
