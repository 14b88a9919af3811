// The list style of a snapshot: a ref before each element, states in words, links with their addresses.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { h, type Made, pageOf } from './build.ts';
import { showAll } from './show.ts';

const lines = (...body: Made[]) => showAll(pageOf(...body), { style: 'list', compact: true }).text.split('\n');

describe('list', () => {
  test('S3-07 as the document shows it', () => {
    const page = h(
      'div',
      {},
      h('h1', {}, 'Example Domain'),
      h('p', {}, 'This domain is for use in illustrative examples...'),
      h('p', {}, h('a', { attrs: { href: 'https://www.iana.org/domains/example' } }, 'More information...')),
    );
    expect(lines(page)).toEqual([
      '- @e1: heading "Example Domain" (level: 1)',
      '- @e2: paragraph "This domain is for use in illustrative examples..."',
      '- @e3: link "More information..." → https://www.iana.org/domains/example',
    ]);
  });

  test('states stand in one pair of brackets', () => {
    const fields = [
      h('input', { attrs: { 'aria-label': 'Mail', required: '' }, value: 'a=b' }),
      h('input', { attrs: { type: 'checkbox', 'aria-label': 'Agree' }, checked: true }),
      h('button', { attrs: { 'aria-expanded': 'false', disabled: '' } }, 'More'),
    ];
    expect(lines(...fields)).toEqual([
      '- @e1: textbox "Mail" (required, value: "a=b")',
      '- @e2: checkbox "Agree" (checked)',
      '- @e3: button "More" (collapsed, disabled)',
    ]);
  });

  test('text without an element of its own has no ref', () => {
    expect(lines(h('div', {}, 'Loose words', h('button', {}, 'Go')))).toEqual([
      '- text "Loose words"',
      '  - @e1: button "Go"',
    ]);
  });

  test('an address is the one that the browser would open; a script is none', () => {
    const link = (href: string) => h('a', { attrs: { href } }, 'x');
    const found = lines(
      link('/a?b=1#c'),
      link('page.html'),
      link('javascript:void(0)'),
      link('mailto:a@b.test'),
      link('http://[bad'),
    );
    expect(found.map(line => line.split('→ ')[1])).toEqual([
      'http://test.example/a?b=1#c',
      'http://test.example/page.html',
      undefined,
      'mailto:a@b.test',
      'http://[bad',
    ]);
  });

  test('a base element counts', () => {
    const [line] = showAll(
      pageOf(
        h('base', { attrs: { href: 'https://other.test/deep/' }, unrendered: true }),
        h('a', { attrs: { href: 'x' } }, 'x'),
      ),
      { style: 'list', compact: true },
    ).text.split('\n');
    expect(line).toBe('- @e1: link "x" → https://other.test/deep/x');
  });

  test('every line keeps its form, whatever the page says', () => {
    const LINE =
      /^ *-( @e\d+:)? [a-zA-Z][\w:-]*( "([^"\\]|\\.)*"(: "([^"\\]|\\.)*")?)?( \(([^()"]|"([^"\\]|\\.)*")*\))?( → .*)?$/u;
    const text = fc.string({ unit: 'binary', maxLength: 12 });
    fc.assert(
      fc.property(text, text, text, (name, words, href) => {
        const page = pageOf(
          h('a', { attrs: { href, 'aria-label': name } }, words),
          h('p', {}, words),
          h('input', { attrs: { 'aria-label': name }, value: words }),
        );
        const printed = showAll(page, { style: 'list', compact: true }).text;
        for (const line of printed.split(/\r\n|[\n\v\f\r\x85\u2028\u2029]/)) expect(line).toMatch(LINE);
      }),
      { numRuns: 50 },
    );
  });
});
