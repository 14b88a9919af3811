// Truth about elements: what is gone, covered, disabled, hidden or moving is never reported as done, and nothing else is hit.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, show, textOf } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const log = () => textOf(kit, '#log');
const click = (selector: string, more = {}) => kit.ok('click', { selector, ...more });

describe('S1-04 an element that is gone', () => {
  async function staleAtOnce(selector: string): Promise<void> {
    const result = await kit.call('click', { selector });
    expect(result).toMatchObject({ ok: false, failure: { code: 'stale_ref' } });
    expect(result.text).toContain(selector);
    expect(result.text).toMatch(/snapshot/);
    expect(result.ms).toBeLessThan(4_000);
  }

  it.each(['#replace', '#rerender'])(
    'replaced by an equal one (%s): stale at once, the new one is not clicked',
    async how => {
      await kit.open('/replaced.html');
      const ref = await kit.ref('button "Pay"');
      await js(kit, `document.querySelector('${how}').click()`);
      await staleAtOnce(ref);
      expect(await log()).toBe('');
    },
  );

  it('removed: stale at once; the same for fill, hover, check, focus', async () => {
    await kit.open('/removed.html');
    const ref = await kit.ref('button "Here for now"');
    await click('#remove');
    await staleAtOnce(ref);
    for (const [tool, more] of [
      ['fill', { value: 'x' }],
      ['hover', {}],
      ['check', {}],
      ['focus', {}],
      ['select', { value: 'x' }],
    ] as const)
      expect((await kit.fails(tool, { selector: ref, ...more })).code).toBe('stale_ref');
  });

  it.each([
    ['check', '<input type="checkbox" checked aria-label="It">', {}],
    ['fill', '<input type="checkbox" checked aria-label="It">', { value: 'true' }],
    ['select', '<select aria-label="It"><option>A</option></select>', { value: 'A' }],
    ['upload', '<input type="file" aria-label="It">', { files: [{ base64: 'aGk=', name: 'a.txt' }] }],
    ['scroll', '<div tabindex="0" role="group" aria-label="It">x</div>', {}],
    ['press', '<input aria-label="It">', { key: 'a' }],
  ])('%s on an element that scripts still hold but the page does not show: stale', async (tool, html, more) => {
    await show(kit, html);
    const ref = await kit.ref('"It"');
    await js(kit, 'void (window.kept = document.querySelector("[aria-label]")).remove()');
    expect((await kit.fails(tool, { selector: ref, ...more })).code).toBe('stale_ref');
  });

  it('taken out and put back: the same element, the same ref', async () => {
    await kit.open('/removed.html');
    const ref = await kit.ref('button "Here for now"');
    await click('#detach');
    await click(ref);
    expect(await log()).toBe('victim clicked');
  });

  it('removes itself when clicked: done once, stale the second time', async () => {
    await kit.open('/removed.html');
    const ref = await kit.ref('button "Removes itself"');
    await click(ref);
    expect(await log()).toBe('removed itself');
    await staleAtOnce(ref);
  });

  it('replaced while a click waits for it to be enabled: stale soon, the new one is not clicked', async () => {
    await show(kit, '<div><button disabled onclick="log.textContent=\'old\'">Pay</button></div><p id="log"></p>');
    const ref = await kit.ref('button "Pay"');
    await js(
      kit,
      `setTimeout(() => { document.querySelector('div').innerHTML = '<button onclick="log.textContent=1">Pay</button>' }, 150)`,
    );
    const result = await kit.call('click', { selector: ref });
    expect(result).toMatchObject({ ok: false, failure: { code: 'stale_ref' } });
    expect(result.ms).toBeLessThan(4_000);
    expect(await log()).toBe('');
  });

  it('replaced by an equal one as soon as the mouse is over it: the new one is not clicked', async () => {
    await show(
      kit,
      `<div style="width:90px" onmouseover="if(!window.done){done=1;this.innerHTML='<button onclick=log.textContent=1>Pay</button>'}"><button>Pay</button></div><p id="log"></p>`,
    );
    const { code } = await kit.fails('click', { selector: await kit.ref('button "Pay"') });
    expect(code).toBe('stale_ref');
    expect(await log()).toBe('');
  });

  it.each(['navigate', 'reload'])('ref after %s: stale at once', async how => {
    await kit.open('/signup.html');
    const ref = await kit.ref('button "Sign up"');
    await kit.ok(how, how === 'navigate' ? { url: `${kit.site.url}/signup.html?again` } : {});
    await staleAtOnce(ref);
    expect(await kit.ok('url')).toContain('signup.html');
  });

  it('S1-09 a ref that was never given out says so', async () => {
    const { code, text } = await kit.fails('click', { selector: '@e999999' });
    expect(code).toBe('stale_ref');
    expect(text).toMatch(/@e999999 was never given out/);
  });

  it('14.1 S1-09 refs are one count over all tabs: a ref names one element of one tab, and another tab says where it is', async () => {
    await kit.open('/signup.html');
    const ref = await kit.ref('button "Sign up"');
    const [, first] = /^\* (\d+): /m.exec(await kit.ok('tab_list')) ?? [];
    const { tabId } = (await kit.call('tab_new', { url: `${kit.site.url}/rows?n=3` })).data as { tabId: number };
    const there = (await kit.ok('snapshot')).match(/@e\d+/g) ?? [];
    expect(there.length).toBeGreaterThan(0);
    expect(there.map(name => Number(name.slice(2))).every(number => number > Number(ref.slice(2)))).toBe(true);
    const { code, text } = await kit.fails('click', { selector: ref });
    expect([code, text]).toEqual([
      'stale_ref',
      `${ref} (button "Sign up") belongs to tab ${first}; this call is for tab ${tabId}.\nGive tabId ${first}, or go there with tab_switch first.`,
    ]);
    expect(await kit.ok('query', { by: 'role', value: 'button', tabId: Number(first) })).toContain(ref);
    await kit.ok('tab_close', { tabId });
    expect((await kit.fails('click', { selector: there[0] })).text).toContain('no longer on the page');
  });
});

