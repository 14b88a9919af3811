// Approvals: a caller who got a yes for one thing tries to have another one done by it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Result, run } from '../../src/call/call.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { type Kit, startKit } from '../kit.ts';

let kit: Kit;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabwright-approvals-'));
  const policy = join(folder, 'policy.json');
  const rules = [
    { name: 'paying', decision: 'ask', tool: ['click', 'request'], url: '127.0.0.1' },
    { name: 'elsewhere', decision: 'ask', tool: 'click', url: 'localhost' },
    { name: 'typing', decision: 'ask', tool: 'type' },
  ];
  writeFileSync(policy, JSON.stringify({ rules }));
  kit = await startKit('--policy', policy);
});
afterAll(async () => {
  await kit.close();
  rmSync(folder, { recursive: true });
});

/** A call of a client that can ask its person; with an earlier question, after a yes to that one. */
const ask = (name: string, args: Record<string, unknown>, agreed?: Result, caller = 'local'): Promise<Result> =>
  run(
    { server: kit.server, tools: TOOLS },
    {
      ...{ name, args, caller: { id: caller, rateLimit: 0 }, asks: true },
      ...(agreed && { approval: { id: agreed.ask?.id ?? '', answer: 'accept' as const } }),
    },
  );

const PAID =
  '<title>Pay</title><button onclick="document.title = &quot;Paid &quot; + location.search.slice(-7)">Pay</button>';
const payTo = (who: string, site = kit.site.url): string => `${site}/html?of=${encodeURIComponent(PAID)}&to=${who}`;
const click = { selector: 'role:button' };
const title = () => kit.ok('title');

it('15.9 a yes for one page pays nobody on another page of the same address', async () => {
  await kit.open(payTo('alice'));
  const asked = await ask('click', click);
  expect(asked.ask?.question).toContain('to=alice');
  await kit.open(payTo('mallory'));
  const again = await ask('click', click, asked);
  expect([again.ok, again.ask?.question]).toEqual([false, expect.stringContaining('to=mallory')]);
  expect(await title()).toBe('Pay');
  expect((await ask('click', click, again)).ok).toBe(true);
  expect(await title()).toMatch(/^Paid .*mallory/);
  // It holds once.
  expect((await ask('click', click, again)).ask).toBeDefined();
});

it('15.9 a yes is void when the session acts on before it is used', async () => {
  const form =
    '<title>Pay</title><input aria-label="To"><button onclick="document.title = &quot;Paid &quot; + document.querySelector(&quot;input&quot;).value">Pay</button>';
  await kit.open(`${kit.site.url}/html?of=${encodeURIComponent(form)}`);
  await kit.ok('fill', { selector: 'label:To', value: 'alice' });
  const asked = await ask('click', click);
  await kit.ok('snapshot');
  const script = 'document.querySelector("input").value = "mallory"; return true';
  await kit.ok('wait', { for: 'function', function: script });
  const again = await ask('click', click, asked);
  expect([again.ok, again.ask !== undefined, await title()]).toEqual([false, true, 'Pay']);
  expect((await ask('click', click, again)).ok).toBe(true);
  expect(await title()).toBe('Paid mallory');
});

it('15.9 a yes for one body sends no other, and is of no use to another caller', async () => {
  const pay = (to: string) => ({ url: `${kit.site.url}/api/echo`, method: 'POST', json: { to } });
  const asked = await ask('request', pay('alice'));
  expect((await ask('request', pay('mallory'), asked)).ok).toBe(false);
  const fresh = await ask('request', pay('alice'));
  expect((await ask('request', pay('alice'), fresh, 'guest')).ok).toBe(false);
  const last = await ask('request', pay('alice'));
  expect((await ask('request', pay('alice'), last)).ok).toBe(true);
});

it('15.9 a yes to a batch for one rule covers no other rule that only the reached page brings about', async () => {
  await kit.open('/signup.html');
  const calls = [
    { tool: 'type', args: { selector: 'label:Full name', text: 'Ann' } },
    { tool: 'navigate', args: { url: payTo('mallory', kit.site.otherSiteUrl) } },
    { tool: 'click', args: click },
  ];
  const asked = await ask('batch', { calls });
  expect(asked.ask?.rule).toBe('typing');
  const answer = await ask('batch', { calls }, asked);
  expect([answer.ok, answer.text, await title()]).toEqual([false, expect.stringContaining('rule "elsewhere"'), 'Pay']);
});
