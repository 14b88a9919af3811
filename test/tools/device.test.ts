// Viewport and device (S1-58, S1-59): what the page sees, and that snapshots, screenshots and clicks follow.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEVICE_NAMES, DEVICES } from '../../src/engine/emulation/devices.ts';
import type { ScreenResult } from '../../src/engine/emulation/emulate.ts';
import { agentOf } from '../../src/engine/emulation/user-agent.ts';
import { type Kit, startKit } from '../kit.ts';
import { type EmulationSite, SEEN, startEmulationSite } from './emulation-site.ts';
import { js, show } from './page.ts';

let kit: Kit;
let site: EmulationSite;
beforeAll(async () => {
  [kit, site] = await Promise.all([startKit(), startEmulationSite()]);
});
afterAll(async () => {
  await kit.close();
  await site.close();
});

const SCREEN = `({
  width: innerWidth, height: innerHeight, ratio: devicePixelRatio, screen: screen.width + 'x' + screen.height,
  orientation: screen.orientation.type, angle: screen.orientation.angle, landscape: matchMedia('(orientation: landscape)').matches,
  touch: navigator.maxTouchPoints, coarse: matchMedia('(pointer: coarse)').matches, hover: matchMedia('(hover: hover)').matches,
})`;
const read = async (expression: string, more = {}): Promise<Record<string, unknown>> =>
  JSON.parse(await kit.ok('evaluate', { expression, ...more })) as Record<string, unknown>;

describe('S1-58 viewport', () => {
  beforeEach(async () => {
    await kit.open(`${site.here}/plain`);
  });

  it('width and height: the living page, the snapshot and the screenshot follow', async () => {
    await js(kit, 'sizes = []; addEventListener("resize", () => sizes.push(innerWidth + "x" + innerHeight))');
    expect(await kit.ok('viewport', { width: 700, height: 450 })).toBe('Viewport: 700x450.');
    await expect.poll(() => js(kit, 'sizes.join()')).toBe('700x450');
    expect(await read(SCREEN)).toMatchObject({ width: 700, height: 450, ratio: 1, screen: '700x450', touch: 0 });
    expect(await kit.ok('snapshot')).toContain('Viewport: 700x450');
    const { pictures } = await kit.call('screenshot');
    expect(pictures[0]).toMatchObject({ width: 700, height: 450 });
  });

  it('device_scale_factor: the page and the screenshot have more pixels', async () => {
    expect(await kit.ok('viewport', { width: 400, height: 300, device_scale_factor: 2.5 })).toBe(
      'Viewport: 400x300, scale 2.5.',
    );
    expect(await read(SCREEN)).toMatchObject({ width: 400, ratio: 2.5 });
    const picture = (await kit.call('screenshot')).pictures[0];
    expect(picture).toMatchObject({ width: 1000, height: 750 });
    expect([picture?.bytes.readUInt32BE(16), picture?.bytes.readUInt32BE(20)]).toEqual([1000, 750]);
    await kit.ok('device', { name: 'Pixel 7 Pro' });
    expect((await kit.call('screenshot')).pictures[0]?.height).toBe(2000);
    await kit.ok('device', { name: 'Desktop 1080p' });
  });

  it('is_mobile, has_touch and is_landscape', async () => {
    expect(await kit.ok('viewport', { width: 390, height: 800, is_mobile: true, has_touch: true })).toBe(
      'Viewport: 390x800, mobile, touch. Reload the page: it loaded for another device.',
    );
    expect(await read(SCREEN)).toEqual({
      width: 390,
      height: 800,
      ratio: 1,
      screen: '390x800',
      orientation: 'portrait-primary',
      angle: 0,
      landscape: false,
      touch: 5,
      coarse: true,
      hover: false,
    });
    await kit.ok('reload');
    expect(await js(kit, '"ontouchstart" in window')).toBe('true');
    expect(await kit.ok('viewport', { width: 390, height: 800, is_mobile: true, is_landscape: true })).toBe(
      'Viewport: 800x390, mobile, landscape. Reload the page: it loaded for another device.',
    );
    await kit.ok('reload');
    expect(await read(SCREEN)).toMatchObject({
      width: 800,
      height: 390,
      orientation: 'landscape-primary',
      angle: 90,
      landscape: true,
      touch: 0,
      coarse: false,
      hover: true,
    });
  });

  it('a page that is not made for phones is laid out wide, and clicks hit all the same', async () => {
    await show(
      kit,
      '<button style="position:absolute; left:700px; top:900px" onclick="hits = (window.hits ?? 0) + 1">Far</button><p style="height:3000px"></p><a style="position:absolute; left:800px; top:2800px" href="#below" onclick="hits += 10">Below</a>',
    );
    const { data, text } = await kit.call('viewport', {
      width: 390,
      height: 844,
      device_scale_factor: 3,
      is_mobile: true,
    });
    expect(text).toMatch(/^Viewport: 390x844, scale 3, mobile. The page lays itself out at 980x2121\.$/);
    expect((data as ScreenResult).layout).toEqual({ width: 980, height: 2121 });
    await kit.ok('click', { selector: await kit.ref('button "Far"') });
    await kit.ok('click', { selector: await kit.ref('link "Below"') });
    expect(await js(kit, 'hits')).toBe('11');
    expect((await kit.call('screenshot')).pictures[0]?.width).toBeGreaterThan(300);
  });

  it('stays on later pages of other sites, holds for its tab only', async () => {
    await kit.ok('viewport', { width: 640, height: 480 });
    const { tabId } = (await kit.call('tab_new', { url: `${site.there}/plain` })).data as { tabId: number };
    expect(await read(SCREEN, { tabId })).toMatchObject({ width: 1280, height: 720 });
    await kit.ok('viewport', { width: 333, height: 222, tabId });
    await kit.ok('tab_close', { tabId });
    for (const url of [`${site.there}/plain`, `${site.here}/outer`, `${site.there}/outer`]) {
      await kit.open(url);
      expect(await read(SCREEN), url).toMatchObject({ width: 640, height: 480 });
    }
  });

  it.each([
    [{ width: 300 }, /height/],
    [{ width: 0, height: 300 }, /width/],
    [{ width: 300, height: -1 }, /height/],
    [{ width: 300.5, height: 300 }, /width/],
    [{ width: 300, height: 1e9 }, /height/],
    [{ width: 300, height: 300, device_scale_factor: 0 }, /device_scale_factor/],
    [{ width: 300, height: 300, is_mobile: 'yes' }, /is_mobile/],
  ])('%j is refused', async (wrong, said) => {
    const { code, text } = await kit.fails('viewport', wrong);
    expect(code).toBe('bad_input');
    expect(text).toMatch(said);
  });
});

