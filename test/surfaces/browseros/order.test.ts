// Writes of all clients of browseros-mcp run one after another, in the order in which they came (S2-23).
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type OtherBrowser, otherBrowser } from '../../other-browser.ts';
import { type Site, startSite } from '../../site/serve.ts';
import type { Agent } from '../agents.ts';
import { temporaryFolder } from '../process.ts';
import { type Started, sseAgent, startBin, streamableAgent } from './bin.ts';

// Each start loads all of Playwright, which a busy machine takes its time for.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const folder = temporaryFolder();
let site: Site;
let browser: OtherBrowser;
let started: Started;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), otherBrowser()]);
  started = await startBin('Node', Number(new URL(browser.endpoint).port), { home: folder.path });
});

afterAll(async () => {
  await started?.bin.kill('SIGINT');
  await browser.end();
  await site.close();
  folder.remove();
});

/** When it began and ended, by the clock of the machine. */
const SPAN = `async () => {
  const began = Date.now();
  await new Promise(done => setTimeout(done, 300));
  return [began, Date.now()];
}`;

const asked = (): number => started.bin.lines.filter(line => line.startsWith('evaluate_script request')).length;

async function span(agent: Agent): Promise<[number, number]> {
  const text = await agent.ok('evaluate_script', { function: SPAN });
  const [, began, ended] = /(\d{13})\D+(\d{13})/.exec(text) ?? [];
  return [Number(began), Number(ended)];
}

it('writes take turns over all clients, first come first served (S2-23)', async () => {
  const { url } = started;
  const agents = await Promise.all([sseAgent(url), sseAgent(url), streamableAgent(url)]);
  // Each on a page of its own: only the queue keeps them apart.
  for (const [index, agent] of agents.entries())
    await agent.ok('new_page', { url: `${site.url}/signup.html?${index}` });
  const spans: Promise<[number, number]>[] = [];
  for (const agent of [...agents, ...agents.toReversed()]) {
    const sent = asked();
    spans.push(span(agent));
    await expect.poll(asked).toBe(sent + 1);
  }
  const times = await Promise.all(spans);
  for (const [index, [began, ended]] of times.entries()) {
    expect(ended).toBeGreaterThan(began);
    if (index > 0) expect(began).toBeGreaterThanOrEqual(times[index - 1]?.[1] ?? Number.NaN);
  }
  await Promise.all(agents.map(agent => agent.close()));
});
