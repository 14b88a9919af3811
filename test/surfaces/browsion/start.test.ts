// How the service and the bridge start: port, config file, and what is said when one of them is not there.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { API } from '../../../src/dialects/browsion/routes.ts';
import { CLIENT_INFO, cleanEnv } from '../process.ts';
import { BIN, Service } from './service.ts';

const services: Service[] = [];
const folders: string[] = [];
afterEach(() => Promise.all(services.splice(0).map(service => service.stop())));
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A home with that config file in it. */
function homeWith(config: string): string {
  const home = mkdtempSync(join(tmpdir(), 'tabwright-test-'));
  folders.push(home);
  mkdirSync(join(home, '.config', 'browsion'), { recursive: true });
  writeFileSync(join(home, '.config', 'browsion', 'config.toml'), config);
  return home;
}

function start(wishes: ConstructorParameters<typeof Service>[0]): Service {
  const service = new Service(wishes);
  services.push(service);
  return service;
}

/** A port that nobody listens on now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
}

describe('S4-07 the config file', () => {
  it('gives port, key and profiles; what it does not know is warned of', async () => {
    const port = await freePort();
    const HOME = homeWith(`api_port = ${port}
theme = "dark"
[settings]
minimize_to_tray = true
[mcp]
api_key = "from-file"
[[profiles]]
id = "uuid-1234"
name = "US Profile"
user_data_dir = "/home/user/chrome/us"
proxy_server = "http://proxy:8080"
lang = "en-US"
timezone = "America/Los_Angeles"
headless = false
tags = ["work"]
`);
    const service = await start({ flags: [], env: { HOME } }).ready();
    expect(service.url).toBe(`http://127.0.0.1:${port}`);
    expect((await service.http('GET', '/api/profiles')).status).toBe(401);
    const { body } = await service.http('GET', '/api/profiles', undefined, { 'x-api-key': 'from-file' });
    expect(body).toEqual([
      expect.objectContaining({
        id: 'uuid-1234',
        proxy_server: 'http://proxy:8080',
        tags: ['work'],
        is_running: false,
      }),
    ]);
    expect(service.stderr).toMatch(/config\.toml:2: "theme" means nothing here/);
    expect(service.stderr).not.toContain('minimize_to_tray');
  });

  it.each([
    ['api_port = "many"', /config\.toml:1: api_port "many": expected a whole number/],
    ['api_port = ', /config\.toml:1: .*TOML/i],
  ])('a mistake in it stops the start: %s', async (config, said) => {
    const service = start({ flags: [], env: { HOME: homeWith(config) } });
    expect(await service.ended).toBe(2);
    expect(service.stderr).toMatch(said);
  });

  it.each([
    ['api_port = 0', {}, /disabled by api_port in \S+config\.toml\./],
    ['[mcp]\napi_port = 0', {}, /disabled by mcp\.api_port in \S+config\.toml\./],
    ['api_port = 4000\n[mcp]\nenabled = false', {}, /disabled by mcp\.enabled in \S+config\.toml\./],
    ['', { BROWSION_API_PORT: '0' }, /disabled by BROWSION_API_PORT\./],
  ])('14.21 %s %j: there shall be no API, and what says so is named', async (config, env, said) => {
    const service = start({ flags: [], env: { HOME: homeWith(config), ...env } });
    expect(await service.ended).toBe(1);
    expect(service.stderr).toMatch(said);
    expect(service.stderr).toContain('Change that, or give --port 38472.');
  });
});

describe('the port', () => {
  it('that is taken is said, and by whom', async () => {
    const first = await start({}).ready();
    const second = start({ flags: ['--port', new URL(first.url).port] });
    expect(await second.ended).toBe(1);
    expect(second.stderr).toContain('Another Tabwright listens at port');
  });

  it('S4-05 BROWSION_API_PORT names it', async () => {
    const port = await freePort();
    const service = await start({ flags: [], env: { BROWSION_API_PORT: String(port) } }).ready();
    expect(service.url).toBe(`http://127.0.0.1:${port}`);
  });
});

describe('S4-01 browsion-mcp without the service', () => {
  it('starts, lists its tools, tells every caller how to start it, and works when it is there', async () => {
    const port = await freePort();
    const home = homeWith('');
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BIN],
      env: { ...cleanEnv(home), HOME: home, XDG_CONFIG_HOME: '', BROWSION_API_PORT: String(port) },
      stderr: 'pipe',
    });
    let stderr = '';
    transport.stderr?.on('data', chunk => {
      stderr += String(chunk);
    });
    const client = new Client(CLIENT_INFO);
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(73);
    const how = `Start it: tabwright serve --dialect browsion --port ${port}`;
    await expect.poll(() => stderr).toContain(how);
    const args = { profile_id: 'x', id: 'x' };
    for (const name of Object.keys(API)) {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const text = content[0]?.type === 'text' ? content[0].text : '{}';
      expect([name, isError, JSON.parse(text).hint]).toEqual([name, true, how]);
    }
    const service = await start({ flags: ['--port', String(port)] }).ready();
    const { isError } = await client.callTool({ name: 'list_profiles', arguments: {} });
    expect(isError).toBeUndefined();
    await service.stop();
    await client.close();
  });

  it('says what is missing before it sends anything', async () => {
    const client = new Client(CLIENT_INFO);
    const home = homeWith('[mcp]\nenabled = false');
    const env = { ...cleanEnv(home), HOME: home, XDG_CONFIG_HOME: '' };
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [BIN], env, stderr: 'ignore' }));
    const { content } = await client.callTool({ name: 'click', arguments: { selector: '#x' } });
    expect(content).toMatchObject([{ text: expect.stringContaining('profile_id is missing') }]);
    const { content: off } = await client.callTool({ name: 'list_profiles', arguments: {} });
    expect(off).toMatchObject([
      { text: expect.stringMatching(/The HTTP API is disabled by mcp\.enabled in .* Change that, then start it: /) },
    ]);
    await expect(client.callTool({ name: 'clik', arguments: {} })).rejects.toThrow(/Did you mean click/);
    await client.close();
  });
});
