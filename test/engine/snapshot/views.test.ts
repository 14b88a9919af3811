// The views of a snapshot and its budget: modes, depth, scope, text, bounds, and how it is cut (S1-20).
import { describe, expect, test } from 'vitest';
import { byId, h, pageOf } from './build.ts';
import { linesOf, showAll } from './show.ts';

const button = (text: string) => h('button', {}, text);

describe('views (S1-20)', () => {
  const form = h(
    'form',
    {},
    h('h2', {}, 'Sign in'),
    h('p', {}, 'Welcome'),
    h('input', { attrs: { id: 'mail', 'aria-label': 'Mail' }, value: '' }),
    button('Go'),
  );
  const page = () =>
    pageOf(
      h(
        'main',
        {},
        h('section', { attrs: { 'aria-label': 'Account' } }, form),
        h('ul', {}, h('li', {}, 'a'), h('li', {}, 'b')),
      ),
    );

  test('full', () => {
    expect(showAll(page()).text.split('\n')).toEqual([
      '- document "Test page"',
      '  - main',
      '    - region "Account" [ref=@e1]',
      '      - form',
      '        - heading "Sign in" [ref=@e2] [level=2]',
      '        - paragraph: "Welcome"',
      '        - textbox "Mail" [ref=@e3]',
      '        - button "Go" [ref=@e4]',
      '    - list',
      '      - listitem: "a"',
      '      - listitem: "b"',
    ]);
  });

  test('compact: no root line, no container without a name', () => {
    expect(showAll(page(), { compact: true }).text.split('\n')).toEqual([
      '- region "Account" [ref=@e1]',
      '  - heading "Sign in" [ref=@e2] [level=2]',
      '  - paragraph: "Welcome"',
      '  - textbox "Mail" [ref=@e3]',
      '  - button "Go" [ref=@e4]',
      '- listitem: "a"',
      '- listitem: "b"',
    ]);
  });

  test('interactive: hits only, in the named containers that hold them', () => {
    expect(showAll(page(), { mode: 'interactive' }).text.split('\n')).toEqual([
      '- region "Account"',
      '  - textbox "Mail" [ref=@e1]',
      '  - button "Go" [ref=@e2]',
    ]);
  });

  test('14.7 focused: the subtree from the focused element on', () => {
    const it = page();
    const focused = byId(it, 'mail');
    expect(showAll(it, { mode: 'focused', focused }).text.split('\n')).toEqual(['- textbox "Mail" [ref=@e1] [active]']);
  });

  test('without text', () => {
    expect(linesOf(page(), { includeText: false, compact: true })).toEqual([
      '- region "Account" [ref=@e1]',
      '  - heading "Sign in" [ref=@e2] [level=2]',
      '  - textbox "Mail" [ref=@e3]',
      '  - button "Go" [ref=@e4]',
    ]);
  });

  test('depth: what is left out is counted', () => {
    expect(showAll(page(), { depth: 2 }).text.split('\n')).toEqual([
      '- document "Test page"',
      '  - main',
      '    - region "Account" [ref=@e1] [5 inside]',
      '    - list [2 inside]',
    ]);
  });

  test('scope: one element and what stands in it', () => {
    const it = pageOf(h('p', {}, 'outside'), h('ul', { attrs: { id: 'u' } }, h('li', {}, 'in')));
    expect(showAll(it, { scope: byId(it, 'u') }).text).toBe('- list\n  - listitem: "in"');
  });

  test('bounds: in the main viewport, frames added up, scrolling taken off', () => {
    const it = pageOf(
      h('iframe', {
        attrs: { title: 'F' },
        box: [100, 200, 1300, 740],
        frame: [h('button', { box: [5, 60.4, 50, 20] }, 'B')],
      }),
    );
    it.main.scrollY = 30;
    const inner = it.docs[1];
    if (inner) inner.scrollY = 50;
    expect(linesOf(it, { includeBounds: true })).toEqual([
      '- iframe "F" [ref=@e1] [frame=1] [box=100,170,1300,740]',
      '  - button "B" [ref=@e2] [box=115,190,50,20]',
    ]);
  });

  test('a page with nothing to show says so', () => {
    expect(showAll(pageOf(), { mode: 'interactive' }, 1000, 'Head\n\n').text).toBe('Head\n\nNothing to show.');
    expect(showAll(pageOf(), { mode: 'interactive' })).toMatchObject({
      text: 'Nothing to show.',
      shown: 0,
      total: 0,
      cut: false,
    });
  });
});

describe('the budget', () => {
  const many = pageOf(...Array.from({ length: 100 }, (_, i) => button(`Button ${i}`)));

  test('the rest is counted, and refs are asked for printed elements only', () => {
    const { text, shown, total, cut, refs } = showAll(many, {}, 1000);
    const printed = text.split('\n').filter(line => line.includes('[ref='));
    expect(text.length).toBeLessThanOrEqual(1000);
    expect({ total, cut }).toEqual({ total: 100, cut: true });
    expect(refs).toHaveLength(printed.length);
    expect(shown).toBe(printed.length);
    expect(text.split('\n').at(-1)).toBe(
      `… ${100 - shown} of 100 elements not shown (limit 1000 characters): narrow with selector, depth or mode "interactive".`,
    );
  });

  test('what fits exactly is not cut for the sake of the closing line', () => {
    const whole = showAll(many, {}, 25_000).text;
    expect(showAll(many, {}, whole.length + 1000).text).toBe(whole);
    expect(showAll(many, {}, whole.length - 1).cut).toBe(true);
  });
});
