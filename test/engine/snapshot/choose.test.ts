// Snapshots of pages that are larger than the budget: what matters is shown, and what is left out is one call away.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../../kit.ts';
import { js, show } from '../../tools/page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

/** A machine may be busy with other tests. */
const snapshot = (args = {}) => kit.ok('snapshot', { timeout: 60_000, ...args });
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

const ROWS = 5_000;
const table = `<h1>Orders</h1><table aria-label="Orders"><tr><th>Number<th>Customer<th></tr>${numbers(ROWS)
  .map(n => `<tr><td>Order ${n}<td>Customer ${n * 7}<td><button>Open ${n}</button></tr>`)
  .join('')}</table><h2>Help</h2><button>Contact us</button>`;

/** Too long for an address. */
const showLarge = async (body: string) => {
  await show(kit, '');
  await js(kit, `document.body.innerHTML = ${JSON.stringify(body)}; true`);
};

describe('a table of 5 000 rows', () => {
  it('names its size, shows the first, the last and those in view, and all headings', async () => {
    await showLarge(table);
    await js(kit, 'scrollTo(0, document.documentElement.scrollHeight / 2)');
    const text = await snapshot();
    expect(text.length).toBeLessThanOrEqual(25_000);
    expect(text).toMatch(/- table "Orders" \[ref=@e\d+\] \[5001 rows\]/);
    for (const n of [1, 10, ROWS - 1, ROWS]) expect(text).toContain(`"Order ${n} | Customer ${n * 7}`);
    for (const name of ['heading "Orders"', 'heading "Help"', 'button "Contact us"']) expect(text).toContain(name);
    const inView = await js(kit, `document.elementFromPoint(60, 300).closest('tr').cells[0].textContent`);
    expect(text).toContain(`"${inView} | `);
    expect(text).toMatch(/… \d+ more rows: snapshot selector=@e\d+ offset=20/);
    expect(text).toMatch(/… \d+ of \d+ elements not shown \(limit 25000 characters\)/);
  }, 120_000);

  it('the ref of row 2 500 is two calls away: by its offset, or by what it says', async () => {
    await showLarge(table);
    const selector = /\[ref=(@e\d+)\] \[5001 rows\]/.exec(await snapshot())?.[1];
    const rows = await snapshot({ selector, offset: 2_490 });
    expect(rows).toMatch(/button "Open 2500" \[ref=@e\d+\]/);
    expect(rows).toMatch(/… 2490 more rows: snapshot selector=@e\d+ offset=0\n/);
    expect(rows).toMatch(/… 2461 more rows: snapshot selector=@e\d+ offset=2540\n/);
    expect(await kit.ok('find', { text: 'Open 2500' })).toMatch(/button "Open 2500" \[ref=@e\d+\]/);
    expect((await kit.fails('snapshot', { selector, offset: 6_000 })).code).toBe('not_found');
  }, 120_000);
});

it('controls of several roles that take turns are no rows: they are shown as far as there is room', async () => {
  await showLarge(
    numbers(1_000)
      .map(n => `<label>Field ${n} <input></label><button>Save ${n}</button>`)
      .join(''),
  );
  const text = await snapshot();
  expect(text).not.toContain('more rows');
  for (const n of [1, 20, 100]) expect(text).toContain(`button "Save ${n}"`);
}, 60_000);

describe('what is in view', () => {
  const LONG = numbers(400)
    .map(n => `<p>Paragraph ${n}: ${'words '.repeat(15)}</p>`)
    .join('');
  const page = `${LONG}<section aria-label="Middle"><p id="here">What is seen</p><button>Here</button></section>${LONG}<h2>End</h2><button>Last</button>`;

  it('comes first, then what can be acted on and headings', async () => {
    await showLarge(page);
    await js(kit, `document.querySelector('#here').scrollIntoView({ block: 'center' })`);
    const text = await snapshot({ max_chars: 6_000 });
    for (const name of ['What is seen', 'button "Here"', 'heading "End"', 'button "Last"'])
      expect(text).toContain(name);
    expect(text.length).toBeLessThanOrEqual(6_000);
  });

  it('is all that scope: "view" shows', async () => {
    await showLarge(page);
    await js(kit, `document.querySelector('#here').scrollIntoView({ block: 'center' })`);
    const text = await snapshot({ scope: 'view' });
    expect(text).toContain('button "Here"');
    expect(text).not.toContain('button "Last"');
    expect(text).not.toContain('Paragraph 200:');
    expect(text).toMatch(/… \d+ of 805 elements not shown: out of view\.$/);
  });
});

describe('a dialog', () => {
  const MODAL = `<main><button>Behind</button></main><div role="dialog" aria-modal="true" aria-label="Sure?"><button>Yes</button></div>`;

  it('that is modal stands before the rest of the page', async () => {
    await show(kit, MODAL);
    const text = await snapshot();
    expect(text.indexOf('button "Yes"')).toBeLessThan(text.indexOf('button "Behind"'));
  });

  it('is all that scope: "dialog" shows', async () => {
    await show(kit, MODAL);
    const text = await snapshot({ scope: 'dialog' });
    expect(text).toContain('button "Yes"');
    expect(text).not.toContain('button "Behind"');
    await show(kit, '<p>None</p>');
    expect(await kit.fails('snapshot', { scope: 'dialog' })).toMatchObject({ code: 'not_found' });
  });
});
