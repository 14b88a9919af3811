// Names as Chrome computes them, rule by rule.
import { describe, expect, test } from 'vitest';
import { nameOf } from '../../../src/engine/snapshot/accessibility/names.ts';
import { byId, h, type Kid, type Made, pageOf, type Traits } from './build.ts';

const nameIn = (...made: Kid[]): string => nameOf(byId(pageOf(...made), 'it'));
const it = (tag: string, attrs: Record<string, string> = {}, more: Traits = {}, ...kids: Kid[]): Made =>
  h(tag, { ...more, attrs: { id: 'it', ...attrs } }, ...kids);
const button = (...kids: Kid[]): string => nameIn(it('button', {}, {}, ...kids));

describe('content', () => {
  test.each<[string, Kid[]]>([
    ['download', [h('b', {}, 'down'), h('i', {}, 'load')]],
    ['Buy now', [h('span', { style: { display: 'block' } }, 'Buy'), h('span', { style: { display: 'block' } }, 'now')]],
    ['one two', ['one', h('br'), 'two']],
    ['three new', [h('b', { attrs: { 'aria-label': 'three' } }, '3'), 'new']],
    ['Flag Austria', [h('img', { attrs: { alt: 'Flag' } }), 'Austria']],
    ['Star Rate', [h('svg:svg', {}, h('svg:title', { unrendered: true }, 'Star')), 'Rate']],
    ['Pay', ['Pay', h('span', { attrs: { 'aria-hidden': 'true' } }, 'x')]],
    ['Pay', ['Pay', h('span', { unrendered: true }, 'x')]],
    ['seen', [h('span', { attrs: { title: 'not this' }, style: { visibility: 'hidden' } }, h('b', {}, 'seen'))]],
    ['after', [h('div', { attrs: { role: 'group' } }, 'not read'), 'after']],
    ['moved about after', [h('div', { attrs: { draggable: 'false' } }, 'moved about'), 'after']],
    ['street after', [h('address', {}, 'street'), 'after']],
    ['* Step', [h('i', { pseudo: { type: 'before', text: '*' }, style: { display: 'inline-block' } }), 'Step']],
    ['next Step', [h('i', { pseudo: { type: 'before', text: '→' }, style: { content: '"→" / "next"' } }), 'Step']],
    ['base', [h('ruby', { style: { display: 'ruby' } }, 'base', h('rt', {}, 'over'))]],
    ['every 2 weeks', ['every ', h('input', { value: '2' }), ' weeks']],
    ['rows number', ['rows ', h('input', { attrs: { 'aria-label': 'number' }, value: '' })]],
  ])('%s', (name, kids) => {
    expect(button(...kids)).toBe(name);
  });

  test('only roles that take it, and rows only in grids', () => {
    expect(nameIn(it('p', {}, {}, 'text'))).toBe('');
    const row = it('div', { role: 'row' }, {}, h('div', { attrs: { role: 'gridcell' } }, 'cell'));
    expect(nameIn(h('div', { attrs: { role: 'table' } }, row))).toBe('');
    expect(nameIn(h('div', { attrs: { role: 'grid' } }, row))).toBe('cell');
  });

  test('text moved in by aria-owns counts', () => {
    expect(nameIn(it('button', { 'aria-owns': 'far' }, {}, 'near'), h('b', { attrs: { id: 'far' } }, 'far'))).toBe(
      'near far',
    );
  });

  test('an editable heading has no name: its content is its value', () => {
    expect(nameIn(it('h2', { contenteditable: 'true' }, {}, 'Edit me'))).toBe('');
  });
});

describe('labels', () => {
  test('around, by for, several', () => {
    expect(nameIn(h('label', {}, 'Around ', it('input')))).toBe('Around');
    expect(nameIn(h('label', { attrs: { for: 'it' } }, 'By for'), it('input'))).toBe('By for');
    expect(
      nameIn(h('label', { attrs: { for: 'it' } }, 'One'), it('input'), h('label', { attrs: { for: 'it' } }, 'two')),
    ).toBe('One two');
    expect(nameIn(h('label', {}, 'From', it('input', { type: 'radio' }), 'here'))).toBe('From here');
  });

  test('a legend with the label of a box in it is read once', () => {
    const label = h('label', {}, h('input', { attrs: { type: 'checkbox' } }), ' Other address');
    expect(nameIn(it('fieldset', {}, {}, h('legend', {}, label)))).toBe('Other address');
  });
});

describe('attributes', () => {
  test.each<[string, Made]>([
    ['Label', it('button', { 'aria-label': ' Label ' }, {}, 'text')],
    ['text', it('button', { 'aria-label': '  ' }, {}, 'text')],
    ['Title', it('button', { title: 'Title' })],
    ['Alt', it('img', { alt: 'Alt' })],
    ['Hint', it('input', { placeholder: 'Hint' })],
    ['Submit', it('input', { type: 'submit' })],
    ['', it('input', { type: 'submit', value: '' })],
    ['Choose Files', it('input', { type: 'file', multiple: '' })],
    ['Group', it('optgroup', { label: 'Group' })],
    ['Caption', it('table', {}, {}, h('caption', {}, 'Caption'), h('tr', {}, h('td')))],
  ])('%s', (name, made) => {
    expect(nameIn(made)).toBe(name);
  });

  test('aria-labelledby: hidden text counts, values of controls too, a missing target does not', () => {
    const named = (by: string, ...others: Made[]) =>
      nameIn(it('button', { 'aria-labelledby': by }, {}, 'own'), ...others);
    expect(named('x', h('p', { attrs: { id: 'x' }, unrendered: true }, 'Hidden ', h('b', {}, 'words')))).toBe(
      'Hidden words',
    );
    expect(named('x', h('input', { attrs: { id: 'x', 'aria-label': 'City' }, value: 'Graz' }))).toBe('Graz');
    expect(named('missing')).toBe('own');
    expect(named('it x', h('b', { attrs: { id: 'x' } }, 'more'))).toBe('own more');
  });

  test('ids are looked up in the same shadow tree', () => {
    const host = (text: string) =>
      h(
        'div',
        {},
        h('b', { shadow: 'open', attrs: { id: 'l' } }, text),
        h('input', { shadow: 'open', attrs: { class: text, 'aria-labelledby': 'l' } }),
      );
    const page = pageOf(h('b', { attrs: { id: 'l' } }, 'outside'), host('first'), host('second'));
    const names = page.main.nodes.filter(n => n.tag === 'input').map(nameOf);
    expect(names).toEqual(['first', 'second']);
  });

  test('inside aria-hidden a hit is named by what a person sees', () => {
    expect(
      nameIn(
        h(
          'div',
          { attrs: { 'aria-hidden': 'true' } },
          it('button', {}, {}, 'Seen', h('i', { unrendered: true }, 'gone')),
        ),
      ),
    ).toBe('Seen');
  });
});
