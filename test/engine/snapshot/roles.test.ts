// Roles as Chrome has them, rule by rule.
import { expect, test } from 'vitest';
import { roleOf } from '../../../src/engine/snapshot/accessibility/roles.ts';
import { byId, h, type Made, pageOf, type Traits } from './build.ts';

const roleIn = (made: Made): string => roleOf(byId(pageOf(made), 'it'));
const it = (tag: string, attrs: Record<string, string> = {}, more: Traits = {}, ...kids: (Made | string)[]): Made =>
  h(tag, { ...more, attrs: { id: 'it', ...attrs } }, ...kids);

test.each<[string, Made]>([
  ['link', it('a', { href: '#' })],
  ['generic', it('a')],
  ['link', it('a', {}, { clickable: true })],
  ['button', it('input', { type: 'submit' })],
  ['checkbox', it('input', { type: 'checkbox' })],
  ['slider', it('input', { type: 'range' })],
  ['date', it('input', { type: 'time' })],
  ['file', it('input', { type: 'file' })],
  ['textbox', it('input', { type: 'constructor' })],
  ['combobox', it('select')],
  ['listbox', it('select', { multiple: '' })],
  ['listbox', it('select', { size: '4' })],
  ['image', it('img')],
  ['none', it('img', { alt: '' })],
  ['image', it('img', { alt: '', title: 'kept' })],
  ['heading', it('h3')],
  ['list', it('ol')],
  ['generic', it('section')],
  ['region', it('section', { 'aria-label': 'Named' })],
  ['banner', it('header')],
  ['sectionheader', h('article', {}, it('header'))],
  ['complementary', it('aside')],
  ['generic', h('section', {}, it('aside'))],
  ['group', it('fieldset')],
  ['group', it('div', { draggable: 'true' })],
  ['group', it('div', { popover: '' })],
  ['listitem', it('div', {}, { style: { display: 'list-item' } })],
  ['image', it('i', {}, { style: { content: 'url("x.png")' } })],
  ['none', it('canvas')],
  ['canvas', it('canvas', { title: 'Board' })],
  ['image', it('svg:svg')],
  ['generic', h('svg:svg', {}, it('svg:circle'))],
  ['image', h('svg:svg', {}, it('svg:circle', {}, { clickable: true }))],
  ['image', h('svg:svg', {}, it('svg:rect', { 'aria-label': 'Bar' }))],
  ['link', h('svg:svg', {}, it('svg:a', { href: '#' }))],
  ['constructor', it('constructor', { role: 'constructor' })],
])('%s by its tag', (role, made) => {
  expect(roleIn(made)).toBe(role === 'constructor' ? 'generic' : role);
});

test.each<[string, Made]>([
  ['button', it('div', { role: 'button' })],
  ['button', it('div', { role: 'nonsense BUTTON' })],
  ['image', it('div', { role: 'img' })],
  ['none', it('table', { role: 'presentation' })],
  ['button', it('button', { role: 'none' })],
  ['generic', it('div', { role: 'region' })],
  ['region', it('div', { role: 'region', title: 'Named' })],
])('%s by its attribute', (role, made) => {
  expect(roleIn(made)).toBe(role);
});

test('a list that is something else takes the role of its items', () => {
  expect(roleIn(h('ul', {}, it('li')))).toBe('listitem');
  expect(roleIn(h('ul', { attrs: { role: 'list' } }, it('li')))).toBe('listitem');
  for (const role of ['menu', 'none', 'nonsense']) expect(roleIn(h('ul', { attrs: { role } }, it('li')))).toBe('none');
});

test('an input with suggestions is a combobox, if the list is there', () => {
  const field = (list: string) => h('div', {}, it('input', { list }), h('datalist', { attrs: { id: 'l' } }));
  expect(roleIn(field('l'))).toBe('combobox');
  expect(roleIn(field('missing'))).toBe('textbox');
});

const row = (...cells: Made[]): Made => h('tr', {}, ...cells);
const td = (text: string): Made => h('td', {}, ...(text ? [text] : []));

test('a header without scope heads its row beside a filled cell, the ends of the row taken as neighbours', () => {
  const roleOfThIn = (...cells: Made[]) => roleIn(h('table', {}, row(...cells)));
  expect(roleOfThIn(it('th'), td('x'))).toBe('rowheader');
  expect(roleOfThIn(it('th'), td(''))).toBe('columnheader');
  expect(roleOfThIn(it('th'), h('th'), td('x'))).toBe('rowheader');
  expect(roleOfThIn(h('th'), it('th'), h('th'), td('x'))).toBe('columnheader');
  expect(roleOfThIn(it('th', { scope: 'row' }))).toBe('rowheader');
});

test('tables of data, of layout, and grids', () => {
  const words = [row(td('a'), td('b')), row(td('c'), td('d'))];
  const links = [row(h('td', {}, h('a', { attrs: { href: '#' } }, 'x')), td('b'))];
  expect(roleIn(it('table', {}, {}, ...words))).toBe('table');
  expect(roleIn(it('table', {}, {}, ...links))).toBe('generic');
  expect(roleIn(it('table', { border: '1' }, {}, ...links))).toBe('table');
  expect(roleIn(it('table', {}, {}, row(td('alone'))))).toBe('generic');
  expect(roleIn(h('table', {}, row(it('td'), h('td', {}, h('div')))))).toBe('generic');
  expect(roleIn(h('table', { attrs: { role: 'none' } }, row(it('td'))))).toBe('none');
  expect(roleIn(h('table', { attrs: { role: 'grid' } }, row(it('td'))))).toBe('gridcell');
});
