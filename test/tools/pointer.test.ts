// Mouse: every parameter of click, dblclick, hover, drag and scroll with a visible effect.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, show, textOf } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit('--receipt', 'none');
});
afterAll(() => kit.close());

const log = () => textOf(kit, '#log');

/** A button that tells each event it gets, with button, count and modifiers. */
const TARGET = `<button id="b" style="position:absolute;left:100px;top:100px;width:80px;height:40px">Here</button><p id="log"></p><script>
  const seen = []; for (const type of ['click', 'auxclick', 'contextmenu', 'dblclick']) b.addEventListener(type, event => {
    event.preventDefault(); seen.push([type, event.button, event.detail, event.altKey && 'Alt', event.ctrlKey && 'Control', event.metaKey && 'Meta', event.shiftKey && 'Shift'].filter(part => part !== false).join(' '));
    log.textContent = seen.join(', ') })</script>`;

describe('S1-29 click', () => {
  it('14.10 the answer says what kind of click it was, and what was hit', async () => {
    await show(
      kit,
      `${TARGET}<input aria-label="Name"><select aria-label="Size"><option>S</option><option>M</option></select>`,
    );
    const ref = await kit.ref('button "Here"');
    const said = (args: object) => kit.ok('click', { selector: '#b', ...args });
    expect(await said({})).toBe(`Clicked ${ref} button "Here".`);
    expect(await said({ button: 'right' })).toBe(`Right-clicked ${ref} button "Here".`);
    expect(await said({ button: 'middle' })).toBe(`Middle-clicked ${ref} button "Here".`);
    expect(await said({ click_count: 2 })).toBe(`Double-clicked ${ref} button "Here".`);
    expect(await said({ click_count: 3 })).toBe(`Triple-clicked ${ref} button "Here".`);
    expect(await said({ click_count: 4 })).toBe(`Clicked 4 times ${ref} button "Here".`);
    expect(await said({ modifiers: ['Control', 'Shift'] })).toBe(`Clicked with Control+Shift ${ref} button "Here".`);
    expect(await said({ touch: true })).toBe(`Tapped ${ref} button "Here".`);
    expect(await kit.ok('hover', { selector: 'text:Here' })).toBe(`Hovered ${ref} button "Here".`);
    expect(await kit.ok('fill', { selector: 'input', value: 'Ada' })).toMatch(/^Filled @e\d+ textbox "Name"\.$/);
    expect(await kit.ok('type', { selector: 'input', text: 'x' })).toMatch(/into @e\d+ textbox "Name"\.$/);
    expect(await kit.ok('select', { selector: 'select', value: 'M' })).toMatch(/in @e\d+ combobox "Size"\.$/);
  });

  it.each([
    [{ button: 'left' }, 'click 0 1'],
    [{ button: 'middle' }, 'auxclick 1 1'],
    [{ button: 'right' }, 'contextmenu 2 0, auxclick 2 1'],
    [{ click_count: 2 }, 'click 0 1, click 0 2, dblclick 0 2'],
    [{ click_count: 3 }, 'click 0 1, click 0 2, dblclick 0 2, click 0 3'],
    [{ modifiers: ['Alt'] }, 'click 0 1 Alt'],
    [{ modifiers: ['Control'] }, 'click 0 1 Control'],
    [{ modifiers: ['Meta'] }, 'click 0 1 Meta'],
    [{ modifiers: ['Shift'] }, 'click 0 1 Shift'],
    [{ modifiers: ['Alt', 'Control', 'Meta', 'Shift'] }, 'click 0 1 Alt Control Meta Shift'],
    [{ coordinates: { x: 140, y: 120 } }, 'click 0 1'],
    [{ coordinates: { x: 140, y: 120 }, button: 'middle', modifiers: ['Shift'] }, 'auxclick 1 1 Shift'],
  ])('%j', async (args, events) => {
    await show(kit, TARGET);
    await kit.ok('click', 'coordinates' in args ? args : { selector: '#b', ...args });
    expect(await log()).toBe(events);
  });

  it('force clicks at the place of a covered or disabled element', async () => {
    await kit.open('/covered.html');
    await kit.ok('click', { selector: '#under', force: true });
    expect(await log()).toBe('Clicked glass');
    await show(
      kit,
      '<div id="out" onclick="log.textContent=\'outer\'"><span aria-disabled="true">Off</span></div><p id="log"></p>',
    );
    await kit.ok('click', { selector: 'text:Off', force: true });
    expect(await log()).toBe('outer');
  });

  it('force on an element without a place is no success', async () => {
    await kit.open('/hidden.html');
    expect((await kit.fails('click', { selector: '#none', force: true, timeout: 3_000 })).text).toMatch(
      /has no box on the page/,
    );
  });

  it('no_wait_after answers before the slow page is there', async () => {
    await kit.open('/signup.html');
    await js(kit, 'document.body.innerHTML = \'<a href="/slow?ms=4500">Slow</a>\'');
    const { ok, ms } = await kit.call('click', { selector: 'a', no_wait_after: true });
    expect(ok).toBe(true);
    expect(ms).toBeLessThan(4_000);
    await kit.ok('wait', { for: 'url', url: '**/slow?ms=4500' });
  });

  it('S1-14 tabId and frameId say where', async () => {
    await kit.open('/frames-nested.html');
    const frameId = Number(/\[frame=(\d+)\]/.exec(await kit.ok('snapshot'))?.[1]);
    const { data } = await kit.call('tab_list');
    const { tabId } = (data as { tabs: { tabId: number }[] }).tabs[0] ?? {};
    await kit.ok('tab_new');
    await kit.ok('click', { selector: '#count', frameId, tabId });
    expect(await kit.ok('snapshot', { tabId })).toContain('button "Count: 1"');
    await kit.ok('tab_close');
  });

  it('Control+click on a link opens a tab and gives its id', async () => {
    await kit.open('/spa.html');
    await js(kit, "document.body.innerHTML = '<a href=/article.html>Read</a>'");
    const said = await kit.ok('click', { selector: 'a', modifiers: ['Control'] });
    expect(said).toMatch(/opened tab \d+ \(.*article\.html\)/);
    await kit.ok('tab_close', { tabId: Number(/opened tab (\d+)/.exec(said)?.[1]) });
  });

  it('timeout bounds it; neither selector nor coordinates are refused', async () => {
    await show(kit, TARGET);
    expect((await kit.call('click', { selector: '#nowhere', timeout: 600 })).ms).toBeLessThan(4_000);
    expect((await kit.fails('click')).text).toMatch(/either selector or coordinates/);
  });
});

