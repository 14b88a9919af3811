// query with pick and requests: a person points at elements; here the person is the mouse and keyboard of other calls.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Result, run } from '../../src/call/call.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { type Kit, startKit } from '../kit.ts';
import { js, show, textOf } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const PAGE = `<style>body { margin: 0 } button, a { position: absolute; left: 100px; width: 200px; height: 40px }</style>
  <button style="top: 100px" onclick="log.textContent += 'saved '"><i>★</i> <span>Save</span></button>
  <a href="/elsewhere" style="top: 200px">Leave</a><p id="log" style="position: absolute; top: 300px">…</p>`;

const point = (x: number, y: number) => kit.ok('click', { coordinates: { x, y } });
const bar = () => js(kit, 'document.querySelector("tabwright-pick") !== null');
const shown = () => vi.waitFor(async () => expect(await bar()).toBe('true'), { timeout: 10_000, interval: 50 });

/** Starts a pick and waits until the person is asked. */
async function picking(args: Record<string, unknown>): Promise<{ answer: Promise<Result> }> {
  const answer = kit.call('query', args);
  await Promise.race([shown(), answer]);
  return { answer };
}

describe('S1-92 query with a person who points', () => {
  it('pick: true gives the ref of what was clicked; the page does not get the click', async () => {
    await show(kit, PAGE);
    const { answer } = await picking({ pick: true });
    await point(150, 120);
    const result = await answer;
    expect(result.text).toMatch(/^@e\d+ button "★ Save"$/);
    expect(result.data).toMatchObject({ count: 1, matches: [{ role: 'button', name: '★ Save' }] });
    expect(await textOf(kit, '#log')).toBe('…');
    expect(await bar()).toBe('false');
    await kit.ok('click', { selector: result.text.split(' ')[0] });
    expect(await textOf(kit, '#log')).toBe('…saved ');
  });

  it('requests are asked one after another, in a bar that says what is wanted; each answer bears its id', async () => {
    await show(kit, PAGE);
    const { answer } = await picking({
      requests: [{ id: 'a', name: 'the way out', description: 'a link' }, { name: 'the button that keeps it' }],
    });
    expect(await kit.ok('snapshot')).toContain('1 of 2: Click the way out (a link). Escape cancels.');
    await point(150, 220);
    await vi.waitFor(
      async () => expect(await kit.ok('find', { text: '2 of 2' })).toContain('Click the button that keeps it'),
      10_000,
    );
    await point(290, 130);
    const result = await answer;
    expect(result.text).toMatch(/^a the way out: @e\d+ link "Leave"\nthe button that keeps it: @e\d+ button "★ Save"$/);
    expect(result.data).toMatchObject({
      matches: [{ id: 'a', asked: 'the way out', role: 'link' }, { role: 'button' }],
    });
    expect(await textOf(kit, '#log')).toBe('…');
  });

  it('Escape cancels, and what was picked before is told', async () => {
    await show(kit, PAGE);
    const { answer } = await picking({ requests: [{ name: 'one' }, { name: 'two' }] });
    await point(150, 120);
    await vi.waitFor(async () => expect(await kit.ok('find', { text: '2 of 2' })).toContain('two'), 10_000);
    await kit.ok('press', { key: 'Escape' });
    const result = await answer;
    expect(result.failure?.code).toBe('cancelled');
    expect(result.text).toMatch(/^The person pressed Escape\. Picked before: one @e\d+ button "★ Save"\./);
    expect(await bar()).toBe('false');
  });

  it.each([
    ['a frame', '/signup-in-iframe.html', 'textbox "Email"', '#email'],
    ['a frame of another site', '/signup-in-cross-origin-iframe.html', 'textbox "Email"', '#email'],
    ['a closed shadow root', '/signup-closed-shadow.html', 'textbox "Email"', undefined],
  ])('in %s', async (_where, path, line, selector) => {
    await kit.open(path);
    const ref = await kit.ref('"Email"');
    const { answer } = await picking({ pick: true });
    await kit.call('click', { selector: selector ?? ref, force: true });
    expect((await answer).text).toBe(`${ref} ${line}`);
  });

  it('goes on when the page is left meanwhile', async () => {
    await show(kit, PAGE);
    const { answer } = await picking({ requests: [{ name: 'the heading' }] });
    await kit.open('/article.html');
    await shown();
    await kit.call('click', { selector: 'h1', force: true });
    expect((await answer).text).toMatch(/^the heading: @e\d+ heading "On walking"$/);
  });

  it('stands above a modal dialog, and lets the mouse through', async () => {
    await show(
      kit,
      '<dialog id="d" style="top: 0; margin: 0; padding: 0"><button style="width: 300px; height: 60px">Inside</button></dialog><script>d.showModal()</script>',
    );
    const { answer } = await picking({ pick: true });
    await point(20, 10);
    expect((await answer).text).toMatch(/button "Inside"$/);
  });

  it('reads of the session answer while it waits, and progress is told', async () => {
    await show(kit, PAGE);
    const steps: string[] = [];
    const answer = run(
      { server: kit.server, tools: TOOLS },
      {
        name: 'query',
        args: { pick: true },
        caller: { id: 'local' },
        progress: ({ message }) => void steps.push(message ?? ''),
      },
    );
    await shown();
    expect(await kit.ok('title')).toBe('Made');
    expect(await kit.ok('find', { text: 'Leave' })).toContain('link "Leave"');
    await vi.waitFor(() => expect(steps).toContain('query: 1 s'), 10_000);
    await point(150, 120);
    expect((await answer).ok).toBe(true);
  });

  it('nobody points: timeout, and the page is as before', async () => {
    await show(kit, PAGE);
    const result = await kit.call('query', { pick: true, timeout: 1_500 });
    expect(result.failure?.code).toBe('timeout');
    expect(result.text).toMatch(/^Nobody has pointed at it within 1 s/);
    expect(await bar()).toBe('false');
    await point(150, 120);
    expect(await textOf(kit, '#log')).toBe('…saved ');
  });

  it('cancelled by the caller: the bar goes, and clicks reach the page again', async () => {
    await show(kit, PAGE);
    const stop = new AbortController();
    const answer = kit.call('query', { pick: true }, { signal: stop.signal });
    await shown();
    stop.abort();
    expect((await answer).failure?.code).toBe('cancelled');
    await vi.waitFor(async () => expect(await bar()).toBe('false'), 10_000);
    await vi.waitFor(async () => {
      await point(150, 120);
      expect(await textOf(kit, '#log')).toContain('saved');
    }, 10_000);
  });

  it('a dialog of the page ends it', async () => {
    await show(kit, PAGE);
    const { answer } = await picking({ pick: true });
    await js(kit, 'void setTimeout(() => alert("hey"), 50)');
    expect((await answer).failure?.code).toBe('dialog_open');
    await kit.ok('dialog', { action: 'accept' });
    expect(await bar()).toBe('false');
  });

  it('may take longer than the limit for calls, at most 600 000 ms', async () => {
    const own = await startKit('--timeout-call', '6000');
    await show(own, PAGE);
    const answer = own.call('query', { pick: true });
    await own.call('wait', { for: 'text', text: 'never' });
    await own.call('wait', { for: 'timeout', duration: 1_000 });
    await own.ok('click', { coordinates: { x: 150, y: 120 } });
    expect((await answer).text).toMatch(/button/);
    await own.close();
    expect((await kit.fails('query', { pick: true, timeout: 600_001 })).text).toMatch(/timeout must be at most 600000/);
  });

  it.each([
    [{}, /query needs "by" and "value"/],
    [{ by: 'role' }, /query needs "by" and "value"/],
    [{ requests: [{}] }, /requests\[0\]\.name is missing/],
    [{ requests: [] }, /at least 1 items/],
  ])('%j is bad_input', async (args, said) => {
    const { code, text } = await kit.fails('query', args);
    expect(code).toBe('bad_input');
    expect(text).toMatch(said);
  });
});
