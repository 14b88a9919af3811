// The page's WebSocket: who sees what, pictures that follow the page, and calls as they begin and end.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { poolChrome } from '../../chrome-pool.ts';
import { type Site, startSite } from '../../site/serve.ts';
import { TOKEN } from '../http/here.ts';
import { type LiveSocket, Person } from './person.ts';
import { type ServedView, serveView } from './served-view.ts';

const OTHER = 'another-token-of-the-tests';
const ann = { id: 'ann', rateLimit: 0 };

poolChrome();

let served: ServedView;
let site: Site;
let owner: Person;
let guest: Person;
let live: LiveSocket;

beforeAll(async () => {
  site = await startSite();
  served = await serveView({ http: TOKEN, ann: OTHER });
  owner = await Person.login(served.here.url, TOKEN);
  guest = await Person.login(served.here.url, OTHER);
  live = await owner.connect();
});
afterAll(async () => {
  await served.close();
  await site.close();
});

const page = (html: string) => `data:text/html,${encodeURIComponent(html)}`;
const cards = (socket: LiveSocket) => socket.last('overview')?.sessions ?? [];

describe('a person', () => {
  it('is told who they are and what they may do', async () => {
    const hello = await live.until(() => live.last('hello'));
    expect(hello).toMatchObject({ seq: 1, caller: 'http', rights: ['watch', 'act', 'approve', 'admin'] });
    const other = await guest.connect();
    expect((await other.until(() => other.last('hello'))).rights).toEqual(['watch', 'act']);
    await other.close();
  });

  it('sees sessions come and what runs in them; a guest only its own', async () => {
    await served.call('navigate', { url: page('<title>Owner</title><h1>One</h1>') });
    await served.call('navigate', { url: page('<title>Guest</title><h1>Two</h1>') }, ann);
    const both = await live.until(() =>
      cards(live).filter(({ tabs }) => tabs[0]?.title).length === 2 ? cards(live) : undefined,
    );
    expect(both.map(({ caller, tabs }) => [caller, tabs[0]?.title]).sort()).toEqual([
      ['ann', 'Guest'],
      ['http', 'Owner'],
    ]);
    const other = await guest.connect();
    const own = await other.until(() => (cards(other).length > 0 ? cards(other) : undefined));
    expect(own.map(({ caller }) => caller)).toEqual(['ann']);
    await other.close();
  });

  it('is refused what it may not see, as if it were not there', async () => {
    const [of] = cards(live).filter(({ caller }) => caller === 'http');
    const other = await guest.connect();
    const session = of?.id ?? '';
    for (const message of [
      { type: 'follow', session },
      { type: 'watch', session, tab: 1, watch: 1, size: 'full' },
      { type: 'close', session },
    ] as const)
      expect(await other.request(message)).toMatchObject({ type: 'error', code: 'no_session' });
    expect((await guest.ask(`/view/api/sessions/${session}/calls`)).status).toBe(404);
    await other.close();
  });
});

describe('calls', () => {
  it('are told when they begin and when they end, with text, failure and hint', async () => {
    const session = cards(live).find(({ caller }) => caller === 'http')?.id ?? '';
    await live.request({ type: 'follow', session });
    expect(live.last('calls')?.calls.map(({ tool, state }) => [tool, state])).toEqual([['navigate', 'ok']]);
    await served.call('navigate', { url: page('<button>Save it</button><input aria-label=Name>') });
    const snapshot = await served.call('snapshot');
    const ref = /Save it.*\[ref=(@e\d+)\]/.exec(snapshot.text)?.[1];
    await served.call('click', { selector: ref });
    await served.call('fill', { selector: 'label:Name', value: 'a typed secret' });
    await served.call('click', { selector: 'text:Nowhere', timeout: 300 });
    const calls = () => live.messages.flatMap(one => (one.type === 'calls' ? one.calls : []));
    const failed = await live.until(() => calls().find(({ state }) => state === 'failed'));
    expect(failed).toMatchObject({ tool: 'click', target: 'text:Nowhere', failure: { code: 'not_found' } });
    expect(failed.failure?.hint).toBeTruthy();
    const click = calls().filter(({ tool, target }) => tool === 'click' && target !== 'text:Nowhere');
    expect(click.map(({ state }) => state)).toEqual(['running', 'ok']);
    expect(click[0]?.target).toBe('button "Save it"');
    expect(JSON.stringify(calls().map(({ args }) => args))).not.toContain('a typed secret');
  });

  it('that were refused before they began are told too', async () => {
    const session = cards(live).find(({ caller }) => caller === 'http')?.id ?? '';
    await served.call('click', { slector: 'x' });
    const page = await owner.api('GET sessions/ID/calls', `sessions/${session}/calls?failed=1`);
    expect(page.calls.map(({ failure }) => failure?.code)).toEqual(['not_found', 'bad_input']);
  });
});

