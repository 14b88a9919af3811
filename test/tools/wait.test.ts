// Wait: every condition with its sub-states, and what is said when it does not come.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, show } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const wait = (args: Record<string, unknown>) => kit.call('wait', { timeout: 5000, ...args });
/** Runs a script in the page after a while. */
const later = (script: string, ms = 250) => js(kit, `void setTimeout(() => { ${script} }, ${ms})`);

describe('S1-43 wait for an element', () => {
  it.each([
    ['attached', 'document.body.insertAdjacentHTML("beforeend", "<i id=x hidden></i>")', ''],
    ['visible', 'x.hidden = false', '<p id="x" hidden>Hi</p>'],
    ['hidden', 'x.hidden = true', '<p id="x">Hi</p>'],
    ['hidden', 'x.remove()', '<p id="x">Hi</p>'],
    ['detached', 'x.remove()', '<p id="x">Hi</p>'],
  ])('state %s after %s', async (state, script, html) => {
    await show(kit, html);
    await later(script);
    const result = await wait({ for: 'selector', selector: '#x', state });
    expect(result.text).toMatch(new RegExp(`^"#x" is ${state} \\(after \\d+ ms\\)$`));
    expect((result.data as { ms: number }).ms).toBeGreaterThan(50);
  });

  it.each(['attached', 'visible'])('state %s that holds already answers at once', async state => {
    await show(kit, '<p id="x">Hi</p>');
    const result = await wait({ for: 'selector', selector: '#x', state });
    expect(result.ok).toBe(true);
    expect((result.data as { ms: number }).ms).toBeLessThan(4_000);
  });

  it.each(['visible', 'hidden', 'detached', 'attached'])('a ref: state %s', async state => {
    await show(kit, '<button id="x">Hi</button>');
    const selector = await kit.ref('button "Hi"');
    await later(state === 'hidden' ? 'x.hidden = true' : state === 'detached' ? 'x.remove()' : '', 150);
    expect((await wait({ for: 'selector', selector, state })).text).toContain(`"${selector}" is ${state}`);
  });

  it.each(['role:button', 'text:Hi', 'xpath=//button', 'label:Named'])('visible by %s', async selector => {
    await show(kit, '');
    await later('document.body.innerHTML = "<button aria-label=Named>Hi</button>"');
    const shown = selector === 'text:Hi' ? '<button>Hi</button>' : '';
    if (shown) await later(`document.body.innerHTML = "${shown}"`, 300);
    expect((await wait({ for: 'selector', selector })).ok).toBe(true);
  });

  it('selector_hidden', async () => {
    await show(kit, '<p id="x">Loading</p>');
    await later('x.remove()');
    expect((await wait({ for: 'selector_hidden', selector: '#x' })).text).toContain('"#x" is hidden');
  });

  it.each([
    { for: 'selector', selector: '#email' },
    { for: 'selector', selector: 'role:button[name="Sign up"]' },
    { for: 'text', text: 'I accept the terms' },
    { for: 'text_hidden', text: 'Going' },
    { for: 'text_or_name', text: 'Full name' },
  ])('%j: a page that is left meanwhile is followed by the next one', async args => {
    await kit.ok('navigate', { url: `${kit.site.otherSiteUrl}/article.html` });
    await js(kit, 'void (document.body.innerHTML = "<p>Going</p>")');
    await later(`location = ${JSON.stringify(`${kit.site.url}/signup.html`)}`);
    expect((await wait(args)).ok).toBe(true);
    expect(await kit.ok('url')).toContain('/signup.html');
  });

  it('in a tab behind another one', async () => {
    await show(kit, '<p id="x" hidden>Hi</p><div id="host"></div>');
    await js(kit, 'void (host.attachShadow({ mode: "open" }).innerHTML = "<p></p>")');
    const { tabs } = (await kit.call('tab_list')).data as { tabs: { tabId: number }[] };
    const tabId = tabs[0]?.tabId;
    await later('x.hidden = false; host.shadowRoot.firstChild.textContent = "Inner"', 600);
    const awaited = [
      { for: 'selector', selector: '#x' },
      { for: 'text', text: 'Inner' },
    ];
    const waits = awaited.map(args => wait({ ...args, tabId }));
    const other = ((await kit.call('tab_new')).data as { tabId: number }).tabId;
    for (const result of await Promise.all(waits)) expect(result.text).toContain('is visible');
    await kit.ok('tab_close', { tabId: other });
  });

  it('S1-14 in a frame by frameId', async () => {
    await kit.open('/signup-in-iframe.html');
    const frameId = Number(/\[frame=(\d+)\]/.exec(await kit.ok('snapshot'))?.[1]);
    expect((await wait({ for: 'selector', selector: '#email', frameId })).ok).toBe(true);
    expect((await wait({ for: 'text', text: 'I accept the terms', frameId })).ok).toBe(true);
  });
});

