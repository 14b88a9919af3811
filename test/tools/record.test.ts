// Record: GIF and WebM, both modes, all limits; the files are judged by ffprobe and ffmpeg.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, show } from './page.ts';
import { framesOf, probe } from './programs.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());
/** A test that failed must not leave its recording to the next. */
afterEach(() => kit.call('record', { action: 'stop' }));

const STILL =
  '<body style="margin:0;background:#fff"><button style="position:absolute;left:100px;top:100px">Go</button>';
const MOVING = `<body style="margin:0"><i style="display:block;width:300px;height:300px;background:#f00;animation:a 1s linear infinite"></i>
  <style>@keyframes a { to { transform: translateX(700px) } }</style>`;

const record = (action: string, args: Record<string, unknown> = {}) => kit.ok('record', { action, ...args });
const file = (name: string) => join(kit.folder, 'output', name);

interface State {
  state: string;
  frames: number;
  ended?: string;
  missed?: number;
}
const status = async (args: Record<string, unknown> = {}) =>
  (await kit.call('record', { action: 'status', ...args })).data as State;

/** Waits until the recording is as wanted. */
async function until(isMet: (state: State) => boolean): Promise<State> {
  return expect
    .poll(status, { timeout: 20_000, interval: 50 })
    .toSatisfy(isMet)
    .then(() => status());
}
const frames = (count: number) => until(state => state.frames >= count);
const ended = () => until(({ state }) => state === 'ended');

/** Stops, and decodes what was saved. */
async function stop(name: string) {
  expect(await record('stop', { save_path: name })).toContain(`to ${file(name)}`);
  return framesOf(file(name));
}

const isDark = (colour: readonly number[]) => Math.max(...colour) < 70;
const isWhite = (colour: readonly number[]) => Math.min(...colour) > 235;
const isRed = ([red = 0, green = 0, blue = 0]: readonly number[]) => red > 180 && green < 120 && blue < 120;