describe('S1-59 device: what fits a user agent', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/120.0.0.0 Safari/537.36 Edg/121.0',
      'Win32',
      'Windows',
      '10.0',
      'Microsoft Edge 121',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/120.0.0.0 Safari/537.36',
      'MacIntel',
      'macOS',
      '10.15.7',
      'Google Chrome 120',
    ],
    [
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/120.0.0.0 Safari/537.36',
      'Linux x86_64',
      'Chrome OS',
      '14541.0.0',
      'Google Chrome 120',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0', 'Linux x86_64', 'Linux', '', undefined],
    ['Nothing known', '', '', '', undefined],
  ])('%s', (text, platform, system, version, brand) => {
    const { userAgent, platform: now, userAgentMetadata: hints } = agentOf(text, '156.1.2.3');
    expect([userAgent, now, hints.platform, hints.platformVersion]).toEqual([text, platform, system, version]);
    const last = hints.brands.at(-1);
    expect(last && `${last.brand} ${last.version}`).toBe(brand);
    expect(hints.mobile).toBe(false);
  });
});

describe('S1-59 device', () => {
  const SIZES: Record<string, [number, number, number]> = {
    'iPhone 14': [390, 844, 3],
    'iPhone 14 Pro Max': [430, 932, 3],
    'iPhone SE': [375, 667, 2],
    'iPad Pro': [1024, 1366, 2],
    'iPad Mini': [768, 1024, 2],
    'Pixel 7': [412, 915, 2.625],
    'Pixel 7 Pro': [412, 892, 3.5],
    'Samsung Galaxy S23': [360, 780, 3],
    'Desktop 1080p': [1920, 1080, 1],
    'Desktop 1440p': [2560, 1440, 1],
    'Desktop 4K': [3840, 2160, 1],
  };

  it.each(Object.entries(SIZES))(
    '%s: size, user agent, touch, and hints that agree',
    async (name, [width, height, ratio]) => {
      await kit.open(`${site.here}/plain`);
      expect(await kit.ok('device', { name })).toContain(`Device: ${name}, ${width}x${height}`);
      await kit.open(`${site.there}/plain`);
      const isHeld = !name.startsWith('Desktop');
      expect(await read(SCREEN)).toMatchObject({ width, height, ratio, touch: isHeld ? 5 : 0, coarse: isHeld });
      const first = await read('first');
      const sent = site.headers.get('/plain');
      expect(sent?.['user-agent']).toBe(first.agent);
      expect(sent?.['sec-ch-ua-mobile']).toBe(isHeld ? '?1' : '?0');
      expect(first.mobile).toBe(isHeld);
      const apple = /^i(Phone|Pad)/.exec(name)?.[0];
      if (apple) {
        expect(first).toMatchObject({ platform: apple, system: 'iOS', agent: expect.stringContaining(`(${apple}; `) });
        expect(first.agent).toMatch(/Version\/16\.6 Mobile\/15E148 Safari/);
        expect(await js(kit, 'navigator.userAgentData.brands.length')).toBe('0');
      } else if (isHeld) {
        expect(first).toMatchObject({ platform: 'Linux armv8l', system: 'Android' });
        const hints = await read(
          'navigator.userAgentData.getHighEntropyValues(["model", "platformVersion", "fullVersionList"])',
        );
        expect(first.agent).toContain(`Android ${hints.platformVersion}; ${hints.model})`);
        const [version] = /(?<=Chrome\/)\d+/.exec(String(first.agent)) ?? [];
        expect(sent?.['sec-ch-ua']).toContain(`"Chromium";v="${version}"`);
        expect(hints.fullVersionList).toContainEqual({
          brand: 'Google Chrome',
          version: expect.stringMatching(`^${version}\\.`),
        });
      } else {
        expect(first.agent).toMatch(/Linux|Mac OS X|Windows/);
        expect(first.agent).not.toMatch(/Mobile/);
      }
    },
  );

  it('has all eleven names, each different', () => {
    expect(DEVICE_NAMES).toEqual(Object.keys(SIZES));
    expect(new Set(DEVICE_NAMES.map(name => JSON.stringify(DEVICES[name]))).size).toBe(11);
  });

  it('holds in frames of other sites and in workers, and a Desktop one brings the own user agent back', async () => {
    await kit.ok('device', { name: 'Desktop 1080p' });
    await kit.open(`${site.here}/outer`);
    const own = (await read('first')).agent;
    expect(await kit.ok('device', { name: 'Pixel 7' })).toContain('Reload the page');
    const inFrame = async () => Number(/\[frame=(\d+)\]/.exec(await kit.ok('snapshot'))?.[1]);
    expect(await read(SEEN, { frameId: await inFrame() })).toMatchObject({
      agent: expect.stringContaining('Pixel 7'),
      touch: 5,
    });
    await kit.ok('reload');
    const frameId = await inFrame();
    expect(await read('first', { frameId })).toMatchObject({ agent: expect.stringContaining('Pixel 7'), touch: 5 });
    const worker = await js(
      kit,
      'new Promise(done => { new Worker("/worker.js").onmessage = event => done(event.data) })',
    );
    expect(worker).toContain('Pixel 7');
    expect(await kit.ok('viewport', { width: 800, height: 600, has_touch: true })).toBe(
      'Viewport: 800x600, touch, user agent of Pixel 7.',
    );
    await kit.ok('device', { name: 'Desktop 1080p' });
    for (const number of [0, frameId])
      expect(await read(SEEN, { frameId: number })).toMatchObject({ agent: own, touch: 0 });
  });

  it('custom: every field; what is left out is as on a desktop, the size stays', async () => {
    await kit.open(`${site.here}/plain`);
    const user_agent =
      'Mozilla/5.0 (Linux; Android 9; Tab X Build/PQ1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/70.0.1.2 Safari/537.36';
    const custom = {
      viewport: { width: 601, height: 962 },
      user_agent,
      device_scale_factor: 1.5,
      is_mobile: true,
      has_touch: true,
    };
    expect(await kit.ok('device', { custom })).toContain(
      `Device: custom, 601x962, scale 1.5, mobile, touch, user agent ${user_agent}.`,
    );
    expect(await read(SCREEN)).toMatchObject({
      width: 601,
      height: 962,
      ratio: 1.5,
      touch: 5,
      orientation: 'portrait-primary',
    });
    // A tablet: Android, but not mobile.
    expect(await read(SEEN)).toMatchObject({
      agent: user_agent,
      mobile: false,
      system: 'Android',
      platform: 'Linux armv8l',
    });
    expect(await read('navigator.userAgentData.getHighEntropyValues(["model", "fullVersionList"])')).toMatchObject({
      model: 'Tab X',
      fullVersionList: expect.arrayContaining([{ brand: 'Chromium', version: '70.0.0.0' }]),
    });
    await kit.ok('device', { custom: {} });
    expect(await read(SCREEN)).toMatchObject({ width: 601, height: 962, ratio: 1, touch: 0 });
    expect((await read(SEEN)).agent).not.toBe(user_agent);
  });

  it.each([
    [{}, /either name or custom/],
    [{ name: 'iPhone 14', custom: {} }, /either name or custom/],
    [{ name: 'iPhone 1' }, /name/],
    [{ custom: { viewport: { width: 300 } } }, /height/],
    [{ custom: { user_agent: 'a\nb' } }, /user_agent/],
    [{ custom: { colour: 'red' } }, /colour/],
  ])('%j is refused', async (wrong, said) => {
    const { code, text } = await kit.fails('device', wrong);
    expect(code).toBe('bad_input');
    expect(text).toMatch(said);
  });

  it('wins over --user-agent, and gives it back', async () => {
    const fixed = await startKit('--user-agent', 'Base/1');
    try {
      await fixed.ok('navigate', { url: `${site.here}/plain` });
      await fixed.ok('device', { name: 'iPhone SE' });
      await fixed.ok('navigate', { url: `${site.there}/plain` });
      expect(await fixed.ok('evaluate', { expression: 'first.agent' })).toContain('iPhone');
      expect(site.headers.get('/plain')?.['user-agent']).toContain('iPhone');
      await fixed.ok('device', { name: 'Desktop 4K' });
      await fixed.ok('navigate', { url: `${site.here}/plain` });
      expect(await fixed.ok('evaluate', { expression: 'first.agent' })).toBe('Base/1');
    } finally {
      await fixed.close();
    }
  });
});