describe('S1-04 a row that a framework gave to other data', () => {
  it('fails first and tells what it is now; then the same ref works', async () => {
    await kit.open('/virtual-list.html');
    const ref = await kit.ref('button "Call 1"');
    await kit.ok('scroll', { selector: '#view', position: { y: 4000 } });
    const { code, text } = await kit.fails('click', { selector: ref });
    expect(code).toBe('changed_ref');
    expect(text).toContain(`${ref} was button "Call 1" and is now button "Call 101"`);
    expect(await log()).toBe('');
    await click(ref);
    expect(await log()).toBe('Call 101');
  });

  it('a snapshot in between also counts as being told', async () => {
    await kit.open('/virtual-list.html');
    const ref = await kit.ref('button "Call 1"');
    await kit.ok('scroll', { selector: '#view', position: { y: 4000 } });
    expect(await kit.ref('button "Call 101"')).toBe(ref);
    await click(ref);
    expect(await log()).toBe('Call 101');
  });

  it.each(['check', 'fill'])('%s on a recycled box that happens to be checked already is not a success', async tool => {
    await show(kit, '<label><input type="checkbox"> <span>Delete A</span></label>');
    const ref = await kit.ref('checkbox "Delete A"');
    await js(
      kit,
      'document.querySelector("span").textContent = "Delete B"; document.querySelector("input").checked = true',
    );
    expect((await kit.fails(tool, { selector: ref, ...(tool === 'fill' ? { value: 'true' } : {}) })).code).toBe(
      'changed_ref',
    );
  });

  it('what a field holds and whether a box is checked do not count as another element', async () => {
    await show(kit, '<label>Name <input></label><label><input type="checkbox"> Yes</label>');
    const [name, box] = [await kit.ref('textbox "Name"'), await kit.ref('checkbox "Yes"')];
    await kit.ok('fill', { selector: name, value: 'Ada' });
    await kit.ok('fill', { selector: name, value: 'Grace' });
    await kit.ok('check', { selector: box });
    await kit.ok('uncheck', { selector: box });
  });
});

