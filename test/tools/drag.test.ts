// Drag: before and after an item of a list, sliders and splitters, and the truth about where things ended up.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, show } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const items = (tag: string): string => ['A', 'B', 'C', 'D'].map(name => `<${tag}>Item ${name}</${tag}>`).join('');

/** A list with native drag and drop: what is dropped on the upper half of an item is put before it, else after it. */
const NATIVE = `<ul id="list" style="width: 300px">${items('li')}</ul><script>
  let held;
  for (const item of list.children) {
    item.draggable = true;
    item.ondragstart = () => { held = item; };
    item.ondragover = event => event.preventDefault();
    item.ondrop = ({ clientY }) => {
      const { top, height } = item.getBoundingClientRect();
      if (clientY < top + height / 2) item.before(held); else item.after(held);
    };
  }
</script>`;

/** A list that makes room while something is dragged over it, and writes itself anew after the drop. */
const LIVE = `<div id="list" style="width: 300px">${items('p')}</div><script>
  let held;
  list.onpointerdown = ({ target }) => { held = target; list.setPointerCapture(1); };
  addEventListener('pointermove', ({ clientY }) => {
    if (!held) return;
    const over = [...list.children].find(other => other !== held && clientY > other.getBoundingClientRect().top && clientY < other.getBoundingClientRect().bottom);
    if (over) held.compareDocumentPosition(over) & 4 ? over.after(held) : over.before(held);
  });
  addEventListener('pointerup', () => { if (held) list.innerHTML = list.innerHTML; held = undefined; });
</script>`;

const order = (): Promise<string> => js(kit, `[...list.children].map(item => item.textContent.slice(5)).join('')`);

describe('16 drag before and after an item', () => {
  it.each([
    ['native', 'A', 'before', 'C', 'BACD', 'it is now 2 of 4, after "Item B"'],
    ['native', 'A', 'after', 'D', 'BCDA', 'it is now 4 of 4, after "Item D"'],
    ['native', 'D', 'before', 'A', 'DABC', 'it is now 1 of 4, before "Item A"'],
    ['native', 'C', 'after', 'A', 'ACBD', 'it is now 2 of 4, after "Item A"'],
    ['live', 'A', 'before', 'C', 'BACD', 'it is now 2 of 4, after "Item B"'],
    ['live', 'A', 'after', 'D', 'BCDA', 'it is now 4 of 4, after "Item D"'],
    ['live', 'D', 'before', 'A', 'DABC', 'it is now 1 of 4, before "Item A"'],
    ['live', 'C', 'after', 'A', 'ACBD', 'it is now 2 of 4, after "Item A"'],
  ])('%s: %s %s %s', async (kind, source, position, target, is, said) => {
    await show(kit, kind === 'live' ? LIVE : NATIVE);
    const text = await kit.ok('drag', { source: `text:Item ${source}`, target: `text:Item ${target}`, position });
    expect(await order()).toBe(is);
    expect(text).toContain(`; ${said}.`);
  });

  it('what is there already is not dragged', async () => {
    await show(kit, NATIVE);
    const text = await kit.ok('drag', { source: 'text:Item A', target: 'text:Item B', position: 'before' });
    expect(text).toMatch(/"Item A" is right before .*"Item B" already: nothing was dragged\.$/);
    expect(await order()).toBe('ABCD');
  });

  it('a list that puts it elsewhere: not_taken, and where it is', async () => {
    await show(kit, NATIVE.replace('item.ondrop = ', 'item.ondrop = () => list.append(held); item.unused = '));
    const call = { source: 'text:Item A', target: 'text:Item C', position: 'before' };
    const { code, text } = await kit.fails('drag', call);
    expect(code).toBe('not_taken');
    expect(text).toMatch(/"Item A" was dragged, but is not before .*"Item C"; it is now 4 of 4, after "Item D"\.\n/);
  });

  it('a page that does not take it: not_taken, and it is where it was', async () => {
    await show(kit, `<ul>${items('li')}</ul>`);
    const { code, text } = await kit.fails('drag', { source: 'text:Item A', target: 'text:Item C', position: 'after' });
    expect([code, text]).toEqual([
      'not_taken',
      expect.stringContaining('; it is where it was: the page did not take it.'),
    ]);
  });
});

