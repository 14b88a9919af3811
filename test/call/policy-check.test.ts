// What keeps a call from running: permissions, rules, scripts, the rate; and what the journal says about it.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { adapterOf } from '../../src/dialects/adapter.ts';
import { DEFINITION as CHROME } from '../../src/dialects/chrome/definition.ts';
import { DEFINITION as VISION } from '../../src/dialects/vision/definition.ts';
import { codeOf as code, tools } from './rows.ts';
import { folder } from './stand-in.ts';

vi.mock('../../src/engine/browser/browser.ts', async () => ({
  Browser: (await import('./stand-in.ts')).StandInChrome,
}));
vi.mock('../../src/engine/tab/context.ts', async () => ({ Context: (await import('./stand-in.ts')).StandInContext }));
vi.mock('../../src/engine/tab/stuck.ts', async () => ({ diagnoseTimeout: (await import('./stand-in.ts')).diagnose }));

describe('a caller', () => {
  it('is known to tools on the server', async () => {
    const { call } = await tools();
    expect((await call('whoami', {}, { caller: { id: 'bob', maxSessions: 2 } })).data).toEqual({
      id: 'bob',
      maxSessions: 2,
    });
  });

  it('S3-21: may do no more than its permissions say; the refusal says which one is missing', async () => {
    const { call, ran, journal } = await tools();
    const bob = { caller: { id: 'bob', may: { effects: ['read' as const] } } };
    expect((await call('look', {}, bob)).ok).toBe(true);
    const refused = await call('click', {}, bob);
    expect(refused.text).toContain(
      'click (effect "write") is refused: rule "permissions of bob" allows only effects: read.',
    );
    expect(code(refused)).toEqual(['refused', 'permissions of bob']);
    const eve = { caller: { id: 'eve', may: { tools: ['lo*'] } } };
    expect((await call('look', {}, eve)).ok).toBe(true);
    expect((await call('click', {}, eve)).text).toContain('allows only tools: lo*.');
    expect(ran).toEqual(['look', 'look']);
    expect(await journal()).toMatchObject([
      { caller: 'bob', tool: 'look', ok: true },
      { caller: 'bob', tool: 'click', ok: false, code: 'refused', rule: 'permissions of bob' },
      { caller: 'eve', ok: true },
      { caller: 'eve', rule: 'permissions of eve' },
    ]);
  });

  it('may send a batch, but in it no call that it may not send', async () => {
    const { call, ran } = await tools();
    const bob = { caller: { id: 'bob', may: { effects: ['read' as const] } } };
    expect((await call('batch', { calls: [{ tool: 'look' }, { tool: 'look' }] }, bob)).ok).toBe(true);
    const refused = await call('batch', { calls: [{ tool: 'look' }, { tool: 'click' }] }, bob);
    expect(refused.text).toMatch(/^Call 2 may not run, so none was run\. click \(effect "write"\) is refused/);
    expect(code(refused)).toEqual(['refused', 'permissions of bob']);
    const eve = { caller: { id: 'eve', may: { tools: ['look'] } } };
    expect(code(await call('batch', { calls: [{ tool: 'look' }] }, eve))).toEqual(['refused', 'permissions of eve']);
    expect(ran).toEqual(['look', 'look']);
  });

  it('S3-21: is told when to try again before anything else is looked at; calls in a batch count', async () => {
    const { call, ran, journal } = await tools([], 'allow', { rateLimit: 4 });
    expect((await call('batch', { calls: [{ tool: 'look' }, { tool: 'look' }] })).ok).toBe(true);
    expect((await call('nonsense')).failure?.code).toBe('unknown_tool');
    const late = await call('nonsense');
    expect(late.failure).toMatchObject({ code: 'rate_limited', rule: 'at most 4 calls per minute' });
    expect(late.text).toMatch(/try again in \d+ s/);
    expect((await call('look', {}, { caller: { id: 'bob' } })).ok).toBe(true);
    expect((await call('look', {}, { caller: { id: 'ann', rateLimit: 0 } })).ok).toBe(true);
    expect(ran).toHaveLength(4);
    expect((await journal()).at(4)).toMatchObject({ code: 'rate_limited', rule: 'at most 4 calls per minute' });
  });
});

