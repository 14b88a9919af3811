// Drawings, text as a person sees it, and elements that are called the same.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../../kit.ts';
import { js, printed, show } from '../../tools/page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const lines = (body: string, view?: Record<string, unknown>): Promise<string[]> => printed(kit, body, view);

describe('16 drawings', () => {
  const svg = (content: string): string => `<svg width="300" height="200">${content}</svg>`;
  const rect = (more: string, x = 0): string => `<rect ${more} x="${x}" width="50" height="50" />`;

  it('shapes are called by their kind, with a title, data, id or class that tells them apart', async () => {
    const shapes = [
      '<circle cx="20" cy="150" r="9"><title>Oslo</title></circle>',
      rect('data-name="Germany"'),
      rect('id="France"', 60),
      rect('id="path12" class="a"', 120),
      rect('class="b"', 180),
    ];
    expect(await lines(svg(shapes.join('')))).toEqual([
      '- img [ref]',
      '- circle "Oslo" [ref]',
      '- rect "Germany" [ref]',
      '- rect "France" [ref]',
      '- rect "a" [ref]',
      '- rect "b" [ref]',
    ]);
  });

  it('what nothing tells apart has its place among its like', async () => {
    expect(await lines(svg(rect('class="bar"') + rect('class="bar"', 60)))).toEqual([
      '- img [ref]',
      '- rect [ref] [1 of 2]',
      '- rect [ref] [2 of 2]',
    ]);
  });

  it('text is printed, also where the element around it listens', async () => {
    const chart = `<div onclick="1">${svg(`${rect('')}<text x="9" y="90">Wind</text><text x="99" y="90">Sun</text>`)}</div>`;
    expect(await lines(chart)).toEqual([
      '- clickable [ref]',
      '- img [ref]',
      '- rect [ref]',
      '- text "Wind" [ref]',
      '- text "Sun" [ref]',
    ]);
  });

  it('of very many shapes those with data have a ref', async () => {
    const many = Array.from({ length: 60 }, (_, at) => rect('', at)).join('');
    expect(await lines(svg(`${many}${rect('data-name="Peru"', 99)}`))).toEqual(['- img [ref]', '- rect "Peru" [ref]']);
  });

  it('a click lands on the shape', async () => {
    const shapes = rect('data-name="A"') + rect('data-name="B" onclick="window.hit = 1"', 60);
    await show(kit, svg(shapes));
    await kit.ok('click', { selector: await kit.ref('rect "B"') });
    expect(await js(kit, 'hit')).toBe('1');
  });
});

describe('16 items that a library draws', () => {
  /** A chart in the form of Chart.js: nobody but its listener holds on to it. */
  const chart = (more = ''): string => `<canvas id="c" width="300" height="150"></canvas><script>{
    const chart = {
      canvas: c, width: 300,
      data: { labels: ['May', 'June'], datasets: [{ label: 'Sold', data: [3, 5] }] },
      _metasets: [{ type: 'bar', data: [{ x: 50, y: 100, base: 140 }, { x: 150, y: 60, base: 140 }] }],
    };
    c.addEventListener('click', event => { document.title = chart && event.offsetX + ' ' + event.offsetY; });
    ${more}
  }</script>`;

  it('a canvas says its size and its items, and a click by ref lands on them', async () => {
    expect(await lines(chart())).toEqual([
      '- canvas [ref] [size=300x150]',
      '- bar "May Sold: 3" [ref]',
      '- bar "June Sold: 5" [ref]',
    ]);
    expect(await kit.ok('click', { selector: await kit.ref('bar "June') })).toContain('bar "June Sold: 5"');
    expect(await js(kit, 'document.title')).toBe('150 100');
  });

  it('the place is read again when the ref is used; an item that has gone is stale', async () => {
    await show(kit, chart('window.onmessage = ({ data }) => { chart._metasets[0].data = data; };'));
    const ref = await kit.ref('bar "June');
    await js(kit, 'onmessage({ data: [{ x: 1, y: 1 }, { x: 250, y: 20, base: 40 }] }); 1');
    await kit.ok('click', { selector: ref });
    expect(await js(kit, 'document.title')).toBe('250 30');
    await js(kit, 'onmessage({ data: [] }); 1');
    expect((await kit.fails('click', { selector: ref })).code).toBe('stale_ref');
  });
});

