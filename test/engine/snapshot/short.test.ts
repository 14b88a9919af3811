// The style "short": what the tree says, with the same refs and names, in at most 0.7 of its characters.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Kit, startKit } from '../../kit.ts';
import { pageNames } from '../../site/serve.ts';
import { show } from '../../tools/page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const short = async (body: string): Promise<string[]> => {
  await show(kit, body);
  const text = await kit.ok('snapshot', { style: 'short' });
  return text.replaceAll(/@e\d+/g, '@eN').split('\n').slice(1);
};

it('refs, roles and names first, states as words, one blank for each level', async () => {
  expect(
    await short(`<main><h2>Hello</h2><p>Say "hi": now</p><form aria-label="Greeting"><button>Greet</button><button disabled>Stop, all</button>
      <input aria-label="Name" value="Ada" required><select aria-label="Size"><option>S<option selected>M</select></form></main>`),
  ).toEqual([
    'main',
    ' @eN h2 Hello',
    ' : Say "hi": now',
    ' @eN form Greeting',
    '  @eN button Greet',
    '  @eN button "Stop, all", disabled',
    '  @eN textbox Name, required, value=Ada',
    '  @eN combobox Size, value=M, options S|M',
  ]);
});

it('rows say once what they are, long urls are cut to host and last part', async () => {
  const url = `https://shop.example/${'path/'.repeat(20)}end?q=1`;
  expect(await short(`<ul><li>One</li><li>Two <a href="#">more</a></li></ul><p>See ${url} there</p>`)).toEqual([
    'list',
    ' listitem: One',
    ' -: Two more',
    '  @eN link more',
    ': See shop.example/…/end there',
  ]);
});

it('the option --snapshot-style makes it the usual one', async () => {
  const other = await startKit('--snapshot-style', 'short');
  await show(other, '<button>Greet</button>');
  expect(await other.ok('snapshot')).toMatch(/\n@e1 button Greet$/);
  expect(await other.ok('snapshot', { style: 'tree' })).toContain('- button "Greet" [ref=@e1]');
  await other.close();
});

const REF = /@e\d+/g;
const refIn = (line: string): string | undefined => line.match(REF)?.[0];

/** Opens a native dialog, behind which nothing can be read. */
const UNREADABLE = ['dialogs.html'];

it('over all pages of the site: at most 0.7 of the characters of the tree, with the same refs and names', async () => {
  const sums = { pages: 0, tree: 0, short: 0 };
  for (const name of pageNames.filter(page => !UNREADABLE.includes(page))) {
    await kit.open(`/${name}`);
    const tree = await kit.ok('snapshot');
    const brief = await kit.ok('snapshot', { style: 'short' });
    // Some pages change by themselves: what is said of two moments cannot be compared.
    if (tree !== (await kit.ok('snapshot'))) continue;
    sums.pages++;
    sums.tree += tree.length;
    sums.short += brief.length;
    expect(brief.match(REF), name).toEqual(tree.match(REF));
    const lines = new Map(brief.split('\n').map(line => [refIn(line), line]));
    for (const [, said = '', ref = ''] of tree.matchAll(/"((?:[^"\\]|\\.)*)" \[ref=(@e\d+)\]/g))
      expect(lines.get(ref), name).toContain(said);
  }
  console.log('characters of the pages', sums, (sums.short / sums.tree).toFixed(3));
  expect(sums.pages).toBeGreaterThan(90);
  expect(sums.short / sums.tree).toBeLessThanOrEqual(0.7);
}, 120_000);
