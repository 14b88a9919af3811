// /mcp/NAME: a dialect at a path of its own, built when first asked for, with every revision and transport.
import { afterEach, describe, expect, it } from 'vitest';
import type { Call } from '../../../src/call/call.ts';
import { dialectNames } from '../../../src/dialects/registry.ts';
import { listedIn, toolsetFor } from '../../../src/surfaces/listing/toolset.ts';
import { ask, handshake, legacy, messagesIn, modern, withToken } from './ask.ts';
import { BEARER, fixedKeys, good, type Here, listenHere, TOKEN } from './here.ts';
import { HTTP_AGENTS, SSE_AGENTS } from './served.ts';

const open: Here[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(here => here.end()));
});

const WISHES = { tools: ['all'], structured: false, outputSchema: false };
const DIALECTS = ['native', ...dialectNames] as const;
type Name = (typeof DIALECTS)[number];

/** The real dialects over a tool that tells how it was called. */
async function start(own: Name = 'native') {
  const built: Name[] = [];
  const calls: Call[] = [];
  const run = async (call: Call) => {
    calls.push(call);
    return good(`${call.dialect ?? 'native'} ${call.name}`);
  };
  const offerIn = async (dialect: Name) => {
    built.push(dialect);
    return { version: '1', ...(await toolsetFor({ ...WISHES, dialect })), run };
  };
  const here = await listenHere(
    run,
    {},
    {
      mcp: await offerIn(own),
      dialects: Object.fromEntries(DIALECTS.map(name => [name, () => offerIn(name)])),
      tokens: await fixedKeys({ http: TOKEN, bob: 'token-of-bob-the-builder' }),
    },
  );
  open.push(here);
  return { here, built, calls, at: (name: string) => `${here.url}/${name}` };
}

const namesIn = async (dialect: Name) =>
  (await listedIn(dialect))
    .filter(({ tool }) => tool.name)
    .map(({ tool }) => tool.name)
    .sort();

describe.each(DIALECTS)('%s', dialect => {
  const agents = {
    ...HTTP_AGENTS,
    ...Object.fromEntries(Object.entries(SSE_AGENTS).map(([name, make]) => [`${name}, sse`, make])),
  };

  it.each(Object.entries(agents))('is shown and spoken to a client: %s', async (_name, connect) => {
    const { at, calls } = await start();
    const agent = await connect(at(dialect), TOKEN);
    const names = await agent.names();
    expect(names.sort()).toEqual(await namesIn(dialect));
    const [first = ''] = names;
    expect(await agent.ok(first)).toBe(`${dialect} ${first}`);
    expect(calls).toMatchObject([{ name: first, caller: { id: 'http' } }]);
    await agent.close();
  });
});

it('is built when it is first asked for, and once', async () => {
  const { at, built } = await start();
  expect(built).toEqual(['native']);
  const list = withToken(modern('tools/list'), TOKEN);
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask(at('chrome'), list)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(built).toEqual(['native', 'chrome']);
  // What is served at /mcp is not built again.
  expect((await ask(at('native'), list)).status).toBe(200);
  expect(built).toEqual(['native', 'chrome']);
});

it('of its own lies beside that of the server', async () => {
  const { here, at } = await start('chrome');
  const names = async (url: string) => {
    const [message] = messagesIn(await ask(url, withToken(modern('tools/list'), TOKEN)));
    const { tools = [] } = (message?.result ?? {}) as { tools?: { name: string }[] };
    return tools.map(({ name }) => name).sort();
  };
  expect(await names(here.url)).toEqual(await namesIn('chrome'));
  expect(await names(at('native'))).toEqual(await namesIn('native'));
});

it('that does not exist is told with those that do, to who may come in', async () => {
  const { at, here } = await start();
  for (const name of ['klingon', '__proto__', 'constructor', 'Chrome', 'chrome%00', 'toString']) {
    const { status, text } = await ask(at(name), withToken(modern('tools/list'), TOKEN));
    expect(status).toBe(404);
    expect(text).toContain(`/mcp/NAME takes ${DIALECTS.join(', ')}.`);
    expect((await ask(at(name), modern('tools/list'))).status).toBe(401);
  }
  expect((await ask(at('chrome/x'), withToken(modern('tools/list'), TOKEN))).status).toBe(404);
  expect((await ask(at('chrome'), { method: 'PUT', headers: BEARER })).status).toBe(405);
  expect(here.refusals).toContainEqual(
    expect.objectContaining({ caller: 'http', what: 'POST other', rule: 'dialect' }),
  );
});

it('keeps its sessions to itself', async () => {
  const { here, at } = await start();
  const headers = await handshake(at('chrome'), BEARER);
  const list = legacy({ id: 1, method: 'tools/list' }, headers);
  expect((await ask(at('chrome'), list)).status).toBe(200);
  expect((await ask(here.url, list)).status).toBe(404);
  const bob = { ...headers, authorization: 'Bearer token-of-bob-the-builder' };
  expect((await ask(at('chrome'), legacy({ id: 1, method: 'tools/list' }, bob))).status).toBe(404);
});