describe('16 drag says where the thing ended up', () => {
  it('onto something that does not take it', async () => {
    await show(kit, '<p draggable="true">Apple</p><div style="height: 90px">Basket</div>');
    expect(await kit.ok('drag', { source: 'text:Apple', target: 'text:Basket' })).toMatch(
      /^Dragged .*"Apple" to .*"Basket"; it is where it was: the page did not take it\.$/,
    );
  });

  it('onto something that only notes it', async () => {
    await show(
      kit,
      '<p draggable="true">Apple</p><div style="height: 90px" ondragover="event.preventDefault()" ondrop="out.textContent = `taken`">Basket</div><output id="out"></output>',
    );
    expect(await kit.ok('drag', { source: 'text:Apple', target: 'text:Basket' })).toContain(
      '; it is where it was, though the page has changed.',
    );
  });

  it('a slider: its value; a splitter: how far it moved', async () => {
    await show(
      kit,
      `<label>Heat <input type="range" min="0" max="100" value="20" style="width: 300px"></label>
      <div style="display: flex; height: 80px"><div id="left" style="width: 100px">Left</div><div id="bar" role="separator" tabindex="0" style="width: 8px; background: red"></div><div>Right</div></div>
      <script>bar.onpointerdown = () => { onpointermove = ({ clientX }) => { left.style.width = clientX + 'px'; }; onpointerup = () => { onpointermove = null; }; };</script>`,
    );
    const value = await kit.ok('drag', { source: 'input', offset: { x: 60, y: 0 } });
    expect(value).toMatch(/; its value is now "(\d+)", it was "20"\.$/);
    expect(await kit.ok('drag', { source: '#bar', offset: { x: 50, y: 0 } })).toMatch(/; it moved by \d+, 0\.$/);
  });

  it('to another list: which one', async () => {
    await show(
      kit,
      '<ul id="todo"><li draggable="true">Write</li><li>Paint</li></ul><ul id="done" ondragover="event.preventDefault()" ondrop="done.append(todo.firstElementChild)"><li>Sweep</li></ul>',
    );
    expect(await kit.ok('drag', { source: 'text:Write', target: 'text:Sweep' })).toContain(
      '; it is now 2 of 2 in <ul#done>, after "Sweep".',
    );
  });
});

describe('16 drag with the keyboard', () => {
  const LIST = `<p aria-live="polite" id="said"></p><ul id="list" style="width: 300px">${['A', 'B', 'C', 'D'].map(name => `<li tabindex="0">Item ${name}</li>`).join('')}</ul>`;
  /** As dnd-kit and react-beautiful-dnd do it: Space takes the item up and puts it down, arrows move it. */
  const MOVING = `${LIST}<script>let held; list.onkeydown = ({ code, target }) => {
    if (code === 'Space') { held = held ? undefined : target; said.textContent = held ? 'Picked up' : 'Dropped'; }
    if (held && code === 'ArrowDown') held.nextElementSibling?.after(held);
    if (held && code === 'ArrowUp') held.previousElementSibling?.before(held);
    if (code === 'Escape') document.title = 'put back';
    held?.focus();
  }</script>`;
  /** As React Aria does it: Enter takes it up, the focus goes over the gaps, and Enter puts it there. */
  const GAPS = `${LIST}<script>let held; list.onkeydown = ({ key, target }) => {
    if (key === 'ArrowDown') target.nextElementSibling?.nextElementSibling?.focus();
    if (key === 'ArrowUp') target.previousElementSibling?.previousElementSibling?.focus();
    if (key !== 'Enter') return;
    if (held) { target.before(held); list.querySelectorAll('.gap').forEach(gap => gap.remove()); said.textContent = 'Dropped'; held = undefined; return; }
    held = target; said.textContent = 'Started';
    const gap = () => Object.assign(document.createElement('li'), { className: 'gap', tabIndex: 0 });
    for (const item of [...list.children]) item.before(gap());
    list.append(gap()); list.firstElementChild.focus();
  }</script>`;

  it.each([
    ['arrows move the item', MOVING],
    ['the focus goes from gap to gap', GAPS],
  ])('%s', async (_how, page) => {
    for (const [source, position, target, wanted] of [
      ['A', 'after', 'C', 'BCAD'],
      ['D', 'before', 'B', 'ADBC'],
    ] as const) {
      await show(kit, page);
      const said = await kit.ok('drag', {
        source: `text:Item ${source}`,
        target: `text:Item ${target}`,
        position,
        keyboard: true,
      });
      expect(said).toMatch(/; it is now \d of 4/);
      expect(await order()).toBe(wanted);
    }
  });

  it('a page that takes no keys: told, with the other way; one that does not bring it there: put back', async () => {
    await show(kit, LIST);
    const input = { source: 'text:Item A', target: 'text:Item C', position: 'after', keyboard: true };
    const { code, text } = await kit.fails('drag', input);
    expect([code, text]).toEqual(['not_actionable', expect.stringContaining('is not taken up by Space or Enter')]);
    await show(kit, MOVING.replace("code === 'ArrowDown'", 'false'));
    expect((await kit.fails('drag', { ...input, timeout: 2_500 })).code).toBe('not_taken');
    expect(await js(kit, 'document.title')).toBe('put back');
    expect((await kit.fails('drag', { source: 'text:Item A', offset: { x: 1, y: 1 }, keyboard: true })).code).toBe(
      'bad_input',
    );
  });
});
