// What holds for every page: budget, whole lines, same text twice, a ref for every hit; and that no page takes long.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { interactivityOf } from '../../../src/engine/snapshot/accessibility/interactive.ts';
import { roleOf } from '../../../src/engine/snapshot/accessibility/roles.ts';
import type { SnapNode } from '../../../src/engine/snapshot/capture/node.ts';
import type { SnapshotView } from '../../../src/engine/snapshot/print/filter.ts';
import { h, type Kid, type Made, pageOf, type Traits } from './build.ts';
import { showAll } from './show.ts';

const TAGS =
  'div p span a button input select option ul li table tr td th h2 label img nav form svg:svg svg:circle details summary b textarea dialog'.split(
    ' ',
  );
const ROLES = 'button link group region row gridcell cell treeitem tab list none presentation heading nonsense'.split(
  ' ',
);

/** Text as bad as it gets: line breaks of all kinds, quotes, brackets, halves of characters. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '\n',
    '\u2028 \u2029',
    '"] [ref=@e1]\n- button "x"',
    '\\',
    ' \t ',
    '\ue000',
    '…',
    '\ud83d',
    'word '.repeat(80),
  ),
);

const attrs = fc.dictionary(
  fc.constantFrom(
    'id',
    'role',
    'aria-label',
    'title',
    'href',
    'aria-hidden',
    'tabindex',
    'type',
    'placeholder',
    'alt',
    'aria-labelledby',
    'aria-owns',
    'for',
    'fill',
    'draggable',
    'contenteditable',
    'open',
    'aria-level',
  ),
  fc.oneof(text, fc.constantFrom('true', 'a', 'b', '0', '-1', ...ROLES)),
  { maxKeys: 3 },
);

const traits: fc.Arbitrary<Traits> = fc.record(
  {
    attrs,
    style: fc.record(
      {
        display: fc.constantFrom('inline', 'block', 'inline-block', 'contents', 'list-item'),
        visibility: fc.constantFrom('visible', 'hidden'),
        cursor: fc.constantFrom('auto', 'pointer', 'grab'),
        'pointer-events': fc.constantFrom('auto', 'none'),
        overflow: fc.constantFrom('visible', 'auto', 'hidden'),
        overlay: fc.constantFrom('none', 'auto'),
        'content-visibility': fc.constantFrom('visible', 'auto', 'hidden'),
      },
      { requiredKeys: [] },
    ),
    box: fc.tuple(
      fc.integer({ min: -50, max: 900 }),
      fc.integer({ min: -50, max: 900 }),
      fc.integer({ min: 0, max: 1400 }),
      fc.integer({ min: 0, max: 900 }),
    ),
    unrendered: fc.boolean(),
    clickable: fc.boolean(),
    value: text,
    checked: fc.boolean(),
    selected: fc.boolean(),
    shadow: fc.constantFrom('open' as const, 'closed' as const),
  },
  { requiredKeys: [] },
);

/** No parser and no layout lets fields have elements in them. */
function fitting(tag: string, kids: Kid[]): Kid[] {
  if (/^(input|textarea|img)$/.test(tag)) return [];
  if (tag === 'option') return kids.filter(kid => typeof kid === 'string');
  return tag === 'select' ? kids.filter(kid => typeof kid !== 'string' && kid.tag === 'option') : kids;
}

const { element } = fc.letrec<{ element: Made; kid: Kid }>(tie => ({
  kid: fc.oneof({ maxDepth: 5, depthSize: 'medium' }, text, tie('element')),
  element: fc
    .tuple(fc.constantFrom(...TAGS), traits, fc.array(tie('kid'), { maxLength: 5 }))
    .map(([tag, more, kids]) => h(tag, more, ...fitting(tag, kids))),
}));

const body = fc.array(element, { minLength: 1, maxLength: 6 });

const view: fc.Arbitrary<Partial<SnapshotView>> = fc.record({
  mode: fc.constantFrom<SnapshotView['mode']>('full', 'interactive', 'focused'),
  compact: fc.boolean(),
  includeText: fc.boolean(),
  includeBounds: fc.boolean(),
});

