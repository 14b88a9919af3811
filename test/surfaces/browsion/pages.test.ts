// S4-21 End to end: what an agent does with the pages of one profile, over plain HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dimensionsOf } from '../../../src/engine/media/fit.ts';
import { type Browser, browserOf } from './journey.ts';
import { type Lab, startLab } from './lab.ts';
import { Service } from './service.ts';

let service: Service;
let lab: Lab;
let browser: Browser;

beforeAll(async () => {
  lab = await startLab();
  service = await new Service({ flags: ['--port', '0', '--timeout-action', '2500'] }).ready();
  await service.launch('main');
  browser = browserOf(service, 'main');
}, 60_000);
afterAll(async () => {
  await service?.stop();
  lab?.close();
});

interface Tab {
  id: string;
  url: string;
  active: boolean;
}
const tabs = () => browser.look<Tab[]>('tabs');
const closeOthers = async () => {
  for (const { id, active } of await tabs()) if (!active) await browser.ask('tabs/close', { target_id: id });
};
const open = (path: string) => browser.open(lab.url + path);
const title = async () => (await browser.look<{ title: string }>('title')).title;

describe('S4-20 a link that opens a tab', () => {
  const goOn = async (target_id: string) => {
    await browser.ask('tabs/switch', { target_id });
    await expect.poll(async () => (await browser.look('page_state')).title).toBe('Two');
    await closeOthers();
  };

  it('the wait is sent first', async () => {
    await open('/lab');
    const waiting = browser.ask<{ target_id: string }>('wait_for_new_tab', { timeout_ms: 20_000 });
    await browser.ask('click_ref', { ref_id: await browser.ref('New tab') });
    await goOn((await waiting).target_id);
  });

  it('the click is sent first', async () => {
    await open('/lab');
    const { opened } = await browser.ask<{ opened: { target_id: string } }>('click', { selector: '#new' });
    const { target_id } = await browser.ask<{ target_id: string }>('tabs/wait_new', { timeout_ms: 20_000 });
    expect(target_id).toBe(opened.target_id);
    expect((await browser.post('tabs/wait_new', { timeout_ms: 500 })).status).toBe(504);
    await goOn(target_id);
  });

  it('both are sent at once', async () => {
    await open('/lab');
    const [{ target_id }] = await Promise.all([
      browser.ask<{ target_id: string }>('wait_for_new_tab', { timeout_ms: 20_000 }),
      browser.ask('click', { selector: '#new' }),
    ]);
    await goOn(target_id);
  });

  it('no tab comes: the wait says so in time', async () => {
    const { status, body } = await browser.post('wait_for_new_tab', { timeout_ms: 500 });
    expect(status).toBe(504);
    expect(body).toMatchObject({ error: 'timeout', message: expect.stringContaining('new tab') });
  });

  it('S4-09 each tab keeps its refs; the console is one for all tabs', async () => {
    await open('/lab');
    const [first] = await tabs();
    const ref = await browser.ref('Button');
    await browser.js('console.log("in the first")');
    await browser.ask('tabs/new', { url: `${lab.url}/two` });
    expect((await browser.post('click_ref', { ref_id: ref })).status).toBe(410);
    expect(JSON.stringify(await browser.look('console'))).toContain('in the first');
    await browser.ask('tabs/switch', { target_id: first?.id });
    expect(await browser.ask('click_ref', { ref_id: ref })).toMatchObject({ ok: true });
    await closeOthers();
  });
});