describe('rules about urls', () => {
  it('see the urls among the arguments', async () => {
    const { call, ran } = await tools([{ url: ['*.bank.example'] }]);
    expect(code(await call('navigate', { url: 'https://www.bank.example/x' }))).toEqual(['refused', 'r1']);
    expect(code(await call('navigate', { url: 'bank.example' }))).toEqual(['refused', 'r1']);
    expect(code(await call('fetch', { url: 'https://bank.example/file' }))).toEqual(['refused', 'r1']);
    expect((await call('navigate', { url: 'https://news.example/' })).ok).toBe(true);
    expect(ran).toEqual(['navigate']);
  });

  it('see the page that a tool acts on, when its tab is reached', async () => {
    const { call, context, ran, journal } = await tools([{ name: 'no bank', url: ['bank.example'] }]);
    context.tabs[1]!.url = 'https://bank.example/accounts';
    expect((await call('click', { tabId: 1 })).ok).toBe(true);
    const refused = await call('click', { tabId: 2 });
    expect(code(refused)).toEqual(['refused', 'no bank']);
    expect(refused.text).toContain('click is refused: rule "no bank".');
    context.tabs[1]!.url = 'blob:https://bank.example/0-0-0';
    expect(code(await call('look', { tabId: 2 }))).toEqual(['refused', 'no bank']);
    expect(ran).toEqual(['click']);
    // The turn is given back.
    context.tabs[1]!.url = 'https://news.example/';
    expect((await call('click', { tabId: 2 })).ok).toBe(true);
    expect((await journal())[1]).toMatchObject({ ok: false, code: 'refused', rule: 'no bank' });
  });

  it('let a caller leave a forbidden page, by a url that is allowed', async () => {
    const { call, context } = await tools([{ decision: 'allow', url: ['news.example'] }], 'deny');
    context.tabs[0]!.url = 'https://bank.example/';
    expect(code(await call('click'))).toEqual(['refused', 'default of test']);
    expect(code(await call('navigate'))).toEqual(['refused', 'default of test']);
    expect((await call('navigate', { url: 'https://news.example/' })).ok).toBe(true);
    // What is fetched for a page does not replace the page.
    expect(code(await call('fetch', { url: 'https://news.example/' }))).toEqual(['refused', 'default of test']);
    context.tabs[0]!.url = 'https://news.example/';
    expect((await call('fetch', { url: 'https://news.example/' })).ok).toBe(true);
    expect((await call('click')).ok).toBe(true);
  });

  it('take a blank page for no page', async () => {
    const { call } = await tools([{ decision: 'allow', url: ['news.example'] }], 'deny');
    expect(code(await call('click'))).toEqual(['refused', 'default of test']);
    expect((await call('navigate', { url: 'https://news.example/' })).ok).toBe(true);
  });

  it('start no browser for what is refused anyway', async () => {
    const { call, context } = await tools([{ tool: ['click'] }, { url: ['bank.example'] }]);
    let reached = 0;
    context.reaching = async () => void reached++;
    expect(code(await call('click'))).toEqual(['refused', 'r1']);
    expect(reached).toBe(0);
  });
});

/** The owner's files are in the output folder itself. */
const asOwner =
  (call: Awaited<ReturnType<typeof tools>>['call']) =>
  (name: string, args: Record<string, unknown> = {}) =>
    call(name, args, { caller: { id: 'local' } });

describe('rules about paths', () => {
  it('see files that are read and written, by name and behind links', async () => {
    const root = await folder();
    const [data, outputDir] = [join(root, 'data'), join(root, 'out')];
    for (const made of [data, outputDir]) mkdirSync(made);
    writeFileSync(join(data, 'secret'), 'x');
    symlinkSync(data, join(outputDir, 'link'));
    const { call: callAs, ran } = await tools([{ path: [`${data}/**`] }], 'allow', { outputDir });
    const call = asOwner(callAs);
    for (const save_path of [join(data, 'new'), '../data/new', 'link/new', 'link/secret', `file://${data}/new`])
      expect(code(await call('save', { save_path })), save_path).toEqual(['refused', 'r1']);
    expect(code(await call('fetch', { files: ['/etc/hosts', { path: join(data, 'secret') }] }))).toEqual([
      'refused',
      'r1',
    ]);
    expect((await call('save', { save_path: 'fine' })).ok).toBe(true);
    expect((await call('save')).ok).toBe(true);
    expect(ran).toEqual(['save', 'save']);
  });

  it('allow a file only where it really is', async () => {
    const root = await folder();
    mkdirSync(join(root, 'out'));
    mkdirSync(join(root, 'data'));
    symlinkSync(join(root, 'data'), join(root, 'out', 'link'));
    const rules = [{ decision: 'allow' as const, path: [`${join(root, 'out')}/**`] }];
    const { call: callAs } = await tools(rules, 'deny', { outputDir: join(root, 'out') });
    const call = asOwner(callAs);
    expect((await call('save', { save_path: 'a' })).ok).toBe(true);
    expect(code(await call('save', { save_path: 'link/a' }))).toEqual(['refused', 'default of test']);
    expect(code(await call('save'))).toEqual(['refused', 'default of test']);
  });
});