const LINE = /^ *- [a-zA-Z][\w:-]*( "([^"\\]|\\.)*")?( \[([^[\]"]|"([^"\\]|\\.)*")*\])*(: "([^"\\]|\\.)*")?$/u;
const CLOSING = /^… \d+ of \d+ elements not shown \(limit \d+ characters\): narrow with .*\.$/;
const HEAD = 'Page: Title (http://test.example)\nViewport: 1280x720\n\n';

describe('for every page', () => {
  test('the text never exceeds the budget, and is cut between whole lines only', () => {
    fc.assert(
      fc.property(body, view, fc.integer({ min: 0, max: 3000 }), (made, asked, maxChars) => {
        const printed = showAll(pageOf(...made), asked, maxChars, HEAD);
        expect(printed.text.length).toBeLessThanOrEqual(maxChars);
        if (maxChars < 250) return;
        const lines = printed.text.slice(HEAD.length).split(/\r\n|[\n\v\f\r\x85\u2028\u2029]/);
        const last = printed.cut ? lines.pop() : undefined;
        if (last !== undefined) expect(last).toMatch(CLOSING);
        for (const line of lines) if (line !== 'Nothing to show.') expect(line).toMatch(LINE);
        expect(printed.refs).toHaveLength(
          lines.filter(line => /^ *- [^"]*("([^"\\]|\\.)*")? \[ref=@e\d+\]/.test(line)).length,
        );
      }),
      { numRuns: 400 },
    );
  });

  test('printing twice gives the same', () => {
    fc.assert(
      fc.property(body, view, (made, asked) => {
        const page = pageOf(...made);
        const once = showAll(page, asked).text;
        expect(showAll(page, asked).text).toBe(once);
        expect(showAll(pageOf(...made), asked).text).toBe(once);
      }),
      { numRuns: 300 },
    );
  });

  test('a smaller budget prints the beginning of the same lines', () => {
    fc.assert(
      fc.property(body, fc.integer({ min: 250, max: 1500 }), (made, maxChars) => {
        const page = pageOf(...made);
        const whole = showAll(page, {}, Number.POSITIVE_INFINITY, HEAD).text.split('\n');
        const { text: part, cut } = showAll(page, {}, maxChars, HEAD);
        const lines = part.split('\n');
        if (cut) lines.pop();
        expect(whole.slice(0, lines.length).join('\n').trimEnd()).toBe(lines.join('\n').trimEnd());
      }),
      { numRuns: 300 },
    );
  });

  test('everything with a role to operate has a ref', () => {
    // The options of a drop-down stand in its line; a grid cell may be the same target as the one hit in it.
    const isOwnTarget = (n: SnapNode) =>
      interactivityOf(n) === 'role' && roleOf(n) !== 'gridcell' && n.tag !== 'option';
    fc.assert(
      fc.property(body, made => {
        const page = pageOf(...made);
        const nodes = new Set(showAll(page, { mode: 'interactive' }, Number.POSITIVE_INFINITY).nodes);
        expect(page.main.nodes.filter(n => isOwnTarget(n) && !nodes.has(n)).map(n => n.tag)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('no page takes long', () => {
  /** Generous: a fault here is a matter of minutes, not of milliseconds. */
  const LIMIT = 4000;
  const timed = (made: Kid[], asked: Partial<SnapshotView> = {}): number => {
    const page = pageOf(...made);
    const start = performance.now();
    showAll(page, asked);
    return performance.now() - start;
  };
  const nest = (levels: number, wrap: (inner: Kid) => Kid, inner: Kid): Kid =>
    levels ? wrap(nest(levels - 1, wrap, inner)) : inner;
  const long = 'many words '.repeat(40);

  test('a page of 50 000 elements', () => {
    const row = (i: number) =>
      h(
        'div',
        {},
        h('label', { attrs: { for: `i${i}` } }, `Label ${i}`),
        h('input', { attrs: { id: `i${i}` } }),
        h('button', {}, `Save ${i}`),
        h('a', { attrs: { href: '#' } }, `Link ${i}`),
      );
    expect(timed(Array.from({ length: 10_000 }, (_, i) => row(i)))).toBeLessThan(LIMIT);
  });

  test('hits in hits in hits, with long texts', () => {
    for (const role of ['link', 'treeitem', 'gridcell', 'group'])
      expect(
        timed([nest(300, inner => h('div', { attrs: { role, tabindex: '0' } }, long, inner), 'end')]),
      ).toBeLessThan(LIMIT);
    expect(timed([nest(300, inner => h('span', { clickable: true }, long, inner), 'end')])).toBeLessThan(LIMIT);
  });

  test('one id in thousands of shadow trees', () => {
    const host = () =>
      h(
        'x-row',
        {},
        h('b', { shadow: 'open', attrs: { id: 'l' } }, 'Label'),
        h('input', { shadow: 'open', attrs: { 'aria-labelledby': 'l' } }),
      );
    expect(timed(Array.from({ length: 8000 }, host))).toBeLessThan(LIMIT);
  });

  test('forty thousand links in one line', () => {
    expect(
      timed([
        h('p', {}, 'See ', ...Array.from({ length: 40_000 }, () => h('a', { attrs: { href: '#' } }, 'x')), ' end'),
      ]),
    ).toBeLessThan(LIMIT);
    expect(
      timed([h('p', {}, 'Press ', ...Array.from({ length: 40_000 }, () => h('button', {}, 'x')), ' end')]),
    ).toBeLessThan(LIMIT);
  });
});