describe('S4-16 navigation', () => {
  it('networkidle waits for requests that begin after the load', async () => {
    const url = `${lab.url}/calm`;
    expect(await browser.ask('navigate_wait', { url, wait_until: 'load' })).toMatchObject({ title: 'Calm' });
    expect(await browser.ask('navigate_wait', { url, wait_until: 'networkidle', timeout_ms: 20_000 })).toEqual(
      expect.objectContaining({ title: 'Calm now' }),
    );
  });

  it('networkidle has one deadline for the load and the rest', async () => {
    const began = performance.now();
    const asked = { url: `${lab.url}/busy`, wait_until: 'networkidle', timeout_ms: 3_000 };
    expect(await browser.ask('navigate_wait', asked)).toMatchObject({ title: 'Busy', unfinished: 'networkidle' });
    expect(performance.now() - began).toBeLessThan(12_000);
  });

  it('none does not wait at all', async () => {
    const sent = await browser.ask('navigate', { url: `${lab.url}/two`, wait_until: 'none' });
    expect(sent).toMatchObject({ url: `${lab.url}/two` });
    await expect.poll(title).toBe('Two');
  });

  it('S4-17 back and forward within a single-page app', async () => {
    await open('/two');
    await open('/spa');
    await browser.js('go("Inbox"), go("About")');
    expect(await browser.ask('back')).toMatchObject({ url: `${lab.url}/spa?Inbox`, title: 'Inbox' });
    expect(await browser.ask('back')).toMatchObject({ url: `${lab.url}/spa`, title: 'Home' });
    expect(await browser.ask('forward')).toMatchObject({ title: 'Inbox' });
    await browser.ask('back');
    expect(await browser.ask('back')).toMatchObject({ title: 'Two' });
  });

  it('S4-42 a click that leads elsewhere, and the wait after it', async () => {
    await open('/lab');
    await browser.ask('click', { selector: '#link' });
    expect(await browser.ask('wait_for_nav')).toMatchObject({ url: `${lab.url}/two`, title: 'Two' });
  });

  it('a page that is not there, and one that nobody serves', async () => {
    expect(await open('/missing')).toMatchObject({ status: 404 });
    const { status, body } = await browser.post('navigate', { url: 'http://127.0.0.1:1/' });
    expect([status, Object(body).error]).toEqual([502, 'navigation_failed']);
  });
});

describe('S4-15 interception', () => {
  const fetched = (path: string) => browser.js(`fetch('${path}').then(one => one.text(), () => 'blocked')`);

  it('by glob, and by a part of the url', async () => {
    await open('/lab');
    await browser.ask('intercept/block', { url_pattern: '*/api/v1/*' });
    await browser.ask('intercept/block', { pattern: 'secret' });
    expect(await fetched('/api/v1/deep/x')).toBe('blocked');
    expect(await fetched('/api/v2/x')).toBe('{"real":true}');
    expect(await fetched('/api/v2/secret/y')).toBe('blocked');
    await browser.ask('intercept/clear');
    expect(await fetched('/api/v1/deep/x')).toBe('{"real":true}');
  });

  it('what is blocked says so in the network log', async () => {
    await browser.ask('network_log/clear');
    await browser.ask('intercept/block', { url_pattern: '/api/v1/' });
    await fetched('/api/v1/gone');
    const { entries } = await browser.look<{ entries: { url: string; error?: string }[] }>('network_log');
    expect(entries.find(({ url, error }) => url.endsWith('/gone') && error)?.error).toContain('BLOCKED_BY_CLIENT');
    await browser.ask('intercept/clear');
  });

  it('a mocked page, with its type', async () => {
    await browser.ask('intercept/mock', {
      url_pattern: '*/made-up*',
      status: 200,
      body: '<title>Made up</title>',
      content_type: 'text/html',
    });
    expect(await open('/made-up')).toMatchObject({ title: 'Made up', status: 200 });
    await browser.ask('intercept/clear');
    expect(await open('/made-up')).toMatchObject({ status: 404 });
  });
});

