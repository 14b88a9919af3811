// `tabwright serve`, as built: real clients of every era at once, its start, what stops it, and its end.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRunning } from '../../../src/surfaces/client/running-servers.ts';
import { isLoopback } from '../../../src/surfaces/http/auth/host-origin.ts';
import { type Site, startSite } from '../../site/serve.ts';
import type { Agent } from '../agents.ts';
import { BUNDLE, cleanEnv, isAlive, temporaryFolder } from '../process.ts';
import { ask, handshake, legacy, messagesIn, modern, withToken } from './ask.ts';
import { HTTP_AGENTS, Served } from './served.ts';

const folder = temporaryFolder();
const started: Served[] = [];
let site: Site;

beforeAll(async () => {
  if (!existsSync(BUNDLE)) throw new Error('dist/tabwright.js is missing. Run: npm run build');
  site = await startSite();
});

afterAll(async () => {
  await Promise.all(started.map(served => served.kill('SIGKILL')));
  await site.close();
  folder.remove();
});

function serve(state: string, ...flags: string[]): Promise<Served> {
  const served = new Served(join(folder.path, state), ...flags);
  started.push(served);
  return served.ready();
}

/** A start that must fail: its exit code and its one line. */
function fails(...flags: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BUNDLE, 'serve', ...flags], {
    env: cleanEnv(join(folder.path, 'failing')),
    encoding: 'utf8',
    timeout: 10_000,
  });
  expect(stdout).toBe('');
  expect(stderr.trimEnd()).not.toContain('\n');
  return { status, stderr };
}

const call = (served: Served, name: string, args: Record<string, unknown>, meta = {}) =>
  ask(served.url, withToken(modern('tools/call', { name, arguments: args }, meta), served.token));

/** The text of the result that a body ends with. */
function textOf(body: { text: string }): string | undefined {
  const { content = [] } = (messagesIn(body).at(-1)?.result ?? {}) as { content?: { text: string }[] };
  return content[0]?.text;
}

/** A call whose answer has begun: it runs. */
async function begin(served: Served, name: string, args: Record<string, unknown>, signal?: AbortSignal) {
  const { headers = {}, body } = withToken(modern('tools/call', { name, arguments: args }), served.token);
  const response = await fetch(served.url, { method: 'POST', headers, body: String(body), ...(signal && { signal }) });
  expect(response.status).toBe(200);
  return response;
}

describe('agents', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve('agents', '--max-sessions-per-caller', '10');
  });
  afterAll(() => served.kill('SIGTERM'));

  /** Opens a page, looks, acts by ref, looks again; several times. */
  async function work(agent: Agent, session: string): Promise<string> {
    for (let round = 0; round < 2; round++) {
      await agent.ok('navigate', { url: `${site.url}/signup.html`, session });
      const [, name] = /textbox "Full name"[^\n]*\[ref=(@e\d+)\]/.exec(await agent.ok('snapshot', { session })) ?? [];
      await agent.ok('fill', { selector: name, value: `${session} ${round}`, session });
      const [, terms] = /checkbox "I accept[^\n]*\[ref=(@e\d+)\]/.exec(await agent.ok('snapshot', { session })) ?? [];
      await agent.ok('click', { selector: terms, session });
    }
    return agent.ok('snapshot', { session });
  }

  it('of every era work at once, each in its own session', async () => {
    const agents = await Promise.all(Object.values(HTTP_AGENTS).map(connect => connect(served.url, served.token)));
    const pages = await Promise.all(agents.map((agent, index) => work(agent, `agent-${index}`)));
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`agent-${index} 1`);
      expect(page.match(/agent-\d/g)).toEqual([`agent-${index}`]);
      expect(page).toMatch(/checkbox "I accept[^\n]*checked/);
    }
    await Promise.all(agents.map(agent => agent.close()));
  }, 90_000);

  it('without the token are refused', async () => {
    for (const connect of Object.values(HTTP_AGENTS)) await expect(connect(served.url, 'wrong')).rejects.toThrow();
    expect(await ask(served.url, modern('tools/list'))).toMatchObject({ status: 401 });
  });

  it('read on while another waits', async () => {
    const waits = call(served, 'wait', { for: 'text', text: 'never', timeout: 20_000, session: 'slow' });
    const agent = await HTTP_AGENTS['first generation']!(served.url, served.token);
    await Promise.all(Array.from({ length: 20 }, () => agent.ok('title', { session: 'agent-1' })));
    await agent.ok('evaluate', { expression: 'document.body.append("never")', session: 'slow' });
    expect(messagesIn(await waits).at(-1)?.result).not.toHaveProperty('isError');
    await agent.close();
  });

  it('cancel a call by going away, and the session is free', async () => {
    await call(served, 'navigate', { url: `${site.url}/signup.html`, session: 'agent-2' });
    const away = new AbortController();
    const args = { for: 'text', text: 'no', timeout: 60_000, session: 'agent-2' };
    await begin(served, 'wait', args, away.signal);
    away.abort();
    const journal = join(served.stateDir, 'journal', 'journal.jsonl');
    await expect
      .poll(() => readFileSync(journal, 'utf8'), { timeout: 5_000 })
      .toMatch(/"tool":"wait".*"code":"cancelled"/);
    expect(textOf(await call(served, 'title', { session: 'agent-2' }))).toBe('Sign up');
  });

  it('hear every second that a call lives, in both eras', async () => {
    const args = { expression: 'new Promise(done => setTimeout(done, 2300, "late"))', session: 'agent-3' };
    const { 'mcp-session-id': id = '' } = await handshake(served.url, { authorization: `Bearer ${served.token}` });
    const params = { name: 'evaluate', arguments: { ...args, session: 'agent-0' }, _meta: { progressToken: 7 } };
    const answers = await Promise.all([
      call(served, 'evaluate', args, { progressToken: 7 }),
      ask(
        served.url,
        withToken(legacy({ id: 1, method: 'tools/call', params }, { 'mcp-session-id': id }), served.token),
      ),
    ]);
    for (const answer of answers) {
      const beats = messagesIn(answer).slice(0, -1);
      expect(beats.map(({ params }) => params?.progress)).toEqual([1, 2]);
      expect(textOf(answer)).toBe('late');
    }
  });

  it('get large pictures whole', async () => {
    const agent = await HTTP_AGENTS['second generation, newest revision only']!(served.url, served.token);
    await agent.ok('navigate', { url: `${site.url}/signup.html`, session: 'agent-0' });
    const { content } = (await agent.call('screenshot', { session: 'agent-0' })) as { content: { data?: string }[] };
    const bytes = Buffer.from(content.find(({ data }) => data)?.data ?? '', 'base64');
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(bytes.subarray(-8, -4).toString()).toBe('IEND');
    await agent.close();
  });
});

