// What is read as CSS: parts that the page tests itself, those that only we know, and what is refused.
import { describe, expect, it } from 'vitest';
import { readCss } from '../../../src/engine/selectors/read-css.ts';
import type { CssPart, PageStep } from '../../../src/engine/selectors/steps.ts';

/** As `combinator css {tests}`, in brackets for each step. */
const shown = (list: CssPart[][]): string =>
  list
    .map(parts =>
      parts
        .map(({ css, tests, combinator }) => {
          const own = tests.map(test => {
            if ('list' in test) return `${test.is}(${shown(test.list)})`;
            return 'text' in test ? `${test.is} ${test.text.how} ${test.text.value}` : test.is;
          });
          return `${combinator}${css}${own.length > 0 ? `{${own.join('; ')}}` : ''}`;
        })
        .join(''),
    )
    .join(',');
const stepText = (step: PageStep): string => {
  if (step.by === 'css') return `${step.native === undefined ? 'ours' : 'native'}${shown(step.list)}`;
  return step.by === 'nth' ? `nth ${step.index}` : step.by === 'xpath' ? `xpath ${step.value}` : step.by;
};
const read = (text: string): string[] => readCss(text, text).map(stepText);

describe('CSS is read', () => {
  it.each([
    ['a', ['native a']],
    [' a.b#c[href="x > y"] ', ['native a.b#c[href="x > y"]']],
    ['a > b+c ~ d e', ['native a>b+c~d e']],
    ['a, b > c', ['native a, b>c']],
    ['a\\:b .\\31 0', ['native a\\:b .\\31 0']],
    ['li:nth-child(2 of .x)::before', ['native li:nth-child(2 of .x)::before']],
    [':is(a, b > c):not(.d)', ['native {is( a, b>c); not( .d)}']],
    ['ul:has(> li)', ['native ul{has( {scope}>li)}']],
    ['button:visible', ['ours button{visible}']],
    ['a:has-text("x (y)") b', ['ours a{has-text part x (y)} b']],
    [":text-is('Save')", ['ours {text whole Save}']],
    [':text(Save as)', ['ours {text part Save as}']],
    ['a:not(:has-text("b"))', ['ours a{not( {has-text part b})}']],
    ['> li', ['ours {scope}>li']],
    ['a >> nth=-1', ['native a', 'nth -1']],
    ['a[b=">>"]>>css=c >> xpath=//d', ['native a[b=">>"]', 'native c', 'xpath //d']],
    ['ul >> //li', ['native ul', 'xpath //li']],
  ])('%s', (text, steps) => expect(read(text)).toEqual(steps));
});

describe('what cannot be read is refused', () => {
  it.each(['', 'a[', 'a)', 'a > > b', 'a,', 'a:is(b', 'a:has-text("b', 'a >>', 'a(b)'])('%j', text =>
    expect(() => readCss(text, 'it')).toThrow(/^it cannot be read as a selector: /),
  );

  it.each(['nth=0', 'a >> nth=x', 'a:near(b)', 'text=Save'])('%j is left to the page, which refuses it', text =>
    expect(read(text).at(-1)).toMatch(/^native /),
  );
});