describe('frames in frames', () => {
  const frames = () => browser.look<{ id: string; name: string }[]>('frames');

  it('S4-98 S4-99 all that follows happens in the frame, until the main frame is chosen', async () => {
    await open('/frames');
    const inner = (await frames()).find(({ name }) => name === 'inner');
    await browser.ask('frames/switch', { frame_id: inner?.id });
    await browser.ask('type', { selector: '#in', text: 'deep' });
    await browser.ask('click', { selector: '#b' });
    expect(
      await browser.js(
        '[document.title, document.querySelector("#in").value, document.querySelector("#b").textContent]',
      ),
    ).toEqual(['Inner', 'deep', 'Pressed']);
    const state = await browser.look<{ title: string; ax_tree: { name: string }[] }>('page_state');
    expect(state.ax_tree.map(({ name }) => name)).toEqual(['Innermost', 'Pressed']);
    expect(await browser.look('page_text')).toMatchObject({ text: expect.stringContaining('Pressed') });
    await browser.ask('frames/main');
    expect(await browser.js('document.title')).toBe('Outer');
  });

  it('a frame that went away, and a page that was left', async () => {
    await open('/frames');
    const inner = (await frames()).find(({ name }) => name === 'inner');
    await browser.ask('frames/switch', { frame_id: inner?.id });
    await browser.js('void setTimeout(() => top.document.querySelector("iframe").remove())');
    await expect.poll(async () => (await browser.post('evaluate', { expression: '1' })).status).toBe(404);
    await open('/two');
    expect(await browser.js('document.title')).toBe('Two');
  });
});

describe('what is seen', () => {
  it('S4-12 S4-13 of a large page at most 100 elements, the refs stay with theirs', async () => {
    await open('/lab');
    await browser.js(
      'document.body.insertAdjacentHTML("beforeend", Array.from({ length: 500 }, (_, at) => "<a href=#" + at + ">L" + at + "</a>").join(" "))',
    );
    const state = await browser.look<{ element_count: number; ax_tree: { ref_id: string; name: string }[] }>(
      'page_state',
    );
    expect(state.ax_tree.length).toBeLessThanOrEqual(100);
    expect(state.element_count).toBeGreaterThan(500);
    const again = await browser.look<{ ax_tree: unknown[] }>('page_state');
    expect(again.ax_tree).toEqual(state.ax_tree);
    expect((await browser.look<unknown[]>('ax_tree?limit=400')).length).toBe(400);
  });

  it('S4-13 a ref of a page that is gone is refused', async () => {
    await open('/lab');
    const ref = await browser.ref('Button');
    await open('/two');
    const { status, body } = await browser.post('click_ref', { ref_id: ref });
    expect([status, Object(body).error]).toEqual([410, 'stale_ref']);
    expect(Object(body).hint).toContain('get_page_state');
  });

  it('S4-18 all of a page, and an element inside a shadow root', async () => {
    await open('/lab');
    const sizeOf = async (path: string, member: string) =>
      dimensionsOf(Buffer.from(String((await browser.look(path))[member]), 'base64'));
    const height = Number(await browser.js('document.documentElement.scrollHeight'));
    expect(height).toBeGreaterThan(3_000);
    expect((await sizeOf('screenshot?full_page=true', 'image'))?.height).toBe(height);
    const deep = await sizeOf('screenshot_element?selector=%23deep&format=webp', 'data');
    expect(deep?.height).toBeLessThan(100);
  });

  it('S4-19 the console from when it was enabled, at most 1000 messages', async () => {
    await open('/lab');
    await browser.js('console.log("early")');
    await browser.ask('console/enable');
    await browser.js('for (let at = 0; at < 1100; at++) console.log("line " + at)');
    const logs = async () => (await browser.look<{ logs: { text: string }[] }>('console')).logs.map(({ text }) => text);
    await expect.poll(async () => (await logs()).at(-1)).toBe('line 1099');
    expect((await logs()).length).toBeLessThanOrEqual(1_000);
    expect(await logs()).not.toContain('early');
    await browser.ask('console/clear');
    expect(await logs()).toEqual([]);
  });

  it('14.19 the console holds 1000 messages of all tabs together, those of closed tabs too', async () => {
    await browser.open('about:blank'); // says nothing by itself
    await closeOthers();
    const [first] = await tabs();
    await browser.js('for (let at = 0; at < 1100; at++) console.log("early " + at)');
    await browser.ask('console/enable');
    await browser.js('for (let at = 0; at < 600; at++) console.log("one " + at)');
    const second = await browser.ask<Tab>('tabs/new');
    await browser.js('for (let at = 0; at < 400; at++) console.log("two " + at)');
    await browser.ask('tabs/switch', { target_id: first?.id });
    await browser.ask('tabs/close', { target_id: second.id });
    const read = () => browser.look<{ logs: { text: string }[]; dropped?: number }>('console');
    const { logs, dropped } = await read();
    expect(dropped).toBeUndefined();
    expect(logs).toHaveLength(1_000);
    expect([logs[0], logs[599], logs[600], logs[999]].map(log => log?.text)).toEqual([
      ...['one 0', 'one 599', 'two 0', 'two 399'],
    ]);
    await browser.js('console.log("last")');
    const next = await read();
    expect(next.logs).toHaveLength(1_000);
    expect([next.dropped, next.logs[0]?.text, next.logs.at(-1)?.text]).toEqual([1, 'one 1', 'last']);
  });
});

