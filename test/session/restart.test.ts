// The built command, started twice on one state folder: three named sessions are logged in again, with their tabs.
import { readFileSync } from 'node:fs';
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

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'S3-18: restart with three named sessions, ended by %s: all logged in again, tabs there',
  async signal => {
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    const first = await started(folder.path);
    await Promise.all(SESSIONS.map(session => logIn(first, session)));
    if (signal === 'SIGKILL')
      // What a server cannot do when it is killed, it has done before: a moment after the last call.
      await vi.waitFor(
        () => {
          for (const session of SESSIONS) {
            const text = readFileSync(join(folder.path, 'sessions', `s-${session}.json`), 'utf8');
            expect(text).toContain(siteOf(session).secret);
            expect(text).toContain(`/about?${session}`);
            expect(text).toContain('["token",');
            // A save in the middle of tab_new has the new tab, but not yet as the active one.
            expect(text).toMatch(/"id":2,[^{}]*"active":true/);
          }
        },
        { timeout: 20_000 },
      );
    first.signal(signal);
    const { code } = await first.ended;
    if (signal === 'SIGTERM') expect(code).toBe(0);

    const second = await started(folder.path);
    const list = await call(second, 'session_list', {});
    for (const session of SESSIONS) expect(list).toContain(`${session} (yours, not open, kept): 2 tabs`);
    const answers = await Promise.all(SESSIONS.map(session => call(second, 'tab_list', { session })));
    SESSIONS.forEach((session, at) => {
      const { url } = siteOf(session);
      expect(answers[at]).toContain(`Session "${session}" came back: 2 tabs`);
      expect(answers[at]).toMatch(new RegExp(`^- 1: ${url}/(?: |$)`, 'm'));
      expect(answers[at]).toContain(`* 2: ${url}/about?${session}`);
    });
    for (const session of SESSIONS) {
      expect(await call(second, 'title', { session, tabId: 1 })).toBe('Hello ada');
      // Nothing of one session reached another.
      const cookies = await call(second, 'cookies', { session, action: 'get_all' });
      expect(cookies.match(/^login=/gm)).toHaveLength(1);
    }
  },
  120_000,
);