describe('S1-29 covered', () => {
  it('names what covers it, and nothing is clicked', async () => {
    await kit.open('/covered.html');
    const { code, text } = await kit.fails('click', { selector: await kit.ref('"Under glass"'), timeout: 1_500 });
    expect(code).toBe('not_actionable');
    expect(text).toMatch(/is covered by <div#glass\.glass>\. Nothing was done\./);
    expect(await log()).toBe('');
  });

  it('half covered, or under something that lets clicks through: clicked', async () => {
    await kit.open('/covered.html');
    for (const id of ['halfway', 'through']) {
      await click(`#${id}`);
      expect(await log()).toBe(`Clicked ${id}`);
    }
  });

  it('waits until the cover goes', async () => {
    await kit.open('/covered.html');
    await js(kit, 'setTimeout(() => document.getElementById("glass").remove(), 200)');
    await click('#under');
    expect(await log()).toBe('Clicked under');
  });

  it('a cookie banner over the page: not a success, names the banner; answered, the click works', async () => {
    await kit.open('/cookie-banner.html');
    const story = await kit.ref('button "More news"');
    const { code, text } = await kit.fails('click', { selector: story, timeout: 1_500 });
    expect(code).toBe('not_actionable');
    expect(text).toMatch(/covered by <div\.veil>/);
    expect(await log()).toBe('');
    await click(await kit.ref('"Accept all"'));
    await click(story);
    expect(await log()).toBe('More news loaded');
  });

  it('a banner that comes up under the moving mouse does not swallow a click that is then reported', async () => {
    await show(
      kit,
      `<button onclick="log.textContent='clicked'">Buy</button><p id="log"></p><script>addEventListener('mousemove', () => {
      if (!document.getElementById('cover')) document.body.insertAdjacentHTML('beforeend', '<div id="cover" style="position:fixed;inset:0">Cookies?</div>') })</script>`,
    );
    const { code, text } = await kit.fails('click', { selector: 'text:Buy', timeout: 1_500 });
    expect(code).toBe('not_actionable');
    expect(text).toContain('<div#cover> "Cookies?"');
    expect(await log()).toBe('');
  });

  it('a frame under a cover', async () => {
    await show(
      kit,
      '<div style="position:fixed;inset:0" id="lid"></div><iframe srcdoc="<button onclick=this.textContent=1>In a frame</button>"></iframe>',
    );
    const { code, text } = await kit.fails('click', { selector: await kit.ref('"In a frame"'), timeout: 1_500 });
    expect(code).toBe('not_actionable');
    expect(text).toContain('<div#lid>');
  });
});

describe('S1-29 disabled, hidden, read-only', () => {
  it.each([
    'Disabled button',
    'Only said to be disabled',
    'Inside too',
    'Disabled by role',
    'In a disabled toolbar',
    'Disabled link',
  ])('click on %s', async name => {
    await kit.open('/disabled.html');
    const { code, text } = await kit.fails('click', { selector: await kit.ref(`"${name}"`), timeout: 1_500 });
    expect(code).toBe('not_actionable');
    expect(text).toMatch(new RegExp(`"${name}" is disabled\\. Nothing was done\\.`));
  });

  it.each([
    ['fill', 'label:Disabled field', { value: 'x' }],
    ['fill', 'label:Inside', { value: 'x' }],
    ['uncheck', 'label:Disabled box', {}],
    ['select', 'select', { index: 0 }],
    ['clear', 'textarea', {}],
    ['focus', 'textarea', {}],
  ])('%s on %s', async (tool, selector, more) => {
    await kit.open('/disabled.html');
    const { code, text } = await kit.fails(tool, { selector, timeout: 1_500, ...more });
    expect(code).toBe('not_actionable');
    expect(text).toContain('is disabled');
  });

  it.each(['none', 'attribute', 'visibility', 'zero', 'in-details'])('hidden: #%s', async id => {
    await kit.open('/hidden.html');
    const { code, text } = await kit.fails('click', { selector: `#${id}`, timeout: 1_500 });
    expect(code).toBe('not_actionable');
    expect(text).toMatch(/is hidden\. Nothing was done\./);
  });

  it.each(['clipped', 'outside'])('hidden: #%s can never be in view', async id => {
    await kit.open('/hidden.html');
    const { code, text } = await kit.fails('click', { selector: `#${id}`, timeout: 1_500 });
    expect(code).toBe('not_actionable');
    expect(text).toMatch(/hidden|cannot be scrolled into view|covered by/);
  });

  it.each(['label:Number', 'label:Note', 'label:Date', 'role:textbox[name="Customer"]'])(
    'S1-32 read-only: %s, told at once',
    async selector => {
      await kit.open('/readonly.html');
      const result = await kit.call('fill', { selector, value: '2024-02-02' });
      expect(result).toMatchObject({ ok: false, failure: { code: 'not_actionable' } });
      expect(result.text).toContain('is read-only');
      expect(result.ms).toBeLessThan(4_000);
    },
  );
});
