// The printed snapshot: what stands in it, and in which words (S1-13).
import { describe, expect, test } from 'vitest';
import { h, type Kid, pageOf } from './build.ts';
import { linesOf, showAll } from './show.ts';

const link = (text: string) => h('a', { attrs: { href: '#' } }, text);
const button = (text: string, attrs: Record<string, string> = {}) => h('button', { attrs }, text);
const lines = (...kids: Kid[]) => linesOf(pageOf(...kids));
const clickable = (...kids: Kid[]) => h('div', { clickable: true }, ...kids);

test('the form of the seed document (S1-13)', () => {
  const page = pageOf(
    h('h1', {}, 'Example Domain'),
    h('p', {}, 'This domain is for use in illustrative examples.'),
    link('More information...'),
    h(
      'div',
      { attrs: { role: 'group', 'aria-label': 'Navigation' } },
      button('Home'),
      h('input', { attrs: { 'aria-label': 'Search', placeholder: 'Search...' }, value: '' }),
    ),
  );
  const { text } = showAll(page, {}, 25_000, 'Page: Example Domain (https://example.com)\nViewport: 1280x720\n\n');
  expect(text).toBe(`Page: Example Domain (https://example.com)
Viewport: 1280x720

- document "Test page"
  - heading "Example Domain" [ref=@e1] [level=1]
  - paragraph: "This domain is for use in illustrative examples."
  - link "More information..." [ref=@e2]
  - group "Navigation" [ref=@e3]
    - button "Home" [ref=@e4]
    - textbox "Search" [ref=@e5] [placeholder="Search..."]`);
});

describe('sentences', () => {
  test('a sentence stands once, its hits below it', () => {
    expect(lines(h('p', {}, 'Read the ', link('docs'), ' and ', h('span', { clickable: true }, 'enjoy'), '.'))).toEqual(
      ['- paragraph: "Read the docs and enjoy."', '  - link "docs" [ref=@e1]', '  - clickable "enjoy" [ref=@e2]'],
    );
  });

  test('links with nothing but separators between them are no sentence', () => {
    expect(lines(h('div', {}, link('Home'), ' | ', link('About'), ' · ', link('Help')))).toEqual([
      '- link "Home" [ref=@e1]',
      '- link "About" [ref=@e2]',
      '- link "Help" [ref=@e3]',
    ]);
  });

  test('a control belongs to the sentence only in the middle of it', () => {
    expect(lines(h('p', {}, 'Press ', button('Go'), ' to go'))[0]).toBe('- paragraph: "Press Go to go"');
    expect(lines(h('p', {}, 'Buy milk ', button('×')))[0]).toBe('- paragraph: "Buy milk"');
  });

  test('blocks end a run, blank text and wrappers leave nothing', () => {
    expect(
      lines(h('div', {}, 'one', h('div', {}, ' \n ', h('div', {}, 'two')), h('b', {}, 'th'), 'ree', h('br'))),
    ).toEqual(['- text: "one"', '- text: "two"', '- text: "three"']);
  });

  test('glyphs of icon fonts are left out of text and names', () => {
    expect(lines(h('p', {}, '\ue001 Mail'), button('\ue002'), h('p', {}, '\ue003'))).toEqual([
      '- paragraph: "Mail"',
      '- button [ref=@e1]',
    ]);
  });
});