describe('what a person does', () => {
  it('S4-94 S4-95 a finger that taps, and one that swipes', async () => {
    await open('/lab');
    await browser.js(
      'points = [], addEventListener("touchmove", event => points.push(event.touches[0].clientX), { passive: true })',
    );
    await browser.ask('tap', { selector: '#button' });
    await browser.ask('swipe', { selector: '#touch', direction: 'left', distance: 150 });
    await expect.poll(() => browser.js('heard("touchstart button") && heard("touchend touch")')).toBe(true);
    const points = (await browser.js('points')) as number[];
    expect(points.length).toBeGreaterThan(2);
    expect((points[0] ?? 0) - (points.at(-1) ?? 0)).toBeGreaterThan(100);
  });

  it('S4-89 a dialog blocks the page until it is answered', async () => {
    await open('/lab');
    await browser.js('void (button.onclick = () => { answered = confirm("Sure?") })');
    expect(await browser.ask('click', { selector: '#button' })).toMatchObject({ dialog: { message: 'Sure?' } });
    const { status, body } = await browser.get('page_state');
    expect([status, Object(body).error]).toEqual([409, 'dialog_open']);
    await browser.ask('dialog', { accept: false });
    expect(await browser.js('answered')).toBe(false);
    expect((await browser.post('dialog', { accept: true })).status).toBe(409);
  });

  it('S4-14 S4-45 an element that is covered or hidden is not clicked by accident', async () => {
    await open('/lab');
    await browser.js(
      'document.body.insertAdjacentHTML("beforeend", "<div style=\'position:fixed;inset:0\'>Glass</div>")',
    );
    const { status, body } = await browser.post('click', { selector: '#button' });
    expect([status, Object(body).error]).toEqual([409, 'not_actionable']);
    expect(await browser.js('heard("click button")')).toBe(false);
  });

  it('S4-45 of several elements the first, by the name that was given', async () => {
    await open('/lab');
    expect(await browser.ask('click', { selector: 'button' })).toMatchObject({ ok: true });
    expect(await browser.js('heard("click button")')).toBe(true);
    const { body } = await browser.post('hover', { selector: '.nothing' });
    expect(Object(body).message).toBe('Nothing on the page matches ".nothing".');
  });

  it('S4-90 another name leaves the screen as it is', async () => {
    await open('/lab');
    await browser.ask('emulate', { width: 500, height: 600, device_scale_factor: 2 });
    await browser.ask('emulate', { user_agent: 'Lab/2' });
    expect(await browser.js('[screen.width, devicePixelRatio, navigator.userAgent]')).toEqual([500, 2, 'Lab/2']);
    await browser.ask('emulate', { width: 1280, height: 720 });
    expect(await browser.js('[devicePixelRatio, navigator.userAgent]')).toEqual([1, 'Lab/2']);
  });

  it('S4-90 a place on the map that the page may read', async () => {
    await open('/lab');
    await browser.ask('emulate', { latitude: 48.8, longitude: 2.3 });
    const where =
      'new Promise((yes, no) => navigator.geolocation.getCurrentPosition(({ coords }) => yes([coords.latitude, coords.accuracy]), no))';
    expect(await browser.js(where)).toEqual([48.8, 100]);
  });
});
