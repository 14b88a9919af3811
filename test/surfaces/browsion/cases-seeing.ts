// Cases of the tools that look and keep: elements, pictures, scripts, tabs, frames, cookies, storage, console, network, emulation.
import { expect } from 'vitest';
import { dimensionsOf } from '../../../src/engine/media/fit.ts';
import type { Case, Scene } from './case.ts';

const ok = expect.objectContaining({ ok: true });
const some = expect.anything();
const list = (...items: unknown[]) =>
  expect.arrayContaining(items.map(item => expect.objectContaining(item as object)));
const has = (members: object) => expect.objectContaining(members);
const hostOf = ({ lab }: Scene) => new URL(lab.url).hostname;
const fetched = (path: string) => `fetch('${path}').then(answer => answer.text(), () => 'blocked')`;

interface Tab {
  id: string;
  active: boolean;
}
const tabs = async ({ call }: Scene) => (await call('list_tabs')) as Tab[];
const closeOthers = async (scene: Scene) => {
  for (const { id, active } of await tabs(scene)) if (!active) await scene.call('close_tab', { target_id: id });
};

export const SEEING: readonly Case[] = [
  {
    id: 'S4-62',
    tool: 'get_page_state',
    gives: {
      url: expect.stringMatching(/\/lab$/),
      title: 'Lab',
      element_count: expect.any(Number),
      ax_tree: list(
        { ref_id: expect.stringMatching(/^e\d+$/), role: 'button', name: 'Button', description: 'Press it' },
        { role: 'textbox', name: 'Field' },
        { role: 'button', name: 'Deep' },
      ),
    },
  },
  {
    id: 'S4-63',
    tool: 'get_ax_tree',
    first: ({ js }) => js('field.focus(), field.value = "held", button.disabled = true'),
    gives: list(
      { role: 'textbox', name: 'Field', value: 'held', focused: true },
      { role: 'button', name: 'Button', disabled: true },
    ),
  },
  {
    id: 'S4-64',
    tool: 'screenshot',
    args: { format: 'jpeg', quality: 60 },
    gives: has({ format: 'jpeg', width: some, height: some }),
    after: (_scene, { picture }) => expect(dimensionsOf(picture!)?.width).toBeGreaterThan(300),
  },
  {
    id: 'S4-65',
    tool: 'screenshot_element',
    args: { selector: '#touch' },
    gives: has({ format: 'png' }),
    after: (_scene, { picture }) => expect(dimensionsOf(picture!)?.height).toBe(120),
  },
  {
    id: 'S4-66',
    tool: 'get_dom_context',
    gives: has({
      title: 'Lab',
      elements: list({ tag: 'button', id: 'button', selector: '#button', visible: true, clickable: true }),
      forms: list({
        tag: 'input',
        classes: ['a', 'b'],
        input_type: 'text',
        placeholder: 'Type here',
        aria_label: 'Field',
      }),
      links: list({ tag: 'a', text: 'Second page', href: expect.stringMatching(/\/two$/) }),
    }),
  },
  {
    id: 'S4-67',
    tool: 'extract_data',
    first: ({ js }) => js('field.value = "typed"'),
    args: { selectors: { heading: 'h1', field: '#field', none: '.nothing' } },
    gives: { heading: 'Lab', field: 'typed', none: null },
  },
  {
    id: 'S4-68',
    tool: 'get_page_text',
    first: ({ js }) => js('late.textContent = "x".repeat(60000)'),
    gives: { text: expect.stringMatching(/^Lab\n/), length: expect.any(Number) },
    after: (_scene, { body }) => expect(Object(body).text).toHaveLength(50_000),
  },
  {
    id: 'S4-72',
    tool: 'evaluate_js',
    args: { expression: 'Promise.resolve({ list: [1, "two", null], title: document.title })' },
    gives: { result: { list: [1, 'two', null], title: 'Lab' } },
  },
  {
    id: 'S4-73',
    tool: 'list_tabs',
    gives: list({ id: expect.stringMatching(/^[0-9A-F]{32}$/), title: 'Lab', type: 'page' }),
  },
  {
    id: 'S4-74',
    tool: 'new_tab',
    args: ({ lab }) => ({ url: `${lab.url}/two` }),
    gives: has({ id: some, url: expect.stringMatching(/\/two$/), title: 'Two' }),
    async after(scene) {
      expect(await tabs(scene)).toHaveLength(2);
      await closeOthers(scene);
    },
  },
  {
    id: 'S4-75',
    tool: 'switch_tab',
    first: ({ call }) => call('new_tab'),
    args: async scene => ({ target_id: (await tabs(scene)).find(({ active }) => !active)?.id }),
    gives: has({ ok: true, title: 'Lab' }),
    after: closeOthers,
  },
  {
    id: 'S4-76',
    tool: 'close_tab',
    first: ({ call }) => call('new_tab'),
    args: async scene => ({ target_id: (await tabs(scene)).find(({ active }) => active)?.id }),
    gives: { ok: true },
    after: async scene => expect(await tabs(scene)).toHaveLength(1),
  },
  {
    id: 'S4-77',
    tool: 'wait_for_new_tab',
    first: ({ call }) => call('click', { selector: '#new' }),
    args: { timeout_ms: 20_000 },
    gives: has({ target_id: expect.stringMatching(/^[0-9A-F]{32}$/) }),
    after: closeOthers,
  },
  {
    id: '14.19',
    tool: 'wait_for_new_tab',
    first: ({ call }) => call('click', { selector: '#new' }),
    args: { timeout: 20_000 },
    gives: has({ target_id: expect.stringMatching(/^[0-9A-F]{32}$/) }),
    after: closeOthers,
  },
  {
    id: 'S4-78',
    tool: 'get_cookies',
    first: ({ js }) => js('document.cookie = "seen=1; path=/"'),
    gives: list({ name: 'seen', value: '1', path: '/', secure: false, http_only: false }),
  },
  {
    id: 'S4-79',
    tool: 'set_cookie',
    args: scene => ({ name: 'set', value: 'yes', domain: hostOf(scene) }),
    gives: { ok: true },
    js: ['document.cookie.includes("set=yes")', true],
  },
  {
    id: 'S4-80',
    tool: 'delete_cookies',
    first: ({ js }) => js('document.cookie = "gone=1"'),
    gives: ok,
    js: ['document.cookie', ''],
  },
  {
    id: 'S4-101',
    tool: 'export_cookies',
    first: ({ js }) => js('document.cookie = "out=1; path=/"'),
    args: { format: 'netscape' },
    gives: {
      format: 'netscape',
      count: expect.any(Number),
      data: expect.stringMatching(/^# Netscape[\s\S]*\tout\t1$/m),
    },
  },
  {
    id: 'S4-101',
    tool: 'import_cookies',
    args: scene => ({ data: JSON.stringify([{ name: 'in', value: 'side', domain: hostOf(scene), path: '/' }]) }),
    gives: { imported: 1, errors: [] },
    js: ['document.cookie.includes("in=side")', true],
  },
  {
    id: 'S4-81',
    tool: 'enable_console_capture',
    first: ({ js }) => js('console.log("before")'),
    gives: { ok: true },
    async after({ js, call }) {
      await js('console.log("after")');
      const { logs } = (await call('get_console_logs')) as { logs: { text: string }[] };
      expect(logs.map(({ text }) => text)).toEqual(['after']);
    },
  },
  {
    id: 'S4-82',
    tool: 'get_console_logs',
    first: ({ js }) => js('console.warn("careful", 1)'),
    gives: { logs: list({ type: 'warn', text: 'careful 1' }) },
  },
  {
    id: '14.19',
    tool: 'get_console_logs',
    async first({ call, js }) {
      await call('enable_console_capture');
      await js(
        'void Array.from({ length: 1000 }, (_, at) => console.log("line " + at + " of a page that logs a lot"))',
      );
    },
    gives: { logs: expect.objectContaining({ length: 1_000 }) },
    after: ({ call }) => call('clear_console') as Promise<void>,
  },
  {
    id: 'S4-83',
    tool: 'clear_console',
    first: ({ js }) => js('console.log("gone")'),
    gives: { ok: true },
    after: async ({ call }) => expect(await call('get_console_logs')).toEqual({ logs: [] }),
  },
  {
    id: 'S4-84',
    tool: 'get_network_log',
    first: ({ js }) => js(fetched('/api/v1/x')),
    gives: {
      count: expect.any(Number),
      entries: list(
        { type: 'request', method: 'GET', url: expect.stringMatching(/\/api\/v1\/x$/), requestId: some },
        { type: 'response', status: 200, url: expect.stringMatching(/\/api\/v1\/x$/), requestId: some },
      ),
    },
  },
  {
    id: 'S4-85',
    tool: 'clear_network_log',
    first: ({ js }) => js(fetched('/api/v1/x')),
    gives: { ok: true },
    after: async ({ call }) => expect(await call('get_network_log')).toEqual({ entries: [], count: 0 }),
  },
  {
    id: 'S4-86',
    tool: 'block_url',
    args: { url_pattern: '*/api/v1/*' },
    gives: { ok: true, rule: 'block', pattern: some },
    js: [fetched('/api/v1/x'), 'blocked'],
    after: ({ call }) => call('clear_intercepts') as Promise<void>,
  },
  {
    id: 'S4-87',
    tool: 'mock_url',
    args: { url_pattern: '/api/v1/', status: 201, body: '{"mock":true}' },
    gives: { ok: true, rule: 'mock', pattern: some },
    js: [
      'fetch("/api/v1/x").then(async one => [one.status, one.headers.get("content-type"), await one.json()])',
      [201, 'application/json', { mock: true }],
    ],
    after: ({ call }) => call('clear_intercepts') as Promise<void>,
  },
  {
    id: '14.19',
    tool: 'mock_url',
    args: { url_pattern: '/api/v1/', status: 200, body: '{}', headers: { 'x-mock': 'yes' } },
    gives: { ok: true, rule: 'mock', pattern: some },
    js: [
      'fetch("/api/v1/x").then(one => [one.headers.get("content-type"), one.headers.get("x-mock")])',
      ['application/json', 'yes'],
    ],
    after: ({ call }) => call('clear_intercepts') as Promise<void>,
  },
  {
    id: '14.19',
    tool: 'emulate',
    first: ({ call }) => call('emulate', { width: 400, height: 700, mobile: true, user_agent: 'Lab/1' }),
    gives: { ok: true },
    js: ['[screen.width !== 400, navigator.userAgent !== "Lab/1"]', [true, true]],
  },
  {
    id: 'S4-88',
    tool: 'clear_intercepts',
    first: ({ call }) => call('block_url', { url_pattern: '/api/v1/' }),
    gives: { ok: true },
    js: [fetched('/api/v1/x'), '{"real":true}'],
  },
  {
    id: 'S4-89',
    tool: 'handle_dialog',
    async first({ js, call }) {
      await js('void (button.onclick = () => { answered = prompt("Name?") })');
      expect(await call('click', { selector: '#button' })).toMatchObject({
        dialog: { type: 'prompt', message: 'Name?' },
      });
    },
    args: { action: 'accept', prompt_text: 'Ada' },
    gives: ok,
    js: ['answered', 'Ada'],
  },
  {
    id: 'S4-90',
    tool: 'emulate',
    args: { width: 400, height: 700, mobile: true, user_agent: 'Lab/1', latitude: 52.5, longitude: 13.4 },
    gives: { ok: true },
    js: ['[innerWidth <= 980, screen.width, navigator.userAgent]', [true, 400, 'Lab/1']],
    after: ({ call }) => call('emulate', { width: 1280, height: 720 }) as Promise<void>,
  },
  {
    id: 'S4-91',
    tool: 'get_storage',
    first: ({ js }) => js('localStorage.clear(), localStorage.kept = "here"'),
    args: { storage_type: 'local' },
    gives: { storage: { kept: 'here' }, type: 'local' },
  },
  {
    id: 'S4-92',
    tool: 'set_storage',
    args: { storage_type: 'session', key: 'k', value: 'v' },
    gives: { ok: true },
    js: ['sessionStorage.k', 'v'],
  },
  {
    id: 'S4-93',
    tool: 'clear_storage',
    first: ({ js }) => js('localStorage.a = 1, localStorage.b = 2'),
    args: { storage_type: 'local', key: 'a' },
    gives: ok,
    js: ['[localStorage.a ?? null, localStorage.b]', [null, '2']],
  },
  {
    id: 'S4-96',
    tool: 'print_to_pdf',
    args: { landscape: true },
    gives: has({ format: 'pdf', pages: some }),
    after: (_scene, { body }) =>
      expect(Buffer.from(Object(body).data, 'base64').subarray(0, 5).toString()).toBe('%PDF-'),
  },
  {
    id: 'S4-97',
    tool: 'get_frames',
    page: '/frames',
    gives: [
      has({ id: some, name: '', parent_id: null }),
      has({ name: 'middle', parent_id: some }),
      has({ name: 'inner', url: expect.stringMatching(/\/inner$/) }),
    ],
  },
  {
    id: 'S4-98',
    tool: 'switch_frame',
    page: '/frames',
    args: async ({ call }) => ({ frame_id: ((await call('get_frames')) as { id: string }[])[2]?.id }),
    gives: has({ ok: true, frame_id: some }),
    js: ['document.title', 'Inner'],
  },
  {
    id: 'S4-99',
    tool: 'main_frame',
    page: '/frames',
    async first({ call }) {
      await call('switch_frame', { frame_id: ((await call('get_frames')) as { id: string }[])[2]?.id });
    },
    gives: ok,
    js: ['document.title', 'Outer'],
  },
];
