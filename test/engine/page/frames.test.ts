// Frames that move between processes, nest, come back from the back/forward cache, crash and go: each is listed, read and reached where it is.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Kit, startKit } from '../../kit.ts';
import { otherBrowser } from '../../other-browser.ts';
import { frame, frameRows, pageAt, showsFrames, type Where } from './far-and-near.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit('--chrome-arg=--site-per-process');
});
afterAll(() => kit.close());

const at = (where: Where, title: string, body = ''): string => pageAt(kit, where, title, body);
const script = (expression: string): Promise<string> => kit.ok('evaluate', { expression });
const go = (url: string): Promise<string> => script(`document.querySelector('iframe').src = ${JSON.stringify(url)}; 1`);

describe('a frame', () => {
  it('moves from the process of its page to another site, to a third, and back; it is the same frame', async () => {
    await kit.open(at('here', 'Top', frame(at('here', 'A', frame(at('here', 'In A'))))));
    await showsFrames(kit, ['Top', '  A', '    In A']);
    const [, { id } = { id: '' }] = await frameRows(kit);
    await go(at('there', 'B', frame(at('there', 'In B'))));
    await showsFrames(kit, ['Top', '  B', '    In B']);
    await go(at('elsewhere', 'C', frame(at('here', 'In C'))));
    await showsFrames(kit, ['Top', '  C', '    In C']);
    await go(at('here', 'D', frame(at('elsewhere', 'In D'))));
    await showsFrames(kit, ['Top', '  D', '    In D']);
    await go(at('here', 'E'));
    await showsFrames(kit, ['Top', '  E']);
    expect((await frameRows(kit))[1]?.id).toBe(id);
  });

  it.each<[string, Where]>([
    ['in the process of its page', 'here'],
    ['in another process', 'there'],
  ])('%s goes with what is inside it when it is removed', async (_, where) => {
    await kit.open(at('here', 'Top', frame(at(where, 'A', frame(at('elsewhere', 'In A'))))));
    await showsFrames(kit, ['Top', '  A', '    In A']);
    await script("document.querySelector('iframe').remove()");
    await showsFrames(kit, ['Top']);
  });

  it('inside others of other sites is reached at any depth', async () => {
    const innermost = at('there', 'Four', '<button onclick="this.textContent = `Pressed`">Press</button>');
    const three = at('here', 'Three', frame(innermost));
    await kit.open(at('here', 'One', frame(at('there', 'Two', frame(three)))));
    await showsFrames(kit, ['One', '  Two', '    Three', '      Four']);
    await kit.ok('click', { selector: await kit.ref('button "Press"') });
    expect(await kit.ok('snapshot')).toContain('button "Pressed"');
  });

  it('in a sandbox of the same site is reached', async () => {
    await kit.open(at('here', 'Top', `<iframe sandbox="allow-scripts" src="${at('here', 'Boxed')}"></iframe>`));
    await showsFrames(kit, ['Top', '  Boxed']);
  });

  it('that is exchanged again and again leaves nothing behind', async () => {
    await kit.open(at('here', 'Top', frame(at('here', 'First'))));
    for (let turn = 0; turn < 10; turn++)
      await go(at(turn % 2 === 0 ? 'there' : 'here', `Turn ${turn}`, frame(at('elsewhere', 'In'))));
    await go(at('there', 'Last'));
    await showsFrames(kit, ['Top', '  Last']);
    const tab = kit.server.list()[0]?.context.active;
    expect(tab?.tree.sessions()).toHaveLength(2);
  });

  it('of the page before is not there when the page goes to another site', async () => {
    await kit.open(at('here', 'Top', frame(at('there', 'A', frame(at('elsewhere', 'In A'))))));
    await showsFrames(kit, ['Top', '  A', '    In A']);
    await kit.open(at('there', 'Next', frame(at('here', 'B'))));
    await showsFrames(kit, ['Next', '  B']);
  });

  it('that has crashed holds up no call; the rest of the page is read and used, and it comes back with its next page', async () => {
    await kit.open(at('here', 'Top', `<button>Go on</button>${frame(at('there', 'A'))}`));
    await showsFrames(kit, ['Top', '  A']);
    const tab = kit.server.list()[0]?.context.active;
    const crashed = tab?.tree.sessions()[1]?.cdp.send('Page.crash');
    await expect(crashed).rejects.toMatchObject({ isTargetGone: true });
    const { ok, text, ms } = await kit.call('snapshot');
    expect([ok, text]).toEqual([true, expect.stringContaining('button "Go on"')]);
    expect(ms).toBeLessThan(5_000);
    await go(at('there', 'Again'));
    await showsFrames(kit, ['Top', '  Again']);
  });
});

it('pages from the back/forward cache bring their frames along, and take them away again', async () => {
  const browser = await otherBrowser('--site-per-process');
  onTestFinished(() => browser.end());
  const own = await startKit('--cdp-endpoint', browser.endpoint);
  onTestFinished(() => own.close());
  const one = pageAt(own, 'here', 'One', frame(pageAt(own, 'there', 'Far')) + frame(pageAt(own, 'here', 'Near')));
  const two = pageAt(own, 'here', 'Two', frame(pageAt(own, 'elsewhere', 'Third')));
  await own.open(one);
  await showsFrames(own, ['One', '  Far', '  Near']);
  await own.ok('evaluate', {
    expression: "onpageshow = event => { document.body.append('cached: ' + event.persisted) }; 1",
  });
  await own.open(two);
  await showsFrames(own, ['Two', '  Third']);
  await own.ok('back');
  await showsFrames(own, ['One', '  Far', '  Near']);
  expect(await own.ok('read')).toContain('cached: true');
  await own.ok('forward');
  await showsFrames(own, ['Two', '  Third']);
});
