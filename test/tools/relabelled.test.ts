// A label that our own action changed, and one that something else changed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, show, textOf } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const counter =
  '<button onclick="this.textContent = [`Pressed`, ++n, `times`].join(` `)">Press me</button><script>var n = 0</script>';

describe('16 a label that our own action changed', () => {
  it('is told with the action, and the ref goes on', async () => {
    await show(kit, counter);
    const ref = await kit.ref('button "Press me"');
    expect(await kit.ok('click', { selector: ref })).toBe(
      `Clicked ${ref} button "Press me"; it is now button "Pressed 1 times".`,
    );
    expect(await kit.ok('click', { selector: ref })).toBe(
      `Clicked ${ref} button "Pressed 1 times"; it is now button "Pressed 2 times".`,
    );
    expect(await textOf(kit, 'button')).toBe('Pressed 2 times');
  });

  it.each([
    ['dblclick', {}, 'Pressed 2 times'],
    ['press', { key: 'Enter' }, 'Pressed 1 times'],
    ['click', { force: true }, 'Pressed 1 times'],
    ['click', { touch: true }, 'Pressed 1 times'],
  ] as const)('by %s %j', async (tool, args, is) => {
    await show(kit, counter);
    const ref = await kit.ref('button "Press me"');
    expect(await kit.ok(tool, { selector: ref, ...args })).toContain(`; it is now button "${is}".`);
    await kit.ok('click', { selector: ref });
  });

  it('when the answer of a server changes it', async () => {
    await kit.open('/api/echo');
    await js(
      kit,
      `document.body.innerHTML = '<button>Like</button>';
      document.querySelector('button').onclick = async ({ target }) => { await (await fetch('/slow?ms=150')).text(); target.textContent = 'Liked'; }; 0`,
    );
    const ref = await kit.ref('button "Like"');
    expect(await kit.ok('click', { selector: ref })).toContain('; it is now button "Liked".');
    await kit.ok('click', { selector: ref });
  });

  it('of a switch whose name says its state, by check and fill', async () => {
    await show(
      kit,
      '<label><input type="checkbox" onchange="words.textContent = checked ? `Sound on` : `Sound off`"> <span id="words">Sound off</span></label>',
    );
    const ref = await kit.ref('checkbox "Sound off"');
    expect(await kit.ok('check', { selector: ref })).toContain('; it is now checkbox "Sound on".');
    expect(await kit.ok('fill', { selector: ref, value: 'false' })).toContain('; it is now checkbox "Sound off".');
    await kit.ok('check', { selector: ref });
  });

  it('is also known when the element was named by a selector', async () => {
    await show(kit, counter);
    const ref = await kit.ref('button "Press me"');
    expect(await kit.ok('click', { selector: 'text:Press me' })).toContain('; it is now button "Pressed 1 times".');
    await kit.ok('click', { selector: ref });
  });

  it('a label that changes without an action on it is refused once, also after one', async () => {
    await show(kit, counter);
    const ref = await kit.ref('button "Press me"');
    await kit.ok('click', { selector: ref });
    await js(kit, 'document.querySelector("button").textContent = "Delete all"; 0');
    const { code, text } = await kit.fails('click', { selector: ref });
    expect([code, text]).toEqual([
      'changed_ref',
      expect.stringContaining(`${ref} was button "Pressed 1 times" and is now button "Delete all"`),
    ]);
    expect(await js(kit, 'n')).toBe('1');
  });
});