describe('16 objects on a canvas', () => {
  /** In the form of Fabric: listeners are bound to the canvas, which knows the corners of its objects. */
  const FABRIC = `<canvas id="c" width="400" height="200" style="width: 200px; height: 100px"></canvas><script>{
    const corners = (x, y) => ({ tl: { x, y }, br: { x: x + 40, y: y + 20 } });
    const at = ({ offsetX, offsetY }) => offsetX + ' ' + offsetY;
    class Scene {
      _objects = [{ type: 'rect', name: 'Boat', aCoords: corners(100, 50) }, { type: 'group', _objects: [{ text: 'Pier' }], aCoords: corners(10, 10) }, { type: 'path', evented: false, aCoords: corners(0, 0) }];
      viewportTransform = [2, 0, 0, 2, 10, 0];
      width = 400;
      upperCanvasEl = c;
      down(event) { this.from = at(event); }
      up(event) { document.title = this.from + ' to ' + at(event); this._objects[0].aCoords = corners(130, 50); }
    }
    const scene = new Scene();
    c.addEventListener('mousedown', scene.down.bind(scene));
    c.addEventListener('mouseup', scene.up.bind(scene));
  }</script>`;

  it('Fabric: by what its listeners are bound to, where zoom and size put them; a drag says how far the object moved', async () => {
    expect(await lines(FABRIC)).toEqual([
      '- canvas [ref] [size=200x100]',
      '- rect "Boat" [ref]',
      '- group "Pier" [ref]',
    ]);
    const [boat, pier] = [await kit.ref('rect "Boat"'), await kit.ref('group "Pier"')];
    expect(await kit.ok('drag', { source: boat, target: pier })).toContain('it moved by 30, 0');
    expect(await js(kit, 'document.title')).toBe('125 60 to 35 20');
  });

  /** In the form of Konva: layers of a stage that a global variable knows, with a canvas each. */
  const KONVA = `<div class="konvajs-content" style="position: relative; width: 300px; height: 200px"><canvas id="low" width="300" height="200" style="position: absolute"></canvas><canvas id="high" width="300" height="200" style="position: absolute"></canvas></div><script>{
    const shape = (className, attrs) => ({ className, attrs });
    const layer = (el, ...children) => ({ attrs: {}, canvas: { _canvas: el }, children });
    const table = { attrs: { name: 'Table', x: 100, y: 100, rotation: 90, scaleX: 2 }, children: [shape('Rect', { width: 40, height: 20 })] };
    window.Konva = { stages: [{ attrs: { x: 5 }, children: [layer(low, shape('Rect', { name: 'Hall', x: 10, y: 10, width: 100, height: 50 })), layer(high, table, shape('Circle', { id: 'Lamp', x: 200, y: 50, radius: 9 }), shape('Line', { listening: false, points: [0, 0, 9, 9] }))] }] };
    low.parentElement.addEventListener('click', ({ offsetX, offsetY }) => { document.title = offsetX + ' ' + offsetY; });
  }</script>`;

  it('Konva: the shapes of each layer, turned and scaled with their groups; a layer below another is clicked too', async () => {
    expect(await lines(KONVA)).toEqual([
      '- clickable [ref]',
      '- canvas [ref] [size=300x200]',
      '- rect "Hall" [ref]',
      '- canvas [ref] [size=300x200]',
      '- rect "Table" [ref]',
      '- circle "Lamp" [ref]',
    ]);
    const clicked = async (what: string): Promise<string> => {
      await kit.ok('click', { selector: await kit.ref(what) });
      return js(kit, 'document.title');
    };
    expect(await clicked('rect "Hall"')).toBe('65 35');
    expect(await clicked('rect "Table"')).toBe('95 140');
    expect(await clicked('circle "Lamp"')).toBe('205 50');
  });
});

describe('16 text as it is seen', () => {
  const letters = (word: string): string =>
    [...word].map(c => `<span style="display: inline-block">${c}</span>`).join('');

  it('letters in boxes of their own make words', async () => {
    expect(await lines(`<p>${letters('Hello')} ${letters('you')}</p><button>${letters('Save')}</button>`)).toEqual([
      '- paragraph: "Hello you"',
      '- button "Save" [ref]',
    ]);
    expect(
      await lines('<p><b style="display: inline-block">3</b><b style="display: inline-block">New</b></p>'),
    ).toEqual(['- paragraph: "3 New"']);
  });

  it('preformatted text keeps its lines and blanks', async () => {
    expect(await lines('<pre>if a:\n    go()\n\nend</pre>')).toEqual([
      '- text: "if a:"',
      '- text: "    go()"',
      '- text: "end"',
    ]);
    expect(await lines('<div style="white-space: pre-line">one\ntwo</div>')).toEqual([
      '- text: "one"',
      '- text: "two"',
    ]);
    expect(await lines('<div contenteditable>one<br>two</div>')).toEqual([
      '- editable [ref]',
      '- text: "one"',
      '- text: "two"',
    ]);
  });

  it('a name of more than 120 characters is content, and a link says it once', async () => {
    const long = 'A teaser of many words. '.repeat(8).trim();
    const text = await lines(`<a href="#"><h3>Title</h3><p>${long}</p></a><div onclick="1">${long}</div>`);
    expect(text).toEqual([
      '- link [ref]',
      '- heading "Title" [ref] [level=3]',
      `- paragraph: "${long}"`,
      `- clickable [ref]: "${long}"`,
    ]);
  });
});

describe('16 elements of the same name are told apart', () => {
  it('by description or title', async () => {
    const body =
      '<button title="Report">Open</button><button aria-description="Letter">Open</button><button>Shut</button>';
    expect(await lines(body)).toEqual([
      '- button "Open" [ref] [description="Report"]',
      '- button "Open" [ref] [description="Letter"]',
      '- button "Shut" [ref]',
    ]);
  });

  it('by the row or card that they are in, where that is not printed', async () => {
    const body = '<ul><li>Milk <button>Delete</button></li><li>Bread <button>Delete</button></li></ul>';
    expect(await lines(body, { mode: 'interactive' })).toEqual([
      '- button "Delete" [ref] [in "Milk Delete"]',
      '- button "Delete" [ref] [in "Bread Delete"]',
    ]);
    expect((await lines(body)).join()).not.toContain('[in ');
  });

  it('tree items and rows have their level', async () => {
    const body = `<div role="tree"><div role="treeitem" aria-level="1" tabindex="0">src</div><div role="treeitem" aria-level="2" tabindex="-1">main.ts</div></div>`;
    expect(await lines(body)).toContain('- treeitem "main.ts" [ref] [level=2]');
    expect(
      (
        await lines(
          '<div role="treegrid"><div role="row" aria-level="3" tabindex="0"><span role="gridcell">A</span></div></div>',
        )
      ).join(),
    ).toContain('[level=3]');
  });
});