describe('S1-57 record', () => {
  it.each([
    ['gif', 'gif'],
    ['webm', 'vp9'],
  ])('%s at fixed_fps: the asked size, frames, pace, and what moves', async (format, codec) => {
    await show(kit, MOVING);
    await record('start', { mode: 'fixed_fps', format, fps: 10, max_frames: 12, width: 640, height: 360 });
    expect((await ended()).ended).toBe('max_frames');
    const pictures = await stop(`steady.${format}`);
    expect(probe(file(`steady.${format}`))).toEqual({ codec, width: 640, height: 360, frames: 12, seconds: 1.2 });
    expect(new Set(pictures.map(({ bytes }) => bytes.toString('base64'))).size).toBeGreaterThanOrEqual(6);
    expect(new Set(pictures.map(frame => isRed(frame.at(300, 50))))).toEqual(new Set([true, false]));
  });

  it.each([
    ['gif', 'gif'],
    ['webm', 'vp9'],
  ])(
    '%s in auto_capture: the first look, and a frame after each action but none after a read',
    async (format, codec) => {
      await show(kit, `${STILL}<input style="position:absolute;left:300px;top:300px">`);
      await record('start', { format });
      await kit.ok('click', { selector: 'button' });
      await kit.ok('fill', { selector: 'input', value: 'some words' });
      await kit.ok('snapshot');
      await kit.ok('screenshot');
      await kit.ok('press', { key: 'Tab' });
      await kit.fails('click', { selector: '#none', timeout: 300 });
      await frames(4);
      const text = await record('stop', { save_path: `auto.${format}` });
      expect(text).toBe(`Saved 4 frames, 800x600 ${format}, 3.2 s to ${file(`auto.${format}`)}`);
      expect(probe(file(`auto.${format}`))).toEqual({ codec, width: 800, height: 600, frames: 4, seconds: 3.2 });
    },
  );

  it('auto_capture is the default mode, gif the default format, 800x600 the default size', async () => {
    await show(kit, STILL);
    expect(await record('start')).toMatch(/^Recording \(auto_capture\): 1 frame, 800x600 gif, /);
  });

  it('the page keeps its shape: bars above and below, or at the sides', async () => {
    await show(kit, STILL);
    await record('start', { width: 400, height: 400 });
    const [tall] = await stop('square.gif');
    // 1280x720 in 400x400: 225 high, from 87 to 312.
    for (const [y, isBar] of [
      [10, true],
      [80, true],
      [100, false],
      [300, false],
      [320, true],
    ] as const)
      expect(isDark(tall?.at(350, y) ?? []), `y ${y}`).toBe(isBar);
    await record('start', { width: 600, height: 90, format: 'webm' });
    const [wide] = await stop('wide.webm');
    expect([10, 200, 300, 370, 590].map(x => isDark(wide?.at(x, 80) ?? []))).toEqual([true, true, false, false, true]);
  });

  it('odd sizes too', async () => {
    await show(kit, STILL);
    for (const format of ['gif', 'webm']) {
      await record('start', { format, width: 333, height: 217 });
      await record('stop', { save_path: `odd.${format}` });
      expect(probe(file(`odd.${format}`))).toMatchObject({ width: 333, height: 217, frames: 1 });
    }
  });

  it('capture_frame adds one; annotation stands on the frame it was given with', async () => {
    await show(kit, STILL);
    await record('start', { annotation: 'How it began' });
    await record('capture_frame');
    expect(await record('capture_frame', { annotation: 'How it ended' })).toMatch(/: 3 frames,/);
    const [first, second, third] = await stop('noted.gif');
    // The caption stands in the middle of the bar at the top, on blue.
    const isBlue = ([red = 0, , blue = 0]: readonly number[]) => blue > 100 && red < 80;
    const captions = [first, second, third].map(frame =>
      Array.from({ length: 80 }, (_, x) => frame?.at(360 + x, 12) ?? []).some(isBlue),
    );
    expect(captions).toEqual([true, false, true]);
    expect(first?.bytes.equals(third?.bytes ?? Buffer.alloc(0))).toBe(false);
  });

  it('max_duration ends it, says so once, and stop still saves it', async () => {
    await show(kit, MOVING);
    await record('start', { mode: 'fixed_fps', fps: 20, max_duration: 1_000 });
    await expect.poll(() => kit.ok('title'), { timeout: 10_000 }).toMatch(/ended by itself \(max_duration\)/);
    expect(await kit.ok('title')).not.toMatch(/ended by itself/);
    expect(await record('status')).toMatch(/^Ended, not saved yet: 20 frames, .*\(max_duration\)$/);
    await kit.ok('scroll', { direction: 'down' });
    expect(await record('stop', { save_path: 'short.gif' })).toMatch(/20 frames.*max_duration/);
    expect(probe(file('short.gif'))).toMatchObject({ frames: 20, seconds: 1 });
  });

  it('max_frames ends auto_capture too', async () => {
    await show(kit, STILL);
    await record('start', { max_frames: 2 });
    for (let turn = 0; turn < 4; turn++) await kit.ok('click', { selector: 'button' });
    expect((await ended()).frames).toBe(2);
    expect(await stop('two.gif')).toHaveLength(2);
  });

  it('fps: many frames of a page that stands still cost little', async () => {
    await show(kit, STILL);
    await record('start', { mode: 'fixed_fps', fps: 30, max_frames: 60, format: 'gif' });
    await ended();
    const saved = (await kit.call('record', { action: 'stop', save_path: 'calm.gif' })).data as {
      file: { bytes: number };
    };
    expect(probe(file('calm.gif'))).toMatchObject({ frames: 60, seconds: 2 });
    expect(saved.file.bytes).toBeLessThan(150_000);
  });

  it('fixed_fps follows the page over a navigation to another site', async () => {
    await show(kit, '<body style="background:#fff">');
    await record('start', { mode: 'fixed_fps', fps: 10, max_frames: 200, overlays: { action_labels: false } });
    await kit.open('/signup.html');
    await show(kit, '<body style="background:#f00">');
    const { frames: before } = await status();
    await frames(before + 8);
    const pictures = await stop('moved.gif');
    expect(isWhite(pictures[0]?.at(400, 300) ?? [])).toBe(true);
    expect(isRed(pictures.at(-1)?.at(400, 300) ?? [])).toBe(true);
  });

  it('save_path at the start, or none at all: then a name below recordings/', async () => {
    await show(kit, STILL);
    await record('start', { save_path: 'early.gif' });
    expect(await record('stop')).toContain(file('early.gif'));
    await record('start', { format: 'webm' });
    const [, path = ''] = /to (.*\.webm)$/.exec(await record('stop')) ?? [];
    expect(path.startsWith(file('recordings/'))).toBe(true);
    expect(probe(path).frames).toBe(1);
  });

  it('tabId: another tab than the active one', async () => {
    await show(kit, '<body style="background:#f00">');
    const { tabs } = (await kit.call('tab_list')).data as { tabs: { tabId: number }[] };
    const tabId = tabs[0]?.tabId;
    const other = ((await kit.call('tab_new')).data as { tabId: number }).tabId;
    await record('start', { tabId });
    await kit.ok('press', { key: 'a', tabId: other });
    await kit.ok('press', { key: 'a', tabId });
    await expect.poll(() => status({ tabId })).toMatchObject({ frames: 2 });
    expect((await kit.fails('record', { action: 'stop' })).text).toContain(`tab ${tabId} is`);
    const text = await record('stop', { tabId, save_path: 'other.gif' });
    expect(text).toMatch(/2 frames/);
    expect(isRed(framesOf(file('other.gif'))[1]?.at(400, 300) ?? [])).toBe(true);
    await kit.ok('tab_close', { tabId: other });
  });
});

