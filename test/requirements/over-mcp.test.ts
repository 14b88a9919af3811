// Each tool of S1 by its requirement, over a real MCP client and the built command: it is called, answers, and the page has it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Site, startSite } from '../site/serve.ts';
import { AGENTS, type Agent } from '../surfaces/agents.ts';
import { temporaryFolder } from '../surfaces/process.ts';

type Call = [tool: string, args: Record<string, unknown>];

interface Row {
  /** A page of the site; the controls below when left out. */
  page?: string;
  before?: Call[];
  call: Call;
  says: RegExp;
  /** An expression in the page afterwards, and what it gives. */
  proof?: [expression: string, gives: string | RegExp];
  after?: Call[];
}

const CONTROLS = `<title>Controls</title><button id=b onclick="document.title='clicked'" ondblclick="document.title='twice'" onmouseover="window.over=1">Go</button>
<input id=t value=old aria-label=Text onmouseup="window.up=1"><input type=checkbox id=c><input type=checkbox id=d checked><select id=s><option>A<option>B</select>
<input type=file id=f><button id=a onclick="alert('Sure?')">Ask</button><p style=height:3000px></p>`;
const POSITION =
  'new Promise(r => navigator.geolocation.getCurrentPosition(p => r(p.coords.latitude), e => r(e.message)))';

