// The first answers on stdio are those of the protocol library, and the connection goes on with the library as if it had given them.
import { afterAll, describe, expect, it } from 'vitest';
import { HANDSHAKE_REVISIONS } from '../../../src/surfaces/mcp/first-answers.ts';
import { Process, temporaryFolder } from '../process.ts';

const folder = temporaryFolder();
const started: Process[] = [];

function start(...args: string[]): Process {
  const server = new Process(args, folder.path);
  started.push(server);
  return server;
}

afterAll(async () => {
  await Promise.all(started.map(server => server.kill('SIGKILL')));
  folder.remove();
});

/** A message that only the library answers makes it answer all that follows. */
async function withLibrary(...args: string[]): Promise<Process> {
  const server = start(...args);
  await server.request('ping');
  return server;
}

const handshake = (protocolVersion: string, client = 'test') =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 'first',
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: client, version: '1' } },
  });

const CASES = [
  ...HANDSHAKE_REVISIONS.map(revision => ['native', revision] as const),
  ...['chrome', 'devtools', 'vision'].map(dialect => [dialect, '2025-11-25'] as const),
];

describe('the handshake and the list of tools', () => {
  it.each(CASES)('of %s in %s are those of the library', async (dialect, revision) => {
    const [quick, library] = [start('--dialect', dialect), await withLibrary('--dialect', dialect)];
    const greetings = await Promise.all([quick.initialize(revision), library.initialize(revision)]);
    expect(greetings[0]?.result).toEqual(greetings[1]?.result);
    const lists = await Promise.all([quick.request('tools/list'), library.request('tools/list')]);
    expect(lists[0]?.result).toEqual(lists[1]?.result);
  });

  it('spell names as the client needs them', async () => {
    const server = start('--dialect', 'vision');
    server.write(`${handshake('2025-06-18', 'cursor')}\n`);
    const { result } = await server.request('tools/list');
    expect(JSON.stringify(result?.tools)).toContain('"browser_click"');
  });
});

describe('the connection goes on', () => {
  it('with one answer to each request, whatever the pieces in which they come', async () => {
    const server = start();
    const call = { jsonrpc: '2.0', id: 'third', method: 'tools/call', params: { name: 'nothing' } };
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const list = { jsonrpc: '2.0', id: 'second', method: 'tools/list' };
    const text = [handshake('2025-11-25'), ...[initialized, list, call].map(each => JSON.stringify(each)), ''].join(
      '\n',
    );
    for (let at = 0; at < text.length; at += 37) server.write(text.slice(at, at + 37));
    await expect.poll(() => server.lines.length).toBe(3);
    await server.endInput();
    expect(server.lines.map(line => JSON.parse(line).id)).toEqual(['first', 'second', 'third']);
    expect(server.stderr).toBe('');
  });

  it.each([
    ['a line that is no JSON', 'nonsense'],
    [
      'a long line',
      JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping', params: { _meta: { x: 'x'.repeat(100_000) } } }),
    ],
    ['a second handshake', handshake('2025-11-25').replace('first', 'again')],
  ])('after %s', async (_, line) => {
    const server = start();
    await server.initialize();
    server.write(`${line}\n`);
    expect((await server.request('tools/list')).result?.tools).toBeInstanceOf(Array);
    expect((await server.request('tools/call', { name: 'nothing' })).result).toMatchObject({ isError: true });
  });

  it('until the client leaves, also in the middle of a message', async () => {
    const server = start();
    await server.initialize();
    server.write('{"jsonrpc":"2.0","id":9,');
    expect(await server.endInput()).toEqual({ code: 0, signal: null });
  });
});

it('knows the revisions that the library offers in a handshake', async () => {
  const { SUPPORTED_PROTOCOL_VERSIONS } = await import('@modelcontextprotocol/server');
  expect(SUPPORTED_PROTOCOL_VERSIONS.filter(revision => revision < '2026').toSorted()).toEqual(
    expect.arrayContaining([...HANDSHAKE_REVISIONS]),
  );
});
