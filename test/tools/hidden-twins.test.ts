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

  it('without a label: clicked through what is drawn around it alone', async () => {
    const star = (n: number): string =>
      `<div onclick="this.querySelector('input').checked = true" style="display: inline-block; position: relative"><span><input type="radio" name="stars" value="${n}" aria-label="${n} stars"></span><svg width="40" height="40" style="position: relative"><circle cx="20" cy="20" r="20" /></svg></div>`;
    await show(kit, `<style>input { ${CLIPPED} }</style>${[1, 2, 3].map(star).join('')}`);
    await kit.ok('click', { selector: await kit.ref('radio "2 stars"') });
    expect(await chosen()).toBe('2');
    // Beside another control it is not told whose place that is.
    await show(
      kit,
      `<style>input { ${CLIPPED} }</style><div>${star(1)}${star(2)}</div>`.replaceAll(/<\/?div[^>]*inline[^>]*>/g, ''),
    );
    expect((await kit.fails('click', { selector: 'input[value="2"]', timeout: 500 })).code).toBe('not_actionable');
  });

  it('with a hidden label, or one that is covered: told as it is', async () => {
    await show(kit, '<label hidden><input type="checkbox"> Quiet</label>');
    expect((await kit.fails('click', { selector: 'input', timeout: 500 })).text).toContain('is hidden');
    await show(kit, `${rating(CLIPPED)}<div style="position: fixed; inset: 0; background: white">Wait</div>`);
    expect((await kit.fails('click', { selector: '#s3', timeout: 500 })).text).toContain('is covered by <div> "Wait"');
    expect(await chosen()).toBe('none');
  });
});

describe('16 fields that a page draws itself', () => {
  it("the field of a code editor is clicked through the editor's text", async () => {
    const lines = '<div style="position: absolute; inset: 0; background: white">const a = 1</div>';
    await show(
      kit,
      `<div class="CodeMirror" style="position: relative; width: 300px; height: 80px" onclick="field.focus()"><div><textarea id="field" aria-label="Code" style="width: 1px; height: 1em"></textarea></div>${lines}</div>`,
    );
    await kit.ok('click', { selector: await kit.ref('textbox "Code"') });
    expect(await js(kit, 'document.activeElement.id')).toBe('field');
  });

  it('the field inside a web component is called by the label of the component', async () => {
    const script = `customElements.define('my-box', class extends HTMLElement {
      static formAssociated = true;
      constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<input type="checkbox">'; }
    })`;
    await show(kit, `<label>Fenced <my-box></my-box></label><script>${script}</script>`);
    await kit.ok('click', { selector: await kit.ref('checkbox "Fenced"') });
    expect(await js(kit, `document.querySelector('my-box').shadowRoot.querySelector('input').checked`)).toBe('true');
  });
});