describe('S1-97 record: overlays', () => {
  const drawn = async (overlays: Record<string, boolean> | undefined, name: string) => {
    await show(
      kit,
      `${STILL}<p id="a" style="position:absolute;left:200px;top:400px;user-select:none">A</p><p id="b" style="position:absolute;left:900px;top:400px">B</p>`,
    );
    await record('start', { width: 1280, height: 720, ...(overlays ? { overlays } : {}) });
    await kit.ok('click', { coordinates: { x: 640, y: 200 } });
    await frames(2);
    await kit.ok('drag', { source_coordinates: { x: 200, y: 500 }, target_coordinates: { x: 1000, y: 500 } });
    await frames(3);
    const pictures = await stop(name);
    const [, clicked, dragged] = pictures;
    /** The caption stands at the bottom, in the middle. */
    const caption = Array.from({ length: 60 }, (_, y) => clicked?.at(640, 650 + y) ?? []);
    return {
      click: isRed(clicked?.at(640, 200) ?? []),
      clean: isWhite(pictures[0]?.at(640, 200) ?? []) && isWhite(dragged?.at(640, 200) ?? []),
      drag: !isWhite(dragged?.at(600, 500) ?? []),
      label: caption.some(isDark),
    };
  };

  it('clicks, drags and labels are drawn onto the frames, each on its own', async () => {
    expect(await drawn(undefined, 'all.gif')).toEqual({ click: true, clean: true, drag: true, label: true });
  });

  it.each([
    ['click_indicators', 'click'],
    ['drag_paths', 'drag'],
    ['action_labels', 'label'],
  ])('%s can be left out', async (option, what) => {
    const all = { click: true, clean: true, drag: true, label: true };
    expect(await drawn({ [option]: false }, `${what}.gif`)).toEqual({ ...all, [what]: false });
  });

  it('on video, and at the right place of a smaller frame', async () => {
    await show(kit, STILL);
    await record('start', { mode: 'fixed_fps', fps: 10, format: 'webm', width: 640, height: 640 });
    await kit.ok('click', { coordinates: { x: 1000, y: 360 } });
    const { frames: then } = await status();
    await frames(then + 3);
    const pictures = await stop('small.webm');
    // 1280x720 in 640x640: half the size, 140 down.
    expect(pictures.some(frame => isRed(frame.at(500, 320)))).toBe(true);
    expect(isWhite(pictures[0]?.at(500, 320) ?? [])).toBe(true);
  });

  it('nothing is put into the page', async () => {
    await show(kit, STILL);
    const html = await js(kit, 'document.documentElement.outerHTML');
    await kit.ok('evaluate', {
      expression:
        'window.changes = 0; new MutationObserver(list => { changes += list.length }).observe(document, { subtree: true, childList: true, attributes: true }); 0',
    });
    await record('start', { annotation: 'Note' });
    await kit.ok('click', { coordinates: { x: 640, y: 200 } });
    await frames(2);
    await record('stop');
    expect(await js(kit, 'changes')).toBe('0');
    expect(await js(kit, 'document.documentElement.outerHTML')).toBe(html);
  });
});

