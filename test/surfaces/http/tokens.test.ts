// Tokens with an identity: whose each is, and their end while the server runs (S3-21, S3-22, S3-23).
import { appendFileSync, chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Call } from '../../../src/call/call.ts';
import { makeLog } from '../../../src/config/log.ts';
import { FileTokenStore, tokenSource, tokensSource } from '../../../src/surfaces/http/auth/token-store.ts';
import { replaceToken } from '../../../src/surfaces/http/auth/tokens.ts';
import { temporaryFolder } from '../process.ts';
import { ask, begin, handshake, legacy, listenTo, messagesIn, modern, withToken } from './ask.ts';
import { good, type Here, listenHere } from './here.ts';
import { LONG, tokenFiles } from './token-files.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const file = tokenFiles(folder.path);
describe('keys', () => {
  const lines: string[] = [];
  const log = makeLog('info', line => lines.push(line));
  const admit = async (keys: FileTokenStore, token: string) => {
    await keys.refresh();
    return keys.admit({ 'x-api-key': token }).caller.id;
  };
  const bearerOf = (path: string) => readFileSync(path, 'utf8').trim();

  it('are the one of the token file and those of the tokens file', async () => {
    const own = join(folder.path, 'own-token');
    const keys = await FileTokenStore.open(
      [tokenSource(own), tokensSource(file('t.yaml', `tokens: [{ id: ada, token: ${LONG} }]`), false)],
      log,
    );
    expect(await admit(keys, bearerOf(own))).toBe('http');
    expect(await admit(keys, LONG)).toBe('ada');
    await expect(admit(keys, `${LONG}x`)).rejects.toThrow(/^Invalid authentication: /);
  });

  it('need no tokens file, unless one was asked for', async () => {
    const own = join(folder.path, 'alone');
    const missing = join(folder.path, 'none.yaml');
    await FileTokenStore.open([tokenSource(own), tokensSource(missing, true)], log);
    await expect(FileTokenStore.open([tokensSource(missing, false)], log)).rejects.toThrow('There is no tokens file');
  });

  it('follow their files: added, replaced, removed, made anew (S3-23, S3-40)', async () => {
    const own = join(folder.path, 'rotated');
    const many = join(folder.path, 'many.yaml');
    const keys = await FileTokenStore.open([tokenSource(own), tokensSource(many, true)], log);
    const first = bearerOf(own);
    writeFileSync(many, `tokens: [{ id: ada, token: ${LONG}, may: [read] }]`, { mode: 0o600 });
    await expect.poll(() => admit(keys, LONG).catch(String)).toBe('ada');
    const { caller } = keys.admit({ 'x-api-key': LONG });
    expect(caller.may).toEqual({ effects: ['read'] });
    writeFileSync(many, `tokens: [{ id: ada, token: ${LONG}, rateLimit: 5 }]`);
    await expect.poll(() => admit(keys, LONG).then(() => caller)).toEqual({ id: 'ada', rateLimit: 5 });
    replaceToken(own);
    await expect.poll(() => admit(keys, first).catch(String)).toContain('Invalid authentication');
    expect(await admit(keys, bearerOf(own))).toBe('http');
    rmSync(own);
    rmSync(many);
    await expect.poll(() => admit(keys, LONG).catch(String)).toContain('Invalid authentication');
    await expect.poll(() => admit(keys, bearerOf(own)).catch(String)).toBe('http');
    expect(keys.knows('ada')).toBe(false);
  });

  it('stay as they were while a file is broken, and say so', async () => {
    const many = file('breaks.yaml', `tokens: [{ id: ada, token: ${LONG} }]`);
    const keys = await FileTokenStore.open([tokensSource(many, false)], log);
    const said = () => lines.filter(line => line.startsWith('[error]') && line.includes(many));
    appendFileSync(many, '\n- no');
    await expect.poll(() => admit(keys, LONG).then(() => said().length)).toBe(1);
    expect(said()[0]).toMatch(/:\d+: not valid YAML.*The tokens read before stay\./);
    expect(await admit(keys, LONG)).toBe('ada');
    chmodSync(many, 0o644);
    writeFileSync(many, `tokens: [{ id: bob, token: ${LONG} }]`);
    await expect.poll(() => admit(keys, LONG).then(() => said().length)).toBeGreaterThan(1);
    expect(await admit(keys, LONG)).toBe('ada');
    chmodSync(many, 0o600);
    await expect.poll(() => admit(keys, LONG)).toBe('bob');
  });
});

