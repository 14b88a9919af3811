// Batch: several calls in one, each through the whole path of a call; one answer.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { fieldValue, js, show } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const to = (tool: string, args: Record<string, unknown> = {}) => ({ tool, args });
const fill = (selector: string, value: string) => to('fill', { selector, value });

describe('batch: the sign-up task', () => {
  it('is one call, with one answer under 1 000 characters', async () => {
    kit.site.requests.length = 0;
    const text = await kit.ok('batch', {
      calls: [
        to('navigate', { url: `${kit.site.url}/signup.html` }),
        fill('label:Full name', 'Ada Lovelace'),
        fill('label:Email', 'ada@example.com'),
        fill('label:Password', 'not told 42'),
        to('select', { selector: 'label:Country', label: 'Japan' }),
        to('check', { selector: 'label:I accept the terms' }),
        to('click', { selector: 'role:button[name="Sign up"]' }),
      ],
    });
    const posted = new URLSearchParams(kit.site.requests.findLast(({ url }) => url === '/signup')?.body);
    expect(Object.fromEntries(posted)).toEqual({
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      password: 'not told 42',
      country: 'jp',
      terms: 'yes',
    });
    expect(text.length).toBeLessThan(1_000);
    expect(text.split('\n')).toHaveLength(7);
    expect(text).toMatch(/^1\. navigate: .*signup\.html "Sign up"/);
    expect(text).toMatch(/\n5\. select: Selected "Japan" in /);
    expect(text).toMatch(/\n7\. click: Clicked .*; now at .*\/signup "Welcome"\.$/);
    expect(text).not.toContain('not told 42');
  });

  it('with fill_form, and a last look that is given whole', async () => {
    const text = await kit.ok('batch', {
      calls: [
        to('navigate', { url: `${kit.site.url}/signup.html` }),
        to('fill_form', {
          fields: [
            { selector: 'label:Full name', value: 'Grace' },
            { selector: 'label:Email', value: 'grace@example.com' },
            { selector: 'label:Password', value: 'cobol 1959' },
            { selector: 'label:Country', value: 'Kenya' },
            { selector: 'label:I accept the terms', value: true },
          ],
        }),
        to('click', { selector: 'text:Sign up' }),
        to('snapshot'),
      ],
    });
    expect(text).toContain('4. snapshot: Page: Welcome');
    expect(text).toContain('Welcome, Grace');
  });
});

describe('batch: failures', () => {
  it('stops at the first one, and tells what was done and what was not run', async () => {
    await show(kit, '<input aria-label="A"><button disabled>Off</button><input aria-label="B">');
    const { code, text } = await kit.fails('batch', {
      calls: [fill('label:A', 'one'), to('click', { selector: 'text:Off', timeout: 2000 }), fill('label:B', 'two')],
    });
    expect(code).toBe('not_actionable');
    expect(text).toMatch(/^Call 2 of 3, click, failed: .*Off.* is disabled/);
    expect(text).toContain('Done before that:\n1. fill: Filled ');
    expect(text).toContain('1 later call not run.');
    expect(await fieldValue(kit, '[aria-label=A]')).toBe('one');
    expect(await fieldValue(kit, '[aria-label=B]')).toBe('');
  });

  it('stop_on_error: false goes on, and still is a failure', async () => {
    await show(kit, '<input aria-label="A"><input aria-label="B">');
    const { code, text } = await kit.fails('batch', {
      stop_on_error: false,
      calls: [fill('label:A', 'one'), to('dialog', { action: 'accept' }), fill('label:B', 'two')],
    });
    expect(code).toBe('no_dialog');
    expect(text).toMatch(
      /^1 of 3 calls failed\.\n1\. fill: .*\n2\. dialog failed: No dialog is open.*\n(?:.*\n)?3\. fill: /,
    );
    expect(await fieldValue(kit, '[aria-label=B]')).toBe('two');
  });

  it.each([
    [
      'an unknown tool',
      [to('clik', { selector: '#x' })],
      'unknown_tool',
      /Call 2 cannot be right.*none was run.*"clik".*\nDid you mean click/s,
    ],
    ['a wrong argument', [to('click', { selectr: '#x' })], 'bad_input', /Call 2 cannot be right.*selectr/s],
    ['a batch inside', [to('batch', { calls: [to('url')] })], 'bad_input', /a batch cannot hold a batch/],
    ['something else than arguments', [{ tool: 'url', args: 'x' }], 'bad_input', /args must be an object/],
  ])('%s is refused before anything is done', async (_what, later, code, said) => {
    await show(kit, '<input aria-label="A">');
    const failed = await kit.fails('batch', { calls: [fill('label:A', 'one'), ...later] });
    expect(failed.code).toBe(code);
    expect(failed.text).toMatch(said);
    expect(await fieldValue(kit, '[aria-label=A]')).toBe('');
  });

  it('no calls, or too many', async () => {
    expect((await kit.fails('batch', { calls: [] })).code).toBe('bad_input');
    expect((await kit.fails('batch', { calls: Array(51).fill(to('url')) })).text).toMatch(/at most 50 items/);
  });

  it('a tool that this server does not offer cannot be reached through it', async () => {
    const { run } = await import('../../src/call/call.ts');
    const { TOOLS } = await import('../../src/tools/index.ts');
    const offered = TOOLS.filter(({ name }) => name !== 'evaluate');
    const result = await run(
      { server: kit.server, tools: offered },
      {
        name: 'batch',
        args: { calls: [to('evaluate', { expression: '1' })] },
        caller: { id: 'local' },
      },
    );
    expect(result.failure?.code).toBe('unknown_tool');
  });
});