it('shows the snapshot that the agent was given, with the places of its elements', async () => {
  const session = cards(live).find(({ caller }) => caller === 'http')?.id ?? '';
  await served.call('navigate', {
    url: page(
      '<body style="margin:0"><button style="position:absolute;left:30px;top:40px;width:50px;height:20px">Here</button>',
    ),
  });
  const { text } = await served.call('snapshot');
  const shown = await live.request({ type: 'look', session, tab: 1 });
  if (shown.type !== 'snapshot') throw new Error(shown.type);
  expect(shown.text).toBe(text);
  const [element] = shown.elements;
  expect(text.split('\n')[element?.line ?? 0]).toContain(`"Here" [ref=${element?.ref}]`);
  expect(element?.box).toEqual({ x: 30, y: 40, width: 50, height: 20 });
});

describe('a hostile page', () => {
  it('is told of as text, whatever it is called and says', async () => {
    const title = `</script><img src=x onerror=alert(1)>"}]`;
    await served.call('navigate', {
      url: page(`<title>${title.replace('<', '&lt;')}</title><script>console.log(document.title)</script>`),
    });
    await live.until(() => cards(live).some(({ tabs }) => tabs[0]?.title === title) || undefined);
  });
});

describe('pictures', () => {
  it('follow the page, the newest first, each only after the one before was drawn', async () => {
    const session = cards(live).find(({ caller }) => caller === 'http')?.id ?? '';
    await served.call('navigate', { url: page('<body style="background:red">') });
    expect(await live.request({ type: 'watch', session, tab: 1, watch: 7, size: 'full' })).toMatchObject({
      type: 'done',
    });
    const first = await live.until(() => live.frames.at(0));
    expect(first).toMatchObject({ watch: 7, frame: 1, width: 1280 });
    expect(first.jpeg.subarray(0, 2).toString('hex')).toBe('ffd8');
    // A page that changes on and on sends nothing more until the first one is drawn.
    await served.call('evaluate', {
      expression:
        'void setInterval(() => { document.body.style.background = "rgb(" + (++count % 255) + ",0,0)"; }, (count = 0, 16))',
    });
    const many = async () => {
      for (let left = 10; left > 0; left--)
        await served.call('evaluate', { expression: 'new Promise(requestAnimationFrame)' });
    };
    await many();
    expect(live.frames).toHaveLength(1);
    live.send({ type: 'drawn', watch: 7, frame: 1 });
    const second = await live.until(() => live.frames.at(1));
    expect(second.time - first.time).toBeGreaterThan(50);
    await live.request({ type: 'unwatch', watch: 7 });
  });

  it('are kept of calls while somebody watches, and are shown to those who may', async () => {
    const session = cards(live).find(({ caller }) => caller === 'http')?.id ?? '';
    await live.request({ type: 'watch', session, tab: 1, watch: 8, size: 'thumb' });
    await live.until(() => live.frames.find(({ watch }) => watch === 8));
    await served.call('navigate', { url: page('<body style="background:green">') });
    const calls = () => live.messages.flatMap(one => (one.type === 'calls' ? one.calls : []));
    const { before, after } = await live.until(() => calls().find(one => one.before && one.after));
    for (const id of [before, after]) {
      const picture = await owner.ask(`/view/api/pictures/${id}`);
      expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/jpeg']);
      expect((await guest.ask(`/view/api/pictures/${id}`)).status).toBe(404);
    }
    await live.request({ type: 'unwatch', watch: 8 });
  });

  it('change nothing that the page can see', async () => {
    const session = cards(live).find(({ caller }) => caller === 'http')?.id ?? '';
    const look =
      'JSON.stringify([innerWidth, innerHeight, devicePixelRatio, document.hasFocus(), document.visibilityState, events])';
    await served.call('navigate', { url: `${site.url}/` });
    await served.call('evaluate', {
      expression: `events = []; for (const name of ['resize', 'focus', 'blur', 'visibilitychange']) { addEventListener(name, () => events.push(name)); document.addEventListener(name, () => events.push(name)); }`,
    });
    const before = (await served.call('evaluate', { expression: look })).text;
    await live.request({ type: 'watch', session, tab: 1, watch: 9, size: 'full' });
    await live.until(() => live.frames.find(({ watch }) => watch === 9));
    const during = (await served.call('evaluate', { expression: look })).text;
    await live.request({ type: 'unwatch', watch: 9 });
    expect([during, (await served.call('evaluate', { expression: look })).text]).toEqual([before, before]);
  });
});
