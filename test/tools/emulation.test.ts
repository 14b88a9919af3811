// Emulate (S1-62): every value as the page sees it, at once and without a reload, in all frames, on later pages, and back again.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Emulated } from '../../src/engine/emulation/emulate.ts';
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

const NORMAL = {
  color_scheme: 'no-preference',
  reduced_motion: 'no-preference',
  forced_colors: 'none',
  media: 'screen',
  timezone: '',
  locale: '',
  offline: false,
  cpu_throttle: 1,
  network_throttle: 'none',
};

afterEach(async () => {
  expect(await kit.ok('emulate', NORMAL)).toBe('Nothing is emulated.');
});

const emulate = (args: Record<string, unknown>) => kit.ok('emulate', args);
const seen = async (what = SEEN, frameId = 0): Promise<Record<string, unknown>> =>
  JSON.parse(await kit.ok('evaluate', { expression: what, frameId })) as Record<string, unknown>;
const frames = async (): Promise<number[]> =>
  [...(await kit.ok('snapshot')).matchAll(/\[frame=(\d+)\]/g)].map(([, number]) => Number(number));

describe('S1-62 emulate: what style sheets ask for', () => {
  it.each([
    ['color_scheme', 'dark', '(prefers-color-scheme: dark)', true],
    ['color_scheme', 'light', '(prefers-color-scheme: light)', true],
    ['color_scheme', 'no-preference', '(prefers-color-scheme: dark)', false],
    ['reduced_motion', 'reduce', '(prefers-reduced-motion: reduce)', true],
    ['reduced_motion', 'no-preference', '(prefers-reduced-motion: reduce)', false],
    ['forced_colors', 'active', '(forced-colors: active)', true],
    ['forced_colors', 'none', '(forced-colors: active)', false],
    ['media', 'print', 'print', true],
    ['media', 'screen', 'screen', true],
  ])('%s %s', async (name, value, query, matches) => {
    await show(kit, '<p>Here</p>');
    await emulate({ [name]: value });
    expect(await js(kit, `matchMedia(${JSON.stringify(query)}).matches`)).toBe(String(matches));
  });

  it('the living page hears of it, and other settings stay', async () => {
    await show(kit, '<p>Here</p>');
    await js(
      kit,
      'heard = []; for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).onchange = event => heard.push(event.media + event.matches)',
    );
    expect(await emulate({ color_scheme: 'dark' })).toBe('Emulated: color scheme dark.');
    expect(await emulate({ media: 'print' })).toBe('Emulated: color scheme dark, media print.');
    await expect.poll(() => js(kit, 'heard.join()')).toBe('(prefers-color-scheme: dark)true,printtrue');
    expect(await emulate({ color_scheme: 'no-preference' })).toBe('Emulated: media print.');
    expect(await emulate({})).toBe('Emulated: media print.');
  });
});

describe('S1-62 emulate: timezone and locale', () => {
  it('a page that is open sees both at once, and its requests carry the language', async () => {
    await kit.open(`${site.here}/plain`);
    expect(await emulate({ timezone: 'America/New_York', locale: 'de-CH' })).toBe(
      'Emulated: timezone America/New_York, locale de-CH.',
    );
    expect(await js(kit, 'new Date(0).getHours() + "|" + (12345.5).toLocaleString()')).toBe("19|12'345.5");
    expect(await seen()).toMatchObject({ languages: 'de-CH,de', intl: 'de-CH', zone: 'America/New_York' });
    await js(kit, 'fetch("/data").then(() => 0)');
    expect(site.headers.get('/data')?.['accept-language']).toBe('de-CH,de;q=0.9');
    await emulate({ timezone: 'Asia/Tokyo' });
    expect(await js(kit, 'new Date(0).getHours()')).toBe('9');
    await emulate({ timezone: '', locale: '' });
    expect(await seen()).toMatchObject({ languages: 'en-US,en', intl: 'en-US' });
    expect(await js(kit, 'new Date(0).getHours()')).toBe(String(new Date(0).getHours()));
  });

  it.each([
    [{ timezone: 'Europe/Nowhere' }, /There is no timezone "Europe\/Nowhere"/],
    [{ timezone: '+02:00' }, /There is no timezone/],
    [{ locale: 'not a locale' }, /"not a locale" is no locale/],
    [{ locale: 'de_DE!' }, /is no locale/],
    [{ cpu_throttle: 0 }, /cpu_throttle/],
    [{ cpu_throttle: 'fast' }, /cpu_throttle/],
    [{ network_throttle: '5g' }, /network_throttle/],
    [{ color_scheme: 'blue' }, /color_scheme/],
    [{ media: 'speech' }, /media/],
  ])('%j is refused, and nothing of the call is taken', async (wrong, said) => {
    await show(kit, '<p>Here</p>');
    const { code, text } = await kit.fails('emulate', { reduced_motion: 'reduce', ...wrong });
    expect(code).toBe('bad_input');
    expect(text).toMatch(said);
    expect(await emulate({})).toBe('Nothing is emulated.');
  });
});

