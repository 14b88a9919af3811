// The built server over a stub: MCP on stdio and nothing else (S0-01, S0-02, S0-66), results as structured content (S0-20), memory (S0-58).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVER_NAME, SERVER_VERSION } from '../../../src/bridge/constants.ts';
import { BRIDGE_TOOLS } from '../../../src/bridge/tools/index.ts';
import { type CliRunResult, RESULT } from '../../../src/bridge/types.ts';
import { BUNDLE, CLIENT_INFO, cleanEnv, isAlive, Process } from '../../surfaces/process.ts';
import { type Modes, type StubKit, stubKit } from '../kit.ts';

const COMMAND = resolve('dist/agent-browser.js');
const names = BRIDGE_TOOLS.map(({ name }) => name);

let kit: StubKit;
const started: Process[] = [];
beforeAll(() => {
  kit = stubKit();
});
afterAll(async () => {
  await Promise.all(started.map(server => server.kill('SIGKILL')));
  kit.remove();
});

const envFor = (modes: Modes = {}) => ({ AGENT_BROWSER_BIN: kit.bin, TABWRIGHT_EXECUTABLE_PATH: '', ...modes });

async function start(modes?: Modes, ...flags: string[]): Promise<Process> {
  const server = new Process(['--dialect', 'agent-browser', ...flags], kit.folder, envFor(modes));
  started.push(server);
  await server.initialize();
  return server;
}

interface Answer {
  content: { type: string; text: string }[];
  structuredContent: CliRunResult;
  isError?: boolean;
}
const call = async (server: Process, name: string, args: Record<string, unknown> = {}): Promise<Answer> =>
  (await server.request('tools/call', { name, arguments: args })).result as unknown as Answer;

describe('the command agent-browser-mcp-server', () => {
  const settings = () => ({
    command: process.execPath,
    args: [COMMAND],
    env: { ...cleanEnv(kit.folder), ...envFor() },
    stderr: 'ignore' as const,
  });

  it('S0-01 S0-03 S0-66 S0-68a serves a client of the second generation, which checks every result against its schema', async () => {
    const client = new Client(CLIENT_INFO);
    await client.connect(new StdioClientTransport(settings()));
    expect(client.getServerVersion()).toMatchObject({ name: SERVER_NAME, version: SERVER_VERSION });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(names);
    const result = await client.callTool({ name: 'agent_browser_click', arguments: { target: '@e1' } });
    expect(RESULT.parse(result.structuredContent)).toMatchObject({
      ok: true,
      invoked: { args: ['--json', 'click', '@e1'] },
    });
    const refused = await client.callTool({ name: 'agent_browser_command', arguments: { argv: ['install'] } });
    expect(RESULT.parse(refused.structuredContent)).toMatchObject({ ok: false, exitCode: -1 });
    await client.close();
  });

  it('S0-01 serves a client of the first generation', async () => {
    const client = new FirstClient(CLIENT_INFO);
    await client.connect(new FirstTransport(settings()));
    expect((await client.listTools()).tools).toHaveLength(names.length);
    const result = await client.callTool({ name: 'agent_browser_reload', arguments: {} });
    expect(RESULT.parse(result.structuredContent).ok).toBe(true);
    await client.close();
  });

  it('14.15 explains itself, as does the dialect, and so do its commands', () => {
    const run = (...words: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, words, {
        env: cleanEnv(kit.folder),
        encoding: 'utf8',
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return stdout;
    };
    const help = run(COMMAND, '--help');
    for (const words of ['Usage: agent-browser-mcp-server', '--allow-commands', 'AGENT_BROWSER_BIN'])
      expect(help).toContain(words);
    expect(run(COMMAND, '-h')).toBe(help);
    expect(run(BUNDLE, '--dialect', 'agent-browser', '--help')).toBe(help);
    expect(run(BUNDLE, '--help', '--dialect=agent-browser')).toBe(help);
    expect(run(COMMAND, 'tools', '--help')).toContain('Usage: tabwright tools');
    expect(run(BUNDLE, '--dialect', 'vision', '--help')).toContain('Usage: tabwright [command]');
    expect(run(COMMAND, '--version')).toBe(`${SERVER_VERSION}\n`);
  });

  it('S0-02 ends with a code and a line on stderr when it cannot start, and writes nothing to stdout', () => {
    const run = (...flags: string[]) =>
      spawnSync(process.execPath, [COMMAND, ...flags], { env: cleanEnv(kit.folder), encoding: 'utf8', input: '' });
    for (const flags of [
      ['--nonsense'],
      ['--allow-urls', '*.example.com'],
      ['--allow-commands', 'mcp'],
      ['--transport', 'http'],
    ]) {
      const { status, stdout, stderr } = run(...flags);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/^tabwright: .+\n$/);
    }
    expect(run('serve')).toMatchObject({ status: 2, stderr: expect.stringContaining('stdin and stdout only') });
    expect(run()).toMatchObject({ status: 0, stdout: '' });
  });
});

