// Several clients of browseros-mcp at once in one browser of somebody else: each its own session and selected page, and an end that leaves the browser alone.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type OtherBrowser, otherBrowser } from '../../other-browser.ts';
import { type Site, startSite } from '../../site/serve.ts';
import type { Agent } from '../agents.ts';
import { listenTo } from '../http/ask.ts';
import { temporaryFolder } from '../process.ts';
import { type Bin, type Runtime, type Started, sseAgent, startBin, streamableAgent } from './bin.ts';

vi.setConfig({ testTimeout: 90_000 });

const folder = temporaryFolder();
const bins: Bin[] = [];
let site: Site;
let browser: OtherBrowser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), otherBrowser()]);
});

afterAll(async () => {
  await Promise.all(bins.map(bin => bin.kill('SIGKILL')));
  await browser.end();
  await site.close();
  folder.remove();
});

async function start(runtime: Runtime): Promise<Started> {
  const started = await startBin(runtime, Number(new URL(browser.endpoint).port), { home: folder.path });
  bins.push(started.bin);
  return started;
}

const page = (name: string): string => `${site.url}/signup.html?${name}`;

/** The urls of all tabs, as the browser itself tells. */
async function tabs(): Promise<string[]> {
  const list = (await (await fetch(`${browser.endpoint}/json/list`)).json()) as { type: string; url: string }[];
  return list.filter(({ type }) => type === 'page').map(({ url }) => url);
}

const selected = async (agent: Agent): Promise<string | undefined> =>
  /^\d+: (\S+) \[selected\]/m.exec(await agent.ok('list_pages'))?.[1];

/** Goes from page to page and says where it is; never where another one is. */
async function wander(agent: Agent, name: string): Promise<void> {
  for (let step = 0; step < 3; step++) {
    const url = page(`${name}-${step}`);
    await agent.ok('navigate_page', { url });
    expect(await agent.ok('evaluate_script', { function: '() => location.href' })).toContain(url);
    expect(await selected(agent)).toBe(url);
  }
}

/** A picture is one large message: its last bytes tell that it came whole. */
async function pictureEnd(agent: Agent): Promise<string> {
  const { content } = (await agent.call('take_screenshot')) as { content: { data?: string }[] };
  const { data = '' } = content.find(part => part.data !== undefined) ?? {};
  return Buffer.from(data, 'base64').subarray(-8, -4).toString();
}

const idsIn = (bin: Bin, words: string): string[] =>
  bin.lines.filter(line => line.startsWith(words)).map(line => line.slice(words.length));

describe.each(['Node', 'Bun, built'] as const)('on %s', runtime => {
  it('clients of both transports work side by side, then it ends (S2-12, S2-17, S2-18, S2-20, S2-21, S2-22, S2-28, S2-29, S2-30, S2-31, S2-37, S2-39, S2-44)', async () => {
    const { bin, url } = await start(runtime);
    const before = await tabs();
    const [one, two, three] = await Promise.all([sseAgent(url), sseAgent(url), streamableAgent(url)]);
    const established = idsIn(bin, 'SSE connection established: session ');
    expect(new Set(established).size).toBe(2);
    expect(idsIn(bin, 'Streamable HTTP connection established: session ')).toHaveLength(1);
    for (const agent of [one, two, three]) expect(await agent.names()).toHaveLength(26);

    const agents: [string, Agent][] = [
      ['one', one],
      ['two', two],
      ['three', three],
    ];
    for (const [name, agent] of agents) await agent.ok('new_page', { url: page(name) });
    for (const [name, agent] of agents) expect(await selected(agent)).toBe(page(name));
    await Promise.all(agents.map(([name, agent]) => wander(agent, name)));
    for (const [name, agent] of agents) expect(await selected(agent)).toBe(page(`${name}-2`));
    expect(bin.lines).toContain(`new_page request: {"url":"${page('one')}"}`);

    for (const agent of [two, three]) expect(await pictureEnd(agent)).toBe('IEND');

    await one.close();
    await expect.poll(() => idsIn(bin, 'SSE connection closed: session ')).toHaveLength(1);
    expect(established).toContain(idsIn(bin, 'SSE connection closed: session ')[0]);
    expect(await selected(two)).toBe(page('two-2'));

    // The client of the SDK would hide the end of its stream and try again.
    const stream = await listenTo(url, {});
    expect(await bin.kill('SIGINT')).toEqual({ code: 0, signal: null });
    await stream.closed;
    await Promise.all([two, three].map(agent => agent.close()));
    const end = bin.lines.slice(bin.lines.indexOf('Shutting down server...'));
    expect(end.slice(0, 2)).toEqual(['Shutting down server...', 'Closing 3 active sessions']);
    expect(end.at(-1)).toBe('Server shutdown complete');
    const ids = idsIn(bin, 'SSE connection established: session ');
    expect(idsIn(bin, 'SSE connection closed: session ').sort()).toEqual(ids.sort());
    expect(bin.stderr).toBe('');
    const own = ['one-2', 'two-2', 'three-2'].map(page);
    expect((await tabs()).sort()).toEqual([...before, ...own].sort());
  });
});

describe('on Node', () => {
  it('a call that runs when it ends is answered', async () => {
    const { bin, url } = await start('Node');
    const agent = await sseAgent(url);
    await agent.ok('new_page', { url: page('busy') });
    const waits = agent.call('evaluate_script', { function: '() => new Promise(() => {})' });
    await bin.says('evaluate_script request');
    expect(await bin.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(await waits).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('ending') }] });
    await agent.close();
  });

  it('a tool that fails is told on stderr, and the next call works (S2-24, S2-32)', async () => {
    const { bin, url } = await start('Node');
    const agent = await sseAgent(url);
    await agent.ok('new_page', { url: page('fails') });
    expect(await agent.call('click', { uid: '99_99' })).toMatchObject({ isError: true });
    await expect.poll(() => bin.errors).toEqual([expect.stringMatching(/^click error: \S/)]);
    expect(await selected(agent)).toBe(page('fails'));
    await agent.close();
    await bin.kill('SIGINT');
  });

  it('clients without sessions share one selected page, and take nobody else’s', async () => {
    const { bin, url } = await start('Node');
    const pin = { pin: '2026-07-28' };
    const [old, first, second] = await Promise.all([
      sseAgent(url),
      streamableAgent(url, pin),
      streamableAgent(url, pin),
    ]);
    await old.ok('new_page', { url: page('old') });
    await first.ok('new_page', { url: page('shared') });
    expect(await selected(second)).toBe(page('shared'));
    expect(await selected(old)).toBe(page('old'));
    await Promise.all([old, first, second].map(agent => agent.close()));
    await bin.kill('SIGINT');
  });
});
