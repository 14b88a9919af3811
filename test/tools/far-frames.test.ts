// Elements in frames that are out of view, scrolled, nested in other sites, zoomed or turned: clicked where they are.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const button = '<button onclick="this.textContent = `Done`">Go</button>';
const far = '<div style="height: 2000px">Above</div>';

/** A page of the site, or of the other one, with that body. */
const page = (site: 'here' | 'there', body: string): string =>
  `${site === 'here' ? kit.site.url : kit.site.otherSiteUrl}/html?of=${encodeURIComponent(`<!doctype html>${body}`)}`;
const frame = (url: string, style = ''): string =>
  `<iframe style="${style}" src="${url.replaceAll('"', '%22')}"></iframe>`;

/** Each has a button Go in its innermost frame. */
const PAGES: Record<string, () => string> = {
  'below the fold': () => far + frame(page('there', button)),
  'below the fold, and below that of the frame': () => far + frame(page('there', far + button)),
  'taller than the window': () => frame(page('there', far + button), 'height: 3000px'),
  'in a box that scrolls': () =>
    `<div style="height: 200px; overflow: auto">${far}${frame(page('there', button))}${far}</div>${far}`,
  'nested in frames of other sites': () =>
    far + frame(page('there', far + frame(page('here', far + button)) + far), 'height: 500px'),
  'nested in a frame of the same site': () => far + frame(page('here', far + frame(page('there', far + button)))),
  scaled: () => far + frame(page('there', far + button), 'transform: scale(0.5); border: 7px solid; padding: 11px'),
  turned: () => far + frame(page('there', far + button), 'transform: rotate(30deg); padding: 20px'),
  'turned around': () => `<div style="rotate: 180deg">${frame(page('there', far + button), 'scale: 1.5 0.7')}</div>`,
  zoomed: () =>
    `<div style="zoom: 1.5">${far}${frame(page('there', far + button), 'zoom: 1.2; border: 5px solid')}</div>`,
};

describe('16 a frame of another site', () => {
  it.each(Object.keys(PAGES))('%s', async name => {
    await kit.open(page('here', PAGES[name]!()));
    const ref = await kit.ref('button "Go"');
    expect(await kit.ok('click', { selector: ref })).toContain('it is now button "Done"');
  });

  it('that something covers: says so, without the text of scripts', async () => {
    const cover =
      '<div style="position: fixed; inset: 0; background: white">Cookies<script>var secret = "of a script"</script><style>b { color: red }</style></div>';
    await kit.open(page('here', far + frame(page('there', button)) + cover));
    const { code, text } = await kit.fails('click', { selector: await kit.ref('button "Go"'), timeout: 1_000 });
    expect(code).toBe('not_actionable');
    expect(text).toContain('is covered by <div> "Cookies". Nothing was done.');
  });
});