describe('--dialect agent-browser', () => {
  it('S0-20 S0-21 answers with the result as structured content, and with a short text', async () => {
    const server = await start({ STUB: 'fail', STUB_TEXT: '{"success":false,"error":"Unknown ref: e9"}' });
    const { structuredContent, content, isError } = await call(server, 'agent_browser_click', { target: '@e9' });
    expect(RESULT.parse(structuredContent)).toMatchObject({ ok: false, exitCode: 3, parsedJson: { success: false } });
    expect(content).toEqual([{ type: 'text', text: expect.stringMatching(/exit code 3.*\nUnknown ref: e9$/) }]);
    expect(isError).toBe(true);
  });

  it('14.15 shows lists, strings and numbers as themselves', async () => {
    const shown = async (answer: object) => {
      const server = await start({ STUB: 'say', STUB_TEXT: JSON.stringify(answer) });
      return (await call(server, 'agent_browser_eval', { script: 'x' })).content[0]?.text;
    };
    const data = [['a', { b: 1 }], 'two words', 0];
    expect(await Promise.all(data.map(data => shown({ success: true, data, error: null })))).toEqual([
      '["a",{"b":1}]',
      'two words',
      '0',
    ]);
  });

  it('S0-02 S0-66 writes nothing but protocol, whatever is called and logged', async () => {
    const server = await start({}, '--log-level', 'debug');
    await server.request('tools/list');
    for (const name of names) await call(server, name, { nonsense: true });
    await call(server, 'agent_browser_nothing');
    await call(server, 'agent_browser_reload', { debug: true });
    await server.request('no/such/method');
    await server.endInput();
    // The client parsed each line as JSON; one answer for each request.
    expect(server.lines).toHaveLength(names.length + 5);
    for (const line of server.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  it('S0-56 is well-formed for every tool, whatever is wrong', async () => {
    const server = await start({ AGENT_BROWSER_BIN: '/no/such/program' });
    const odd = [
      {},
      { target: 5 },
      { url: 'file:///x' },
      { argv: ['x'] },
      { save_output_path: '/x' },
      { session: '../..' },
    ];
    const answers = await Promise.all(names.flatMap(name => odd.map(args => call(server, name, args))));
    expect(answers).toHaveLength(names.length * odd.length);
    for (const { structuredContent, isError } of answers) {
      expect(RESULT.parse(structuredContent).ok).toBe(false);
      expect(isError).toBe(true);
    }
  });

  it.skipIf(process.platform !== 'linux')(
    'S0-58 keeps its memory when 50 MB come, on stdout and on stderr',
    async () => {
      const peak = (server: Process) => {
        const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? [];
        return Number(kilobytes) / 1024;
      };
      for (const mode of ['flood', 'floodErrors']) {
        const server = await start({ STUB: mode, STUB_BYTES: String(50_000_000) });
        await call(server, 'agent_browser_reload', { json: 'no' });
        const before = peak(server);
        const { structuredContent } = await call(server, 'agent_browser_reload');
        const grown = peak(server) - before;
        console.log(
          `${mode}: 50 MB written by the program, the most memory of the server grew by ${grown.toFixed(0)} MB`,
        );
        expect(structuredContent).toMatchObject({ ok: true, truncated: true });
        expect(grown).toBeLessThan(40);
      }
    },
    60_000,
  );

  it('S0-62 is ended with all that runs', async () => {
    const file = join(kit.folder, 'running.pid');
    const server = await start({ STUB: 'sleep', STUB_FILE: file });
    server.send({ id: 1_000, method: 'tools/call', params: { name: 'agent_browser_reload', arguments: {} } });
    await expect.poll(() => readPids(file).length, { timeout: 20_000 }).toBe(2);
    await server.endInput();
    await expect.poll(() => readPids(file).filter(isAlive), { timeout: 10_000 }).toEqual([]);
  });

  it('S0-55 S0-37 offers groups of its tools', async () => {
    const server = await start({}, '--tools', 'core');
    const { tools } = (await server.request('tools/list')).result as unknown as { tools: { name: string }[] };
    const listed = tools.map(({ name }) => name.replace('agent_browser_', ''));
    expect(listed).toEqual(['open', 'snapshot', 'click', 'fill', 'type', 'press', 'close', 'screenshot']);
    expect((await call(server, 'agent_browser_command', { argv: ['reload'] })).structuredContent.stderr).toMatch(
      /no tool/,
    );
  });

  it('S0-43 lets the operator allow more commands', async () => {
    const server = await start({}, '--allow-commands', 'auth,stream');
    const { structuredContent } = await call(server, 'agent_browser_command', { argv: ['auth', 'list'] });
    expect(structuredContent).toMatchObject({ ok: true, invoked: { args: ['--json', 'auth', 'list'] } });
  });

  it('S0-07 S0-14 S0-71 takes options of the operator', async () => {
    const out = join(kit.folder, 'out');
    const text = 'x'.repeat(5_000);
    const flags = ['--headed', '--executable-path', '/opt/chrome', '--max-chars', '2000', '--output-dir', out];
    const server = await start({ STUB: 'say', STUB_TEXT: text }, ...flags);
    const { structuredContent, content } = await call(server, 'agent_browser_reload', { session: 's' });
    expect(structuredContent.invoked.args).toEqual([
      '--session',
      's',
      '--headed',
      '--executable-path',
      '/opt/chrome',
      '--json',
      'reload',
    ]);
    expect(structuredContent.stdout).toHaveLength(2_000);
    expect(content[0]?.text.length).toBeLessThanOrEqual(2_000);
    const saved = await call(server, 'agent_browser_reload', { save_output_path: 'a.txt' });
    expect(saved.structuredContent.savedOutputPath).toBe(join(out, 'a.txt'));
    expect(readFileSync(join(out, 'a.txt'), 'utf8')).toBe(text);
  });

  it('lists its tools in a terminal', () => {
    const run = (...words: string[]) =>
      spawnSync(process.execPath, [BUNDLE, 'tools', ...words, '--dialect', 'agent-browser'], {
        env: cleanEnv(kit.folder),
        encoding: 'utf8',
      }).stdout;
    expect(run()).toContain('agent_browser_health');
    expect(run('agent_browser_open')).toContain('headers');
  });
});

const readPids = (file: string): number[] => {
  try {
    return readFileSync(file, 'utf8').split(' ').map(Number);
  } catch {
    return [];
  }
};
