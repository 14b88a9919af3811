// One tool over REST: which call a request becomes, and which answer its result.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call, Result } from '../../../src/call/call.ts';
import { Picture } from '../../../src/engine/picture.ts';
import { CODES, type Code } from '../../../src/errors.ts';
import { LISTED } from '../../../src/surfaces/listing/listed.ts';
import { STATUS } from '../../../src/surfaces/rest/contract.ts';
import { rest } from '../../../src/surfaces/rest/routes.ts';
import { type Asked, ask, begin } from '../http/ask.ts';
import { BEARER, fixedKeys, good, type Here, listenHere, TOKEN } from '../http/here.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255]);
const png = new Picture('image/png', PNG, 1, 1);
const jpeg = new Picture('image/jpeg', Buffer.from([0xff, 0xd8]), 1, 1);

const calls: Call[] = [];
let here: Here;
/** What the next calls come to. */
let next: (call: Call) => Result | Promise<Result> = () => good('done');

beforeAll(async () => {
  const run = async (call: Call) => {
    calls.push(call);
    return next(call);
  };
  const keys = await fixedKeys({ http: TOKEN, bob: 'token-of-bob-the-builder' });
  here = await listenHere(run, {}, { tokens: keys, routeGroups: [rest({ version: '1', tools: LISTED })] });
});
afterAll(() => here.end());