describe('names that say it all', () => {
  test('the text of a named hit is not repeated, hits in it are listed', () => {
    expect(
      lines(
        h(
          'a',
          { attrs: { href: '#' }, style: { display: 'block' } },
          h('h3', {}, 'Card'),
          h('img', { attrs: { alt: 'Photo' } }),
          button('Save'),
        ),
      ),
    ).toEqual(['- link "Card Photo Save" [ref=@e1]', '  - button "Save" [ref=@e2]']);
  });

  test('16 a name that is too long is content, and is said once', () => {
    const long = 'word '.repeat(60).trim();
    const block = { attrs: { href: '#' }, style: { display: 'block' } };
    expect(lines(h('a', block, h('p', {}, long)))).toEqual(['- link [ref=@e1]', `  - paragraph: "${long}"`]);
    expect(lines(h('a', block, long))).toEqual([`- link [ref=@e1]: "${long}"`]);
  });

  test('a link whose label is another than its text shows both', () => {
    expect(lines(h('a', { attrs: { href: '#', 'aria-label': 'Permalink' } }, 'The whole post'))).toEqual([
      '- link "Permalink" [ref=@e1]',
      '  - text: "The whole post"',
    ]);
    expect(lines(h('a', { attrs: { href: '#', 'aria-label': 'Read more about cats' } }, 'Read more'))).toHaveLength(1);
  });

  test('labels, legends and captions are not said twice', () => {
    expect(lines(h('label', {}, 'Name ', h('input')))).toEqual(['- textbox "Name" [ref=@e1]']);
    expect(
      lines(
        h('b', { attrs: { id: 'l' } }, 'Mail me'),
        h('input', { attrs: { type: 'checkbox', 'aria-labelledby': 'l' } }),
      ),
    ).toEqual(['- checkbox "Mail me" [ref=@e1]']);
    expect(
      lines(
        h('fieldset', {}, h('legend', {}, 'Size'), h('label', {}, h('input', { attrs: { type: 'radio' } }), 'Small')),
      ),
    ).toEqual(['- group "Size" [ref=@e1]', '  - radio "Small" [ref=@e2]']);
  });

  test('a label stands in for a control that is not rendered, with its states', () => {
    const box = h('input', { attrs: { type: 'checkbox' }, checked: true, unrendered: true });
    const page = pageOf(h('label', { attrs: { id: 'l' }, clickable: true }, box, 'Subscribe'));
    expect(linesOf(page)).toEqual(['- checkbox "Subscribe" [ref=@e1] [checked]']);
  });

  test('a plain hit around or inside the only hit is the same target', () => {
    expect(lines(clickable(link('Open')))).toEqual(['- link "Open" [ref=@e1]']);
    expect(lines(h('button', {}, h('span', { clickable: true }, 'Save')))).toEqual(['- button "Save" [ref=@e1]']);
  });
});

describe('hits without a role', () => {
  test.each<[string, Kid]>([
    ['- clickable "text" [ref=@e1]', clickable('text')],
    ['- clickable "text" [ref=@e1]', h('p', { style: { cursor: 'pointer' } }, 'text')],
    ['- focusable "text" [ref=@e1]', h('div', { attrs: { tabindex: '0' } }, 'text')],
    ['- draggable "text" [ref=@e1]', h('div', { attrs: { draggable: 'true' } }, 'text')],
    ['- listitem "text" [ref=@e1] [draggable]', h('li', { attrs: { draggable: 'true' } }, 'text')],
    ['- editable [ref=@e1]: "text"', h('div', { attrs: { contenteditable: '' } }, 'text')],
    ['- img [ref=@e1]', h('i', { style: { 'background-image': 'url("x")' } })],
    ['- canvas [ref=@e1] [size=100x20]', h('canvas')],
    ['- clickable "text" [ref=@e1] [aria-hidden]', h('div', { attrs: { 'aria-hidden': 'true' } }, clickable('text'))],
  ])('%s', (line, kid) => {
    expect(lines(kid)).toEqual([line]);
  });

  test('a large one keeps its content below it', () => {
    expect(lines(clickable(h('h2', {}, 'Card'), h('p', {}, 'Text'), button('Save')))).toEqual([
      '- clickable [ref=@e1]',
      '  - heading "Card" [ref=@e2] [level=2]',
      '  - paragraph: "Text"',
      '  - button "Save" [ref=@e3]',
    ]);
  });

  test('the root of a framework and a focus trap are no hits, a backdrop is one', () => {
    const whole = { box: [0, 0, 1280, 700] as [number, number, number, number] };
    expect(lines(h('div', { ...whole, clickable: true }, button('Go'), h('p', {}, 'text')))).toEqual([
      '- button "Go" [ref=@e1]',
      '- paragraph: "text"',
    ]);
    expect(lines(h('div', { attrs: { tabindex: '-1' } }, button('Go'), h('p', {}, 'text')))[0]).toBe(
      '- button "Go" [ref=@e1]',
    );
    expect(lines(h('div', { ...whole, clickable: true }))).toEqual(['- clickable [ref=@e1]']);
  });

  test('a drawing shows its shapes with their colours, an icon does not', () => {
    const svg = (size: number) =>
      h(
        'svg:svg',
        { box: [0, 0, size, size] },
        h('svg:circle', { attrs: { fill: 'red' } }),
        h('svg:rect', { attrs: { fill: 'x"] [ref=@e9' } }),
      );
    expect(lines(svg(200))).toEqual(['- img [ref=@e1]', '  - circle [ref=@e2] [fill=red]', '  - rect [ref=@e3]']);
    expect(lines(svg(20))).toEqual(['- img [ref=@e1]']);
  });
});

