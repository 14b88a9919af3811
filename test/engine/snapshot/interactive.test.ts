// What a person can hit, and why; and the states that stand beside it.
import { describe, expect, test } from 'vitest';
import { interactivityOf } from '../../../src/engine/snapshot/accessibility/interactive.ts';
import { statesOf } from '../../../src/engine/snapshot/accessibility/states.ts';
import { byId, h, type Kid, type Made, pageOf, type Traits } from './build.ts';

const it = (tag: string, attrs: Record<string, string> = {}, more: Traits = {}, ...kids: Kid[]): Made =>
  h(tag, { ...more, attrs: { id: 'it', ...attrs } }, ...kids);
const hitIn = (...made: Made[]): string => interactivityOf(byId(pageOf(...made), 'it'));

describe('hits', () => {
  test.each<[string, Made]>([
    ['role', it('button')],
    ['role', it('div', { role: 'tab' })],
    ['role', it('button', { disabled: '' })],
    ['role', it('button', {}, { style: { display: 'contents' } }, 'text')],
    ['edit', it('div', { contenteditable: '' })],
    ['', it('div', { contenteditable: 'false' })],
    ['click', it('span', {}, { clickable: true })],
    ['focus', it('div', { tabindex: '0' })],
    ['focus', it('button', {}, { style: { 'pointer-events': 'none' } })],
    ['', it('div', { tabindex: '0' }, { style: { 'pointer-events': 'none' } })],
    ['drag', it('li', { draggable: 'true' })],
    ['drag', it('div', {}, { style: { cursor: 'grab' } })],
    ['drag', it('div', {}, { style: { cursor: 'col-resize' } })],
    ['cursor', it('div', {}, { style: { cursor: 'pointer' } })],
    ['', h('div', { style: { cursor: 'pointer' } }, it('b', {}, { style: { cursor: 'pointer' } }))],
    ['shape', it('img')],
    ['', it('img', {}, { box: [0, 0, 1, 1] })],
    ['shape', it('i', {}, { style: { 'background-image': 'url("icon.png")' } })],
    ['', it('i', {}, { style: { 'background-image': 'url("icon.png")' } }, 'text')],
    ['', it('p')],
    ['', it('button', {}, { unrendered: true })],
    ['role', h('div', { attrs: { 'aria-hidden': 'true' } }, it('button'))],
    ['', h('div', { attrs: { inert: '' } }, it('button'))],
    ['role', h('select', {}, it('option'))],
  ])('%s', (hit, made) => {
    expect(hitIn(made)).toBe(hit);
  });

  test('in an editor Chrome calls everything clickable: only the editor is a hit', () => {
    const word = it('b', {}, { clickable: true });
    expect(hitIn(h('div', { attrs: { contenteditable: '' }, clickable: true }, word))).toBe('');
  });

  test('scrolling is seen from boxes, in the direction that scrolls', () => {
    const box = (overflow: string, height: number) =>
      it('div', {}, { style: { overflow }, box: [0, 0, 100, 50] }, h('div', {}, h('p', { box: [0, 0, 90, height] })));
    expect(hitIn(box('auto', 400))).toBe('scroll');
    expect(hitIn(box('auto', 40))).toBe('');
    expect(hitIn(box('hidden', 400))).toBe('');
    expect(hitIn(box('auto hidden', 400))).toBe('');
  });

  test('shapes count in a drawing, not in an icon and not in an illustration', () => {
    const drawing = (size: number, shapes: number) =>
      h(
        'svg:svg',
        { box: [0, 0, size, size] },
        it('svg:circle'),
        ...Array.from({ length: shapes }, () => h('svg:path')),
      );
    expect(hitIn(drawing(200, 3))).toBe('shape');
    expect(hitIn(drawing(24, 3))).toBe('');
    expect(hitIn(drawing(200, 60))).toBe('');
  });
});

describe('states', () => {
  const statesIn = (...made: Made[]) => statesOf(byId(pageOf(...made), 'it'));

  test.each<[object, Made]>([
    [{ level: 3 }, it('h3')],
    [{ level: 5 }, it('div', { role: 'heading', 'aria-level': '5' })],
    [{ checked: true }, it('input', { type: 'checkbox' }, { checked: true })],
    [{ checked: 'mixed' }, it('div', { role: 'checkbox', 'aria-checked': 'mixed' })],
    [{ checked: false }, it('div', { role: 'switch', 'aria-checked': 'mixed' })],
    [{ pressed: true }, it('button', { 'aria-pressed': 'true' })],
    [{ expanded: false }, it('button', { 'aria-expanded': 'false' })],
    [{}, it('div', { 'aria-expanded': 'false' })],
    [{ disabled: true }, it('button', { disabled: '' })],
    [{ disabled: true }, h('fieldset', { attrs: { disabled: '' } }, it('button'))],
    [{}, h('fieldset', { attrs: { disabled: '' } }, h('legend', {}, it('button')))],
    [{ disabled: true }, h('div', { attrs: { 'aria-disabled': 'true' } }, it('button'))],
    [{ value: ' as it is ' }, it('input', {}, { value: ' as it is ' })],
    [{ value: '', placeholder: 'Hint' }, it('input', { placeholder: 'Hint' }, { value: '' })],
    [
      { value: 'x', readonly: true, required: true },
      it('input', { readonly: '', required: '', placeholder: 'Hint' }, { value: 'x' }),
    ],
    [{ invalid: true, value: '' }, it('textarea', { 'aria-invalid': 'true' })],
    [{ current: true }, it('a', { href: '#', 'aria-current': 'page' })],
    [{ value: '200 euros' }, it('div', { role: 'slider', 'aria-valuenow': '200', 'aria-valuetext': '200 euros' })],
    [{ value: 'me.png' }, it('input', { type: 'file' }, { value: 'C:\\fakepath\\me.png' })],
    [
      { expanded: false, value: 'Two' },
      it('select', {}, {}, h('option', {}, 'One'), h('option', { selected: true }, 'Two')),
    ],
    [{ expanded: true }, h('details', { attrs: { open: '' } }, it('summary'))],
  ])('%j', (states, made) => {
    expect(statesIn(made)).toEqual(states);
  });

  test('a password is never told, nor its length', () => {
    const masked = (value: string) => statesIn(it('input', { type: 'password' }, { value })).value;
    expect(masked('secret')).toBe(masked('a much longer secret'));
    expect(masked('secret')).not.toContain('s');
    expect(masked('')).toBe('');
  });

  test('popovertarget tells whether the popover is open', () => {
    const statesFor = (open: boolean) =>
      statesIn(it('button', { popovertarget: 'p' }), h('div', { attrs: { id: 'p', popover: '' }, unrendered: !open }));
    expect([statesFor(true).expanded, statesFor(false).expanded]).toEqual([true, false]);
  });
});
