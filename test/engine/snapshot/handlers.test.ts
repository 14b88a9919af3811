// Elements with handlers get refs wherever a framework keeps the handlers; what the page says of them is a hint and never trusted.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../../kit.ts';
import { js, printed, show } from '../../tools/page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const lines = (body: string): Promise<string[]> => printed(kit, body);

const ELEMENT = '<div id="e">Soup</div><p>Text</p>';
const on = (script: string, body = ELEMENT): string =>
  `${body}<script>{const e = document.getElementById('e'); ${script}}</script>`;

describe('16 handlers wherever they live', () => {
  it.each([
    ['React 17 to 19', 'e.__reactProps$a1 = { onDoubleClick() {} }', '- clickable "Soup" [ref] [dblclick]'],
    ['React 16', 'e.__reactEventHandlers$a1 = { onMouseDown() {} }', '- clickable "Soup" [ref]'],
    ['React, a menu', 'e.__reactProps$a1 = { onContextMenu() {} }', '- clickable "Soup" [ref] [contextmenu]'],
    ['React, drop', 'e.__reactProps$a1 = { onDrop() {} }', '- droppable "Soup" [ref]'],
    ['React, nothing of use', 'e.__reactProps$a1 = { onKeyDown() {}, className: "x" }', '- text: "Soup"'],
    ['Svelte 5', 'e[Symbol("events")] = { click() {} }', '- clickable "Soup" [ref]'],
    ['Svelte 5.0', 'e.__click = () => {}', '- clickable "Soup" [ref]'],
    ['Solid', 'e.$$dblclick = () => {}', '- clickable "Soup" [ref] [dblclick]'],
    ['Inferno', 'e.$EV = { onClick() {}, onDblClick: null }', '- clickable "Soup" [ref]'],
    ['jQuery, direct', 'e.jQuery3611 = { events: { click: [{}] } }', '- clickable "Soup" [ref]'],
    [
      'jQuery, from document',
      'document.jQuery3611 = { events: { click: [{ selector: "p:eq(0)" }, { selector: "#e" }] } }',
      '- clickable "Soup" [ref]',
    ],
    [
      'jQuery 1, from document',
      'document.jQuery1111 = 1; window.jQuery = { _data: n => n === document && { click: [{ selector: "#e" }] } }',
      '- clickable "Soup" [ref]',
    ],
    ['jQuery UI, drag', 'e.jQuery3612 = { uiDraggable: {} }', '- draggable "Soup" [ref]'],
    ['jQuery UI, drop', 'e.jQuery3612 = { uiDroppable: {} }', '- droppable "Soup" [ref]'],
    ['pointerup', 'e.addEventListener("pointerup", () => {})', '- clickable "Soup" [ref]'],
    ['mouseenter', 'e.style.width = "99px"; e.addEventListener("mouseenter", () => {})', '- hoverable "Soup" [ref]'],
    ['mouseenter on much', 'e.style.height = "99px"; e.addEventListener("mouseenter", () => {})', '- text: "Soup"'],
    ['drop', 'e.addEventListener("drop", () => {})', '- droppable "Soup" [ref]'],
  ])('%s', async (_, script, line) => {
    const all = await lines(on(script));
    expect(all).toContain(line);
    expect(all).toContain('- paragraph: "Text"');
  });

  it('in an open shadow root', async () => {
    expect(
      await lines(
        on(
          'const root = e.attachShadow({ mode: "open" }); root.innerHTML = "<b>Inner</b>"; root.firstChild.$$click = 1',
        ),
      ),
    ).toContain('- clickable "Inner" [ref]');
  });

  it('in frames of the same process and of another one', async () => {
    const inner = encodeURIComponent('<b id="e">Far</b><script>e.$$click = 1</script>');
    await kit.open('/article.html');
    await js(
      kit,
      `document.body.innerHTML = '<iframe srcdoc="<b id=e>Near</b><script>e.$$click = 1</script>"></iframe>'; 1`,
    );
    await expect.poll(() => kit.ok('snapshot')).toMatch(/clickable "Near" \[ref/);
    await js(kit, `document.body.innerHTML = '<iframe src="data:text/html,${inner}"></iframe>'; 1`);
    await expect.poll(() => kit.ok('snapshot')).toMatch(/clickable "Far" \[ref/);
  });
});

describe('16 a root that listens for others is not clickable', () => {
  const LIST = '<ul id="e"><li>Soup</li><li>Salad</li></ul>';

  it('the root of React, which listens for everything', async () => {
    const listen =
      'for (const type of Object.keys(window).filter(key => key.startsWith("on")).slice(0, 40).concat("onclick")) e.addEventListener(type.slice(2), () => {})';
    expect(await lines(on(listen, '<div id="e"><p>Text</p></div>'))).toEqual(['- paragraph: "Text"']);
  });

  it('an ancestor that has the native listener of a handler kept below it', async () => {
    const script = 'e.onclick = () => {}; e.children[0].$$click = () => {}';
    expect(await lines(on(script, LIST))).toEqual(['- list', '- listitem "Soup" [ref]', '- listitem: "Salad"']);
  });

  it('a list whose items jQuery handles', async () => {
    const script = 'e.onclick = () => {}; e.jQuery3611 = { events: { click: [{ selector: "li" }] } }';
    expect(await lines(on(script, LIST))).toEqual(['- list', '- listitem "Soup" [ref]', '- listitem "Salad" [ref]']);
  });
});

describe('16 where a container listens and nobody says for whom', () => {
  const tile = (name: string): string => `<div data-name="${name}">${name}</div>`;
  it.each([
    [
      'items',
      '<ul id="e"><li>Soup</li><li>Salad</li></ul>',
      ['- list', '- listitem "Soup" [ref]', '- listitem "Salad" [ref]'],
    ],
    [
      'rows',
      '<table id="e" border="1"><tr><td>Ada<td>Oslo<tr><td>Bo<td>Rome</table>',
      ['- table', '- row "Ada | Oslo" [ref]', '- row "Bo | Rome" [ref]'],
    ],
    [
      'tiles with data',
      `<div id="e">${tile('A')}${tile('B')}</div>`,
      ['- clickable "A" [ref]', '- clickable "B" [ref]'],
    ],
    [
      'cells of a board',
      '<div id="e"><div class="r"><i class="c">1</i><i class="c">2</i></div><div class="r"><i class="c">3</i><i class="c">4</i></div></div>',
      ['1', '2', '3', '4'].map(name => `- clickable "${name}" [ref]`),
    ],
    [
      'a card',
      '<div id="e" style="cursor: pointer"><p class="a">One</p><p class="a">Two</p></div>',
      ['- clickable "One Two" [ref]'],
    ],
    [
      'items with buttons',
      '<ul id="e"><li>A <button>Go</button><li>B</ul>',
      ['- list [ref]', '- listitem: "A"', '- button "Go" [ref]', '- listitem: "B"'],
    ],
  ])('%s', async (_, body, all) => {
    expect(await lines(on('e.addEventListener("click", () => {})', body))).toEqual(all);
  });
});

describe('16 things to drag have a ref on the item', () => {
  const LIST = '<ul id="e"><li>Bank</li><li>Post</li></ul>';

  it('the items of SortableJS', async () => {
    const script = 'e.onpointerdown = () => {}; e.Sortable1700000000000 = { options: { draggable: ">li" } }';
    expect(await lines(on(script, LIST))).toEqual([
      '- list',
      '- listitem "Bank" [ref] [draggable]',
      '- listitem "Post" [ref] [draggable]',
    ]);
  });

  it('its handles; its items take drops', async () => {
    const body = '<ul id="e"><li><i title="Move">::</i> Bank</li></ul>';
    const script = 'e.Sortable1700000000000 = { options: { draggable: ">li", handle: "i" } }';
    expect(await lines(on(script, body))).toEqual([
      '- list',
      '- listitem [ref] [droppable]: ":: Bank"',
      '- draggable "Move" [ref]',
    ]);
  });

  it('an empty list takes drops', async () => {
    const script = 'e.style.height = "50px"; e.Sortable1700000000000 = { options: { draggable: ">li" } }';
    expect(await lines(on(script, '<ul id="e"></ul>'))).toEqual(['- list [ref] [droppable]']);
  });
});

describe('16 hints are never trusted', () => {
  const HOSTILE: Record<string, string> = {
    'a throwing getter': 'Object.defineProperty(e, "__reactProps$a", { get() { throw 1 } })',
    'a counting getter': 'Object.defineProperty(e, "__reactProps$a", { get() { seen++; return { onDrop() {} } } })',
    'an endless getter': 'Object.defineProperty(e, "__reactProps$a", { get() { seen++; for (;;); } })',
    'a proxy':
      'e.__reactProps$a = new Proxy({}, { get() { seen++ }, ownKeys() { seen++; return [] }, has() { seen++ } })',
    'a cycle': 'e.__reactProps$a = {}; e.__reactProps$a.onDrop = e.__reactProps$a',
    'a million properties':
      'e.__reactProps$a = Object.fromEntries(Array.from({ length: 1e6 }, (_, i) => ["p" + i, i]))',
    'a million expandos': 'for (let i = 0; i < 1e6; i++) e["x" + i] = 1',
    'ten thousand expandos': 'for (let i = 0; i < 1e4; i++) e["$$x" + i] = 1',
    'a false Konva':
      'e.innerHTML = \'<div class="konvajs-content"><canvas width="90" height="90"></canvas></div>\'; const node = { attrs: {}, canvas: { _canvas: e.querySelector("canvas") } }; node.children = [node]; window.Konva = { stages: Array(1e6).fill({ attrs: {}, children: [node] }) }',
    'a false Fabric':
      'e.innerHTML = \'<canvas width="90" height="90"></canvas>\'; const el = e.firstChild; const scene = { upperCanvasEl: el, _objects: new Proxy([], { get() { seen++; return 1e9 } }) }; el.addEventListener("click", function () {}.bind(scene))',
    'a false jQuery': 'e.jQuery1 = 1; window.jQuery = { _data() { seen++; for (;;); } }',
    'selectors of all kinds':
      'e.jQuery3611 = { events: { click: [{ selector: ":::" }, { selector: { toString() { seen++ } } }, { selector: "*" }] } }',
    'setters on prototypes':
      'e.$$click = 1; Object.defineProperty(Array.prototype, 0, { set() { seen++ } }); Object.defineProperty(Object.prototype, "onDrop", { get() { seen++ } })',
  };
  const BODY = '<button>Go</button><div id="e">Soup</div><i hidden></i>';

  /** The quickest snapshot of each tab, taken in turn: other work on the machine then slows down both. */
  const quickest = async (tabs: number[]): Promise<number[]> => {
    const best = tabs.map(() => Number.POSITIVE_INFINITY);
    for (let run = 0; run < 10; run++)
      for (const [at, tabId] of tabs.entries()) {
        const began = performance.now();
        await kit.ok('snapshot', { tabId });
        best[at] = Math.min(best[at] ?? 0, performance.now() - began);
      }
    return best;
  };

  it.each(Object.entries(HOSTILE))('%s', async (_, script) => {
    const { tabId: plain } = (await kit.call('tab_new')).data as { tabId: number };
    await show(kit, BODY);
    const { tabId } = (await kit.call('tab_new')).data as { tabId: number };
    await show(kit, `<script>window.seen = 0</script>${on(script, BODY)}`);
    const [usual = 0, hostile = 0] = await quickest([plain, tabId]);
    expect(await kit.ok('snapshot')).toMatch(/- button "Go" \[ref/);
    expect(await js(kit, 'seen')).toBe('0');
    await kit.ok('click', { selector: await kit.ref('button "Go"') });
    await kit.ok('tab_close', { tabId: [plain, tabId] });
    expect(hostile - usual).toBeLessThanOrEqual(20);
  });
});

describe('16 no false refs', () => {
  it.each(['article', 'wiki', 'news', 'cjk', 'rtl', 'math', 'headings', 'definition-lists', 'list-markers', 'forum'])(
    'what has a ref on %s has a role',
    async page => {
      await kit.open(`/${page}.html`);
      const text = await kit.ok('snapshot');
      expect(text.match(/- (clickable|hoverable|droppable|draggable|focusable)\b.*/g) ?? []).toEqual([]);
    },
  );
});
