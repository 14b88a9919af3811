// Real clients drive a page through the built command: the core loop with each, and every tool with the first generation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../site/serve.ts';
import { AGENTS, type Agent } from './agents.ts';
import { temporaryFolder } from './process.ts';

const folder = temporaryFolder();
let site: Site;

beforeAll(async () => {
  site = await startSite();
});
afterAll(async () => {
  await site.close();
  folder.remove();
});

async function withAgent(connect: (stateDir: string) => Promise<Agent>, use: (agent: Agent) => Promise<void>) {
  const agent = await connect(folder.path);
  await use(agent).finally(() => agent.close());
}

describe.each(Object.entries(AGENTS))('%s', (_name, connect) => {
  it('opens a page, reads it, acts by ref and reads it again', () =>
    withAgent(connect, async agent => {
      expect(await agent.names()).toContain('snapshot');
      await agent.ok('navigate', { url: `${site.url}/signup.html` });
      const [, ref] = /textbox "Full name"[^\n]*\[ref=(@e\d+)\]/.exec(await agent.ok('snapshot')) ?? [];
      expect(ref).toBeDefined();
      await agent.ok('fill', { selector: ref, value: 'Ada Lovelace' });
      expect(await agent.ok('snapshot')).toContain('Ada Lovelace');
      expect((await agent.call('screenshot')).content).toContainEqual(expect.objectContaining({ type: 'image' }));
      expect(await agent.call('click', { selector: '@e9999' })).toMatchObject({ isError: true });
    }));
});

/** One page after another, and the calls made on it. Every tool is called at least once. */
const TOUR: Record<string, [tool: string, args: Record<string, unknown>][]> = {
  'signup.html': [
    ['url', {}],
    ['title', {}],
    ['snapshot', { mode: 'interactive' }],
    ['query', { by: 'label', value: 'Email' }],
    ['locator', { chain: [{ method: 'role', value: 'button' }] }],
    ['fill', { selector: 'label:Email', value: 'ada@example.org' }],
    ['clear', { selector: 'label:Email' }],
    ['focus', { selector: 'label:Email' }],
    ['type', { text: 'ada', delay: 0 }],
    ['press', { key: 'Tab' }],
    ['check', { selector: 'label:I accept the terms' }],
    ['uncheck', { selector: 'label:I accept the terms' }],
    ['select', { selector: 'label:Country', label: 'Japan' }],
    ['hover', { selector: 'role:button' }],
    ['scroll', { direction: 'down' }],
    ['wait', { for: 'text', text: 'Create your account' }],
    ['evaluate', { expression: '6 * 7' }],
    ['screenshot', { format: 'jpeg' }],
    ['screenshot', { annotate: true }],
    ['pdf', { save_path: 'page.pdf' }],
    ['record', { action: 'start' }],
    ['record', { action: 'stop', save_path: 'tour.gif' }],
    ['record', { action: 'start', format: 'webm' }],
    ['record', { action: 'stop', save_path: 'tour.webm' }],
    ['find', { text: 'Email' }],
    ['read', {}],
    ['fill_form', { fields: [{ selector: 'label:Email', value: 'ada@example.org' }] }],
    ['batch', { calls: [{ tool: 'title' }] }],
    ['downloads', {}],
    ['console', {}],
    ['cookies', { action: 'get_all' }],
    ['storage', { action: 'keys' }],
    ['auth_state', { action: 'list' }],
    ['history', {}],
    ['bookmarks', { action: 'list_folders' }],
    ['capture', { action: 'status' }],
    ['route', { action: 'list' }],
    ['network_log', {}],
    ['request', {}],
    ['viewport', { width: 900, height: 700 }],
    ['device', { name: 'Desktop 1080p' }],
    ['geolocation', { latitude: 1, longitude: 2 }],
    ['permissions', { permissions: [{ name: 'geolocation', state: 'granted' }] }],
    ['emulate', { color_scheme: 'dark' }],
    ['reload', {}],
    ['dialog', { action: 'get_message' }],
  ],
  'todo.html': [
    ['dblclick', { selector: 'text:Buy bread' }],
    ['drag', { source: 'li:nth-child(3)', target: 'li:nth-child(2)' }],
    ['click', { selector: 'text:Clear done' }],
    ['back', {}],
    ['forward', {}],
  ],
  'upload.html': [
    ['upload', { selector: '#one', files: [{ base64: 'YWJj', name: 'abc.txt' }] }],
    ['tab_new', {}],
    ['tab_list', {}],
    ['tab_switch', { index: 0 }],
    ['tab_close', {}],
    ['window_new', {}],
    ['session_create', { name: 'tour' }],
    ['session_list', {}],
    ['session_close', { session: 'tour' }],
    ['profile', { action: 'create', name: 'tour' }],
    ['profile_list', {}],
  ],
};

// Every tool with the newest revision is in test/requirements/over-mcp.test.ts.
describe('first generation', () => {
  it('can call every tool', () =>
    withAgent(AGENTS['first generation']!, async agent => {
      const called = new Set(['navigate']);
      for (const [page, calls] of Object.entries(TOUR)) {
        await agent.ok('navigate', { url: `${site.url}/${page}` });
        for (const [tool, args] of calls) {
          const given = tool === 'request' ? { url: site.url } : args;
          expect(await agent.ok(tool, given), tool).not.toBe('');
          called.add(tool);
        }
      }
      expect([...called].sort()).toEqual((await agent.names()).sort());
    }));
});
