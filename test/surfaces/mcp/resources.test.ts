// Resources: what clients of every generation can list, read and hear of, over stdio and HTTP.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Site, startSite } from '../../site/serve.ts';
import { Served } from '../http/served.ts';
import { temporaryFolder } from '../process.ts';
import { READERS, type Reach, type Reader } from './readers.ts';

const folder = temporaryFolder();
let site: Site;
let served: Served;

beforeAll(async () => {
  site = await startSite();
  served = await new Served(join(folder.path, 'served')).ready();
});

afterAll(async () => {
  await served.kill('SIGTERM');
  await site.close();
  folder.remove();
});

let count = 0;
/** Each client closes what it has opened, so that none sees anything of another. */
const TRANSPORTS: Record<string, () => Reach> = {
  // It ends with its client.
  stdio: () => ({ stateDir: join(folder.path, String(count++)) }),
  HTTP: () => ({ url: served.url, token: served.token }),
};

const SNAPSHOT = 'tabwright://session/default/tab/1/snapshot';
const CONSOLE = 'tabwright://session/default/tab/1/console';
const NETWORK = 'tabwright://session/default/tab/1/network';
const SCREENSHOT = 'tabwright://session/default/tab/1/screenshot';
const DOWNLOADS = 'tabwright://session/default/downloads';

const SAY_AND_ASK = '() => { console.log("said aloud"); return fetch("/missing?token=abc123def456").then(() => 1) }';

const soon = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 50 });
const hears = (reader: Reader, ...what: string[]) =>
  soon(() => expect(reader.heard).toEqual(expect.arrayContaining(what)));

const cases = Object.entries(TRANSPORTS).flatMap(([transport, reach]) =>
  Object.entries(READERS).map(([client, connect]) => ({ transport, client, reach, connect })),
);

describe.each(cases)('$transport, $client', ({ reach, connect }) => {
  let reader: Reader;
  beforeAll(async () => {
    reader = await connect(reach());
  });
  afterAll(async () => {
    await reader?.ok('session_close', { all: true });
    await reader?.close();
  });

  it('nothing is there before a browser runs; the templates are', async () => {
    expect(await reader.uris()).toEqual([]);
    expect(await reader.templates()).toEqual([
      'tabwright://session/{session}/tab/{tab}/snapshot',
      'tabwright://session/{session}/tab/{tab}/screenshot',
      'tabwright://session/{session}/tab/{tab}/console',
      'tabwright://session/{session}/tab/{tab}/network',
      'tabwright://session/{session}/downloads',
    ]);
    await expect(reader.read(SNAPSHOT)).rejects.toMatchObject({ code: -32_602, data: { uri: SNAPSHOT } });
  });

  it('what a tab shows, says and asks for can be read', async () => {
    await reader.ok('navigate', { url: `${site.url}/accordion.html` });
    await reader.ok('evaluate', { expression: SAY_AND_ASK });
    expect(await reader.uris()).toEqual([SNAPSHOT, SCREENSHOT, CONSOLE, NETWORK, DOWNLOADS]);
    const snapshot = await reader.read(SNAPSHOT);
    expect(snapshot).toMatchObject({ uri: SNAPSHOT, mimeType: 'text/plain' });
    expect(snapshot.text).toContain('[ref=@e');
    expect((await reader.read(CONSOLE)).text).toContain('said aloud');
    await soon(async () => {
      const { text = '' } = await reader.read(NETWORK);
      expect(text).toMatch(/GET \/accordion\.html 200 document/);
      expect(text).toMatch(/GET \/missing\?token=\S*redacted\S* 404 fetch/);
    });
    expect((await reader.read(DOWNLOADS)).text).toBe('No downloads.');
    const picture = await reader.read(SCREENSHOT);
    expect(picture.mimeType).toBe('image/png');
    expect(
      Buffer.from(picture.blob ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });

  it('changes are told: of the page after a click, of the console, of requests and downloads', async () => {
    await reader.ok('navigate', { url: `${site.url}/downloads.html` });
    await reader.watch(SNAPSHOT, CONSOLE, NETWORK, DOWNLOADS);
    reader.heard.length = 0;
    await reader.ok('click', { selector: 'text:Report' });
    await hears(reader, SNAPSHOT, DOWNLOADS);
    reader.heard.length = 0;
    await reader.ok('evaluate', { expression: SAY_AND_ASK });
    await hears(reader, CONSOLE, NETWORK);
    expect(reader.heard).not.toContain(SCREENSHOT);
  });

  it('a new tab changes the list, and one that is closed cannot be read any more', async () => {
    reader.heard.length = 0;
    await reader.ok('tab_new', { url: `${site.url}/accordion.html` });
    await hears(reader, 'list');
    const own = SNAPSHOT.replace('tab/1', 'tab/2');
    expect(await reader.uris()).toContain(own);
    await reader.watch(own);
    reader.heard.length = 0;
    await reader.ok('tab_close', { tabId: 2 });
    await hears(reader, 'list', own);
    expect(await reader.uris()).not.toContain(own);
    await expect(reader.read(own)).rejects.toMatchObject({ code: -32_602 });
  });

  it('nothing is told to those who do not want it any more', async () => {
    await reader.unwatch();
    await reader.watch(CONSOLE);
    reader.heard.length = 0;
    await reader.ok('navigate', { url: `${site.url}/accordion.html` });
    await reader.ok('evaluate', { expression: SAY_AND_ASK });
    await hears(reader, CONSOLE);
    expect(reader.heard).not.toContain(SNAPSHOT);
    expect(reader.heard).not.toContain(NETWORK);
  });
});
