// The built command, started twice on one state folder: three named sessions are logged in again, with their tabs.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { Process, temporaryFolder } from '../surfaces/process.ts';
import { type LoginSite, startLoginSite } from '../tools/login-site.ts';

const SESSIONS = ['one', 'two', 'three'];

let sites: LoginSite[];
beforeAll(async () => {
  sites = await Promise.all(SESSIONS.map(startLoginSite));
});
afterAll(() => Promise.all(sites.map(site => site.close())));

const siteOf = (session: string): LoginSite => sites[SESSIONS.indexOf(session)] as LoginSite;

async function started(folder: string): Promise<Process> {
  const child = new Process(['--timeout-action', '20000'], folder);
  onTestFinished(() => void child.kill('SIGKILL'));
  await child.initialize();
  return child;
}

async function call(child: Process, name: string, args: Record<string, unknown>): Promise<string> {
  const { result } = await child.request('tools/call', { name, arguments: args });
  const { content, isError } = result as { content: { text: string }[]; isError?: boolean };
  const text = content.map(part => part.text).join('\n');
  if (isError) throw new Error(`${name} ${JSON.stringify(args)}: ${text}`);
  return text;
}

async function logIn(child: Process, session: string): Promise<void> {
  const { url } = siteOf(session);
  await call(child, 'navigate', { session, url: `${url}/login` });
  await call(child, 'click', { session, selector: 'role:button' });
  expect(await call(child, 'title', { session })).toBe('Hello ada');
  await call(child, 'tab_new', { session, url: `${url}/about?${session}` });
}

/** What a server cannot do when it is killed, it has done before: a moment after the last call. */
const saved = (folder: string) =>
  vi.waitFor(
    () => {
      for (const session of SESSIONS) {
        const text = readFileSync(join(folder, 'sessions', `s-${session}.json`), 'utf8');
        expect(text).toContain(siteOf(session).secret);
        expect(text).toContain(`/about?${session}`);
        expect(text).toContain('["token",');
        // A save in the middle of tab_new has the new tab, but not yet as the active one.
        expect(text).toMatch(/"id":2,[^{}]*"active":true/);
      }
    },
    { timeout: 20_000 },
  );

/** All are kept, come back with their tabs and logins, and nothing of one has reached another. */
async function comesBack(child: Process): Promise<void> {
  const list = await call(child, 'session_list', {});
  for (const session of SESSIONS) expect(list).toContain(`${session} (yours, not open, kept): 2 tabs`);
  const answers = await Promise.all(SESSIONS.map(session => call(child, 'tab_list', { session })));
  SESSIONS.forEach((session, at) => {
    const { url } = siteOf(session);
    expect(answers[at]).toContain(`Session "${session}" came back: 2 tabs`);
    expect(answers[at]).toMatch(new RegExp(`^- 1: ${url}/(?: |$)`, 'm'));
    expect(answers[at]).toContain(`* 2: ${url}/about?${session}`);
  });
  for (const session of SESSIONS) {
    expect(await call(child, 'title', { session, tabId: 1 })).toBe('Hello ada');
    const cookies = await call(child, 'cookies', { session, action: 'get_all' });
    expect(cookies.match(/^login=/gm)).toHaveLength(1);
  }
}

test('S3-18: restart with three named sessions, ended by SIGKILL and by SIGTERM: all logged in again, tabs there', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const first = await started(folder.path);
  await Promise.all(SESSIONS.map(session => logIn(first, session)));
  await saved(folder.path);
  await first.kill('SIGKILL');
  const second = await started(folder.path);
  await comesBack(second);
  // Whatever was on disk before, the end writes it.
  rmSync(join(folder.path, 'sessions'), { recursive: true });
  expect((await second.kill('SIGTERM')).code).toBe(0);
  await comesBack(await started(folder.path));
}, 120_000);