describe('S1-62 emulate: network and processor', () => {
  const fetched = (query = '') =>
    js(
      kit,
      `(async () => { const from = performance.now(); try { await (await fetch("/data?${query}")).text(); return performance.now() - from } catch { return "failed" } })()`,
    );

  /** Of several, because the machine may be busy. */
  const quickest = async () => {
    const times: number[] = [];
    for (let n = 0; n < 4; n++) times.push(Number(await fetched('size=1')));
    return Math.min(...times);
  };

  it.each([
    ['slow_3g', 'size=1', 1_950],
    ['fast_3g', 'size=1', 550],
    // 180 kB at 180 kB a second, and the latency.
    ['fast_3g', 'size=180000', 1_300],
    ['4g', 'size=1', 160],
  ])('network_throttle %s: a request for %s takes at least %d ms', async (network_throttle, query, least) => {
    await kit.open(`${site.here}/plain`);
    expect(await quickest()).toBeLessThan(least);
    expect(await emulate({ network_throttle })).toBe(`Emulated: network ${network_throttle}.`);
    expect(Number(await fetched(query))).toBeGreaterThan(least);
    expect(await emulate({ network_throttle: 'none' })).toBe('Nothing is emulated.');
    expect(await quickest()).toBeLessThan(least);
  });

  it.each([{ offline: true }, { network_throttle: 'offline' }])(
    '%j: requests, workers, frames and navigations fail, the page hears of it, until offline: false',
    async how => {
      await kit.open(`${site.here}/outer`);
      await js(
        kit,
        'heard = []; addEventListener("offline", () => heard.push("offline")); addEventListener("online", () => heard.push("online")); worker = new Worker("/worker.js"); asked = () => new Promise(resolve => { worker.onmessage = ({ data }) => resolve(data); worker.postMessage(0) }); new Promise(resolve => { worker.onmessage = resolve }).then(() => 0)',
      );
      const [frameId] = await frames();
      const inFrame = () =>
        kit.ok('evaluate', { expression: 'fetch("/data").then(() => "ok", () => "failed")', frameId });
      expect([await js(kit, 'asked()'), await inFrame()]).toEqual(['ok', 'ok']);
      expect(await emulate(how)).toBe('Emulated: offline.');
      expect([await fetched(), await js(kit, 'asked()'), await inFrame()]).toEqual(['failed', 'failed', 'failed']);
      await expect.poll(() => js(kit, 'navigator.onLine + heard.join()')).toBe('falseoffline');
      const { code, text } = await kit.fails('navigate', { url: `${site.there}/plain` });
      expect([code, text]).toEqual(['navigation_failed', expect.stringContaining('INTERNET_DISCONNECTED')]);
      expect(await emulate({ offline: false })).toBe('Nothing is emulated.');
      await kit.open(`${site.there}/plain`);
      expect(await seen()).toMatchObject({ online: true });
      expect(await fetched()).not.toBe('failed');
    },
  );

  it('cpu_throttle: the same work takes longer', async () => {
    await show(kit, '<p>Here</p>');
    const work =
      'Math.min(...[1, 2, 3].map(() => { const from = performance.now(); let n = 0; for (let i = 0; i < 3e6; i++) n += Math.sqrt(i); return performance.now() - from + 0 * n }))';
    const times = [];
    // On a busy machine the quickest of several runs tells most.
    for (let run = 0; run < 5; run++) times.push(Number(await js(kit, work)));
    const before = Math.min(...times);
    expect(await emulate({ cpu_throttle: 20 })).toBe('Emulated: CPU 20x slower.');
    await expect.poll(async () => Number(await js(kit, work))).toBeGreaterThan(before * 3);
    expect(await emulate({ cpu_throttle: 1 })).toBe('Nothing is emulated.');
  });
});

