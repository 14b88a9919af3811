// The examples that the specification prints for these tools, as written there, each on a page made for it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { fieldValue, js, show, textOf } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

/** Refs count from 1 in each session, so each example begins in a new one. */
beforeEach(async () => {
  await kit.call('session_close', { all: true });
  await kit.ok('tab_new');
});

const run = (tool: string, json: string) => kit.ok(tool, JSON.parse(json) as Record<string, unknown>);
const later = (script: string) => js(kit, `void setTimeout(() => { ${script} }, 200)`);

describe('S1-99 query', () => {
  const PAGE = `<h1>Welcome</h1><h2>Second</h2><form><label>Email address <input type="email"></label><button>Submit</button><button>Cancel</button></form>
    <a href="#in">Sign in</a><p>Sign in to go on</p><a href="#b">Help</a><a href="#c">About</a>`;

  it.each([
    [
      'submit button',
      '{ "by": "role", "value": "button", "options": { "name": "Submit" } }',
      /^@e\d+ button "Submit"$/,
    ],
    ['by text', '{ "by": "text", "value": "Sign in", "options": { "exact": true } }', /^@e\d+ link "Sign in"$/],
    ['email input by label', '{ "by": "label", "value": "Email address" }', /^@e\d+ textbox "Email address"$/],
    ['count all links', '{ "by": "role", "value": "link", "return": "count" }', /^3$/],
    [
      'text of first heading',
      '{ "by": "role", "value": "heading", "nth": 0, "return": "text" }',
      /^@e\d+ heading "Welcome": "Welcome"$/,
    ],
  ])('%s', async (_what, json, said) => {
    await show(kit, PAGE);
    expect(await run('query', json)).toMatch(said);
  });
});

describe('S1-99 locator', () => {
  const PAGE = `<form aria-label="Login"><button type="button">Submit</button></form><form aria-label="Other"><button type="button">Submit</button></form>
    <ul><li>One</li><li>Two</li><li>Three</li></ul><button onclick="log.textContent='saved'">Save</button><button>Discard</button><p id="log"></p>`;

  const IN_FORM = `{
    "chain": [
      { "method": "role", "value": "form", "options": { "name": "Login" } },
      { "method": "within" },
      { "method": "role", "value": "button", "options": { "name": "Submit" } }
    ]
  }`;

  it('a button within a specific form', async () => {
    await show(kit, PAGE);
    const said = await run('locator', IN_FORM);
    expect(said).toMatch(/^@e\d+ button "Submit"$/);
    await kit.ok('snapshot');
    expect(await kit.ok('query', { by: 'role', value: 'button', nth: 0 })).toBe(said);
  });

  it('the second item in a list', async () => {
    await show(kit, PAGE);
    const said = await run(
      'locator',
      '{ "chain": [ { "method": "role", "value": "listitem" }, { "method": "nth", "value": "1" } ] }',
    );
    expect(await kit.ok('query', { by: 'role', value: 'listitem', nth: 1, return: 'text' })).toMatch(
      new RegExp(`^${said.split(' ')[0]} listitem .*: "Two"$`),
    );
  });

  it('buttons filtered by text content, and clicked', async () => {
    await show(kit, PAGE);
    const said = await run(
      'locator',
      `{ "chain": [ { "method": "role", "value": "button" }, { "method": "filter", "options": { "hasText": "Save" } } ], "action": "click" }`,
    );
    expect(said).toMatch(/^Clicked @e\d+ button "Save"/);
    expect(await textOf(kit, '#log')).toBe('saved');
  });
});

describe('S1-99 wait', () => {
  it('for an element by ref', async () => {
    await show(kit, [1, 2, 3, 4, 5].map(n => `<button id="b${n}">Button ${n}</button>`).join(''));
    expect(await kit.ref('"Button 5"')).toBe('@e5');
    await js(kit, 'b5.hidden = true');
    await later('b5.hidden = false');
    expect(await run('wait', '{ "for": "selector", "selector": "@e5" }')).toContain('"@e5" is visible');
  });

  it.each([
    [
      '{ "for": "selector", "selector": ".loading-spinner", "state": "hidden" }',
      'document.querySelector(".loading-spinner").remove()',
      /hidden/,
    ],
    ['{ "for": "text", "text": "Success!" }', 'document.body.append("Success!")', /"Success!" is visible/],
    [
      '{ "for": "function", "function": "return document.querySelector(\'.data-loaded\') !== null" }',
      'document.body.className = "data-loaded"',
      /returned true/,
    ],
  ])('%s', async (json, script, said) => {
    await show(kit, '<p class="loading-spinner">…</p>');
    await later(script);
    expect(await run('wait', json)).toMatch(said);
  });

  it('for a url', async () => {
    await kit.open('/signup.html');
    await later("history.pushState(0, '', '/dashboard/overview')");
    expect(await run('wait', '{ "for": "url", "url": "**/dashboard/**" }')).toMatch(/\/dashboard\/overview/);
  });

  it('for the network to be idle', async () => {
    await kit.ok('navigate', { url: `${kit.site.url}/slow-parts.html`, wait_until: 'domcontentloaded' });
    await run('wait', '{ "for": "load_state", "load_state": "networkidle" }');
    expect(await kit.ok('title')).toBe('fetched');
  });

  it('simply for time', async () => {
    const { ms } = await kit.call('wait', JSON.parse('{ "for": "timeout", "duration": 2000 }'));
    expect(ms).toBeGreaterThanOrEqual(1999);
    expect(ms).toBeLessThan(8_000);
  });
});

