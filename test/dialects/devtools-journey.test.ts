// The 26 tools of the devtools dialect in one journey, by clients of the first SDK: over stdio, and at /mcp/devtools of a server that speaks our own names.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agent } from '../surfaces/agents.ts';
import { Served } from '../surfaces/http/served.ts';
import { BUNDLE, cleanEnv, temporaryFolder } from '../surfaces/process.ts';
import { uidIn } from './devtools-desk.ts';
import { type DevtoolsSite, startDevtoolsSite } from './devtools-site.ts';
import { NAMES } from './devtools-tools.ts';

const folder = temporaryFolder();
/** The machine may be busy. */
const PATIENT = ['--timeout-action', '20000', '--timeout-navigation', '40000'];
let site: DevtoolsSite;
let native: Served;

beforeAll(async () => {
  site = await startDevtoolsSite();
  native = await new Served(`${folder.path}/native`, ...PATIENT).ready();
});
afterAll(async () => {
  await native.kill('SIGTERM');
  await site.close();
  folder.remove();
});

/** The folder below which the server may read files. */
const OUTPUT = 'output';
const at = () => new URL(`${native.url}/devtools`);
const requestInit = () => ({ headers: { authorization: `Bearer ${native.token}` } });

const WAYS: Record<string, { stateDir: string; transport(): Transport }> = {
  stdio: {
    stateDir: `${folder.path}/stdio`,
    transport: () =>
      new StdioClientTransport({
        command: process.execPath,
        args: [BUNDLE, '--dialect', 'devtools', ...PATIENT],
        env: cleanEnv(`${folder.path}/stdio`),
        stderr: 'ignore',
      }),
  },
  // Their types do not know exact optional properties.
  'Streamable HTTP': {
    stateDir: `${folder.path}/native`,
    transport: () => new StreamableHTTPClientTransport(at(), { requestInit: requestInit() }) as never,
  },
  'HTTP+SSE': {
    stateDir: `${folder.path}/native`,
    transport: () => new SSEClientTransport(at(), { requestInit: requestInit() }) as never,
  },
};

describe.each(Object.keys(WAYS))('S2-41 %s', way => {
  it('all 26 tools, one after the other', async () => {
    const { stateDir, transport } = WAYS[way]!;
    const client = new Client({ name: 'journey', version: '1' });
    await client.connect(transport());
    expect(client.getServerVersion()).toEqual({ name: 'chrome_devtools', version: '0.6.1' });
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true }, logging: {} });
    const { ok, call, names, close } = agent(client);
    expect(await names()).toEqual(NAMES);
    const done = new Set<string>();
    const step = async (name: string, args: Record<string, unknown> = {}) => {
      done.add(name);
      const text = await ok(name, args);
      expect(text.split('\n')[0]).toBe(`# ${name} response`);
      return text;
    };
    // The session may be there already, with the page of an earlier client.
    await step('list_pages');
    await step('new_page', { url: `${site.url}/two` });
    const listed = await step('navigate_page', { url: `${site.url}/` });
    const own = Number(/(\d+): \S+ \[selected\]/.exec(listed)?.[1]);
    let page = await step('take_snapshot');
    const act = async (name: string, words: string, args: Record<string, unknown> = {}) => {
      page = await step(name, { uid: uidIn(page, words), ...args });
    };
    await act('click', 'button "Save"');
    expect(page).toContain('RootWebArea "saved"');
    await act('hover', 'button "Later"');
    await act('fill', 'textbox "Name"', { value: 'Grace' });
    const elements = [{ uid: uidIn(page, 'combobox'), value: 'Red' }];
    page = await step('fill_form', { elements });
    expect(page).toContain('combobox "Colour" value="Red"');
    page = await step('drag', { from_uid: uidIn(page, 'image "From"'), to_uid: uidIn(page, 'image "To"') });
    expect(page).toContain('RootWebArea "dropped"');
    mkdirSync(join(stateDir, OUTPUT), { recursive: true });
    const filePath = join(stateDir, OUTPUT, 'letter.txt');
    writeFileSync(filePath, 'hello');
    await act('upload_file', 'button "File"', { filePath });
    expect(page).toContain('value="letter.txt"');
    await act('click', 'button "Ask"');
    expect(page).toContain('# Open dialog\nconfirm: Sure?');
    await step('handle_dialog', { action: 'accept' });
    expect(await step('evaluate_script', { function: '() => document.title' })).toContain('```json\n"true"\n```');
    await step('emulate_cpu', { throttlingRate: 2 });
    await step('emulate_network', { throttlingOption: 'Fast 4G' });
    expect(await step('resize_page', { width: 900, height: 600 })).toMatch(/Emulating: Fast 4G[\s\S]*2x slowdown/);
    await step('emulate_cpu', { throttlingRate: 1 });
    await step('emulate_network', { throttlingOption: 'No emulation' });
    await step('performance_start_trace', { reload: false, autoStop: false });
    await step('performance_stop_trace');
    await step('performance_analyze_insight', { insightName: 'DocumentLatency' });
    await step('navigate_page', { url: `${site.url}/late` });
    expect(await step('wait_for', { text: 'Arrived now' })).toContain('Arrived now');
    await step('navigate_page_history', { navigate: 'back' });
    expect(await step('list_network_requests')).toMatch(/GET \[/);
    await step('get_network_request', { url: `${site.url}/` });
    await step('list_console_messages');
    done.add('take_screenshot');
    expect((await call('take_screenshot', { format: 'jpeg' })).content).toMatchObject([
      { type: 'text' },
      { type: 'image', mimeType: 'image/jpeg' },
    ]);
    await step('select_page', { pageIdx: 0 });
    await step('close_page', { pageIdx: own });
    expect([...done].sort()).toEqual([...NAMES].sort());
    await expect(call('navigate', {})).rejects.toMatchObject({ code: -32_602 });
    await close();
  }, 120_000);
});
