// `tabwright serve --welcome`: what it prints, and that it serves on when the page could not be driven.
import { readFileSync } from 'node:fs';
import { afterAll, expect, it, vi } from 'vitest';
import { isTabwright } from '../../../src/surfaces/client/running-servers.ts';
import { BODIES, fake } from '../../engine/browser/fakes.ts';
import { BUNDLE, temporaryFolder } from '../process.ts';
import { startCommand } from './command.ts';

const folder = temporaryFolder();
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  await Promise.all(ends.map(end => end()));
  folder.remove();
});

/** All that it printed until the last line of the welcome. */
async function serve(...flags: string[]): Promise<{ text: string; end(): Promise<number | null> }> {
  const { child, printed } = startCommand(folder.path, ['serve', '--welcome', '--port', '0', ...flags]);
  let text = '';
  child.stdout?.on('data', part => {
    text += part;
  });
  const end = async () => {
    child.kill('SIGTERM');
    return (await printed).code;
  };
  ends.push(end);
  await vi.waitUntil(() => text.includes('Settings for each client'), { timeout: 25_000 });
  return { text, end };
}

const urlIn = (text: string): string => /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(text)?.[0] ?? '';

it('shows the page that it drove, and ready settings for both ways in', async () => {
  const { text, end } = await serve();
  expect(text).toMatch(/Drove the built-in page in \d+ ms:/);
  expect(text).toContain('- textbox "Your name" [ref=@e2] [value="Ada"]');
  expect(text).toContain('- status: "Hello, Ada!"');
  expect(text).toMatch(/navigate \d+ ms, snapshot \d+ ms, fill \d+ ms, click \d+ ms/);
  const [http, stdio] = text.match(/\{"mcpServers".*/g)?.map(line => JSON.parse(line).mcpServers.tabwright) ?? [];
  expect(http).toMatchObject({ url: urlIn(text), headers: { Authorization: 'Bearer <token>' } });
  expect(stdio.args).toContain(BUNDLE);
  const [, tokenFile = ''] = /The token stands in (.*)/.exec(text) ?? [];
  expect(text).not.toContain(readFileSync(tokenFile, 'utf8').trim());
  expect(await end()).toBe(0);
});

it('says what failed, and serves on', async () => {
  const broken = fake(folder.path, 'broken', BODIES.failing);
  const { text, end } = await serve('--executable-path', broken, '--no-auth');
  expect(text).toMatch(/The built-in page could not be driven: navigate: The browser at .*broken did not start/);
  expect(text).toContain('npx tabwright doctor');
  expect(text).not.toContain('token stands');
  expect(await isTabwright(new URL('/health', urlIn(text)))).toBe(true);
  expect(await end()).toBe(0);
});