describe('S1-99 the words of the introduction', () => {
  it.each([
    ['role:button', 'button'],
    ['text:Submit', 'button'],
    ['label:Email', 'textbox'],
    ['placeholder:Enter email', 'textbox'],
  ])('S1-05 %s', async (selector, role) => {
    await show(kit, '<label>Email <input placeholder="Enter email"></label><button>Submit</button>');
    expect(await kit.ok('snapshot', { selector })).toMatch(new RegExp(`- ${role} "`));
    expect(await kit.ok('hover', { selector })).toMatch(/^Hovered @e\d+ .*\.$/);
  });

  it('S1-03 click @e3, fill @e5 "hello"', async () => {
    await show(
      kit,
      '<button>1</button><button>2</button><button onclick="log.textContent=3">3</button><button>4</button><input aria-label="5"><p id="log"></p>',
    );
    await kit.ok('snapshot');
    await kit.ok('click', { selector: '@e3' });
    await kit.ok('fill', { selector: '@e5', value: 'hello' });
    expect((await textOf(kit, '#log')) + (await fieldValue(kit, 'input'))).toBe('3hello');
  });

  it.each(['@e2', 'e2', 'ref=e2', '[ref=@e2]', 'ref_2', ' @e2 '])('S1-06 a ref written as %s', async selector => {
    await show(kit, '<button>1</button><button onclick="log.textContent=2">2</button><p id="log"></p>');
    await kit.ok('snapshot');
    await kit.ok('click', { selector });
    expect(await textOf(kit, '#log')).toBe('2');
  });

  it.each([
    'role:button',
    'text:Go',
    'label:Named',
    'title:Tip',
    'testid:go',
    '#go',
    'button',
    'xpath=//button',
    '//button',
    'role:button[name="Named"]',
  ])('S1-10 %s', async selector => {
    await show(
      kit,
      '<button id="go" aria-label="Named" title="Tip" data-testid="go" onclick="log.textContent=1">Go</button><p id="log"></p>',
    );
    await kit.ok('click', { selector });
    expect(await textOf(kit, '#log')).toBe('1');
  });

  it('S1-10 alt:', async () => {
    await show(kit, '<img alt="Logo" width="40" height="40" onclick="log.textContent=1"><p id="log"></p>');
    await kit.ok('click', { selector: 'alt:Logo' });
    expect(await textOf(kit, '#log')).toBe('1');
  });
});

describe('S1-99 example.com', () => {
  const PAGE = `<!doctype html><title>Example Domain</title><h1>Example Domain</h1><p>This domain is for use in illustrative examples...</p><a href="/more">More information...</a>
    <div role="group" aria-label="Navigation"><button>Home</button><button>About</button><input aria-label="Search" placeholder="Search..."></div>`;

  /** Answers for the host, so that nothing leaves this machine. */
  async function answer(html: string): Promise<void> {
    const response = { headers: { 'content-type': 'text/html' }, body: html };
    await kit.ok('route', { action: 'add', url_pattern: 'https://example.com/**', handler: 'fulfill', response });
  }

  it('S1-13 a snapshot has the form that is printed there', async () => {
    await answer(PAGE);
    await kit.ok('navigate', { url: 'https://example.com' });
    expect(await kit.ok('snapshot')).toBe(`Page: Example Domain (https://example.com/)
Viewport: 1280x720

- document "Example Domain"
  - heading "Example Domain" [ref=@e1] [level=1]
  - paragraph: "This domain is for use in illustrative examples..."
  - link "More information..." [ref=@e2]
  - group "Navigation" [ref=@e3]
    - button "Home" [ref=@e4]
    - button "About" [ref=@e5]
    - textbox "Search" [ref=@e6] [placeholder="Search..."]`);
  });

  it('navigate in a new window', async () => {
    await answer(PAGE);
    const said = await run(
      'navigate',
      `{
      "url": "https://example.com",
      "new_window": true,
      "window_size": { "width": 1280, "height": 720 }
    }`,
    );
    expect(said).toMatch(/^Opened https:\/\/example\.com\/ "Example Domain"; opened tab \d+\.$/);
    expect(await js(kit, '[innerWidth, innerHeight].join()')).toBe('1280,720');
  });

  it('click with Control', async () => {
    await show(
      kit,
      '<a href="#1">1</a><a href="#2">2</a><a href="#3">3</a><a href="#4">4</a><a href="#5" onclick="log.textContent=event.ctrlKey;return false">5</a><p id="log"></p>',
    );
    await kit.ok('snapshot');
    await run('click', '{ "selector": "@e5", "modifiers": ["Control"] }');
    expect(await textOf(kit, '#log')).toBe('true');
  });

  it('snapshot of a part, interactive, three deep', async () => {
    await show(
      kit,
      `${'<button>x</button>'.repeat(11)}<section aria-label="Part" tabindex="0"><button>Inside</button><p>Words</p></section><button>Outside</button>`,
    );
    expect(await kit.ref('"Part"')).toBe('@e12');
    const text = (await run('snapshot', '{ "mode": "interactive", "depth": 3, "selector": "@e12" }'))
      .split('\n')
      .slice(3)
      .join('\n');
    expect(text).toContain('button "Inside"');
    expect(text).not.toMatch(/Outside|Words|"x"/);
  });
});
