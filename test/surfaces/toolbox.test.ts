// The built command: tools whose code runs inside the page, or that send further calls, work in the bundle as in the sources.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Site, startSite } from '../site/serve.ts';
import { AGENTS, type Agent } from './agents.ts';
import { temporaryFolder } from './process.ts';

let site: Site;
let agent: Agent;
const folder = temporaryFolder();
beforeAll(async () => {
  site = await startSite();
  agent = (await AGENTS['first generation']?.(folder.path)) as Agent;
});
afterAll(async () => {
  await agent.close();
  await site.close();
  folder.remove();
});

const to = (tool: string, args: Record<string, unknown>) => ({ tool, args });

describe('the built command', () => {
  it('read: its libraries are in a part of their own', async () => {
    const parts = readdirSync(join(import.meta.dirname, '../../dist/parts'));
    expect(parts.filter(name => /^libraries-.*\.js$/.test(name)).length).toBeGreaterThan(0);
    await agent.ok('navigate', { url: `${site.url}/article.html` });
    expect(await agent.ok('read')).toMatch(/^# On walking\nBy Robin Field\n[\s\S]*```\nup {5}3 km/);
    expect(await agent.ok('find', { text: '/road is a \\w+/' })).toContain('A road is a sentence');
  });

  it('batch and fill_form: the sign-up task in one call', async () => {
    const fields = [
      { selector: 'label:Full name', value: 'Ada Lovelace' },
      { selector: 'label:Email', value: 'ada@example.com' },
      { selector: 'label:Password', value: 'not told 42' },
      { selector: 'label:Country', value: 'Japan' },
      { selector: 'label:I accept the terms', value: true },
    ];
    const text = await agent.ok('batch', {
      calls: [
        to('navigate', { url: `${site.url}/signup.html` }),
        to('fill_form', { fields }),
        to('click', { selector: 'text:Sign up' }),
      ],
    });
    expect(text.length).toBeLessThan(1_000);
    expect(text).toMatch(/3\. click: .*now at .*\/signup "Welcome"/);
    const failed = await agent.call('batch', { calls: [to('batch', { calls: [] })] });
    expect(failed.isError).toBe(true);
  });

  it('S1-92 query: a person points', async () => {
    await agent.ok('navigate', { url: `${site.url}/article.html` });
    const answer = agent.ok('query', { requests: [{ id: 'h', name: 'the heading' }] });
    await vi.waitFor(
      async () => expect(await agent.ok('find', { text: 'Click the heading' })).toContain('Escape cancels'),
      10_000,
    );
    await agent.call('click', { selector: 'h1', force: true });
    expect(await answer).toMatch(/^h the heading: @e\d+ heading "On walking"$/);
  });

  it('S1-88 downloads: one is waited for and listed', async () => {
    await agent.ok('navigate', { url: `${site.url}/downloads.html` });
    await agent.ok('click', { selector: '#attachment' });
    expect(await agent.ok('wait', { for: 'download', filename_contains: 'report' })).toMatch(
      /report\.csv is downloaded/,
    );
    expect(await agent.ok('downloads')).toMatch(/^1\. report\.csv is downloaded \(33 bytes\): /);
  });
});
