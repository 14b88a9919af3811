// REST as built, with real Chromium: a client generated out of the document, the rules, the records, and the page.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Document } from '../../../src/surfaces/rest/openapi.ts';
import { startKit } from '../../kit.ts';
import { type Site, startSite } from '../../site/serve.ts';
import { begin } from '../http/ask.ts';
import { Served } from '../http/served.ts';
import { temporaryFolder } from '../process.ts';

const READER = 'token-of-somebody-who-reads';
const POLICY = `
rules:
  - { name: no-hover, decision: deny, tool: hover }
  - { name: scroll-needs-a-yes, decision: ask, tool: scroll }
`;
const TOKENS = `
tokens:
  - { id: reader, token: ${READER}, may: [read] }
`;

const folder = temporaryFolder();
let site: Site;
let served: Served;
let origin: string;

beforeAll(async () => {
  site = await startSite();
  const put = (name: string, text: string): string => {
    const path = join(folder.path, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const policy = put('policy.yaml', POLICY);
  const tokens = put('tokens.yaml', TOKENS);
  served = await new Served(join(folder.path, 'state'), '--policy', policy, '--tokens-file', tokens).ready();
  origin = new URL(served.url).origin;
}, 60_000);

afterAll(async () => {
  await served?.kill('SIGTERM');
  await site?.close();
  folder.remove();
});

const urlOf = (tool: string, session = 'default'): string => `${origin}/api/v1/sessions/${session}/tools/${tool}`;

async function call(tool: string, args: object = {}, token = served.token, session = 'default') {
  const response = await fetch(urlOf(tool, session), {
    method: 'POST',
    headers: { 'x-api-key': token, 'content-type': 'application/json' },
    body: JSON.stringify(args),
  });
  return { status: response.status, ...(await response.json()) };
}

const records = (): Record<string, unknown>[] =>
  readFileSync(join(served.stateDir, 'journal', 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));

type Answer = Promise<{ status: number; data: { success: boolean; text: string; code?: string; data: never } }>;
type Operation = (session: string, body?: object) => Answer;
interface Generated extends Record<string, unknown> {
  defaults: { baseUrl: string; headers: Record<string, string> };
}

/** Made by a generator that knows nothing but the document. */
async function generate(): Promise<Generated> {
  const place = join(folder.path, 'client');
  mkdirSync(place);
  symlinkSync(resolve('node_modules'), join(place, 'node_modules'), 'dir');
  const out = join(place, 'client.ts');
  await promisify(execFile)(process.execPath, [
    resolve('node_modules/oazapfts/dist/cli.js'),
    `${origin}/api/openapi.json`,
    out,
  ]);
  return import(out);
}

describe('a generated client', () => {
  let client: Generated;
  const run = (name: string, body?: object) => (client[name] as Operation)('default', body);

  beforeAll(async () => {
    client = await generate();
    client.defaults.headers = { authorization: `Bearer ${served.token}` };
  }, 60_000);

  it('knows where the server is, and every operation', () => {
    expect(client.defaults.baseUrl).toBe(origin);
    for (const name of ['click', 'fillForm', 'tabNew', 'sessionList', 'listTools', 'listSessions'])
      expect(client[name]).toBeTypeOf('function');
  });

  it('drives a page: opens, looks, fills, clicks', async () => {
    expect(await run('navigate', { url: `${site.url}/signup.html` })).toMatchObject({
      status: 200,
      data: { success: true, data: { title: 'Sign up' }, session: 'default' },
    });
    const { data: seen } = await run('snapshot');
    const [, ref] = /textbox "Full name" \[ref=(@e\d+)\]/.exec(seen.text) ?? [];
    expect(await run('fill', { selector: ref, value: 'Zoë "漢字"' })).toMatchObject({ status: 200 });
    await run('fillForm', {
      fields: [
        { selector: 'label:Email', value: 'zoe@example.com' },
        { selector: '#password', value: '0123' },
        { selector: '#country', value: 'jp' },
        { selector: 'label:I accept the terms', value: true },
      ],
    });
    expect(await run('click', { selector: 'role:button' })).toMatchObject({
      status: 200,
      data: { text: expect.stringContaining('Welcome') },
    });
    expect((await run('evaluate', { expression: 'document.getElementById("name").textContent' })).data.text).toContain(
      'Zoë "漢字"',
    );
  }, 60_000);

  it('is told by status and code what went wrong', async () => {
    expect(await run('click', { selector: '@e9999' })).toMatchObject({
      status: 410,
      data: { success: false, code: 'stale_ref', hint: expect.stringContaining('snapshot') },
    });
    expect(await run('tabSwitch', { tabId: 999 })).toMatchObject({ status: 404, data: { code: 'no_tab' } });
  });

  it('lists what there is', async () => {
    const list = async (name: string) => (await (client[name] as () => Answer)()).data.data;
    expect(await list('listSessions')).toMatchObject({ sessions: [{ name: 'default', own: true, open: true }] });
    expect(await list('listTools')).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'click' })]),
    });
  });
});