describe('S1-30 dblclick, S1-31 hover', () => {
  it.each([
    [{ selector: '#b' }, 'click 0 1, click 0 2, dblclick 0 2'],
    [{ coordinates: { x: 140, y: 120 } }, 'click 0 1, click 0 2, dblclick 0 2'],
    [{ selector: '#b', modifiers: ['Shift'] }, 'click 0 1 Shift, click 0 2 Shift, dblclick 0 2 Shift'],
  ])('dblclick %j', async (args, events) => {
    await show(kit, TARGET);
    expect(await kit.ok('dblclick', args)).toMatch(/^Double-clicked/);
    expect(await log()).toBe(events);
  });

  it('hover opens what only a mouse opens, and it stays open for the click', async () => {
    await kit.open('/hover-menu.html');
    await kit.ok('hover', { selector: 'text:Products' });
    expect(await kit.ok('click', { selector: await kit.ref('link "Kettles"') })).toMatch(/#kettles/);
  });

  it('hover at a point', async () => {
    await show(
      kit,
      '<div style="position:absolute;left:50px;top:50px;width:50px;height:50px" onmouseover="log.textContent=\'over\'"></div><p id="log"></p>',
    );
    expect(await kit.ok('hover', { coordinates: { x: 75, y: 75 } })).toBe('Hovered (75, 75).');
    expect(await log()).toBe('over');
  });
});

describe('S1-35 drag', () => {
  it('HTML drag and drop by refs', async () => {
    await kit.open('/drag-html5.html');
    const [source, target] = [await kit.ref('"Paint the fence"'), await kit.ref('"Done"')];
    expect(await kit.ok('drag', { source, target })).toMatch(/^Dragged @e\d+ .* to @e\d+ /);
    expect(await log()).toBe('Paint the fence: Done');
    expect(await js(kit, 'seen.join()')).toBe('dragstart,dragend');
  });

  it('back again by selectors', async () => {
    await kit.open('/drag-html5.html');
    await kit.ok('drag', { source: '#c2', target: '#done' });
    await kit.ok('drag', { source: '#c2', target: '#todo' });
    expect(await log()).toBe('Mend the roof: To do');
  });

  it.each([
    [{ source: '#a', target: '.goal' }, 'A'],
    [{ source: '#b', target_coordinates: { x: 460, y: 180 } }, 'B'],
    [{ source_coordinates: { x: 70, y: 150 }, target: '.goal' }, 'A'],
    [{ source_coordinates: { x: 70, y: 250 }, target_coordinates: { x: 460, y: 180 } }, 'B'],
  ])('pointer events: %j', async (args, piece) => {
    await kit.open('/drag-pointer.html');
    await kit.ok('drag', args);
    expect(await log()).toBe(`${piece} in the box after many moves`);
  });

  it('steps: so many moves on the way', async () => {
    const moves = async (steps: number) => {
      await show(
        kit,
        '<div id="a" style="position:absolute;left:10px;top:80px;width:40px;height:40px;background:red"></div><p id="log"></p><script>let n = 0; addEventListener("pointermove", event => { if (event.buttons) log.textContent = ++n })</script>',
      );
      await kit.ok('drag', { source: '#a', target_coordinates: { x: 500, y: 300 }, steps });
      return Number(await log());
    };
    expect(await moves(25)).toBeGreaterThanOrEqual(25);
    expect(await moves(3)).toBeLessThan(10);
  });

  it('without an end, or with one that is not there: says so', async () => {
    await kit.open('/drag-pointer.html');
    expect((await kit.fails('drag', { source: '#a' })).text).toMatch(/target or target_coordinates/);
    expect((await kit.fails('drag', { source: '#a', target: '#nowhere', timeout: 900 })).code).toBe('not_found');
    expect(await log()).toBe('');
  });
});

describe('S1-36 scroll', () => {
  const WIDE = `<style>body{margin:0}</style><div style="width:5000px;height:5000px"></div>`;
  const BOX = `<div id="box" tabindex="0" style="width:200px;height:200px;overflow:auto"><div style="width:900px;height:900px">x<p id="deep" style="position:relative;top:600px;margin:0;height:20px">Deep</p></div></div>`;
  const at = async () => (await js(kit, '[Math.round(scrollX), Math.round(scrollY)].join()')).split(',').map(Number);

  it.each([
    ['down', [1000, 1300]],
    ['up', [1000, 700]],
    ['right', [1300, 1000]],
    ['left', [700, 1000]],
  ])('direction %s by amount', async (direction, place) => {
    await show(kit, WIDE);
    await js(kit, 'scrollTo(1000, 1000)');
    expect(await kit.ok('scroll', { direction, amount: 300 })).toContain(`Scrolled page at ${place.join()} of `);
    expect(await at()).toEqual(place);
  });

  it('direction alone: most of a screen; nothing given: down', async () => {
    await show(kit, WIDE);
    await kit.ok('scroll', { direction: 'down' });
    expect((await at())[1]).toBeGreaterThan(500);
    await js(kit, 'scrollTo(0, 0)');
    await kit.ok('scroll');
    expect((await at())[1]).toBeLessThan(720);
  });

  it('position, whole or in part; at the end it says so', async () => {
    await show(kit, WIDE);
    await kit.ok('scroll', { position: { x: 200, y: 400 } });
    expect(await at()).toEqual([200, 400]);
    await kit.ok('scroll', { position: { y: 50 } });
    expect(await at()).toEqual([200, 50]);
    await kit.ok('scroll', { position: { x: 99_999, y: 99_999 } });
    expect(await kit.ok('scroll', { direction: 'down' })).toMatch(/^Nothing to scroll/);
  });

  it.each([
    ['start', 0],
    ['center', 350],
    ['end', 700],
    ['nearest', 700],
  ])('into_view with block %s', async (block, top) => {
    await show(kit, `${WIDE}<p id="low" style="margin:0;height:20px">Low</p><div style="height:3000px"></div>`);
    await kit.ok('scroll', { selector: '#low', into_view: true, block });
    expect(Math.abs(Number(await js(kit, 'low.getBoundingClientRect().top')) - top)).toBeLessThan(25);
  });

  it('a selector alone brings the element into view', async () => {
    await show(kit, `${WIDE}<p id="low">Low</p>`);
    await kit.ok('scroll', { selector: '#low' });
    expect(await js(kit, 'low.getBoundingClientRect().top < innerHeight')).toBe('true');
  });

  it('a container by direction, position and its own element; the page stays', async () => {
    await show(kit, `${BOX}${WIDE}`);
    expect(await kit.ok('scroll', { selector: '#box', direction: 'down', amount: 150 })).toMatch(
      /^Scrolled @e\d+ .* at 0,150 /,
    );
    await kit.ok('scroll', { selector: '#box', position: { x: 40, y: 10 } });
    expect(await js(kit, '[box.scrollLeft, box.scrollTop, scrollY].join()')).toBe('40,10,0');
    await kit.ok('scroll', { selector: '#deep', into_view: true });
    expect(await js(kit, 'box.scrollTop > 400')).toBe('true');
  });

  it('smooth is at its end when it answers', async () => {
    await show(kit, WIDE);
    await kit.ok('scroll', { position: { y: 900 }, smooth: true });
    expect((await at())[1]).toBe(900);
  });

  it('S1-14 a frame by frameId', async () => {
    await kit.open('/frame-cross-site.html');
    const frameId = Number(/Elsewhere" \[ref=@e\d+\] \[frame=(\d+)\]/.exec(await kit.ok('snapshot'))?.[1]);
    await kit.ok('scroll', { frameId, direction: 'down', amount: 120 });
    expect(await kit.ok('evaluate', { frameId, expression: 'scrollY' })).toBe('120');
    expect((await at())[1]).toBe(0);
  });
});