const ROWS: Record<string, Row> = {
  'S1-20': { page: 'signup.html', call: ['snapshot', {}], says: /textbox "Email" \[ref=@e\d+\]/ },
  'S1-21': { page: 'signup.html', call: ['query', { by: 'label', value: 'Email' }], says: /@e\d+/ },
  'S1-22': {
    call: ['locator', { chain: [{ method: 'css', value: '#b' }], action: 'click' }],
    says: /Go/,
    proof: ['document.title', 'clicked'],
  },
  'S1-23': {
    call: ['navigate', { url: 'SITE/todo.html' }],
    says: /Opened/,
    proof: ['location.pathname', '/todo.html'],
  },
  'S1-24': {
    page: 'signup.html',
    before: [['navigate', { url: 'SITE/todo.html' }]],
    call: ['back', {}],
    says: /signup/,
    proof: ['location.pathname', '/signup.html'],
  },
  'S1-25': {
    page: 'signup.html',
    before: [
      ['navigate', { url: 'SITE/todo.html' }],
      ['back', {}],
    ],
    call: ['forward', {}],
    says: /todo/,
    proof: ['location.pathname', '/todo.html'],
  },
  'S1-26': {
    page: 'signup.html',
    call: ['reload', {}],
    says: /signup/,
    proof: ['performance.getEntriesByType("navigation")[0].type', 'reload'],
  },
  'S1-27': { page: 'signup.html', call: ['url', {}], says: /\/signup\.html$/ },
  'S1-28': { call: ['title', {}], says: /^Controls$/ },
  'S1-29': { call: ['click', { selector: '#b' }], says: /@e\d+ button "Go"/, proof: ['document.title', 'clicked'] },
  'S1-30': { call: ['dblclick', { selector: '#b' }], says: /@e\d+ button "Go"/, proof: ['document.title', 'twice'] },
  'S1-31': { call: ['hover', { selector: '#b' }], says: /@e\d+ button "Go"/, proof: ['window.over', '1'] },
  'S1-32': {
    call: ['fill', { selector: '#t', value: 'new' }],
    says: /@e\d+ textbox "Text"/,
    proof: ['t.value', 'new'],
  },
  'S1-33': {
    call: ['type', { selector: '#t', text: 'er', delay: 0 }],
    says: /@e\d+ textbox "Text"/,
    proof: ['t.value', /er/],
  },
  'S1-34': {
    call: ['press', { selector: '#t', key: 'Control+a Delete' }],
    says: /Delete/,
    proof: ['t.value', /^(""|)$/],
  },
  'S1-35': { call: ['drag', { source: '#b', target: '#t' }], says: /@e\d+ textbox "Text"/, proof: ['window.up', '1'] },
  'S1-36': { call: ['scroll', { direction: 'down', amount: 300 }], says: /300/, proof: ['scrollY', '300'] },
  'S1-37': {
    call: ['upload', { selector: '#f', files: [{ base64: 'YWJj', name: 'abc.txt' }] }],
    says: /abc\.txt/,
    proof: ['f.files[0].text()', 'abc'],
  },
  'S1-38': { call: ['check', { selector: '#c' }], says: /hecked/, proof: ['c.checked', 'true'] },
  'S1-39': { call: ['uncheck', { selector: '#d' }], says: /nchecked/, proof: ['d.checked', 'false'] },
  'S1-40': { call: ['select', { selector: '#s', label: 'B' }], says: /B/, proof: ['s.value', 'B'] },
  'S1-41': { call: ['clear', { selector: '#t' }], says: /@e\d+ textbox "Text"/, proof: ['t.value.length', '0'] },
  'S1-42': {
    call: ['focus', { selector: '#t' }],
    says: /@e\d+ textbox "Text"/,
    proof: ['document.activeElement.id', 't'],
  },
  'S1-43': { call: ['wait', { for: 'selector', selector: '#b' }], says: /#b|Go/ },
  'S1-44': {
    call: ['tab_new', { url: 'SITE/todo.html' }],
    says: /todo/,
    proof: ['location.pathname', '/todo.html'],
    after: [['tab_close', {}]],
  },
  'S1-45': { call: ['tab_list', {}], says: /^\* \d+: .*Controls/ },
  'S1-46': {
    before: [['tab_new', {}]],
    call: ['tab_switch', { index: 0 }],
    says: /Controls/,
    proof: ['document.title', 'Controls'],
  },
  'S1-47': { before: [['tab_new', {}]], call: ['tab_close', {}], says: /[Cc]losed/ },
  'S1-48': {
    call: ['window_new', { width: 640, height: 480, incognito: true }],
    says: /window/i,
    proof: ['innerWidth', '640'],
    after: [['tab_close', {}]],
  },
  'S1-49': {
    page: 'signup.html',
    call: ['cookies', { action: 'set', name: 'taste', value: 'sweet', url: 'SITE/' }],
    says: /taste/,
    proof: ['document.cookie', /taste=sweet/],
  },
  'S1-50': {
    page: 'signup.html',
    call: ['storage', { action: 'set', key: 'k', value: 'v' }],
    says: /k/,
    proof: ['localStorage.k', 'v'],
  },
  'S1-51': {
    page: 'signup.html',
    before: [['auth_state', { action: 'save', name: 'mine' }]],
    call: ['auth_state', { action: 'list' }],
    says: /mine/,
  },
  'S1-52': { call: ['request', { url: 'SITE/signup.html' }], says: /200[\s\S]*Email/ },
  'S1-53': {
    before: [
      ['capture', { action: 'start' }],
      ['navigate', { url: 'SITE/signup.html' }],
    ],
    call: ['capture', { action: 'stop' }],
    says: /signup\.html/,
  },
  'S1-54': {
    page: 'signup.html',
    before: [
      ['route', { action: 'add', url_pattern: '**/made-up', handler: 'fulfill', response: { body: 'made up' } }],
    ],
    call: ['route', { action: 'list' }],
    says: /made-up/,
    proof: ['fetch("/made-up").then(r => r.text())', 'made up'],
    after: [['route', { action: 'clear' }]],
  },
  'S1-55': { call: ['screenshot', { save_path: 'shot.png' }], says: /shot\.png/ },
  'S1-56': { call: ['pdf', { save_path: 'page.pdf' }], says: /page\.pdf/ },
  'S1-57': {
    before: [
      ['record', { action: 'start' }],
      ['click', { selector: '#b' }],
    ],
    call: ['record', { action: 'stop', save_path: 'film.gif' }],
    says: /film\.gif/,
  },
  'S1-58': {
    call: ['viewport', { width: 500, height: 400 }],
    says: /500x400/,
    proof: ['innerWidth', '500'],
    after: [['viewport', { width: 1280, height: 720 }]],
  },
  'S1-59': {
    call: ['device', { name: 'iPhone 14' }],
    says: /iPhone 14/,
    proof: ['navigator.userAgent', /iPhone/],
    after: [['device', { name: 'Desktop 1080p' }]],
  },
  'S1-60': {
    page: 'signup.html',
    call: ['geolocation', { latitude: 12, longitude: 34 }],
    says: /12/,
    proof: [POSITION, '12'],
  },
  'S1-61': {
    page: 'signup.html',
    call: ['permissions', { permissions: [{ name: 'camera', state: 'denied' }] }],
    says: /camera/,
    proof: ['navigator.permissions.query({ name: "camera" }).then(p => p.state)', 'denied'],
  },
  'S1-62': {
    call: ['emulate', { color_scheme: 'dark' }],
    says: /dark/,
    proof: ['matchMedia("(prefers-color-scheme: dark)").matches', 'true'],
  },
  'S1-63': { call: ['evaluate', { expression: '(a, b) => a * b', args: [6, 7] }], says: /^42$/ },
  'S1-64': {
    before: [['evaluate', { expression: 'console.log("said here")' }]],
    call: ['console', {}],
    says: /said here/,
  },
  'S1-65': { page: 'signup.html', call: ['history', { query: 'signup' }], says: /signup\.html/ },
  'S1-66': {
    before: [['bookmarks', { action: 'add', url: 'https://example.com', title: 'Sample' }]],
    call: ['bookmarks', { action: 'search', query: 'Sample' }],
    says: /example\.com/,
  },
  'S1-67': {
    before: [['click', { selector: '#a' }]],
    call: ['dialog', { action: 'accept' }],
    says: /ccept/,
    proof: ['document.title', 'Controls'],
  },
};

/** Tools that were not asked for by number, so that every tool is called through a real client. */
const FURTHER: Record<string, Row> = {
  batch: { call: ['batch', { calls: [{ tool: 'title' }] }], says: /1\. title: Controls/ },
  downloads: { call: ['downloads', {}], says: /^No downloads\.$/ },
  fill_form: {
    call: ['fill_form', { fields: [{ selector: '#t', value: 'new' }] }],
    says: /#t|Text/,
    proof: ['t.value', 'new'],
  },
  find: { page: 'signup.html', call: ['find', { text: 'Email' }], says: /Email/ },
  network_log: { page: 'signup.html', call: ['network_log', {}], says: /signup\.html/ },
  read: { page: 'article.html', call: ['read', {}], says: /^# On walking/ },
  'a recording as WebM': {
    before: [['record', { action: 'start', format: 'webm' }]],
    call: ['record', { action: 'stop', save_path: 'film.webm' }],
    says: /film\.webm/,
  },
  'a picture with labels': { call: ['screenshot', { annotate: true }], says: /^\d+x\d+/ },
  session_create: { call: ['session_create', { name: 'other' }], says: /other/ },
  session_list: { call: ['session_list', {}], says: /other/ },
  session_close: { call: ['session_close', { session: 'other' }], says: /[Cc]losed/ },
  profile: { call: ['profile', { action: 'create', name: 'other' }], says: /other/ },
  profile_list: { call: ['profile_list', {}], says: /other/ },
};

const folder = temporaryFolder();
let site: Site;
let agent: Agent;

beforeAll(async () => {
  site = await startSite();
  agent = (await AGENTS['second generation, newest revision only']?.(folder.path)) as Agent;
});
afterAll(async () => {
  await agent.close();
  await site.close();
  folder.remove();
});

const placed = (args: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(args).replaceAll('SITE', site.url));

it.each(Object.entries({ ...ROWS, ...FURTHER }))(
  '%s over MCP',
  async (_id, { page, before = [], call, says, proof, after = [] }) => {
    const url = page ? `${site.url}/${page}` : `${site.url}/html?of=${encodeURIComponent(CONTROLS)}`;
    await agent.ok('navigate', { url });
    for (const [tool, args] of before) await agent.ok(tool, placed(args));
    expect(await agent.ok(call[0], placed(call[1]))).toMatch(says);
    if (proof) {
      const [expression, gives] = proof;
      expect(await agent.ok('evaluate', { expression })).toEqual(
        typeof gives === 'string' ? gives : expect.stringMatching(gives),
      );
    }
    for (const [tool, args] of after) await agent.ok(tool, placed(args));
  },
);

it('has a row for each of the 48 tools, and for every other one', async () => {
  const called = (rows: Record<string, Row>) => new Set(Object.values(rows).map(({ call: [tool] }) => tool));
  expect(called(ROWS).size).toBe(48);
  expect([...called({ ...ROWS, ...FURTHER })].sort()).toEqual((await agent.names()).sort());
});
