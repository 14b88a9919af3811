// decode: captures of several processes become one page of linked nodes, with what is hidden marked.
import { describe, expect, test } from 'vitest';
import { decode } from '../../../src/engine/snapshot/capture/decode.ts';
import { css, Hidden, kidsOf } from '../../../src/engine/snapshot/capture/node.ts';
import { byId, capture, first, h, type Made, pageOf, parted } from './build.ts';
import { showAll } from './show.ts';

describe('documents and processes', () => {
  test('a document of the same process hangs below its iframe', () => {
    const page = pageOf(h('iframe', { attrs: { id: 'frame' }, frame: [h('p', { attrs: { id: 'inner' } }, 'inside')] }));
    const frame = byId(page, 'frame');
    expect(page.docs).toHaveLength(2);
    expect(frame.content).toBe(byId(page, 'inner').doc);
    expect(frame.content?.owner).toBe(frame);
    expect(page.main.frame).toBe('frame-0');
  });

  test('a document of another process hangs below its owner; equal ids of two processes are two nodes', () => {
    const main = capture(h('iframe', { attrs: { id: 'frame' } }));
    const owner = byId(decode([parted('main', main)]), 'frame');
    const page = decode([parted('main', main), parted('other', capture(h('b')), { process: 'main', id: owner.id })]);
    expect(byId(page, 'frame').content).toBe(page.docs[1]);
    const [here, there] = [page.byKey('main', 4), page.byKey('other', 4)];
    expect(here?.id).toBe(there?.id);
    expect(here).not.toBe(there);
    expect(there?.process).toBe('other');
    expect(page.byKey('third', 4)).toBeUndefined();
  });

  test('a capture without documents is refused', () => {
    expect(() => decode([])).toThrow(RangeError);
  });
});

describe('nodes', () => {
  test('live values, attributes and computed styles', () => {
    const page = pageOf(
      h('input', { attrs: { id: 'a', value: 'old' }, value: ' new ' }),
      h('input', { attrs: { id: 'b', type: 'checkbox' }, checked: true }),
      h('textarea', { attrs: { id: 'c' }, value: 'two\nlines' }),
      h('div', { attrs: { id: 'd' }, style: { cursor: 'pointer' } }),
    );
    expect(byId(page, 'a').value).toBe(' new ');
    expect(byId(page, 'b').checked).toBe(true);
    expect(byId(page, 'c').value).toBe('two\nlines');
    expect(css(byId(page, 'd'), 'cursor')).toBe('pointer');
  });

  test('the text of generated content is joined, and ::after comes last although it is listed first', () => {
    const after = h('i', { pseudo: { type: 'after', text: '!' } });
    const n = first(pageOf(h('p', {}, after, 'text')));
    expect(n.kids.map(kid => kid.pseudo ?? kid.raw)).toEqual(['text', 'after']);
    expect(n.kids[1]?.renderedText).toBe('!');
  });

  test('HTML is told from SVG, in XHTML too', () => {
    const snap = capture(h('p', { attrs: { id: 'p' } }), h('svg:svg', { attrs: { id: 's' } }));
    const page = decode([parted('main', snap)]);
    expect([byId(page, 'p').html, byId(page, 's').html]).toEqual([true, false]);
    snap.strings = snap.strings.map(text => text.replace(/^(HTML|BODY|P)$/, tag => tag.toLowerCase()));
    const xhtml = decode([parted('main', snap)]);
    expect([byId(xhtml, 'p').html, byId(xhtml, 's').html]).toEqual([true, false]);
  });

  test('a tree deeper than any stack is flattened, nothing is lost', () => {
    const snap = capture(...Array.from({ length: 10_000 }, () => h('button', {}, 'Deep')));
    const { parentIndex = [], nodeType = [] } = snap.documents[0]?.nodes ?? {};
    const buttons = parentIndex.flatMap((_, i) => (nodeType[i] === 1 && nodeType[i + 1] === 3 ? [i] : []));
    buttons.forEach((index, k) => {
      const above = buttons[k - 1];
      if (above !== undefined) parentIndex[index] = above;
    });
    const page = decode([parted('main', snap)]);
    expect(showAll(page, { mode: 'interactive' }).total).toBe(10_000);
  });

  test('aria-owns moves a node', () => {
    const page = pageOf(
      h('div', { attrs: { id: 'to', 'aria-owns': 'it' } }, 'x'),
      h('div', { attrs: { id: 'from' } }, h('b', { attrs: { id: 'it' } })),
    );
    expect(kidsOf(byId(page, 'from'))).toEqual([]);
    expect(kidsOf(byId(page, 'to')).map(n => n.attrs.id)).toEqual([undefined, 'it']);
  });
});

describe('what is hidden', () => {
  const hiddenOf = (id: string, ...made: Made[]) => byId(pageOf(...made), id).hidden;
  const it = h('b', { attrs: { id: 'it' } }, 'x');

  test.each<[string, number, Made]>([
    ['display: none', Hidden.unrendered, h('div', { unrendered: true }, it)],
    ['display: contents', 0, h('div', { style: { display: 'contents' } }, it)],
    ['aria-hidden', Hidden.aria, h('div', { attrs: { 'aria-hidden': 'true' } }, it)],
    ['aria-hidden=false', 0, h('div', { attrs: { 'aria-hidden': 'false' } }, it)],
    ['inert', Hidden.inert, h('div', { attrs: { inert: '' } }, it)],
    ['script', Hidden.never, h('template', {}, it)],
    ['a closed details with a stale box', Hidden.unrendered, h('details', {}, h('summary', {}, 's'), it)],
    ['an open details', 0, h('details', { attrs: { open: '' } }, h('summary', {}, 's'), it)],
    [
      'content-visibility: hidden with a stale box',
      Hidden.unrendered,
      h('div', { style: { 'content-visibility': 'hidden' } }, it),
    ],
    [
      'content-visibility: auto off the screen',
      0,
      h('div', { style: { 'content-visibility': 'auto' } }, { ...it, unrendered: true }),
    ],
    ['a visible child of an invisible parent', 0, h('div', { style: { visibility: 'hidden' } }, it)],
    ['an invisible element', Hidden.visibility, { ...it, style: { visibility: 'hidden' } }],
  ])('%s', (_why, expected, made) => {
    expect(hiddenOf('it', made)).toBe(expected);
  });

  test('behind a modal dialog, not in it', () => {
    const modal = h('dialog', { style: { overlay: 'auto' } }, h('b', { attrs: { id: 'in' } }));
    expect(hiddenOf('it', it, modal)).toBe(Hidden.modal);
    expect(hiddenOf('in', it, modal)).toBe(0);
  });

  test('a frame is hidden with its iframe', () => {
    const frame = (style: 'hidden' | 'visible') => h('iframe', { style: { visibility: style }, frame: [it] });
    expect(hiddenOf('it', frame('visible'))).toBe(0);
    expect(hiddenOf('it', frame('hidden'))).toBe(Hidden.unrendered);
  });

  test('options and used image maps count without layout', () => {
    expect(hiddenOf('it', h('select', {}, h('option', { attrs: { id: 'it' } }, 'One')))).toBe(0);
    const map = h('map', { attrs: { name: 'm' } }, h('area', { attrs: { id: 'it', href: '#' } }));
    expect(hiddenOf('it', map)).toBe(Hidden.unrendered);
    expect(hiddenOf('it', h('img', { attrs: { usemap: '#m' } }), map)).toBe(0);
  });
});