async function post(path: string, body?: unknown, headers: Record<string, string> = {}) {
  const asked: Asked = {
    method: 'POST',
    headers: { ...BEARER, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  return ask(here.url.replace('/mcp', `/api/v1/sessions/${path}`), asked);
}

/** The call that a request becomes. */
async function becomes(path: string, body?: unknown) {
  next = () => good('done');
  calls.length = 0;
  const { status, text } = await post(path, body);
  return { status, text, name: calls[0]?.name, args: calls[0]?.args };
}

const failed = (code: Code, more: { hint?: string; rule?: string } = {}): Result => ({
  ok: false,
  tool: 'click',
  text: ['What happened.', more.hint].filter(Boolean).join('\n'),
  failure: { code, message: 'What happened.', ...more },
  pictures: [],
  ms: 1,
});

describe('a request becomes a call', () => {
  it('of the own session', async () => {
    expect(await becomes('default/tools/title')).toMatchObject({ status: 200, name: 'title', args: {} });
    expect(await becomes('default/tools/click', { selector: '@e5' })).toMatchObject({ args: { selector: '@e5' } });
  });

  it('of the session that the path names', async () => {
    expect((await becomes('work/tools/click', { selector: '@e5' })).args).toEqual({ selector: '@e5', session: 'work' });
    expect((await becomes('work/tools/title', { session: 'work' })).args).toEqual({ session: 'work' });
    expect((await becomes('a%20b/tools/title')).args).toEqual({ session: 'a b' });
  });

  it('about the session that the path names', async () => {
    expect((await becomes('work/tools/session_close', { graceful: true })).args).toEqual({
      session: 'work',
      graceful: true,
    });
    expect((await becomes('default/tools/session_close')).args).toEqual({ session: 'default' });
    expect((await becomes('default/tools/session_close', { all: true })).args).toEqual({ all: true });
  });

  it('never of another session than that of the path', async () => {
    for (const path of ['work/tools/title', 'default/tools/session_close']) {
      const answer = await becomes(path, { session: 'other' });
      expect(answer).toMatchObject({ status: 400, name: undefined });
      expect(JSON.parse(answer.text)).toMatchObject({ success: false, code: 'bad_input', rule: 'message' });
    }
  });

  it.each(['null', '5', '"text"', '[]', '[{}]'])('not out of %s', async body => {
    expect(await becomes('default/tools/title', JSON.parse(body))).toMatchObject({ status: 400, name: undefined });
  });

  it('of the holder of the token, in either header, and asks no person', async () => {
    calls.length = 0;
    await post('default/tools/title', undefined, { authorization: 'Bearer token-of-bob-the-builder' });
    await ask(here.url.replace('/mcp', '/api/v1/sessions/default/tools/title'), {
      method: 'POST',
      headers: { 'x-api-key': 'token-of-bob-the-builder' },
    });
    expect(calls.map(({ caller }) => caller.id)).toEqual(['bob', 'bob']);
    expect(calls.every(call => call.asks === undefined && call.dialect === undefined)).toBe(true);
  });

  it('that ends when its client goes', async () => {
    let aborted = false;
    next = ({ signal }) =>
      new Promise(resolve => {
        signal?.addEventListener('abort', () => {
          aborted = true;
          resolve(failed('cancelled'));
        });
      });
    calls.length = 0;
    const { sent } = await begin(here.url.replace('/mcp', '/api/v1/sessions/default/tools/title'), {
      method: 'POST',
      headers: BEARER,
    });
    await expect.poll(() => calls.length).toBe(1);
    sent.destroy();
    await expect.poll(() => aborted).toBe(true);
  });
});

describe('a result becomes an answer', () => {
  it('with data, text, session and time', async () => {
    next = () => ({ ...good('words'), session: 'default', ms: 7 });
    const { status, headers, text } = await post('default/tools/title');
    expect({ status, ...JSON.parse(text) }).toEqual({
      status: 200,
      success: true,
      data: { text: 'words' },
      text: 'words',
      session: 'default',
      ms: 7,
    });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it.each(Object.keys(CODES) as Code[])('%s has a status', async code => {
    next = () => failed(code, { hint: 'Try this.', rule: 'no-shop' });
    const { status, text } = await post('default/tools/click', {});
    expect(status).toBe(STATUS[code]);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(JSON.parse(text)).toEqual({
      success: false,
      error: 'What happened.',
      code,
      hint: 'Try this.',
      rule: 'no-shop',
    });
  });

  it('with a text when there is more to tell', async () => {
    next = () => ({ ...failed('no_tab'), text: 'The browser is a new one.\nWhat happened.' });
    expect(JSON.parse((await post('default/tools/click', {})).text)).toEqual({
      success: false,
      error: 'What happened.',
      code: 'no_tab',
      text: 'The browser is a new one.\nWhat happened.',
    });
  });

  it('without a hint when there is none', async () => {
    next = () => failed('not_found');
    expect(JSON.parse((await post('default/tools/click', {})).text)).toEqual({
      success: false,
      error: 'What happened.',
      code: 'not_found',
    });
  });
});

describe('pictures', () => {
  it.each([
    '',
    '*/*',
    'application/json',
    'application/json, image/*;q=0.9',
    'image/*;q=0',
    'image/webp',
    'image/*;q=x',
  ])('are in the JSON for Accept: %s', async accept => {
    next = () => ({ ...good('shot'), pictures: [png] });
    const { headers, text } = await post('default/tools/screenshot', {}, accept ? { accept } : {});
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(text).pictures).toEqual([{ mimeType: 'image/png', base64: PNG.toString('base64') }]);
  });

  it.each([
    'image/*',
    'image/png',
    'IMAGE/PNG',
    'image/jpeg, image/png;q=0.5',
    'image/*, application/json',
    'image/avif, image/*, */*;q=0.8',
  ])('are themselves for Accept: %s', async accept => {
    next = () => ({ ...good('shot'), pictures: [png] });
    const response = await fetch(here.url.replace('/mcp', '/api/v1/sessions/default/tools/screenshot'), {
      method: 'POST',
      headers: { ...BEARER, accept },
    });
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await response.arrayBuffer()).equals(PNG)).toBe(true);
  });

  it('of which there are several, or none, come as JSON', async () => {
    const accept = { accept: 'image/*' };
    next = () => ({ ...good('shots'), pictures: [png, jpeg] });
    expect(JSON.parse((await post('default/tools/batch', {}, accept)).text).pictures).toHaveLength(2);
    next = () => good('no shot');
    expect(JSON.parse((await post('default/tools/screenshot', {}, accept)).text)).toMatchObject({ text: 'no shot' });
    next = () => failed('no_tab');
    const answer = await post('default/tools/screenshot', {}, accept);
    expect({ status: answer.status, ...JSON.parse(answer.text) }).toMatchObject({ status: 404, code: 'no_tab' });
  });
});

describe('refusals', () => {
  const tool = '/api/v1/sessions/default/tools/click';
  const json = { ...BEARER, 'content-type': 'application/json' };

  it.each<[string, string, Asked, number, Code]>([
    ['no token', tool, { method: 'POST' }, 401, 'refused'],
    ['a wrong key', tool, { method: 'POST', headers: { 'x-api-key': 'wrong' } }, 401, 'refused'],
    ['no token for the lists', '/api/v1/tools', {}, 401, 'refused'],
    ['another Host', tool, { method: 'POST', headers: { ...BEARER, host: 'evil.test' } }, 403, 'refused'],
    ['another Origin', tool, { method: 'POST', headers: { ...BEARER, origin: 'https://evil.test' } }, 403, 'refused'],
    ['another Host of what is open', '/api/docs', { headers: { host: 'evil.test' } }, 403, 'refused'],
    ['another method', tool, { headers: BEARER }, 405, 'bad_input'],
    ['a preflight', tool, { method: 'OPTIONS' }, 405, 'bad_input'],
    ['an unknown path', '/api/v2/tools', { headers: BEARER }, 404, 'not_found'],
    ['the folder above', '/api', { headers: BEARER }, 404, 'not_found'],
    ['no session', '/api/v1/sessions//tools/click', { method: 'POST', headers: BEARER }, 404, 'not_found'],
    ['no tool', '/api/v1/sessions/default/tools/', { method: 'POST', headers: BEARER }, 404, 'not_found'],
    ['no JSON', tool, { method: 'POST', headers: json, body: '{"selector":' }, 400, 'bad_input'],
    [
      'a form',
      tool,
      { method: 'POST', headers: { ...BEARER, 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=b' },
      415,
      'bad_input',
    ],
    ['10 MB', tool, { method: 'POST', headers: json, body: `"${'x'.repeat(10_000_000)}"` }, 413, 'bad_input'],
    ['arrays without end', tool, { method: 'POST', headers: json, body: '['.repeat(1_000_000) }, 400, 'bad_input'],
  ])('%s', async (_, path, asked, status, code) => {
    calls.length = 0;
    const answer = await ask(here.url.replace('/mcp', path), asked);
    expect(answer.status).toBe(status);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(JSON.parse(answer.text)).toEqual({
      success: false,
      error: expect.any(String),
      code,
      rule: expect.any(String),
    });
    expect(calls).toEqual([]);
  });
});

describe('lists', () => {
  const get = async (path: string, headers: Record<string, string> = BEARER) => {
    const answer = await ask(here.url.replace('/mcp', path), { headers });
    return { ...answer, json: JSON.parse(answer.text) };
  };

  it('of tools show each with its schema', async () => {
    const { json } = await get('/api/v1/tools');
    expect(json.data.tools).toHaveLength(LISTED.length);
    expect(json.data.tools.find(({ name }: { name: string }) => name === 'title')).toEqual({
      name: 'title',
      group: 'navigation',
      summary: expect.any(String),
      reads: true,
      input: LISTED.find(({ tool }) => tool.name === 'title')?.tool.inputSchema,
    });
  });

  it('of sessions come from the tool, with its rules and records', async () => {
    next = () => ({ ...good('none'), data: { sessions: [] } });
    calls.length = 0;
    expect((await get('/api/v1/sessions')).json).toMatchObject({ success: true, data: { sessions: [] } });
    expect(calls).toMatchObject([{ name: 'session_list', args: {} }]);
  });
});
