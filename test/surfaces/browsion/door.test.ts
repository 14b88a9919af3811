// Who is let in, and what is said to those who are not: keys, names, pages of others, paths, profiles.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Served } from '../http/served.ts';
import { temporaryFolder } from '../process.ts';
import { overMcp, Service } from './service.ts';

const KEY = 'your-key';
let open: Service;
let locked: Service;

beforeAll(async () => {
  open = await new Service().ready();
  locked = await new Service({ flags: ['--port', '0'], env: { BROWSION_API_KEY: KEY } }).ready();
}, 60_000);
afterAll(() => Promise.all([open?.stop(), locked?.stop()]));

const withKey = (key: string) => ({ 'x-api-key': key });

describe('S4-04 S4-05 a key', () => {
  it('is not needed to ask how the service is', async () => {
    expect(await locked.http('GET', '/api/health')).toMatchObject({ status: 200, body: 'ok' });
  });

  it.each([
    ['missing', {}],
    ['wrong', withKey('another-key')],
    ['of a token that is none', { authorization: 'Bearer nothing' }],
  ])('that is %s: 401', async (_what, headers) => {
    const { status, body } = await locked.http('GET', '/api/profiles', undefined, headers);
    expect(status).toBe(401);
    expect(body).toMatchObject({ error: 'unauthorized', code: 'token', message: expect.stringContaining('X-API-Key') });
  });

  it('14.21 that is in the environment is not said to be in a file', async () => {
    const { body } = await locked.http('GET', '/api/profiles');
    expect(Object(body).message).not.toContain('file');
    expect(Object(body).message).toContain('started with');
  });

  it('that is right opens the door', async () => {
    expect(await locked.http('GET', '/api/profiles', undefined, withKey(KEY))).toMatchObject({ status: 200, body: [] });
  });

  it('is what browsion-mcp sends', async () => {
    const good = await overMcp(locked, { BROWSION_API_KEY: KEY });
    const bad = await overMcp(locked, { BROWSION_API_KEY: 'another-key' });
    expect(await good.send('list_profiles', {})).toMatchObject({ ok: true, body: [] });
    expect(await bad.send('list_profiles', {})).toMatchObject({ ok: false, body: { error: 'unauthorized' } });
    await Promise.all([good.client.close(), bad.client.close()]);
  });

  it('is asked for only when there is one', async () => {
    expect(await open.http('GET', '/api/profiles')).toMatchObject({ status: 200, body: [] });
    expect(open.stdout).toContain('none is asked for');
  });
});

/** The status of a request with headers that fetch does not let a caller choose. */
const statusWith = (headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    request(`${open.url}/api/profiles`, { headers, agent: false }, response => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

describe('S4-06 local only', () => {
  it('other names and pages of other sites are refused', async () => {
    expect(await statusWith({ host: 'evil.example' })).toBe(403);
    expect(await statusWith({ origin: 'http://evil.example' })).toBe(403);
    expect(await statusWith({ host: 'localhost' })).toBe(200);
  });

  it('there are no CORS headers', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await open.http(method, '/api/profiles', undefined, { origin: open.url });
      expect([...headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('without a key it listens on this machine only', async () => {
    const service = new Service({ flags: ['--port', '0', '--host', '0.0.0.0'] });
    expect(await service.ended).toBe(1);
    expect(service.stderr).toContain('--no-auth would let everybody');
    await service.stop();
  });
});

describe('the statuses', () => {
  const profile = { id: 'one', name: 'One', user_data_dir: '~/chrome/one', headless: true };
  const sent = async (method: string, path: string, body?: unknown) => {
    const answer = await open.http(method, path, body);
    return [answer.status, Object(answer.body).error];
  };
  beforeAll(() => open.http('POST', '/api/profiles', profile));

  it('S4-32 a profile that is there already: 409', async () => {
    expect(await sent('POST', '/api/profiles', profile)).toEqual([409, 'profile_taken']);
  });

  it('S4-33 another id in the body: 400', async () => {
    expect(await sent('PUT', '/api/profiles/one', { ...profile, id: 'two' })).toEqual([400, 'bad_request']);
    expect(await sent('PUT', '/api/profiles/two', { name: 'x', user_data_dir: '~/x' })).toEqual([404, 'no_profile']);
  });

  it('S4-31 S4-34 S4-35 an unknown profile: 404', async () => {
    expect(await sent('GET', '/api/profiles/nobody')).toEqual([404, 'no_profile']);
    expect(await sent('DELETE', '/api/profiles/nobody')).toEqual([404, 'no_profile']);
    expect(await sent('POST', '/api/launch/nobody')).toEqual([404, 'no_profile']);
    expect(await sent('POST', '/api/browser/nobody/click', { selector: '#x' })).toEqual([404, 'no_profile']);
  });

  it('S4-23 a browser that does not run: 409 browser_not_running', async () => {
    const { status, body } = await open.http('GET', '/api/browser/one/url');
    expect(status).toBe(409);
    expect(body).toEqual({
      error: 'browser_not_running',
      message: 'The browser of profile one does not run.',
      code: 'browser_not_running',
      hint: 'Call launch_browser with that profile_id first.',
    });
    expect(await sent('POST', '/api/kill/one')).toEqual([409, 'browser_not_running']);
  });

  it('S4-34 S4-35 a profile that runs is not deleted, nor launched again: 409', async () => {
    expect((await open.http('POST', '/api/launch/one')).status).toBe(200);
    expect(await sent('DELETE', '/api/profiles/one')).toEqual([409, 'profile_running']);
    const { body } = await open.http('POST', '/api/launch/one');
    expect(body).toMatchObject({ error: 'profile_running', hint: expect.stringContaining('kill_browser') });
    expect((await open.http('POST', '/api/kill/one')).status).toBe(204);
    expect((await open.http('DELETE', '/api/profiles/one')).status).toBe(204);
  });

  it('what cannot be right: 400, 404, 405, 415', async () => {
    await open.http('POST', '/api/profiles', profile);
    const { status, body } = await open.http('POST', '/api/browser/one/click', { slector: '#x' });
    expect(status).toBe(400);
    expect(Object(body).message).toMatch(/click: .*selector is missing/);
    for (const path of ['/api/wait', '/api/browser/one/wait']) {
      const { body: said } = await open.http('POST', path, {});
      expect(said, '14.21').toMatchObject({
        message: 'wait: duration_ms is missing (a number).',
        hint: 'wait takes: duration_ms (required).',
      });
    }
    expect(await sent('POST', '/api/browser/one/scroll', { direction: 'sideways' })).toEqual([400, 'bad_input']);
    expect(await sent('POST', '/api/browser/one/click', ['#x'])).toEqual([400, 'bad_request']);
    expect(await sent('POST', '/api/browser/one/nothing')).toEqual([404, 'not_found']);
    expect(await sent('GET', '/api/launch/one')).toEqual([405, 'method_not_allowed']);
    const form = await fetch(`${open.url}/api/launch/one`, { method: 'POST', body: 'a=1' });
    expect(form.status).toBe(415);
  });
});

describe('a plain tabwright serve', () => {
  it('S4-03 has the API too, for its token', async () => {
    const folder = temporaryFolder();
    const served = await new Served(folder.path).ready();
    const url = served.url.replace('/mcp', '/api/running');
    expect((await fetch(url)).status).toBe(401);
    const answer = await fetch(url, { headers: withKey(served.token) });
    expect([answer.status, await answer.json()]).toEqual([200, []]);
    await served.kill('SIGTERM');
    folder.remove();
  });
});
