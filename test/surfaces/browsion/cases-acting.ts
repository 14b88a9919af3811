// Cases of the tools that act: navigation, mouse, keyboard, forms, scrolling, waiting, refs, touch.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Case, heard } from './case.ts';

const ok = expect.objectContaining({ ok: true });
const at = (path: string, title: string) => expect.objectContaining({ url: expect.stringMatching(`${path}$`), title });
const later = (script: string) => `void setTimeout(() => { ${script} }, 300)`;

export const ACTING: readonly Case[] = [
  {
    id: 'S4-38',
    tool: 'navigate',
    page: null,
    args: ({ lab }) => ({ url: `${lab.url}/two`, wait_until: 'networkidle' }),
    gives: at('/two', 'Two'),
  },
  {
    id: 'S4-39',
    tool: 'go_back',
    first: ({ lab, call }) => call('navigate', { url: `${lab.url}/two` }),
    gives: at('/lab', 'Lab'),
  },
  {
    id: 'S4-40',
    tool: 'go_forward',
    async first({ lab, call }) {
      await call('navigate', { url: `${lab.url}/two` });
      await call('go_back');
    },
    gives: at('/two', 'Two'),
  },
  { id: 'S4-41', tool: 'reload', first: ({ js }) => js('document.title = "Changed"'), gives: at('/lab', 'Lab') },
  {
    id: 'S4-42',
    tool: 'wait_for_navigation',
    first: ({ js }) => js(later('location.href = "/two"')),
    args: { timeout_ms: 20_000 },
    gives: at('/two', 'Two'),
  },
  { id: 'S4-43', tool: 'get_current_url', gives: { url: expect.stringMatching(/\/lab$/) } },
  { id: 'S4-44', tool: 'get_page_title', gives: { title: 'Lab' } },
  { id: 'S4-45', tool: 'click', args: { selector: '#deep' }, gives: { ok: true }, js: heard('click deep') },
  { id: 'S4-46', tool: 'hover', args: { selector: '#button' }, gives: { ok: true }, js: heard('mouseover button') },
  { id: 'S4-47', tool: 'double_click', args: { selector: '#button' }, gives: ok, js: heard('dblclick button') },
  { id: 'S4-48', tool: 'right_click', args: { selector: '#button' }, gives: ok, js: heard('contextmenu button') },
  {
    id: 'S4-49',
    tool: 'click_at',
    args: async ({ js }) =>
      (await js('(({ x, y }) => ({ x: x + 5, y: y + 5 }))(button.getBoundingClientRect())')) as { x: number },
    gives: ok,
    js: heard('click button'),
  },
  {
    id: 'S4-50',
    tool: 'drag',
    args: { from_selector: '#source', to_selector: '#target' },
    gives: ok,
    js: ['dropped', 'x'],
  },
  {
    id: 'S4-51',
    tool: 'type_text',
    first: ({ js }) => js('field.value = "old"'),
    args: { selector: '#field', text: 'Grüße' },
    gives: ok,
    js: ['field.value + (heard("input field") && heard("change field"))', 'Grüßetrue'],
  },
  {
    id: 'S4-52',
    tool: 'slow_type',
    args: { selector: '#field', text: 'abc', delay_ms: 5 },
    gives: ok,
    js: ['[field.value, seen.filter(one => one === "keydown field").length]', ['abc', 3]],
  },
  {
    id: 'S4-53',
    tool: 'press_key',
    first: ({ js }) =>
      js(
        'addEventListener("keydown", event => { pressed = [event.ctrlKey, event.shiftKey, event.key] }), field.focus()',
      ),
    args: { key: 'Ctrl+Shift+I' },
    gives: ok,
    js: ['pressed', [true, true, 'I']],
  },
  { id: 'S4-54', tool: 'select_option', args: { selector: '#list', value: 'v2' }, gives: ok, js: ['list.value', 'v2'] },
  {
    id: 'S4-55',
    tool: 'upload_file',
    args({ folder }) {
      const file = join(folder, 'note.txt');
      writeFileSync(file, 'hello');
      return { selector: '#file', file_path: file };
    },
    gives: ok,
    js: ['file.files[0].text()', 'hello'],
  },
  { id: 'S4-56', tool: 'scroll', args: { direction: 'down', amount: 300 }, gives: ok, js: ['scrollY', 300] },
  {
    id: 'S4-57',
    tool: 'scroll_element',
    args: { selector: '#box', delta_y: 120 },
    gives: ok,
    js: ['box.scrollTop > 0 && seen.some(one => one.startsWith("wheel"))', true],
  },
  {
    id: 'S4-58',
    tool: 'scroll_into_view',
    args: { selector: '#low' },
    gives: ok,
    js: ['(({ top }) => top > 0 && top < innerHeight)(low.getBoundingClientRect())', true],
  },
  {
    id: 'S4-59',
    tool: 'wait_for_element',
    first: ({ js }) => js(later('late.innerHTML = "<i id=there></i>"')),
    args: { selector: '#there', timeout_ms: 20_000 },
    gives: { ok: true },
  },
  {
    id: 'S4-60',
    tool: 'wait_for_text',
    first: ({ js }) => js(later('late.textContent = "Ready now"')),
    args: { text: 'Ready now', timeout_ms: 20_000 },
    gives: { ok: true },
  },
  {
    id: 'S4-61',
    tool: 'wait_for_url',
    first: ({ js }) => js(later('location.hash = "#done"')),
    args: { pattern: '*/lab#do*', timeout_ms: 20_000 },
    gives: { url: expect.stringMatching(/#done$/) },
  },
  {
    id: 'S4-69',
    tool: 'click_ref',
    args: async ({ ref }) => ({ ref_id: await ref('Button') }),
    gives: ok,
    js: heard('click button'),
  },
  {
    id: 'S4-70',
    tool: 'type_ref',
    args: async ({ ref }) => ({ ref_id: await ref('Field'), text: 'by ref' }),
    gives: ok,
    js: ['field.value', 'by ref'],
  },
  {
    id: 'S4-71',
    tool: 'focus_ref',
    args: async ({ ref }) => ({ ref_id: await ref('Field') }),
    gives: ok,
    js: ['document.activeElement.id', 'field'],
  },
  {
    id: 'S4-94',
    tool: 'tap',
    args: { selector: '#button' },
    gives: ok,
    js: ['["touchstart", "touchend", "click"].every(type => heard(type + " button"))', true],
  },
  {
    id: 'S4-95',
    tool: 'swipe',
    args: { selector: '#touch', direction: 'up', distance: 200 },
    gives: ok,
    js: ['["touchstart", "touchmove", "touchend"].every(type => heard(type + " touch")) && scrollY > 50', true],
  },
  {
    id: '14.19',
    tool: 'swipe',
    async first({ call, lab }) {
      for (const path of ['/two', '/lab']) await call('navigate', { url: lab.url + path });
    },
    args: { selector: '#touch', direction: 'right' },
    gives: ok,
    js: ['new Promise(done => setTimeout(done, 500, location.pathname))', '/lab'],
  },
  {
    id: 'S4-100',
    tool: 'wait',
    page: null,
    args: { duration_ms: 50 },
    gives: { ok: true, waited_ms: expect.toSatisfy((ms: number) => ms >= 49) },
  },
];
