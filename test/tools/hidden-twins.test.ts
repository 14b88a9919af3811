// Radio buttons and checkboxes that a page hides behind what it draws instead: clicked through their own labels.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, show } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const CLIPPED = 'position: absolute; width: 1px; height: 1px; clip: rect(0 0 0 0); top: 4px; left: 4px';
/** As widget libraries draw a rating: all inputs lie at one place, below the label of the first star. */
const rating = (style: string): string =>
  `<style>input { ${style} } label { font-size: 40px }</style><div role="radiogroup" style="position: relative">${[
    1, 2, 3,
  ]
    .map(
      n =>
        `<label for="s${n}"><span>★</span></label><input type="radio" name="stars" id="s${n}" value="${n}" aria-label="${n} stars">`,
    )
    .join('')}</div>`;
const chosen = (): Promise<string> => js(kit, `document.querySelector('input:checked')?.value ?? 'none'`);

describe('16 a hidden radio button or checkbox', () => {
  it.each([
    ['clipped away', CLIPPED],
    ['transparent', `${CLIPPED}; clip: auto; opacity: 0`],
  ])('%s, under the label of another one: clicked through its own label', async (_how, style) => {
    await show(kit, rating(style));
    await kit.ok('click', { selector: await kit.ref('radio "3 stars"') });
    expect(await chosen()).toBe('3');
    await kit.ok('check', { selector: await kit.ref('radio "2 stars"') });
    expect(await chosen()).toBe('2');
  });

  it('without a box: check, uncheck and click go through the label', async () => {
    await show(kit, '<label><input type="checkbox" value="1" style="display: none"><b>Loud</b></label>');
    expect(await kit.ok('check', { selector: 'input' })).toMatch(/^Checked /);
    expect(await chosen()).toBe('1');
    await kit.ok('uncheck', { selector: 'input' });
    expect(await chosen()).toBe('none');
    await kit.ok('click', { selector: 'input' });
    expect(await chosen()).toBe('1');
  });

  it('with a hidden label, or one that is covered: told as it is', async () => {
    await show(kit, '<label hidden><input type="checkbox"> Quiet</label>');
    expect((await kit.fails('click', { selector: 'input', timeout: 500 })).text).toContain('is hidden');
    await show(kit, `${rating(CLIPPED)}<div style="position: fixed; inset: 0; background: white">Wait</div>`);
    expect((await kit.fails('click', { selector: '#s3', timeout: 500 })).text).toContain('is covered by <div> "Wait"');
    expect(await chosen()).toBe('none');
  });
});
