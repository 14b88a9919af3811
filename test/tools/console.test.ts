// Console (S1-64): every action, filter and bound; what pages, frames and workers say and throw.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConsoleData } from '../../src/engine/console/read.ts';
import { type Kit, startKit } from '../kit.ts';
import { js, show } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  await show(kit, '<p>Here</p>');
  await kit.ok('console', { action: 'clear' });
});

const get = (args: Record<string, unknown> = {}) => kit.ok('console', args);
const logged = async (script: string, args: Record<string, unknown> = {}) => {
  await js(kit, `${script}; 0`);
  return get(args);
};

describe('S1-64 console: what is said', () => {
  it('is recorded from the first script of a page on, and over navigations', async () => {
    await kit.open('/console.html');
    expect(await get()).toBe(`[log] loaded {answer: 42, list: Array(3)} (${kit.site.url}/console.html:8)`);
    await kit.open('/article.html');
    expect(await get()).toContain('[log] loaded');
  });

  it.each([
    ['console.log("a", 1, true, null, undefined, 10n, -0, NaN)', '[log] a 1 true null undefined 10n -0 NaN'],
    ['console.info("i")', '[info] i'],
    ['console.warn("w")', '[warn] w'],
    ['console.debug("d")', '[debug] d'],
    ['console.error("e")', '[error] e'],
    ['console.log("%s has %d%% of %o", "Ada", 5, { a: 1 }, "rest")', '[log] Ada has 5% of {a: 1} rest'],
    ['console.log("%c red %x", "color: red")', '[log]  red %x'],
    ['console.log("100%")', '[log] 100%'],
    ['console.log([1, "two", { three: 3 }, [4]])', '[log] [1, "two", {…}, Array(1)]'],
    ['console.log({ s: "x", f() {}, n: null, d: { e: 1 } })', '[log] {s: "x", f: function, n: null, d: {…}}'],
    ['console.log(new Map([["k", 1]]), new Set([2]))', '[log] Map {k => 1} Set {2}'],
    ['console.log(document.querySelector("p"), /x/g, Symbol("s"))', '[log] p /x/g Symbol(s)'],
    ['class Cat { name = "Tom" }; console.log(new Cat())', '[log] Cat {name: "Tom"}'],
    ['console.assert(1 === 2, "never")', '[error] Assertion failed: never'],
    ['console.count("n")', '[log] n: 1'],
    ['console.group("G"); console.log("in"); console.groupEnd()', '[log] G\n[log] in'],
    ['console.log("kept"); console.clear()', '[log] kept'],
    ['console.log("password=hunter2-x9")', '[log] password=[redacted]'],
  ])('%s', async (script, text) => {
    expect(await logged(script)).toBe(text);
  });

  it('the same message in a row stands once, with a count', async () => {
    expect(await logged('for (let i = 0; i < 500; i++) console.log("again"); console.log("other")')).toBe(
      '[log] again ×500\n[log] other',
    );
  });

  it('an error that is logged has its stack; a request that failed is there too', async () => {
    await kit.open('/console.html');
    await kit.ok('click', { selector: '#error' });
    await kit.ok('click', { selector: '#request' });
    const text = await get({ level: ['error'] });
    expect(text).toMatch(
      /\[error\] Something is wrong Error: the cause\n {4}at HTMLButtonElement.* \(.*console\.html:10\)/,
    );
    expect(text).toMatch(/\[error\] Failed to load resource: .*404.* \(.*\/status\/404\)/);
  });

  it('exceptions and rejections that nobody caught, with their stack', async () => {
    await kit.open('/console.html');
    await kit.ok('click', { selector: '#throw' });
    await kit.ok('click', { selector: '#reject' });
    const { data, text } = await kit.call('console');
    expect(text).toMatch(
      /\[exception\] TypeError: thrown on click \(\S+console\.html:11\)\n {4}at HTMLButtonElement\.<anonymous> \(\S+:11:/,
    );
    expect(text).toMatch(/\[exception\] Uncaught \(in promise\) Error: rejected on click .*\n {4}at /);
    const thrown = (data as ConsoleData).messages.filter(message => message.exception);
    expect(thrown.map(({ level }) => level)).toEqual(['error', 'error']);
    expect(await get({ include_exceptions: false })).not.toContain('exception');
    expect(await logged('setTimeout(() => { throw { code: 7 } })', { pattern: 'code' })).toMatch(
      /\[exception\] \{code: 7\}/,
    );
  });

  it('frames of other sites, and workers', async () => {
    await kit.open('/frame-cross-site.html');
    const frameId = Number(/\[frame=(\d+)\]/.exec(await kit.ok('snapshot'))?.[1]);
    await kit.ok('evaluate', { expression: 'console.warn("from " + location.host); 0', frameId });
    await js(
      kit,
      'new Worker(URL.createObjectURL(new Blob([`console.log("from a worker"); setTimeout(() => { throw new Error("in a worker") })`]))); 0',
    );
    await expect.poll(() => get()).toMatch(/in a worker/);
    const text = await get();
    expect(text).toContain(`[warn] from ${new URL(kit.site.otherSiteUrl).host}`);
    expect(text).toContain('[log] from a worker (blob:');
    expect(text).toMatch(/\[exception\] Uncaught Error: in a worker/);
  });

  it('a frame of another site that nobody looked at before tells what it said first', async () => {
    await kit.open('/article.html');
    await js(
      kit,
      `document.body.innerHTML = '<iframe src="${kit.site.otherSiteUrl}/console.html"></iframe>'; new Promise(done => { document.querySelector("iframe").onload = () => done(0) })`,
    );
    expect(await get()).toMatch(/\[log\] loaded \{answer: 42, .*console\.html:8\)/);
  });
});

describe('S1-64 console: filters and bounds', () => {
  const ALL = 'for (const level of ["log", "info", "warn", "error", "debug"]) console[level](level + " text")';

  it.each([
    [['log'], '[log] log text'],
    [['info'], '[info] info text'],
    [['warn'], '[warn] warn text'],
    [['error'], '[error] error text'],
    [['debug'], '[debug] debug text'],
    [['warn', 'debug'], '[warn] warn text\n[debug] debug text'],
  ])('level %j', async (level, text) => {
    expect(await logged(ALL, { level })).toBe(text);
  });

  it('pattern: a regular expression, with flags as /…/i', async () => {
    expect(await logged(ALL, { pattern: '^(log|warn) t' })).toBe('[log] log text\n[warn] warn text');
    expect(await get({ pattern: '/DEBUG/i' })).toBe('[debug] debug text');
    expect(await get({ pattern: 'DEBUG' })).toBe('No messages.');
    expect(await get({ pattern: 'text', level: ['info'] })).toBe('[info] info text');
  });

  it('pattern: one that is wrong or never ends is refused soon, and the server lives', async () => {
    await logged(`console.log("a".repeat(60) + "!")`);
    expect((await kit.fails('console', { pattern: '(' })).text).toMatch(/is not a regular expression/);
    const slow = await kit.call('console', { pattern: '^(a+)+$' });
    expect(slow.failure?.code).toBe('bad_input');
    expect(slow.text).toMatch(/takes too long/);
    expect(slow.ms).toBeLessThan(10_000);
    expect(await get({ pattern: '!$' })).toContain('[log] aaa');
  });

  it('max_messages: the latest, and how many there are before', async () => {
    const many = 'for (let i = 1; i <= 150; i++) console.log("line " + i)';
    const text = await logged(many);
    expect(text.split('\n')).toHaveLength(101);
    expect(text).toMatch(/^… 50 earlier not shown .*\n\[log\] line 51\n/);
    expect(await get({ max_messages: 2 })).toMatch(/^… 148 earlier .*\n\[log\] line 149\n\[log\] line 150$/);
    expect((await get({ max_messages: 1000 })).split('\n')).toHaveLength(150);
  });

  it('an answer has at most what every answer may have: the latest stay', async () => {
    const text = await logged('for (let i = 1; i <= 60; i++) console.log(i + "x".repeat(2000))');
    expect(text.length).toBeLessThanOrEqual(25_000);
    expect(text).toMatch(/^… \d+ earlier not shown/);
    expect(text).toMatch(/\[log\] 60x+$/);
    expect(await logged('console.log("y".repeat(100000))', { pattern: '^y' })).toMatch(/^\[log\] y{3999}…$/);
  });

  it('14.19 what was lost before the buffer began does not count as dropped', async () => {
    await js(kit, 'for (let i = 1; i <= 1200; i++) console.log("early " + i)');
    await kit.ok('console', { action: 'start_buffer' });
    await js(kit, 'for (let i = 1; i <= 1000; i++) console.log("late " + i)');
    const { data } = await kit.call('console', { max_messages: 1 });
    expect(data as ConsoleData).toMatchObject({ total: 1000, dropped: 0 });
    await js(kit, 'console.log("one more")');
    expect((await kit.call('console', { max_messages: 1 })).data).toMatchObject({ total: 1000, dropped: 1 });
    await kit.ok('console', { action: 'stop_buffer' });
    await kit.ok('console', { action: 'clear' });
  });

  it('the ring is bounded, and says what it lost', async () => {
    await js(kit, 'for (let i = 1; i <= 1200; i++) console.log("line " + i)');
    const { data, text } = await kit.call('console', { max_messages: 1 });
    expect(data as ConsoleData).toMatchObject({ total: 1000, dropped: 200 });
    expect(text).toContain('… 200 older messages dropped');
    await get({ action: 'clear' });
    await js(kit, 'for (let i = 1; i <= 300; i++) console.log(i + "z".repeat(3990))');
    const { dropped, total } = (await kit.call('console')).data as ConsoleData;
    expect(total).toBeLessThan(130);
    expect(dropped).toBeGreaterThan(170);
  });

  it('clear and clear_after_read', async () => {
    expect(await logged('console.log("one")', { clear_after_read: true })).toBe('[log] one');
    expect(await get()).toBe('No messages.');
    await js(kit, 'console.log("two"); console.log("three"); 0');
    expect(await get({ action: 'clear' })).toBe('Cleared 2 messages.');
    expect(await get()).toBe('No messages.');
  });

  it('start_buffer and stop_buffer: only what comes between, also over a navigation', async () => {
    await logged('console.log("before")');
    expect(await get({ action: 'start_buffer' })).toMatch(/^Buffer started/);
    expect(await get()).toBe('No messages since the buffer was started.');
    await logged('console.log("before")');
    await kit.open('/console.html');
    await logged('console.warn("during")');
    expect(await get()).toMatch(/^\[log\] before\n\[log\] loaded .*\n\[warn\] during$/);
    expect(await get({ action: 'stop_buffer', level: ['warn'] })).toBe('Buffer stopped.\n[warn] during');
    expect((await get()).split('\n')).toHaveLength(4);
    const { code, text } = await kit.fails('console', { action: 'stop_buffer' });
    expect([code, text]).toEqual(['bad_input', expect.stringContaining('No buffer was started')]);
  });

  it('tabId: each tab has its own; a tab that is not there', async () => {
    const { tabId } = (await kit.call('tab_new', { url: `${kit.site.url}/console.html` })).data as { tabId: number };
    expect(await get({ tabId })).toContain('loaded');
    await kit.ok('tab_close', { tabId });
    expect(await get()).toBe('No messages.');
    expect((await kit.fails('console', { tabId: 999 })).code).toBe('no_tab');
  });

  it('while a dialog blocks the page', async () => {
    await js(kit, 'setTimeout(() => { console.log("now"); alert("Stop") })');
    await expect.poll(() => get()).toBe('[log] now');
    await expect.poll(async () => (await kit.call('snapshot')).failure?.code).toBe('dialog_open');
    expect(await get()).toBe('[log] now');
    await kit.ok('dialog', { action: 'accept' });
  });

  it.each([
    [{ action: 'stop' }, /action/],
    [{ level: ['fatal'] }, /level/],
    [{ level: [] }, /level/],
    [{ max_messages: 0 }, /max_messages/],
    [{ pattern: 'x'.repeat(2_000) }, /pattern/],
  ])('%j is refused', async (wrong, said) => {
    const { code, text } = await kit.fails('console', wrong);
    expect(code).toBe('bad_input');
    expect(text).toMatch(said);
  });
});
