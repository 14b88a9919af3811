// How a server of the vision dialect starts: by its own config file and variables, over HTTP when that says so, or not at all.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, HELLO, legacy, messagesIn, withToken } from '../surfaces/http/ask.ts';
import { BUNDLE, cleanEnv, temporaryFolder } from '../surfaces/process.ts';
import { configure } from './vision-site.ts';

const TOKEN = 'a-token-of-the-tests';
const ARGS = [BUNDLE, '--dialect', 'vision'];
let folder: ReturnType<typeof temporaryFolder>;
let child: ChildProcess | undefined;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  if (child && child.exitCode === null) {
    child.kill('SIGTERM');
    await once(child, 'close');
  }
  child = undefined;
  folder.remove();
});

const environment = (more: Record<string, string> = {}) => ({
  ...cleanEnv(join(folder.path, 'state')),
  HOME: folder.path,
  ...more,
});

/** Starts it without a command; gives the address that it prints. */
async function served(config: string, env: Record<string, string> = {}): Promise<string> {
  configure(folder.path, config);
  child = spawn(process.execPath, ARGS, { env: environment(env) });
  let printed = '';
  let failed = '';
  child.stderr?.on('data', chunk => {
    failed += String(chunk);
  });
  while (!printed.includes('Stop:')) {
    const gone = once(child, 'close').then(() => Promise.reject(new Error(failed)));
    const [chunk] = await Promise.race([once(child.stdout!, 'data'), gone]);
    gone.catch(() => undefined);
    printed += String(chunk);
  }
  expect(printed).toContain('Token: the one that was given');
  return /http:\/\/\S+\/mcp/.exec(printed)?.[0] ?? '';
}

const HTTP = '    transport: { type: http, port: 0 }\n    auth: { mode: token }\n';

describe('S3-27 S3-28 a start', () => {
  it('S3-26 over HTTP, with the token of MCP_AUTH_TOKEN', async () => {
    const url = await served(HTTP, { MCP_AUTH_TOKEN: TOKEN });
    const hello = legacy(HELLO);
    expect((await ask(url, hello)).status).toBe(401);
    expect((await ask(url, withToken(hello, 'another-token-than-that'))).status).toBe(401);
    const answer = await ask(url, withToken(hello, TOKEN));
    expect(messagesIn(answer)[0]?.result).toMatchObject({
      serverInfo: { name: 'clawtopus-browser-mcp', version: '1.0.0' },
      capabilities: { tools: { listChanged: true }, logging: {} },
    });
  });

  it('S3-29 HTTP answers what is no message of the protocol with its codes', async () => {
    const url = await served(HTTP, { MCP_AUTH_TOKEN: TOKEN });
    const sent = async (body: string) => {
      const asked = {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body,
      };
      return JSON.parse((await ask(url, withToken(asked, TOKEN))).text).error.code;
    };
    expect(await sent('{bad')).toBe(-32_700);
    expect(await sent('{"id":1}')).toBe(-32_600);
    expect(await sent('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')).toBe(-32_000);
  });

  it('S3-22 S3-29 a wrong token is an invalid request, in the words of the document', async () => {
    const url = await served(HTTP, { MCP_AUTH_TOKEN: TOKEN });
    const { text } = await ask(url, withToken(legacy(HELLO), 'another-token-than-that'));
    expect(JSON.parse(text).error).toMatchObject({
      code: -32_600,
      message: expect.stringMatching(/^Invalid authentication/),
    });
  });

  it('keeps the journal where auditLogPath says', async () => {
    configure(folder.path, '      auditLogPath: calls/audit.log\n');
    const run = spawnSync(process.execPath, [...ARGS, 'call', 'browser.close'], {
      env: environment(),
      encoding: 'utf8',
    });
    expect(run.status, run.stderr).toBe(0);
    const lines = readFileSync(join(folder.path, '.clawtopus', 'calls', 'audit.log'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.map(line => JSON.parse(line).tool)).toEqual(['session_close']);
  });

  it.each([
    ['    httpPorts: 1\n', 'unknown key "mcp.browser.httpPorts"'],
    ['    auth: { useGatewayAuth: true }\n', 'auth.useGatewayAuth true cannot be honoured'],
    ['    sessions: { maxConcurrent: 0 }\n', 'sessions.maxConcurrent 0: expected a whole number'],
  ])('ends with a line and exit code 2 for %j', (config, line) => {
    configure(folder.path, config);
    const { status, stderr, stdout } = spawnSync(process.execPath, ARGS, {
      env: environment(),
      encoding: 'utf8',
      input: '',
    });
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^tabwright: .*config\.yaml:5: [^\n]*\n$/);
    expect(stderr).toContain(line);
  });

  it('shows no token in the table of options', () => {
    configure(folder.path);
    const env = environment({ MCP_AUTH_TOKEN: TOKEN });
    const { stdout, status } = spawnSync(process.execPath, [...ARGS, 'config', '--show'], { env, encoding: 'utf8' });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^token .*MCP_AUTH_TOKEN$/m);
    expect(stdout).not.toContain(TOKEN);
  });
});