describe('S1-62 emulate: where it holds', () => {
  const WANTED = { color_scheme: 'dark', timezone: 'Asia/Tokyo', locale: 'fr-FR' };
  const HELD = { dark: true, zone: 'Asia/Tokyo', intl: 'fr-FR', languages: 'fr-FR,fr' };

  it('in frames of other sites that are there, also inside of each other', async () => {
    await kit.open(`${site.here}/deep`);
    const numbers = await frames();
    expect(numbers).toHaveLength(2);
    await emulate(WANTED);
    for (const number of [0, ...numbers]) expect(await seen(SEEN, number)).toMatchObject(HELD);
    await emulate(NORMAL);
    // A frame of another site hears of its parent's colour scheme from the browser, a moment later.
    for (const number of [0, ...numbers])
      await expect.poll(() => seen(SEEN, number)).toMatchObject({ dark: false, intl: 'en-US' });
  });

  it('before the first script of later pages and frames runs, of the same and of other sites', async () => {
    await kit.open(`${site.here}/plain`);
    await emulate(WANTED);
    for (const url of [`${site.here}/deep`, `${site.there}/plain`, `${site.here}/outer`]) {
      await kit.open(url);
      for (const number of [0, ...(await frames())]) expect(await seen('first', number), url).toMatchObject(HELD);
    }
  });

  it('in this tab only, also when it is not the active one', async () => {
    await kit.open(`${site.here}/plain`);
    const { tabId } = (await kit.call('tab_new', { url: `${site.here}/plain` })).data as { tabId: number };
    const { data } = await kit.call('emulate', { ...WANTED, tabId });
    expect(data as Emulated).toMatchObject(WANTED);
    const other = ((await kit.call('tab_list')).data as { tabs: { tabId: number }[] }).tabs.find(
      tab => tab.tabId !== tabId,
    );
    const inTab = async (id: number | undefined) =>
      JSON.parse(await kit.ok('evaluate', { expression: SEEN, tabId: id })) as object;
    expect(await inTab(tabId)).toMatchObject(HELD);
    expect(await inTab(other?.tabId)).toMatchObject({ dark: false, intl: 'en-US', languages: 'en-US,en' });
    await kit.ok('tab_close', { tabId });
  });

  it('after the page has crashed and is opened again', async () => {
    await kit.open(`${site.here}/outer`);
    await emulate(WANTED);
    await kit.ok('viewport', { width: 500, height: 400 });
    const { tabs } = (await kit.server.session(undefined, { id: 'local' })).context;
    const tab = [...tabs.values()].at(-1);
    tab?.main.send('Page.navigate', { url: 'chrome://crash' }).catch(() => undefined); // it never arrives
    await expect.poll(() => tab?.gone?.code).toBe('page_crashed');
    expect(await emulate({})).toContain('color scheme dark, timezone Asia/Tokyo, locale fr-FR');
    await kit.ok('wait', { for: 'load_state', load_state: 'load' });
    for (const number of [0, ...(await frames())]) expect(await seen('first', number)).toMatchObject(HELD);
    expect(await js(kit, 'innerWidth')).toBe('500');
  });

  it('a dialog in the way is told, a tab that is not there too; a cancelled call ends', async () => {
    await show(kit, '<p>Here</p>');
    expect((await kit.fails('emulate', { ...WANTED, tabId: 999 })).code).toBe('no_tab');
    await js(kit, 'setTimeout(() => alert("Wait"))');
    await expect.poll(async () => (await kit.call('emulate', WANTED)).failure?.code).toBe('dialog_open');
    await kit.ok('dialog', { action: 'accept' });
    const ended = AbortSignal.abort();
    expect((await kit.call('emulate', { timezone: 'Asia/Tokyo' }, { signal: ended })).failure?.code).toBe('cancelled');
  });
});

describe('S1-62 emulate beside the options of the server', () => {
  it('--timezone and --locale hold: refused with the reason; the rest works', async () => {
    const fixed = await startKit('--timezone', 'Europe/Rome', '--locale', 'it-IT', '--user-agent', 'Base/1');
    try {
      await fixed.ok('navigate', { url: `${site.here}/plain` });
      const { code, text } = await fixed.fails('emulate', { color_scheme: 'dark', timezone: 'Asia/Tokyo' });
      expect([code, text]).toEqual(['refused', expect.stringContaining('--timezone')]);
      expect((await fixed.fails('emulate', { locale: 'de-DE' })).text).toContain('--locale');
      expect(await fixed.ok('emulate', { cpu_throttle: 2 })).toBe('Emulated: CPU 2x slower.');
      const now = JSON.parse(await fixed.ok('evaluate', { expression: SEEN })) as object;
      expect(now).toMatchObject({ zone: 'Europe/Rome', intl: 'it-IT', agent: 'Base/1', dark: false });
    } finally {
      await fixed.close();
    }
  });
});