describe('over HTTP', () => {
  const open: Here[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map(here => here.end()));
  });

  /** A server whose tokens file the test writes. */
  async function serve(text: string, run?: (call: Call) => Promise<ReturnType<typeof good>>) {
    const path = file('served.yaml', text);
    const keys = await FileTokenStore.open(
      [tokensSource(path, false)],
      makeLog('error', () => undefined),
    );
    const here = await listenHere(run, {}, { tokens: keys });
    open.push(here);
    /** As editors and `tabwright token` do: whole, under another name first. */
    const write = (text: string) => {
      writeFileSync(`${path}.new`, text, { mode: 0o600 });
      renameSync(`${path}.new`, path);
    };
    return { here, write };
  }

  const call = modern('tools/call', { name: 'echo', arguments: {} });
  const ADA = 'token-of-ada-lovelace';
  const BOB = 'token-of-bob-the-builder';
  const both = `tokens: [{ id: ada, token: ${ADA}, may: [read] }, { id: bob, token: ${BOB}, maxSessions: 1 }]`;
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it('each call is that of the token which came with it (S3-21)', async () => {
    const callers: Call['caller'][] = [];
    const { here } = await serve(both, async ({ caller }) => {
      callers.push({ ...caller });
      return good(caller.id);
    });
    expect(messagesIn(await ask(here.url, withToken(call, ADA)))[0]?.result).toMatchObject({
      content: [{ text: 'ada' }],
    });
    const apiKey = { ...call, headers: { ...call.headers, 'x-api-key': BOB } };
    expect(messagesIn(await ask(here.url, apiKey))[0]?.result).toMatchObject({ content: [{ text: 'bob' }] });
    const headers = await handshake(here.url, bearer(BOB));
    const old = legacy({ id: 1, method: 'tools/call', params: { name: 'echo' } }, headers);
    expect(messagesIn(await ask(here.url, old))[0]?.result).toMatchObject({ content: [{ text: 'bob' }] });
    expect(callers).toEqual([
      { id: 'ada', may: { effects: ['read'] } },
      { id: 'bob', maxSessions: 1 },
      { id: 'bob', maxSessions: 1 },
    ]);
  });

  it('the key of a proxy does not hide ours', async () => {
    const { here } = await serve(both);
    const headers = { ...call.headers, authorization: 'Basic cHJveHk6cHJveHk=', 'x-api-key': ADA };
    expect((await ask(here.url, { ...call, headers })).status).toBe(200);
    const wrong = { ...call.headers, authorization: `Bearer ${ADA}x`, 'x-api-key': ADA };
    expect((await ask(here.url, { ...call, headers: wrong })).status).toBe(401);
    const twice = await ask(here.url, { ...call, headers: { ...call.headers, 'x-api-key': `${ADA}, ${ADA}` } });
    expect(twice.status).toBe(401);
  });

  it('a wrong token is answered in the words of the protocol (S3-22)', async () => {
    const { here } = await serve(both);
    const { status, text, headers } = await ask(here.url, withToken(call, 'a-wrong-token-for-all'));
    expect({ status, auth: headers['www-authenticate'] }).toEqual({ status: 401, auth: 'Bearer' });
    expect(JSON.parse(text).error).toMatchObject({
      code: -32_600,
      message: expect.stringMatching(/^Invalid authentication: .*Authorization: Bearer/),
      data: { rule: 'token' },
    });
    expect(here.refusals).toMatchObject([{ door: 'http', caller: 'unknown', what: 'POST /mcp', rule: 'token' }]);
  });

  it('an expired token is refused, by its holder’s name, also on a session that lives (S3-40)', async () => {
    const soon = new Date(Date.now() + 6_000).toISOString();
    const { here } = await serve(`tokens: [{ id: ada, token: ${ADA}, expires: ${soon} }]`);
    const headers = await handshake(here.url, bearer(ADA));
    const stream = await listenTo(here.url, headers);
    const list = legacy({ id: 5, method: 'tools/list' }, headers);
    expect((await ask(here.url, list)).status).toBe(200);
    await stream.closed;
    const refused = await ask(here.url, list);
    expect(refused.status).toBe(401);
    expect(refused.text).toContain('the token of ada expired at');
    expect(refused.text).toContain('tabwright token rotate ada');
    expect(here.refusals.at(-1)).toMatchObject({ caller: 'ada', rule: 'token' });
  });

  it('a removed token ends its sessions, streams and calls; others do not notice', async () => {
    const signals: AbortSignal[] = [];
    const { here, write } = await serve(both, async ({ signal }) => {
      if (signal) signals.push(signal);
      await new Promise(resolve => signal?.addEventListener('abort', resolve, { once: true }));
      return good('late');
    });
    const ada = await handshake(here.url, bearer(ADA));
    const bob = await handshake(here.url, bearer(BOB));
    const streams = { ada: await listenTo(here.url, ada), bob: await listenTo(here.url, bob) };
    const sse = await listenTo(here.url, bearer(ADA));
    const running = await begin(here.url, withToken(call, ADA));
    await running.answered;
    await expect.poll(() => signals.length).toBe(1);
    write(`tokens: [{ id: bob, token: ${BOB} }]`);
    await Promise.all([streams.ada.closed, sse.closed]);
    await expect.poll(() => signals[0]?.aborted).toBe(true);
    expect((await ask(here.url, withToken(modern('tools/list'), ADA))).status).toBe(401);
    // Nor may the other have what was hers.
    const stolen = legacy({ id: 6, method: 'tools/list' }, { ...ada, ...bearer(BOB) });
    expect((await ask(here.url, stolen)).status).toBe(404);
    expect((await ask(here.url, legacy({ id: 6, method: 'tools/list' }, bob))).status).toBe(200);
    expect(streams.bob.isOpen()).toBe(true);
  });

  it('a replaced token ends its streams; the session goes on with the new one', async () => {
    const { here, write } = await serve(`tokens: [{ id: ada, token: ${ADA} }]`);
    const before = await handshake(here.url, bearer(ADA));
    const stream = await listenTo(here.url, before);
    write(`tokens: [{ id: ada, token: ${ADA}-2 }]`);
    await stream.closed;
    const list = (headers: Record<string, string>) => ask(here.url, legacy({ id: 1, method: 'tools/list' }, headers));
    expect((await list(before)).status).toBe(401);
    expect((await list({ ...before, ...bearer(`${ADA}-2`) })).status).toBe(200);
  });

  it('the session of another caller is as unknown as any (S3-36)', async () => {
    const { here } = await serve(both);
    const ada = await handshake(here.url, bearer(ADA));
    const asBob = { ...ada, ...bearer(BOB) };
    const unknown = { ...asBob, 'mcp-session-id': '00000000-0000-4000-8000-000000000000' };
    for (const asked of [
      (headers: Record<string, string>) => legacy({ id: 1, method: 'tools/list' }, headers),
      (headers: Record<string, string>) => ({ method: 'GET', headers: { ...headers, accept: 'text/event-stream' } }),
      (headers: Record<string, string>) => ({ method: 'DELETE', headers }),
    ]) {
      const [taken, none] = [await ask(here.url, asked(asBob)), await ask(here.url, asked(unknown))];
      expect(taken.status).toBe(404);
      expect(taken.text).toBe(none.text);
    }
    expect((await ask(here.url, legacy({ id: 1, method: 'tools/list' }, ada))).status).toBe(200);
    expect(here.refusals).toContainEqual(
      expect.objectContaining({ caller: 'bob', what: 'POST /mcp', rule: 'session' }),
    );
  });
});
