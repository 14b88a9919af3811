// Truth about time: elements that move, come late, are wrapped or change under the mouse are really hit; the same page reads the same.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, show, textOf } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const log = () => textOf(kit, '#log');

describe('S1-29 moving', () => {
  it.each(['once', 'script'])('moves for a while (%s): really clicked', async id => {
    await kit.open('/moving.html');
    await kit.ok('click', { selector: `#${id}` });
    expect(await log()).toBe(`Clicked ${id}`);
  });

  it('moves for ever: clicked in truth, or told that it keeps moving', async () => {
    await kit.open('/moving.html');
    const result = await kit.call('click', { selector: '#forever', timeout: 800 });
    if (!result.ok) expect(result.text).toMatch(/#forever.* keeps moving\. Nothing was done\./);
    expect(await log()).toBe(result.ok ? 'Clicked forever' : '');
  });

  it('a script moves it at every frame: never a success without a click', async () => {
    await show(
      kit,
      `<button style="position:absolute" onclick="log.textContent='hit'">Run</button><p id="log"></p><script>
      let n = 0; const b = document.querySelector('button'); (function go() { n += 40; b.style.left = n % 600 + 'px'; b.style.top = n % 300 + 'px'; requestAnimationFrame(go) })()</script>`,
    );
    const result = await kit.call('click', { selector: await kit.ref('"Run"'), timeout: 800 });
    expect(await log()).toBe(result.ok ? 'hit' : '');
  });

  it('it jumps away from the mouse: what lay under it gets no press at all', async () => {
    const place = 'style="position:absolute;left:0;top:100px;width:120px;height:40px"';
    const heard =
      "['pointerdown','mousedown','mouseup','click'].forEach(type => under.addEventListener(type, () => { log.textContent += type }))";
    await show(
      kit,
      `<button id="under" ${place}>Under</button><button id="top" ${place} onclick="log.textContent += 'top'">Top</button><p id="log"></p>
      <script>document.getElementById('top').onmouseenter = event => { event.target.style.left = '400px' }; ${heard}</script>`,
    );
    await kit.ok('click', { selector: await kit.ref('"Top"') });
    expect(await log()).toBe('top');
  });

  it('fill does not mind a field that moves', async () => {
    await show(
      kit,
      '<style>@keyframes s{to{margin-left:300px}} input{animation:s 1s infinite alternate}</style><input aria-label="Name">',
    );
    await kit.ok('fill', { selector: 'role:textbox', value: 'Ada' });
    expect(await js(kit, 'document.querySelector("input").value')).toBe('Ada');
  });
});

describe('S1-29 late', () => {
  it.each([
    ['appears', '#appears'],
    ['enables', '#enables'],
    ['shows', '#shows'],
    ['appears', 'text:Appears later'],
  ])('%s later: waited for and clicked (%s)', async (id, selector) => {
    await kit.open('/late.html');
    await kit.ok('click', { selector });
    expect(await log()).toBe(`Clicked ${id}`);
  });

  it('a ref that is enabled later', async () => {
    await kit.open('/late.html');
    await kit.ok('click', { selector: await kit.ref('"Enabled later"') });
    expect(await log()).toBe('Clicked enables');
  });

  it('what never comes: not_found within the timeout, with the selector', async () => {
    await kit.open('/late.html');
    const result = await kit.call('click', { selector: '#nowhere', timeout: 800 });
    expect(result).toMatchObject({ ok: false, failure: { code: 'not_found' } });
    expect(result.text).toContain('"#nowhere"');
    expect(result.ms).toBeLessThan(4_000);
  });
});

describe('S1-29 places that are easy to miss', () => {
  it.each(['wrapped', 'words'])('text over two lines (%s) is really clicked', async id => {
    await kit.open('/wrapped-link.html');
    await kit.ok('click', { selector: `#${id}` });
    expect(await log()).toBe(`Clicked ${id}`);
  });

  it('a link over two lines, by ref', async () => {
    await kit.open('/wrapped-link.html');
    expect(await kit.ok('click', { selector: await kit.ref('link "a link long enough to wrap"') })).toMatch(/#wrapped/);
    expect(await log()).toBe('Clicked wrapped');
  });

  it('an icon that moves aside on hover: it is clicked, not its neighbour', async () => {
    await kit.open('/icon-moves-on-hover.html');
    await kit.ok('click', { selector: await kit.ref('button "Delete"') });
    expect(await log()).toBe('Did delete');
  });

  it('far down, in a scrolled box inside a frame', async () => {
    await kit.open('/frames-nested.html');
    await kit.ok('click', { selector: await kit.ref('button "Far down"') });
    expect(await kit.ok('snapshot')).toContain('button "Found"');
  });

  it('in a scaled and bordered frame', async () => {
    await show(
      kit,
      '<iframe style="border:9px solid;padding:7px;transform:scale(.6) translate(60px,40px);width:600px" srcdoc="<p style=height:60px></p><button onclick=this.textContent=1>Small</button>"></iframe>',
    );
    await kit.ok('click', { selector: await kit.ref('button "Small"') });
    expect(await kit.ok('snapshot')).toContain('button "1"');
  });
});

describe('S1-03 refs and text stay', () => {
  it.each(['/signup.html', '/tables.html', '/email.html', '/frame-cross-site.html', '/todo.html'])(
    '%s unchanged prints the same text twice',
    async path => {
      await kit.open(path);
      expect(await kit.ok('snapshot')).toBe(await kit.ok('snapshot'));
      expect(await kit.ok('snapshot', { mode: 'interactive' })).toBe(await kit.ok('snapshot', { mode: 'interactive' }));
    },
  );

  it('the same element has the same ref after others came and went, and in query and locator', async () => {
    await show(kit, '<button>A</button><button>B</button>');
    const ref = await kit.ref('button "B"');
    await js(kit, 'document.body.prepend(document.createElement("input")); document.querySelector("button").remove()');
    expect(await kit.ref('button "B"')).toBe(ref);
    expect(await kit.ok('query', { by: 'role', value: 'button' })).toBe(`${ref} button "B"`);
    expect(await kit.ok('locator', { chain: [{ method: 'css', value: 'button' }] })).toBe(`${ref} button "B"`);
  });

  it('S1-06 a selector that matches several lists them with refs; such a ref works', async () => {
    await show(kit, '<button>Edit</button><button onclick="log.textContent=2">Edit all</button><p id="log"></p>');
    const { code, text } = await kit.fails('click', { selector: 'text:Edit' });
    expect(code).toBe('ambiguous');
    expect(text).toMatch(/"text:Edit" matches 2 elements: @e\d+ button "Edit", (@e\d+) button "Edit all"\./);
    await kit.ok('click', { selector: /(@e\d+) button "Edit all"/.exec(text)?.[1] });
    expect(await log()).toBe('2');
  });

  it('a hidden copy does not make the visible one ambiguous', async () => {
    await show(kit, '<button hidden>Save</button><button onclick="log.textContent=1">Save</button><p id="log"></p>');
    await kit.ok('click', { selector: 'text:Save' });
    expect(await log()).toBe('1');
  });
});