describe('scripts', () => {
  it('S3-25: with a blocked pattern are refused, wherever they stand', async () => {
    const { call, ran, journal } = await tools([], 'allow', { blockScripts: ['localStorage'] });
    const refused = await call('evaluate', { expression: 'localStorage.length' });
    expect(refused.text).toMatch(/^Script contains blocked patterns: localStorage\n/);
    expect(refused.failure?.code).toBe('refused');
    expect((await call('navigate', { url: 'data:text/html,<script>local%53torage</script>' })).ok).toBe(false);
    expect((await call('evaluate', { expression: '1' })).ok).toBe(true);
    expect(ran).toEqual(['evaluate']);
    expect((await journal())[0]).toMatchObject({ rule: 'blocked script pattern localStorage' });
  });

  it('may be off altogether', async () => {
    const { call, ran } = await tools([], 'allow', { scripts: false });
    expect(code(await call('evaluate', { expression: '1' }))).toEqual(['refused', 'no scripts']);
    expect(code(await call('navigate', { url: 'data:text/html,hello' }))).toEqual(['refused', 'no scripts']);
    expect((await call('navigate', { url: 'data:text/plain,hello' })).ok).toBe(true);
    expect(code(await call('batch', { calls: [{ tool: 'evaluate', args: { expression: '1' } }] }))).toEqual([
      'refused',
      'no scripts',
    ]);
    expect(ran).toEqual(['navigate']);
  });

  it('S3-25: are held to the preset of the dialect that they come in', async () => {
    const { call, ran } = await tools();
    const script = { script: 'document.cookie' };
    const refused = await call('browser.evaluate', script, { adapter: adapterOf('vision', VISION) });
    expect(refused.text).toContain('Script contains blocked patterns');
    expect((await call('evaluate', { expression: 'document.cookie' })).ok).toBe(true);
    expect(ran).toEqual(['evaluate']);
  });

  it('of a dialect itself are no scripts of a caller', async () => {
    const { call } = await tools([], 'allow', { scripts: false });
    expect(
      (await call('chrome_get_web_content', { textContent: true }, { adapter: adapterOf('chrome', CHROME) })).ok,
    ).toBe(true);
    expect(code(await call('chrome_javascript', { code: '1' }, { adapter: adapterOf('chrome', CHROME) }))).toEqual([
      'refused',
      'no scripts',
    ]);
  });
});

describe('a batch', () => {
  it('is decided call by call, before the first one runs where that can be', async () => {
    const { call, ran } = await tools([{ effect: ['danger'] }], 'allow');
    const calls = [{ tool: 'click' }, { tool: 'evaluate', args: { expression: '1' } }];
    expect(code(await call('batch', { calls }))).toEqual(['refused', 'r1']);
    expect(ran).toEqual([]);
  });

  it('stops at a call whose page is forbidden', async () => {
    const { call, context, ran, journal } = await tools([{ url: ['bank.example'] }]);
    context.tabs[1]!.url = 'https://bank.example/';
    const refused = await call('batch', { calls: [{ tool: 'click' }, { tool: 'click', args: { tabId: 2 } }] });
    expect(code(refused)).toEqual(['refused', 'r1']);
    expect(ran).toEqual(['click']);
    expect(await journal()).toMatchObject([{ ok: true }, { ok: false, rule: 'r1' }, { tool: 'batch', rule: 'r1' }]);
  });

  it('itself is only meant by rules that name it', async () => {
    const calls = [{ tool: 'look' }];
    const open = await tools([{ decision: 'allow', effect: ['read'] }], 'deny');
    expect((await open.call('batch', { calls })).ok).toBe(true);
    const closed = await tools([{ tool: ['batch'] }]);
    expect(code(await closed.call('batch', { calls }))).toEqual(['refused', 'r1']);
  });
});
