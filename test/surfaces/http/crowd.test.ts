// Clients of every kind at once on one server, each with a token, a session and a page of its own: no cross-talk, all answered (S3-17, S3-26, S3-34).
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Site, startSite } from '../../site/serve.ts';
import type { Agent } from '../agents.ts';
import { temporaryFolder } from '../process.ts';
import { HTTP_AGENTS, Served, SSE_AGENTS } from './served.ts';

const KINDS: Record<string, (url: string, token: string) => Promise<Agent>> = {
  'first-generation': HTTP_AGENTS['first generation']!,
  'second-legacy': HTTP_AGENTS['second generation, older revisions']!,
  'second-modern': HTTP_AGENTS['second generation, newest revision only']!,
  'oldest-sse': (url, token) => SSE_AGENTS['first generation']!(url.replace('/mcp', '/sse'), token),
};
const NAMES = Object.keys(KINDS);
const tokenOf = (name: string) => `token-of-the-agent-${name}`;

const folder = temporaryFolder();
let served: Served;
let site: Site;

beforeAll(async () => {
  site = await startSite();
  mkdirSync(folder.path, { recursive: true });
  const rows = NAMES.map(id => `  - { id: ${id}, token: ${tokenOf(id)} }`);
  writeFileSync(join(folder.path, 'tokens.yaml'), ['tokens:', ...rows].join('\n'), { mode: 0o600 });
  served = await new Served(folder.path, '--no-block-private').ready();
});
afterAll(async () => {
  await served.kill('SIGKILL');
  await site.close();
  folder.remove();
});

/** 25 calls; each answer must be that of this agent's own page. */
async function work(agent: Agent, name: string, session: Record<string, string>): Promise<string[]> {
  const said: string[] = [];
  const call = async (tool: string, args: Record<string, unknown> = {}) => {
    const text = await agent.ok(tool, { ...args, ...session });
    said.push(text);
    return text;
  };
  await call('navigate', { url: `${site.url}/signup.html` });
  await call('evaluate', { expression: `document.title = "page of ${name}"` });
  const [, field] = /textbox "Full name"[^\n]*\[ref=(@e\d+)\]/.exec(await call('snapshot')) ?? [];
  for (let round = 0; round < 3; round++) {
    const value = `${name} ${round}`;
    await call('fill', { selector: field, value });
    // Reads at once, each for itself.
    const [title, snapshot, ...sums] = await Promise.all([
      call('title'),
      call('snapshot', { mode: 'interactive' }),
      ...[1, 2, 3].map(step => call('evaluate', { expression: `document.title + ${round * 10 + step}` })),
    ]);
    expect(title).toBe(`page of ${name}`);
    expect(snapshot).toContain(`"${value}"`);
    expect(sums).toEqual([1, 2, 3].map(step => expect.stringContaining(`page of ${name}${round * 10 + step}`)));
  }
  const tabs = await call('tab_list');
  expect(tabs.match(/page of [\w-]+/g)).toEqual([`page of ${name}`]);
  while (said.length < 25) expect(await call('title')).toBe(`page of ${name}`);
  return said;
}

it.each([
  ['its default session', () => ({})],
  ['a session of its own name', (name: string) => ({ session: `s-${name}` })],
])(
  '4 agents of 4 kinds, 25 calls each, in %s',
  async (_where, session) => {
    const agents = await Promise.all(
      NAMES.map(async name => ({ name, agent: await KINDS[name]!(served.url, tokenOf(name)) })),
    );
    const answers = await Promise.all(
      agents.map(async ({ name, agent }) => ({ name, said: await work(agent, name, session(name)) })),
    );
    for (const { name, said } of answers) {
      expect(said).toHaveLength(25);
      const others = NAMES.filter(other => other !== name);
      for (const text of said) for (const other of others) expect(text).not.toContain(other);
    }
    await Promise.all(agents.map(({ agent }) => agent.close()));
  },
  120_000,
);

it('none may enter the session of another', async () => {
  const [mine = '', yours = ''] = NAMES;
  const agent = await KINDS[mine]!(served.url, tokenOf(mine));
  const answer = await agent.call('title', { session: `s-${yours}@${yours}` });
  expect(answer).toMatchObject({ isError: true });
  expect(answer.content[0]?.text).toContain(`Access denied to session: s-${yours}@${yours}`);
  await agent.close();
});