describe('batch: one call among others', () => {
  it('holds no turn of its own: two at once both end, and a free call answers meanwhile', async () => {
    await show(kit, '<input aria-label="A"><input aria-label="B">');
    const calls = (name: string) => Array.from({ length: 5 }, (_, at) => fill(`label:${name}`, `${name}${at}`));
    const [a, b, tabs] = await Promise.all([
      kit.call('batch', { calls: calls('A') }),
      kit.call('batch', { calls: calls('B') }),
      kit.call('tab_list'),
    ]);
    expect([a.ok, b.ok, tabs.ok]).toEqual([true, true, true]);
    expect(await js(kit, '[...document.querySelectorAll("input")].map(field => field.value).join()')).toBe('A4,B4');
  });

  it('works in the session that it names', async () => {
    const calls = [to('navigate', { url: `${kit.site.url}/article.html` }), to('url')];
    expect(await kit.ok('batch', { session: 'other', calls })).toMatch(/2\. url: .*article\.html$/);
    expect(await kit.ok('url', { session: 'other' })).toMatch(/article\.html$/);
    expect(await kit.ok('url')).not.toMatch(/article\.html$/);
  });

  it('is cancelled in the middle, and the session works on', async () => {
    await show(kit, '<p>Here</p>');
    const stop = new AbortController();
    const running = kit.call(
      'batch',
      { calls: [to('url'), to('wait', { for: 'text', text: 'never' }), to('url')] },
      { signal: stop.signal },
    );
    await kit.ok('wait', { for: 'timeout', duration: 300 });
    stop.abort();
    const result = await running;
    expect(result.failure?.code).toBe('cancelled');
    expect(result.ms).toBeLessThan(5_000);
    expect(await kit.ok('snapshot')).toContain('Here');
  });

  it('ends with the limit for calls, and tells how far it came', async () => {
    const own = await startKit('--timeout-call', '8000');
    await show(own, '<p>Here</p>');
    const { code, text } = await own.fails('batch', {
      calls: [to('wait', { for: 'timeout', duration: 1_000 }), to('wait', { for: 'text', text: 'never' }), to('url')],
    });
    expect(code).toBe('timeout');
    expect(text).toMatch(
      /^batch was not done within 8 s\. It was in call 2, wait\.\nDone before that:\n1\. wait: 1000 ms are over/,
    );
    await own.close();
  });

  it('gives the pictures of its calls, and their data', async () => {
    await show(kit, '<p>Here</p>');
    const result = await kit.call('batch', { calls: [to('screenshot'), to('title')] });
    expect(result.pictures).toHaveLength(1);
    expect(result.data).toMatchObject({
      steps: [
        { tool: 'screenshot', ok: true },
        { tool: 'title', ok: true },
      ],
    });
  });

  it('cuts what is long, but for the last', async () => {
    await kit.open('/rows?n=60');
    const text = await kit.ok('batch', { calls: [to('snapshot'), to('snapshot')] });
    const [first = '', last = ''] = text.split('\n2. snapshot: ');
    expect(first.length).toBeLessThan(600);
    expect(first).toMatch(/… \(\d+ characters in all\)$/);
    expect(last.length).toBeGreaterThan(2_000);
  });

  it('each call has its own record in the journal, and no secret stands in any', async () => {
    const own = await startKit();
    await show(own, '<input aria-label="A">');
    await own.ok('batch', { calls: [fill('label:A', 'a secret of mine'), to('url')] });
    await own.ok('fill_form', { fields: [{ selector: 'label:A', value: 'another secret' }] });
    await own.server.close();
    const journal = readFileSync(join(own.folder, 'state', 'journal', 'journal.jsonl'), 'utf8');
    await own.close();
    const tools = journal
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).tool);
    expect(tools).toEqual(['navigate', 'fill', 'url', 'batch', 'fill_form']);
    expect(journal).not.toMatch(/a secret of mine|another secret/);
  });
});