describe('a start', () => {
  it('makes the token once, and tells where it is but not what it is', async () => {
    const first = await serve('token');
    const { token } = first;
    expect(first.stdout).toContain(first.tokenFile);
    expect(first.stdout + first.stderr).not.toContain(token);
    expect(statSync(first.tokenFile).mode & 0o777).toBe(0o600);
    await first.kill('SIGTERM');
    const second = await serve('token');
    expect(second.token).toBe(token);
    expect((await ask(second.url, withToken(modern('tools/list'), token))).status).toBe(200);
    await second.kill('SIGTERM');
  });

  it('takes another token file', async () => {
    const file = join(folder.path, 'mine');
    writeFileSync(file, 'a-token-of-my-own\n', { mode: 0o600 });
    const served = await serve('own-token', '--token-file', file);
    expect(served.stdout).toContain(file);
    expect(existsSync(served.tokenFile)).toBe(false);
    expect((await ask(served.url, withToken(modern('tools/list'), 'a-token-of-my-own'))).status).toBe(200);
    await served.kill('SIGTERM');
  });

  it('without a token serves everybody on this machine, but no foreign Host', async () => {
    const served = await serve('open', '--no-auth');
    expect(existsSync(served.tokenFile)).toBe(false);
    const list = modern('tools/list');
    expect((await ask(served.url, list)).status).toBe(200);
    expect((await ask(served.url, { ...list, headers: { ...list.headers, host: 'evil.test' } })).status).toBe(403);
    expect(await findRunning(served.stateDir)).toEqual({ url: served.url, pid: served.pid, key: expect.any(String) });
    await served.kill('SIGTERM');
  });

  it('on every address still knows only the names it was given', async () => {
    const served = await serve('wide', '--host', '0.0.0.0');
    expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(served.stdout).toContain('--allowed-hosts');
    const list = withToken(modern('tools/list'), served.token);
    expect((await ask(served.url, list)).status).toBe(200);
    expect((await ask(served.url, { ...list, headers: { ...list.headers, host: '0.0.0.0' } })).status).toBe(403);
    await served.kill('SIGTERM');
  });

  it('of a second one beside the first shares its token and its state folder', async () => {
    const [one, two] = await Promise.all([serve('two'), serve('two')]);
    expect(one.port).not.toBe(two.port);
    for (const served of [one, two]) {
      expect((await ask(served.url, withToken(modern('tools/list'), one.token))).status).toBe(200);
    }
    expect(readdirSync(join(one.stateDir, 'serve')).sort()).toEqual([`${one.port}.json`, `${two.port}.json`].sort());
    await two.kill('SIGTERM');
    expect(await findRunning(one.stateDir)).toMatchObject({ url: one.url, pid: one.pid, tokenFile: one.tokenFile });
    await one.kill('SIGTERM');
    expect(await findRunning(one.stateDir)).toBeUndefined();
  });
});