describe('S1-57 record: faults', () => {
  it('status, stop and capture_frame without a recording', async () => {
    await show(kit, STILL);
    expect(await record('status')).toBe('Nothing is being recorded.');
    for (const action of ['stop', 'capture_frame'])
      expect(await kit.fails('record', { action })).toMatchObject({
        code: 'not_found',
        text: expect.stringMatching(/action start/),
      });
  });

  it('a second start, and a frame after the end, are refused', async () => {
    await show(kit, STILL);
    await record('start', { max_frames: 1 });
    expect((await kit.fails('record', { action: 'start' })).text).toMatch(/not saved yet.*\n.*stop/);
    expect((await kit.fails('record', { action: 'capture_frame' })).text).toMatch(/has ended \(max_frames\)/);
    await record('stop');
    await record('start');
    expect(await kit.fails('record', { action: 'start' })).toMatchObject({
      code: 'refused',
      text: expect.stringMatching(/already/),
    });
  });

  it.each([
    [{ save_path: '/tmp/outside.gif' }, 'refused'],
    [{ save_path: '../outside.gif' }, 'refused'],
    [{ save_path: 'film.webm' }, 'bad_input'],
    [{ width: 5 }, 'bad_input'],
    [{ height: 10_000 }, 'bad_input'],
    [{ fps: 0 }, 'bad_input'],
    [{ fps: 100 }, 'bad_input'],
    [{ max_frames: 0 }, 'bad_input'],
    [{ mode: 'slow' }, 'bad_input'],
    [{ format: 'mp4' }, 'bad_input'],
    [{ overlays: { sparks: true } }, 'bad_input'],
  ])('start with %j fails, and starts nothing', async (args, code) => {
    expect((await kit.fails('record', { action: 'start', ...args })).code).toBe(code);
    expect(await record('status')).toBe('Nothing is being recorded.');
    expect(existsSync('/tmp/outside.gif')).toBe(false);
  });

  it('a stop that fails keeps the recording', async () => {
    await show(kit, STILL);
    await record('start');
    expect((await kit.fails('record', { action: 'stop', save_path: '/tmp/outside.gif' })).code).toBe('refused');
    expect((await kit.fails('record', { action: 'stop', save_path: 'x.webm' })).code).toBe('bad_input');
    const cancel = new AbortController();
    const stopping = kit.call('record', { action: 'stop', save_path: 'late.gif' }, { signal: cancel.signal });
    setImmediate(() => cancel.abort());
    expect((await stopping).failure?.code).toBe('cancelled');
    expect(await stop('late.gif')).toHaveLength(1);
  });

  it('a dialog: the frame shows the page as it was, and stop works', async () => {
    await show(kit, '<body style="background:#fff"><button onclick="alert(1)">Ask</button>');
    await record('start');
    await kit.ok('click', { selector: 'button' });
    expect(await until(({ frames: count }) => count === 2)).toMatchObject({ missed: 1 });
    expect((await kit.fails('record', { action: 'capture_frame' })).code).toBe('dialog_open');
    expect(await record('stop', { save_path: 'asked.gif' })).toMatch(/2 frames.*; 1 show the page as it was before/);
    expect((await kit.fails('record', { action: 'start' })).code).toBe('dialog_open');
    await kit.ok('dialog', { action: 'accept' });
  });

  it('a page that crashes: the frames stay, and it goes on with the page that comes back', async () => {
    await kit.open('/signup.html');
    await record('start', { mode: 'fixed_fps', fps: 10, max_frames: 500 });
    await frames(3);
    const [tab] = [...(kit.server.list()[0]?.context.tabs.values() ?? [])];
    tab?.main.send('Page.navigate', { url: 'chrome://crash' }).catch(() => undefined); // it never arrives
    await expect.poll(() => tab?.gone?.code, { timeout: 10_000 }).toBe('page_crashed');
    await show(kit, '<body style="background:#f00">');
    const { frames: then } = await status();
    await frames(then + 15);
    expect(isRed((await stop('crash.gif')).at(-1)?.at(400, 300) ?? [])).toBe(true);
  });

  it('the browser ends: the frames stay, and the next one encodes them', async () => {
    await kit.open('/signup.html');
    await record('start', { format: 'webm' });
    const [tab] = [...(kit.server.list()[0]?.context.tabs.values() ?? [])];
    const browser = await tab?.page.context().browser()?.openBrowserSession();
    browser?.send('Browser.crash').catch(() => undefined); // it does not answer any more
    await expect.poll(() => tab?.gone?.code).toBe('browser_gone');
    await kit.ok('scroll', { direction: 'down' });
    await frames(2);
    expect(await stop('second-browser.webm')).toHaveLength(2);
  });

  it('a tab that is closed takes its recording along', async () => {
    const { tabId } = (await kit.call('tab_new')).data as { tabId: number };
    await record('start', { tabId, mode: 'fixed_fps' });
    await kit.ok('tab_close', { tabId });
    expect((await kit.fails('record', { action: 'stop', tabId })).code).toBe('no_tab');
  });

  it('leaves nothing behind: no tab, no listener, no focus taken', async () => {
    await show(kit, STILL);
    const [tab] = [...(kit.server.list()[0]?.context.tabs.values() ?? [])];
    const listeners = () => [
      tab?.events.eventNames().map(name => tab.events.listenerCount(name)),
      tab?.cleanups.length,
    ];
    const before = listeners();
    const tabs = async () => ((await kit.call('tab_list')).data as { tabs: unknown[] }).tabs.length;
    const counts = [await tabs(), tab?.page.context().pages().length];
    for (const mode of ['fixed_fps', 'auto_capture']) {
      await record('start', { mode, format: 'webm' });
      await kit.ok('click', { selector: 'button' });
      await frames(2);
      await record('stop');
    }
    expect(listeners()).toEqual(before);
    expect([await tabs(), tab?.page.context().pages().length]).toEqual(counts);
    expect(await js(kit, '[document.hasFocus(), document.visibilityState].join()')).toBe('true,visible');
    expect(readdirSync(file('recordings')).length).toBeGreaterThan(1);
  });
});