describe('fields', () => {
  test.each<[string, Kid]>([
    ['- textbox "Name" [ref=@e1] [value="  Ada "]', h('input', { attrs: { 'aria-label': 'Name' }, value: '  Ada ' })],
    [
      '- textbox "Key" [ref=@e1] [type=password] [value="••••"]',
      h('input', { attrs: { type: 'password', 'aria-label': 'Key' }, value: 'secret' }),
    ],
    [
      '- textbox "Day" [ref=@e1] [type=date] [value="2024-01-31"]',
      h('input', { attrs: { type: 'date', 'aria-label': 'Day' }, value: '2024-01-31' }),
    ],
    ['- button "Choose Files" [ref=@e1] [type=file] [multiple]', h('input', { attrs: { type: 'file', multiple: '' } })],
    ['- textbox "Hint" [ref=@e1]', h('input', { attrs: { placeholder: 'Hint' }, value: '' })],
    [
      '- textbox "Note" [ref=@e1] [value="two\\nlines \\"quoted\\""]',
      h('textarea', { attrs: { 'aria-label': 'Note' }, value: 'two\nlines "quoted"' }),
    ],
    ['- button "Menu" [ref=@e1] [collapsed]', button('Menu', { 'aria-expanded': 'false' })],
    ['- button "Menu" [ref=@e1] [pressed] [disabled]', button('Menu', { 'aria-pressed': 'true', disabled: '' })],
    ['- progressbar "Up" [ref=@e1] [value="4"]', h('progress', { attrs: { 'aria-label': 'Up', value: '4' } })],
  ])('%s', (line, kid) => {
    expect(lines(kid)).toEqual([line]);
  });

  test('a drop-down shows its value and few options, or how many', () => {
    const select = (count: number) =>
      h(
        'select',
        { attrs: { 'aria-label': 'Size' } },
        ...Array.from({ length: count }, (_, i) => h('option', { attrs: i === 1 ? { disabled: '' } : {} }, `S${i}`)),
      );
    expect(lines(select(3))).toEqual(['- combobox "Size" [ref=@e1] [value="S0"] [options: "S0", "S1" disabled, "S2"]']);
    expect(lines(select(11))).toEqual(['- combobox "Size" [ref=@e1] [value="S0"] [options=11]']);
    expect(linesOf(pageOf(select(3)), { mode: 'interactive' })).toEqual([
      '- combobox "Size" [ref=@e1] [value="S0"] [options=3]',
    ]);
  });
});

describe('containers', () => {
  test('lists and rows of text are one line each', () => {
    expect(
      lines(
        h(
          'ul',
          {},
          h('li', {}, 'one'),
          h('li', {}, link('two')),
          h('li', {}, 'three', h('ul', {}, h('li', {}, 'deep'))),
        ),
      ),
    ).toEqual([
      '- list',
      '  - listitem: "one"',
      '  - link "two" [ref=@e1]',
      '  - listitem: "three"',
      '    - list',
      '      - listitem: "deep"',
    ]);
    const row = (...cells: Kid[]) => h('tr', {}, ...cells.map(cell => h('td', {}, cell)));
    expect(
      lines(h('table', { attrs: { border: '1' } }, row('Ada', '36', button('Edit')), row(link('Alan'), '41', ''))),
    ).toEqual([
      '- table',
      '  - row: "Ada | 36 |"',
      '    - button "Edit" [ref=@e1]',
      '  - row: "Alan | 41 |"',
      '    - link "Alan" [ref=@e2]',
    ]);
  });

  test('a table that lays out the page is no table', () => {
    const cell = (...kids: Kid[]) => h('td', {}, ...kids);
    expect(
      lines(h('table', {}, h('tr', {}, cell(h('h2', {}, 'Menu'), link('Home')), cell(h('p', {}, 'Text'))))),
    ).toEqual(['- heading "Menu" [ref=@e1] [level=2]', '- link "Home" [ref=@e2]', '- paragraph: "Text"']);
  });

  test('what a modal dialog covers is not there', () => {
    expect(lines(button('Behind'), h('dialog', { style: { overlay: 'auto' } }, button('In front')))).toEqual([
      '- dialog [ref=@e1]',
      '  - button "In front" [ref=@e2]',
    ]);
  });

  test('frames have a number and their content', () => {
    const frame = h('iframe', { attrs: { title: 'Form' }, box: [10, 20, 304, 154], frame: [button('Send')] });
    expect(lines(frame)).toEqual(['- iframe "Form" [ref=@e1] [frame=1]', '  - button "Send" [ref=@e2]']);
    expect(lines(h('iframe', { box: [0, 0, 1, 1], frame: [] }))).toEqual([]);
  });

  test('a scrollable list says so', () => {
    const items = Array.from({ length: 9 }, (_, i) => h('li', { box: [0, i * 20, 90, 20] }, `Item ${i}`));
    expect(lines(h('ul', { style: { overflow: 'auto' }, box: [0, 0, 100, 60] }, ...items))[0]).toBe(
      '- list [ref=@e1] [scrollable]',
    );
  });
});