describe('answers', () => {
  it('fit the document', async () => {
    const { components } = (await (await fetch(`${origin}/api/openapi.json`)).json()) as Pick<Document, 'components'>;
    const validator = new CfWorkerJsonSchemaValidator();
    const fits = (name: string, { status: _, ...value }: Record<string, unknown>) => {
      const schema = { $ref: `#/components/schemas/${name}`, components };
      expect(validator.getValidator(schema)(value)).toMatchObject({ valid: true });
    };
    fits('Success', await call('title'));
    fits('Success', await call('screenshot'));
    fits('Failure', await call('click'));
    fits('Failure', await call('title', {}, 'no-token'));
    expect(() => fits('Failure', { success: true })).toThrow();
    const { data } = await call('session_list');
    for (const row of data.sessions) fits('Session', row);
  });
});

describe('the same as over MCP', () => {
  it('pictures: bytes for those who want them', async () => {
    await call('navigate', { url: `${site.url}/signup.html` });
    const response = await fetch(urlOf('screenshot'), {
      method: 'POST',
      headers: { 'x-api-key': served.token, accept: 'image/png' },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-type')).toBe('image/png');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1280, 720]);
    const { pictures } = await call('screenshot', { format: 'jpeg' });
    expect(pictures).toMatchObject([{ mimeType: 'image/jpeg', base64: expect.stringMatching(/^\/9j\//) }]);
  });

  it('policy: what a rule denies is refused, and what needs a person as well', async () => {
    expect(await call('hover', { selector: 'h1' })).toMatchObject({ status: 403, code: 'refused', rule: 'no-hover' });
    expect(await call('scroll', { direction: 'down' })).toMatchObject({
      status: 403,
      code: 'refused',
      error: expect.stringMatching(/wants a person to approve it, and this client cannot be asked/),
      rule: 'scroll-needs-a-yes',
    });
  });

  it('rights: a token that may only read is shown and given only that', async () => {
    const response = await fetch(`${origin}/api/v1/tools`, { headers: { 'x-api-key': READER } });
    const names = (await response.json()).data.tools.map(({ name }: { name: string }) => name);
    expect(names).toContain('title');
    expect(names).not.toContain('click');
    expect(await call('click', { selector: 'h1' }, READER)).toMatchObject({ status: 403, code: 'refused' });
  });

  it("sessions: each caller has its own default, and a name is its caller's own", async () => {
    await call('navigate', { url: `${site.url}/cjk.html` }, served.token, 'mine');
    expect(await call('title', {}, READER)).toMatchObject({ status: 200, data: { title: '' } });
    expect(await call('title', {}, READER, 'mine')).toMatchObject({ status: 200, data: { title: '' } });
    expect(await call('session_close', {}, served.token, 'mine')).toMatchObject({ data: { closed: ['mine'] } });
  });

  it('journal: one record for each call', async () => {
    await call('title', { tabId: 77 });
    await expect
      .poll(records)
      .toContainEqual(
        expect.objectContaining({ caller: 'http', tool: 'title', args: { tabId: 77 }, ok: false, code: 'no_tab' }),
      );
  });

  it('cancel: closing the connection ends the call, and the next one runs', async () => {
    const { sent } = await begin(urlOf('evaluate'), {
      method: 'POST',
      headers: { 'x-api-key': served.token, 'content-type': 'application/json' },
      body: JSON.stringify({ expression: 'globalThis.begun = true; new Promise(() => {})', timeout: 100_000 }),
    });
    await expect
      .poll(
        async () =>
          (await call('wait', { for: 'function', function: 'return globalThis.begun', timeout: 5_000 })).status,
      )
      .toBe(200);
    sent.destroy();
    await expect.poll(records).toContainEqual(expect.objectContaining({ tool: 'evaluate', code: 'cancelled' }));
    expect(await call('fill', { selector: '#name', value: 'next' })).toMatchObject({ status: 200 });
  });
});

describe('the reference page', () => {
  it.each([1280, 360])('fits a screen of %i pixels, and nothing of it is blocked', async width => {
    // To the pages of its own browser a server is closed.
    const kit = await startKit();
    await kit.ok('viewport', { width, height: 800 });
    expect((await kit.call('navigate', { url: `${origin}/api/docs` })).data).toMatchObject({ status: 200 });
    const { data } = await kit.call('evaluate', {
      expression: `({ wide: document.documentElement.scrollWidth - innerWidth, styled: getComputedStyle(document.querySelector('article')).borderTopWidth })`,
    });
    expect(data).toMatchObject({ value: { wide: 0, styled: '1px' } });
    expect(await kit.ok('console')).toBe('No messages.');
    await kit.close();
  });
});
