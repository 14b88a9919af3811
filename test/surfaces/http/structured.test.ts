// Which clients get the structured form: by their name and revision, or as the options and a call say.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../process.ts';
import { ask, HELLO, legacy, messagesIn, withToken } from './ask.ts';
import { HTTP_AGENTS, Served } from './served.ts';

const folder = temporaryFolder();
const FLAGS = { auto: [], always: ['--structured'], never: ['--no-structured'] };
const served = {} as Record<keyof typeof FLAGS, Served>;

beforeAll(async () => {
  for (const [name, flags] of Object.entries(FLAGS) as [keyof typeof FLAGS, string[]][])
    served[name] = await new Served(join(folder.path, name), ...flags).ready();
});
afterAll(async () => {
  await Promise.all(Object.values(served).map(server => server.kill('SIGTERM')));
  folder.remove();
});

/** What a client of that name is answered; wrong arguments start no browser. */
async function answered(era: string, name: string, { url, token }: Served, path = '', tool = 'click') {
  const agent = await HTTP_AGENTS[era]!(url + path, token, { name, version: '1' });
  const answer = await agent.call(tool);
  await agent.close();
  expect(answer.content[0]?.text).toContain('selector');
  return answer.structuredContent;
}

const FORM = { success: false, code: 'bad_input', error: expect.any(String) };
const KEEP = ['claude-ai', 'claude-ai (via mcp-remote 0.1.37)', 'openai-mcp', 'mcp-inspector', 'inspector-client'];
const DROP = ['claude-code', 'codex-mcp-client', 'Visual Studio Code', 'Cursor', 'claude-ai-like', 'somebody'];

describe.each(Object.keys(HTTP_AGENTS))('14.6 a client of the %s', era => {
  it.each(KEEP)('14.6 that is %s gets the structured form unasked', async name =>
    expect(await answered(era, name, served.auto)).toMatchObject(FORM),
  );

  it.each(DROP)('14.6 that is %s gets only the text', async name =>
    expect(await answered(era, name, served.auto)).toBeUndefined(),
  );

  it('14.6 gets what a flag says, whatever its name', async () => {
    expect(await answered(era, 'claude-code', served.always)).toMatchObject(FORM);
    expect(await answered(era, 'claude-ai', served.never)).toBeUndefined();
  });

  it('14.6 gets no structured form from a strict dialect unasked', async () =>
    expect(await answered(era, 'claude-ai', served.auto, '/vision', 'browser_click')).toBeUndefined());
});

it.each([
  ['2025-03-26', undefined],
  ['2025-06-18', FORM],
])('14.6 the revision %s of a known client decides too', async (protocolVersion, form) => {
  const { url, token } = served.auto;
  const hello = {
    ...HELLO,
    params: { ...HELLO.params, protocolVersion, clientInfo: { name: 'claude-ai', version: '1' } },
  };
  const { headers } = await ask(url, withToken(legacy(hello), token));
  const own = { 'mcp-session-id': String(headers['mcp-session-id']) };
  await ask(url, withToken(legacy({ method: 'notifications/initialized' }, own), token));
  const call = { id: 1, method: 'tools/call', params: { name: 'click', arguments: {} } };
  const [message] = messagesIn(await ask(url, withToken(legacy(call, own), token)));
  expect(message?.result).toMatchObject({ isError: true });
  expect(message?.result?.structuredContent).toEqual(form && expect.objectContaining(form));
});
