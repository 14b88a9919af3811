// The rate of calls, through real clients: a limit over HTTP, none for the local user.
import { afterAll, expect, it } from 'vitest';
import { Served } from '../http/served.ts';
import { temporaryFolder } from '../process.ts';
import { ASKERS } from './askers.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const LIMIT = ['--rate-limit', '3'];
const modern = ASKERS['second generation, newest revision']!;
const legacy = ASKERS['first generation']!;

it('S3-21: over HTTP, all clients of one token together have so many calls in a minute', async () => {
  const served = await new Served(folder.path, ...LIMIT).ready();
  const where = { url: served.url, token: served.token };
  const [one, other] = await Promise.all([modern(where), legacy(where)]);
  try {
    for (const agent of [one, other, one]) expect((await agent.call('downloads')).isError).toBeFalsy();
    for (const agent of [one, other]) {
      const { isError, content } = await agent.call('downloads');
      expect(isError).toBe(true);
      expect(content[0]?.text).toMatch(/^Rule "at most 3 calls per minute" refuses this call: try again in \d+ s\./);
      // Only calls count.
      expect(await agent.names()).toContain('downloads');
    }
  } finally {
    await Promise.all([one.close(), other.close()]);
    await served.kill('SIGTERM');
  }
});

it('over stdio there is none', async () => {
  const agent = await modern({ stateDir: folder.path, flags: LIMIT });
  try {
    for (let left = 6; left > 0; left--) expect((await agent.call('downloads')).isError).toBeFalsy();
  } finally {
    await agent.close();
  }
});
