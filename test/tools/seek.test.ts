// Lists of which only some is in the document, and lists that grow: scrolled on until a text is shown.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, show, textOf } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

/** Ten more entries each time its end is in view, after a moment; sixty in all. */
const FEED = `<h1>News</h1><ol id="feed"></ol><p id="end">Loading</p><script>
  const more = () => {
    for (let n = 0; n < 10; n++) feed.insertAdjacentHTML('beforeend', '<li style="height: 90px">Story ' + (feed.children.length + 1) + '</li>');
    if (feed.children.length >= 60) { watch.disconnect(); end.textContent = 'No more'; }
  };
  const watch = new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) setTimeout(more, 200); });
  more();
  watch.observe(end);
</script>`;

const inView = (words: string): Promise<string> =>
  js(
    kit,
    `(() => { const el = [...document.querySelectorAll('li, [role=listitem]')].find(one => one.textContent.includes(${JSON.stringify(words)})); const box = el.getBoundingClientRect(); return document.elementFromPoint(box.left + 5, box.top + box.height / 2) === el || el.contains(document.elementFromPoint(box.left + 5, box.top + box.height / 2)); })()`,
  );

describe('16 scroll to a text that is not in the document yet', () => {
  it('a virtual list, by its ref: found, in view, and its ref works', async () => {
    await kit.open('/virtual-list.html');
    const text = await kit.ok('scroll', { selector: await kit.ref('list "Contacts"'), text: 'contact 300' });
    expect(text).toMatch(/^Scrolled to it\.\n/);
    expect(await inView('Contact 300')).toBe('true');
    const ref = /button "Call 300" \[ref=(@e\d+)\]/.exec(text)?.[1];
    await kit.ok('click', { selector: ref });
    expect(await textOf(kit, '#log')).toBe('Call 300');
    await kit.ok('scroll', { selector: '#view', text: 'Contact 290', direction: 'up' });
    expect(await inView('Contact 290')).toBe('true');
  });

  it('a virtual list that is not named: the page and the lists in it are scrolled', async () => {
    await kit.open('/virtual-list.html');
    expect(await kit.ok('scroll', { text: 'Contact 120' })).toContain('button "Call 120"');
    expect(await inView('Contact 120')).toBe('true');
  });

  it('a page that grows: found; and told when its end is reached', async () => {
    await show(kit, FEED);
    expect(await kit.ok('scroll', { text: 'Story 47' })).toMatch(/^Scrolled to it\.\n(.*\n)?.*Story 47/);
    expect(await inView('Story 47')).toBe('true');
    const { code, text } = await kit.fails('scroll', { text: 'Story 61' });
    expect(code).toBe('not_found');
    expect(text).toMatch(/^"Story 61" did not come up: the page was scrolled to its end\.\n/);
    expect(await js(kit, 'feed.children.length')).toBe('60');
  });

  it('what is shown already is only brought into view', async () => {
    await show(kit, `<p style="height: 3000px">Top</p><ul><li>Bottom</li></ul>`);
    expect(await kit.ok('scroll', { text: 'Bottom' })).toMatch(/listitem \[ref=@e\d+\]: "Bottom"/);
    expect(await inView('Bottom')).toBe('true');
  });

  it('find says how to look further', async () => {
    await kit.open('/virtual-list.html');
    const list = await kit.ref('list "Contacts"');
    expect(await kit.ok('find', { text: 'Contact 300' })).toBe(
      `Nothing shown on the page has "Contact 300". ${list} list "Contacts" scrolls: scroll it with text to look further.`,
    );
  });
});

describe('16 read gathers rows that are not in the document yet', () => {
  /** Only the rows in view are made; `row` gives the HTML of one, with its place. */
  const virtual = (row: string, more = ''): string => `<h1>Stock</h1>${more}
    <div id="view" role="grid" aria-label="Stock" style="height: 200px; overflow: auto"><div id="all" style="position: relative; height: 6000px"></div></div><script>
    const draw = () => { const first = Math.max(0, Math.floor(view.scrollTop / 30) - 1);
      all.innerHTML = ''; for (let n = Math.min(199, first + 9); n >= first; n--) all.insertAdjacentHTML('beforeend', (${row})(n)); };
    view.addEventListener('scroll', draw); draw();</script>`;
  const PLACED = `style="position: absolute; height: 30px; top: \${n * 30}px"`;

  it('a grid whose rows have numbers, in any order and in two parts: a table with heads, up to the number asked for', async () => {
    const row = `n => \`<div role="row" row-index="\${n}" ${PLACED}><span role="gridcell">Part \${n}</span></div><div role="row" row-index="\${n}" ${PLACED}><span role="gridcell">\${n % 3} | kg</span></div>\``;
    await show(
      kit,
      virtual(row).replace(
        '<div id="all"',
        '<div role="row"><b role="columnheader">Name</b><b role="columnheader">Weight</b></div><div id="all"',
      ),
    );
    await js(kit, 'view.scrollTop = 900');
    const lines = (await kit.ok('read', { rows: 120 })).split('\n');
    expect(lines.slice(0, 4)).toEqual([
      '| Name | Weight |',
      '| --- | --- |',
      '| Part 0 | 0 \\| kg |',
      '| Part 1 | 1 \\| kg |',
    ]);
    expect(lines[121]).toBe('| Part 119 | 2 \\| kg |');
    expect(lines.slice(122)).toEqual(['', '[120 rows; there may be more.]']);
    expect(await js(kit, 'view.scrollTop')).toBe('900');
  });

  it('a list without numbers, equal rows and all: by their places, to its end', async () => {
    await show(kit, virtual(`n => \`<div role="row" ${PLACED}>Row \${n >> 1}</div>\``));
    const lines = (await kit.ok('read', { rows: 500, selector: await kit.ref('grid "Stock"') })).split('\n');
    expect(lines.slice(0, 200)).toEqual(Array.from({ length: 200 }, (_, n) => `- Row ${n >> 1}`));
    expect(lines.at(-1)).toBe('[200 rows: there are no more.]');
  });

  it('a page that grows: as many as asked for, though they come late', async () => {
    await show(kit, FEED);
    const lines = (await kit.ok('read', { rows: 35 })).split('\n');
    expect(lines.slice(0, 35)).toEqual(Array.from({ length: 35 }, (_, n) => `- Story ${n + 1}`));
  });

  it('no rows: says so', async () => {
    await show(kit, '<p>Nothing here</p>');
    expect((await kit.fails('read', { rows: 5 })).text).toMatch(/^There are no rows in it\.\n/);
  });
});