describe('batch: what an earlier call gave', () => {
  const LIST = `<ul>${['Milk', 'Tea', 'Rice'].map(name => `<li>${name} <button onclick="this.parentNode.remove()">Remove ${name}</button></li>`).join('')}</ul>
    <button onclick="const b = document.createElement('button'); b.textContent = 'Undo'; b.onclick = () => { document.title = 'Undone'; }; document.body.append(b)">Clear "@e1"</button>`;

  it('the element that was found, and the one that a receipt says is new', async () => {
    await show(kit, LIST);
    const text = await kit.ok('batch', {
      calls: [
        to('find', { text: 'Remove Tea' }),
        to('click', { selector: '$1.ref' }),
        to('query', { by: 'role', value: 'button', options: { name: 'Remove Rice' } }),
        to('click', { selector: '$3.ref' }),
        to('click', { selector: 'text:Clear' }),
        to('click', { selector: '$5.ref' }),
      ],
    });
    expect(text).toMatch(/\n2\. click: Clicked @e\d+ button "Remove Tea"/);
    expect(text).toMatch(/\n4\. click: Clicked @e\d+ button "Remove Rice"/);
    expect(text).toMatch(/\n6\. click: Clicked @e\d+ button "Undo"/);
    expect(await js(kit, 'document.querySelector("ul").innerText.trim()')).toBe('Milk Remove Milk');
    expect(await js(kit, 'document.title')).toBe('Undone');
  });

  it('the tab that was opened, also by a click', async () => {
    await show(kit, `<a href="${kit.site.url}/article.html" target="_blank">More</a>`);
    const text = await kit.ok('batch', {
      calls: [
        to('click', { selector: 'text:More' }),
        to('url', { tabId: '$1.tabId' }),
        to('tab_close', { tabId: '$1.tabId' }),
        to('tab_new'),
        to('tab_close', { tabId: '$4.tabId' }),
      ],
    });
    expect(text).toMatch(/\n2\. url: .*article\.html\n/);
    expect(text).toMatch(/\n5\. tab_close: /);
  });

  it.each([
    ['none', 'Sugar', 'not_found', 'Call 1 gave no element.'],
    ['several', 'Remove', 'ambiguous', 'Call 1 gave 3 elements: @e'],
  ])('%s: the call that needs it fails, and nothing is clicked', async (_what, wanted, code, said) => {
    await show(kit, LIST);
    const failed = await kit.fails('batch', {
      calls: [to('find', { text: wanted }), to('click', { selector: '$1.ref' })],
    });
    expect(failed.code).toBe(code);
    expect(failed.text).toContain(`Call 2 of 2, click, failed: ${said}`);
    expect(await js(kit, 'document.querySelectorAll("li").length')).toBe('3');
  });

  it.each([
    ['a later call', '$2.ref', '$2.ref is of no earlier call'],
    ['something that is not known', '$1.name', '$1.name is not known'],
  ])('%s is refused before anything is done', async (_what, selector, said) => {
    await show(kit, LIST);
    const failed = await kit.fails('batch', {
      calls: [to('click', { selector: 'text:Remove Tea' }), to('click', { selector })],
    });
    expect(failed.code).toBe('bad_input');
    expect(failed.text).toContain(`Call 2 cannot be right, so none was run. ${said}`);
    expect(await js(kit, 'document.querySelectorAll("li").length')).toBe('3');
  });

  it('text that only looks a little like it is typed as it is', async () => {
    await show(kit, '<input aria-label="A">');
    await kit.ok('batch', { calls: [to('title'), fill('label:A', 'costs $1.ref or $1.50')] });
    expect(await fieldValue(kit, '[aria-label=A]')).toBe('costs $1.ref or $1.50');
  });

  it('the journal has the ref that was meant', async () => {
    const own = await startKit();
    await show(own, LIST);
    const text = await own.ok('batch', {
      calls: [to('find', { text: 'Remove Tea' }), to('click', { selector: '$1.ref' })],
    });
    await own.server.close();
    const journal = readFileSync(join(own.folder, 'state', 'journal', 'journal.jsonl'), 'utf8');
    await own.close();
    const clicked = journal.split('\n').find(line => line.includes('"tool":"click"')) ?? '';
    expect(JSON.parse(clicked).args.selector).toBe(/Clicked (@e\d+)/.exec(text)?.[1]);
  });
});

