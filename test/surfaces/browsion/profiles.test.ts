// S4-21 End to end: several profiles at once, apart from each other, and what outlives what.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CdpConnection } from '../../../src/cdp/connection.ts';
import { openSocket } from '../../../src/engine/browser/attach/socket.ts';
import { recordsIn } from '../../session/profiles/browsers.ts';
import { startWitness, type Witness } from '../../session/profiles/witness.ts';
import { type Browser, browserOf } from './journey.ts';
import { type Lab, startLab } from './lab.ts';
import { Service } from './service.ts';

let service: Service;
let lab: Lab;
let berlin: Browser;
let paris: Browser;
let witnesses: [Witness, Witness];

beforeAll(async () => {
  lab = await startLab();
  witnesses = [await startWitness('east'), await startWitness('west')];
  service = await new Service().ready();
  const [east, west] = witnesses;
  await service.launch('berlin', { lang: 'de-DE', timezone: 'Europe/Berlin', proxy_server: east.url });
  await service.launch('paris', { lang: 'fr-FR', timezone: 'America/Los_Angeles', proxy_server: west.url });
  berlin = browserOf(service, 'berlin');
  paris = browserOf(service, 'paris');
}, 60_000);
afterAll(async () => {
  await service?.stop();
  for (const witness of witnesses) witness.close();
  lab?.close();
});

const SEEN = '[navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone]';

describe('S4-11 two profiles at once', () => {
  it('see another language and another time zone', async () => {
    await Promise.all([berlin, paris].map(browser => browser.open(`${lab.url}/lab`)));
    expect(await Promise.all([berlin.js(SEEN), paris.js(SEEN)])).toEqual([
      ['de-DE', 'Europe/Berlin'],
      ['fr-FR', 'America/Los_Angeles'],
    ]);
  });

  it('go through their own proxies, and ask in their own languages', async () => {
    const [east, west] = witnesses;
    expect(await berlin.open('http://one.test/')).toMatchObject({ title: 'Through east' });
    expect(await paris.open('http://two.test/')).toMatchObject({ title: 'Through west' });
    const languageOf = (witness: Witness, url: string) =>
      witness.seen.find(one => one.url === url)?.headers['accept-language'];
    expect(languageOf(east, 'http://one.test/')).toMatch(/^de-DE/);
    expect(languageOf(west, 'http://two.test/')).toMatch(/^fr-FR/);
    expect(east.seen.some(({ url }) => url.includes('two.test'))).toBe(false);
  });

  it('keep cookies and storage apart', async () => {
    await Promise.all([berlin, paris].map(browser => browser.open(`${lab.url}/lab`)));
    await berlin.js('document.cookie = "who=berlin; path=/", localStorage.who = "berlin"');
    expect(await paris.js('[document.cookie, localStorage.who ?? null]')).toEqual(['', null]);
    expect(await paris.look('cookies')).toEqual([]);
    expect(await paris.look('storage/local')).toEqual({ storage: {}, type: 'local' });
    expect(await berlin.look('storage/local')).toEqual({ storage: { who: 'berlin' }, type: 'local' });
  });

  it('C-19 hand cookies over when they are told to', async () => {
    const { data } = await berlin.look<{ data: string }>('cookies/export');
    expect(await paris.ask('cookies/import', { format: 'json', data })).toMatchObject({ errors: [] });
    await paris.open(`${lab.url}/lab`);
    expect(await paris.js('document.cookie')).toBe('who=berlin');
    await paris.ask('cookies/clear');
  });

  it('S4-10 answer many calls at once, each for itself', async () => {
    const asked = Array.from({ length: 20 }, (_, at) => {
      const browser = at % 2 === 0 ? berlin : paris;
      return browser.js(`[${at}, navigator.language]`);
    });
    const answers = await Promise.all(asked);
    expect(answers).toEqual(answers.map((_, at) => [at, at % 2 === 0 ? 'de-DE' : 'fr-FR']));
  });
});

describe('what outlives what', () => {
  interface Run {
    profile_id: string;
    pid: number;
    cdp_port: number;
  }
  const running = async () => (await service.http('GET', '/api/running')).body as Run[];

  it('S4-08 the port is that of the browser, and its targets are the tabs', async () => {
    const run = (await running()).find(({ profile_id }) => profile_id === 'berlin');
    const { url = '' } = recordsIn(service.state).find(({ pid }) => pid === run?.pid) ?? {};
    expect(Number(new URL(url).port)).toBe(run?.cdp_port);
    const line = new CdpConnection(await openSocket(url, AbortSignal.timeout(10_000)));
    const { targetInfos } = await line.root.send('Target.getTargets');
    line.close();
    const tabs = await berlin.look<{ id: string }[]>('tabs');
    expect(targetInfos.map(({ targetId }) => targetId)).toEqual(expect.arrayContaining(tabs.map(({ id }) => id)));
  });

  it('cookies and storage outlive the browser', async () => {
    await berlin.open(`${lab.url}/lab`);
    await berlin.js('document.cookie = "kept=1; path=/; max-age=3600", localStorage.kept = "yes"');
    expect((await service.http('POST', '/api/kill/berlin')).status).toBe(204);
    expect((await running()).map(({ profile_id }) => profile_id)).toEqual(['paris']);
    expect((await berlin.get('url')).status).toBe(409);
    expect(await service.http('POST', '/api/launch/berlin')).toMatchObject({ status: 200 });
    await berlin.open(`${lab.url}/lab`);
    expect(await berlin.js('[document.cookie.includes("kept=1"), localStorage.kept]')).toEqual([true, 'yes']);
  });

  it('a browser that somebody else ends is told as not running, and can be launched again', async () => {
    await service.http('POST', '/api/launch/berlin'); // it runs already, unless this is tried again
    const run = (await running()).find(({ profile_id }) => profile_id === 'berlin');
    if (!run) throw new Error('berlin does not run');
    process.kill(run.pid, 'SIGKILL');
    await expect.poll(async () => (await running()).length).toBe(1);
    await expect.poll(async () => (await berlin.get('url')).body).toMatchObject({ error: 'browser_not_running' });
    expect((await service.http('POST', '/api/launch/berlin')).status).toBe(200);
    expect(await berlin.open(`${lab.url}/two`)).toMatchObject({ title: 'Two' });
  });
});