describe('S1-43 wait for text, url, load state, function, time', () => {
  it.each(['Done', 'done', '/d.ne [0-9]+%/i'])('text %s', async text => {
    await show(kit, '<p id="x">Working</p>');
    await later('x.textContent = "Done 100%"');
    expect((await wait({ for: 'text', text })).ok).toBe(true);
  });

  it.each(['Working', '/work/i'])('text_hidden %s', async text => {
    await show(kit, '<p id="x">Working</p>');
    await later('x.textContent = "Ready"');
    expect((await wait({ for: 'text_hidden', text })).text).toMatch(/is hidden/);
  });

  it.each([
    '**/dashboard/**',
    '**/dashboard/main',
    '*://*/dashboard/*',
    '*dash*main',
    '*/dashboard/main',
    '/dashboard\\/\\w+$/',
    'dashboard',
  ])('14.2 url %s', async url => {
    await kit.open('/signup.html');
    await later("history.pushState(0, '', '/dashboard/main')");
    expect((await wait({ for: 'url', url })).text).toMatch(/the address is .*\/dashboard\/main/);
  });

  it('url does not match too much', async () => {
    await kit.open('/signup.html');
    expect((await wait({ for: 'url', url: '**/sign', timeout: 300 })).failure?.code).toBe('timeout');
    expect((await wait({ for: 'url', url: '*/signup', timeout: 300 })).failure?.code).toBe('timeout');
  });

  it.each(['load', 'domcontentloaded', 'networkidle'])('load_state %s', async load_state => {
    await kit.open('/signup.html');
    expect((await wait({ for: 'load_state', load_state })).text).toContain(`${load_state} has fired`);
  });

  it('networkidle waits for what scripts still load', async () => {
    await kit.ok('navigate', { url: `${kit.site.url}/slow-parts.html`, wait_until: 'domcontentloaded' });
    expect((await wait({ for: 'load_state', load_state: 'networkidle', timeout: 15_000 })).ok).toBe(true);
    expect(await kit.ok('title')).toBe('fetched');
  });

  it.each([
    'return window.ready === 1',
    'window.ready === 1',
    '() => window.ready === 1',
    'return new Promise(done => done(window.ready))',
  ])('function %s', async body => {
    await show(kit, '');
    await later('window.ready = 1');
    expect((await wait({ for: 'function', function: body, polling: 50 })).text).toContain('the function returned true');
  });

  it('polling: so often, not more', async () => {
    await show(kit, '<script>window.asked = 0</script>');
    await wait({ for: 'function', function: 'window.asked++; return false', polling: 200, timeout: 3_000 });
    expect(Number(await js(kit, 'asked'))).toBeGreaterThanOrEqual(2);
    expect(Number(await js(kit, 'asked'))).toBeLessThan(17);
  });

  it('a function that throws says what', async () => {
    const { failure, text } = await wait({ for: 'function', function: 'return nowhere.at.all' });
    expect(failure?.code).toBe('script_error');
    expect(text).toContain('nowhere is not defined');
  });

  it('timeout with a duration', async () => {
    const result = await wait({ for: 'timeout', duration: 120 });
    expect(result.text).toBe(
      '120 ms are over (after 120 ms)'.replace('after 120', `after ${(result.data as { ms: number }).ms}`),
    );
    expect(result.ms).toBeGreaterThanOrEqual(119);
  });
});