describe('a start that cannot be', () => {
  it('tells that another program has the port', async () => {
    const other = createServer((_req, res) => res.end('hello'));
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const spawned = new Served(join(folder.path, 'taken'), '--port', String(port));
    started.push(spawned);
    expect(await spawned.ended).toEqual({ code: 1, signal: null });
    expect(spawned.stderr).toBe(
      `tabwright: Another program listens at port ${port} of 127.0.0.1. Choose another with --port; --port 0 takes any free one.\n`,
    );
    other.close();
  });

  it('tells that another Tabwright has the port', async () => {
    const served = await serve('first');
    const { status, stderr } = fails('--port', String(served.port));
    expect(status).toBe(1);
    expect(stderr).toContain(`Another Tabwright listens at port ${served.port} of 127.0.0.1. Use that one.`);
    expect((await ask(served.url, withToken(modern('tools/list'), served.token))).status).toBe(200);
    await served.kill('SIGTERM');
  });

  it('tells that the host is none of this machine', () => {
    const { status, stderr } = fails('--port', '0', '--host', '203.0.113.7');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr:
        'tabwright: This machine has no address 203.0.113.7. Give --host one of its own addresses, such as 127.0.0.1.\n',
    });
  });

  it.each([[[]], [['--no-auth']]])('tells that the state folder cannot be written (%j)', flags => {
    const file = join(folder.path, 'a-file');
    writeFileSync(file, '');
    const { status, stderr } = fails('--port', '0', '--state-dir', join(file, 'state'), ...flags);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^tabwright: .*a-file.*--state-dir/);
  });

  it('asks for a token wherever others could reach it', () => {
    expect(['127.0.0.1', '::1', 'localhost'].map(isLoopback)).toEqual([true, true, true]);
    expect(['0.0.0.0', '::', '192.0.2.1', 'example.test'].map(isLoopback)).toEqual([false, false, false, false]);
  });

  it.each(['0.0.0.0', 'example.test'])('leaves nobody out of the token on %s', host => {
    const { status, stderr } = fails('--port', '0', '--no-auth', '--host', host);
    expect(status).toBe(1);
    expect(stderr).toContain(`--no-auth would let everybody who reaches ${host} use this browser.`);
  });

  it('refuses a token that others can read', () => {
    const file = join(folder.path, 'readable');
    writeFileSync(file, 'a-token-of-my-own\n', { mode: 0o644 });
    expect(fails('--port', '0', '--token-file', file)).toEqual({
      status: 1,
      stderr: `tabwright: Others can read the token file ${file}. Run: chmod 600 ${file}\n`,
    });
  });
});

describe.concurrent('the end', () => {
  /** A server with a browser, an open stream and a call that waits. */
  async function busy(state: string) {
    const served = await serve(state);
    const headers = await handshake(served.url, { authorization: `Bearer ${served.token}` });
    const stream = await fetch(served.url, { headers: { ...headers, accept: 'text/event-stream' } });
    expect(stream.status).toBe(200);
    await call(served, 'navigate', { url: `${site.url}/signup.html` });
    const waits = await begin(served, 'wait', { for: 'text', text: 'never', timeout: 60_000 });
    const browser = served.browser();
    expect(browser.length).toBeGreaterThan(0);
    return { served, stream, waits, browser };
  }

  // Both signals: ending.test.ts. A call may go on for 8 s, then it is ended.
  it('by a signal answers what runs for long and leaves nothing behind', async ({ expect }) => {
    const { served, stream, waits, browser } = await busy('end');
    expect(await served.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(textOf({ text: await waits.text() })).toContain('The server is ending');
    await stream.text();
    expect(readdirSync(join(served.stateDir, 'serve'))).toEqual([]);
    await expect.poll(() => browser.filter(isAlive), { timeout: 5_000 }).toEqual([]);
    expect(served.stderr).not.toMatch(/\[error\]/);
  });

  it('comes at once with a second signal', async ({ expect }) => {
    const { served, browser } = await busy('twice');
    // A browser that does not answer makes the clean end slow.
    for (const pid of browser) process.kill(pid, 'SIGSTOP');
    served.signal('SIGTERM');
    await expect.poll(() => readdirSync(join(served.stateDir, 'serve'))).toEqual([]);
    expect((await ask(served.url.replace('/mcp', '/health'))).status).toBe(503);
    // Only a second signal ends it with 1.
    expect(await served.kill('SIGINT')).toEqual({ code: 1, signal: null });
    for (const pid of browser.filter(isAlive)) process.kill(pid, 'SIGCONT');
    await expect.poll(() => browser.filter(isAlive), { timeout: 5_000 }).toEqual([]);
  });
});
