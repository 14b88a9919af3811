// Real clients drive a page through the built command: the core loop with each. Every tool is called in test/requirements/over-mcp.test.ts.
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
