// What the document of the vision dialect promises about limits and tokens: 14.13.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Agent } from '../surfaces/agents.ts';
import { ask, HELLO, legacy, modern } from '../surfaces/http/ask.ts';
import { listenHere } from '../surfaces/http/here.ts';
import { HTTP_AGENTS, Served } from '../surfaces/http/served.ts';
import { temporaryFolder } from '../surfaces/process.ts';
import { configure } from './vision-site.ts';

it('14.13 a missing token is answered with Invalid authentication', async () => {
  const here = await listenHere();
  const { status, text } = await ask(here.url, modern('tools/list'));
  expect(status).toBe(401);
  expect(JSON.parse(text).error).toMatchObject({
    code: -32600,
    message: expect.stringMatching(/^Invalid authentication/),
  });
  await here.end();
});

describe('14.13 a server with five sessions that all clients share', () => {
  const folder = temporaryFolder();
  const tokens = ['ann', 'bob'].map(id => ({ id, token: `${id}-and-a-long-token` }));
  let served: Served;
  let clients: Agent[];
  beforeAll(async () => {
    const file = join(folder.path, 'tokens.json');
    writeFileSync(file, JSON.stringify({ tokens }), { mode: 0o600 });
    configure(folder.path, '    sessions: { maxConcurrent: 5, allowSharedSessions: true }\n');
    vi.stubEnv('HOME', folder.path);
    served = await new Served(folder.path, '--dialect', 'vision', '--tokens-file', file).ready();
    clients = await Promise.all(
      tokens.map(({ token }) => HTTP_AGENTS['second generation, older revisions']!(served.url, token)),
    );
  });
  afterAll(async () => {
    await Promise.all(clients.map(client => client.close()));
    await served.kill('SIGTERM');
    vi.unstubAllEnvs();
    folder.remove();
  });

  it('14.13 one client may have them all, and the refusal of a sixth names no option of another server', async () => {
    const [ann] = clients;
    for (const sessionId of ['a', 'b', 'c', 'd', 'e'])
      await ann!.ok('browser.navigate', { url: 'about:blank', sessionId });
    const { content, isError } = await ann!.call('browser.screenshot', { sessionId: 'f' });
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(/^There are already 5 sessions, the most that are allowed\.\n.*browser\.close\.$/);
  });

  it.each([{}, { authorization: 'Bearer not-the-token-of-anybody' }])(
    '14.13 %j is answered with Invalid authentication',
    async headers => {
      const asked = legacy(HELLO, headers);
      const { status, text } = await ask(served.url, asked);
      expect(status).toBe(401);
      expect(JSON.parse(text).error.message).toMatch(/^Invalid authentication/);
    },
  );

  it('14.13 a name means the same page for both clients', async () => {
    const [ann, bob] = clients;
    await ann!.ok('browser.evaluate', { script: 'document.title = "of ann"', sessionId: 'a' });
    expect(await bob!.ok('browser.evaluate', { script: 'document.title', sessionId: 'a' })).toMatch(/\nof ann$/);
  });
});