describe('S1-88 wait for a download; a request; a response', () => {
  it('download: its name and where the file is', async () => {
    await kit.open('/downloads.html');
    await later('blob.click()');
    const result = await wait({ for: 'download', filename_contains: 'made' });
    expect(result.text).toMatch(/^made\.txt is downloaded \(\d+ bytes\): \/.+ \(after \d+ ms\)$/m);
    expect(result.text).toContain(join(kit.folder, 'output', 'downloads', 'made.txt'));
    expect(result.data).toMatchObject({ file: { name: 'made.txt', state: 'done' } });
  });

  it('download: an earlier one with that name does not count as the next', async () => {
    await kit.open('/downloads.html');
    await later('attachment.click()', 50);
    expect((await wait({ for: 'download', filename_contains: 'report' })).text).toContain('report.csv is downloaded');
    expect((await wait({ for: 'download', filename_contains: 'other-name', timeout: 400 })).failure?.code).toBe(
      'timeout',
    );
  });

  it('wait_for_complete: false answers when it has begun', async () => {
    await kit.open('/downloads.html');
    await later('attachment.click()');
    expect((await wait({ for: 'download', filename_contains: 'report', wait_for_complete: false })).text).toMatch(
      /report\.csv/,
    );
  });

  it.each([
    ['request', /GET .*\/api\/echo\?a=1 was sent/],
    ['response', /GET .*\/api\/echo\?a=1 answered 200/],
  ])('%s matching a pattern', async (kind, said) => {
    await kit.open('/signup.html');
    await later("fetch('/api/echo?a=1')");
    expect((await wait({ for: kind, url: '**/api/echo*' })).text).toMatch(said);
  });
});

describe('S1-43 what does not come', () => {
  it.each([
    [{ for: 'selector', selector: '#never' }, /selector "#never" did not come about/],
    [{ for: 'text', text: 'never there' }, /text "never there" did not come about/],
    [{ for: 'url', url: '**/never' }, /url "\*\*\/never" did not come about/],
    [{ for: 'function', function: 'return false' }, /but a true value of the function did not come about/],
    [{ for: 'new_tab' }, /but a new tab did not come about/],
    [{ for: 'request', url: '**/never' }, /did not come about/],
    [{ for: 'download', filename_contains: 'never' }, /download "never" did not come about/],
    // In a session without earlier downloads, the end of which may still be to be told.
    [{ for: 'download', session: 'without-downloads' }, /but a download did not come about/],
  ])('%j: timeout, with what was waited for', async (args, said) => {
    await show(kit, '<p>Here</p>');
    const result = await wait({ ...args, timeout: 500 });
    expect(result.failure?.code).toBe('timeout');
    expect(result.text).toMatch(said);
    expect(result.ms).toBeLessThan(4_000);
  });

  it('14.21 without arguments: the message names no other tool', async () => {
    const { failure, text } = await kit.call('wait');
    expect(failure?.code).toBe('bad_input');
    expect(text).toMatch(/^wait: for is missing .*\nwait takes: for \(required\), selector, /);
  });

  it.each([
    [{ for: 'selector' }, 'selector'],
    [{ for: 'selector_hidden' }, 'selector'],
    [{ for: 'text' }, 'text'],
    [{ for: 'text_hidden' }, 'text'],
    [{ for: 'url' }, 'url'],
    [{ for: 'function' }, 'function'],
    [{ for: 'request' }, 'url'],
    [{ for: 'response' }, 'url'],
    [{ for: 'text', text: '/(/' }, 'regular expression'],
  ])('%j: bad_input that names %s', async (args, name) => {
    const result = await wait(args);
    expect(result.failure?.code).toBe('bad_input');
    expect(result.text).toContain(name);
  });

  it('while it waits, others that only read answer', async () => {
    await show(kit, '<p>Here</p>');
    const waiting = wait({ for: 'text', text: 'Late' });
    expect(await kit.ok('snapshot')).toContain('Here');
    await js(kit, 'document.body.innerHTML = "Late"');
    expect((await waiting).ok).toBe(true);
  });
});