describe('batch: what is expected', () => {
  const LATE = `<p id="out">Ready</p><input aria-label="A">
    <button onclick="out.textContent = 'Working'; setTimeout(() => { out.textContent = 'Done'; history.replaceState(0, '', '#/done'); }, 600)">Work</button>
    <button onclick="out.textContent = 'No money left'">Pay</button>`;
  const open = () => kit.ok('navigate', { url: `${kit.site.url}/article.html` });
  const put = async () => {
    await open();
    await js(kit, `document.body.innerHTML = ${JSON.stringify(LATE)}`);
  };
  const click = (name: string, expected: object) => ({
    ...to('click', { selector: `text:${name}` }),
    expect: expected,
  });

  it('a text, an address, and that something has gone, are waited for', async () => {
    await put();
    const calls = [click('Work', { text: 'Done', url: '**#/done', gone: 'Working' }), fill('label:A', 'after')];
    expect(await kit.ok('batch', { calls })).toMatch(/^1\. click: Clicked .*\n(?: {3}.*\n)*2\. fill: Filled /);
    expect(await js(kit, 'out.textContent')).toBe('Done');
  });

  it('tells that it came', async () => {
    await put();
    expect(await kit.ok('batch', { calls: [click('Work', { text: 'Done' })] })).toMatch(
      /\nAs expected: text "Done" is visible \(after \d+ ms\)$/,
    );
  });

  it('stops where something else came, and tells what is there instead', async () => {
    await put();
    const calls = [fill('label:A', 'before'), click('Pay', { text: 'Thank you' }), fill('label:A', 'after')];
    const { code, text } = await kit.fails('batch', { calls });
    expect(code).toBe('timeout');
    expect(text).toMatch(
      /^Call 2 of 3, click, failed: Clicked @e\d+ button "Pay"\.\nChanged: @e\d+ text "No money left"/,
    );
    expect(text).toMatch(/Waited 5 s, but text "Thank you" did not come about\.\nInstead there is: .*article\.html/);
    expect(text).toMatch(/No money left\n[\s\S]*@e\d+ button Work/);
    expect(text).toMatch(/Done before that:\n1\. fill: Filled .*\n1 later call not run\./);
    expect(text.length).toBeLessThan(1_600);
    expect(await fieldValue(kit, '[aria-label=A]')).toBe('before');
  });

  it('that an element has gone, by the ref that an earlier call gave', async () => {
    await put();
    const calls = [
      to('find', { text: 'Work' }),
      {
        ...to('evaluate', { expression: 'void setTimeout(() => document.querySelector("button").remove(), 300)' }),
        expect: { gone: '$1.ref' },
      },
    ];
    await kit.ok('batch', { calls });
    expect(await js(kit, 'document.querySelectorAll("button").length')).toBe('1');
  });

  it('what was done before is told of every call, however many there are', async () => {
    await put();
    const calls = [
      ...Array.from({ length: 12 }, (_, at) => fill('label:A', `value ${at}`)),
      to('click', { selector: '#none', timeout: 300 }),
    ];
    const { text } = await kit.fails('batch', { calls });
    for (let at = 1; at <= 12; at++) expect(text).toContain(`\n${at}. fill: Filled `);
  });
});
