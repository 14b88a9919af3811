// Each tool of the vision dialect through a real client, the built command and a real browser: exact texts, and the effect in the page.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dimensionsOf } from '../../src/engine/media/fit.ts';
import { BUNDLE, CLIENT_INFO, cleanEnv, temporaryFolder } from '../surfaces/process.ts';
import { configure, startVisionSite, type VisionSite } from './vision-site.ts';
import { SEED_NAMES } from './vision-tools.ts';

interface Answer {
  content: { type: string; text?: string; data?: string; mimeType?: string }[];
  isError?: boolean;
}

const folder = temporaryFolder();
const client = new Client(CLIENT_INFO);
let site: VisionSite;

beforeAll(async () => {
  configure(folder.path);
  site = await startVisionSite();
  const args = [BUNDLE, '--dialect', 'vision', '--timeout-action', '2500'];
  const env = { ...cleanEnv(folder.path), HOME: folder.path };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
});
afterAll(async () => {
  await client.close();
  await site.close();
  folder.remove();
});

const call = async (name: string, args: Record<string, unknown> = {}): Promise<Answer> =>
  (await client.callTool({ name: `browser.${name}`, arguments: args })) as Answer;

async function ok(name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { content, isError } = await call(name, args);
  const text = content.find(part => part.type === 'text')?.text ?? '';
  if (isError) throw new Error(`${name} ${JSON.stringify(args)}: ${text}`);
  return text;
}

async function fails(name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { content, isError } = await call(name, args);
  if (!isError) throw new Error(`${name} ${JSON.stringify(args)} was done: ${content[0]?.text}`);
  return content[0]?.text ?? '';
}

const open = (path: string, more: Record<string, unknown> = {}) =>
  ok('navigate', { url: site.url + path, waitUntil: 'load', ...more });
const js = (script: string, more: Record<string, unknown> = {}) => ok('evaluate', { script, ...more });

describe('S3-04 browser.navigate', () => {
  it('says where it is, and with which status', async () => {
    expect(await ok('navigate', { url: `${site.url}/example` })).toBe(`Navigated to ${site.url}/example (200 OK)`);
    expect(await open('/missing')).toBe(`Navigated to ${site.url}/missing (404 Not Found)`);
    expect(await open('/moved')).toBe(`Navigated to ${site.url}/moved (200 OK), redirected to ${site.url}/example`);
    expect(await ok('navigate', { url: 'about:blank', waitUntil: 'load' })).toBe('Navigated to about:blank');
  });

  it('says when a page never comes to rest', async () => {
    const args = { url: `${site.url}/busy`, timeout: 4_000 };
    expect(await ok('navigate', args)).toBe(
      `Navigated to ${site.url}/busy (200 OK); still loading: networkidle has not fired`,
    );
  });

  it('S3-30 says why a page could not be opened', async () => {
    expect(await fails('navigate', { url: 'http://127.0.0.1:1/' })).toMatch(
      /^http:\/\/127\.0\.0\.1:1\/ could not be opened: /,
    );
    expect(await fails('navigate', {})).toMatch(/^browser\.navigate: url is missing/);
  });

  it.each([
    'http://localhost:1/',
    'http://example.com/',
    'data:text/html,<h1>x</h1>',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'chrome://settings',
  ])('S3-24 %s is not allowed', async url => {
    const text = await fails('navigate', { url });
    expect(text.startsWith(`URL not allowed: ${url}`)).toBe(true);
    expect(text).toMatch(/[Rr]ule "/);
  });
});

describe('S3-07 browser.snapshot', () => {
  it('prints the page as the document shows it', async () => {
    await ok('close');
    await open('/example');
    expect((await ok('snapshot')).replace(new URL(site.url).host, 'example.com')).toBe(
      [
        '[Snapshot of example.com]',
        '- @e1: heading "Example Domain" (level: 1)',
        '- @e2: paragraph "This domain is for use in illustrative examples..."',
        '- @e3: link "More information..." → https://www.iana.org/domains/example',
      ].join('\n'),
    );
  });

  it('heeds interactiveOnly, selector and compact', async () => {
    await open('/controls');
    const interactive = await ok('snapshot', { interactiveOnly: true });
    expect(interactive).toMatch(/- @e\d+: textbox "Name" \(value: "Ada"\)/);
    expect(interactive).not.toMatch(/paragraph|listitem/);
    const list = await ok('snapshot', { selector: 'ul' });
    expect(list).toMatch(/link "Next" → http:\/\/127\.0\.0\.1:\d+\/example/);
    expect(list).not.toContain('textbox');
    expect(list).not.toContain('listitem');
    expect(await ok('snapshot', { selector: 'ul', compact: false })).toMatch(/- @e\d+: list\b/);
    expect(await ok('snapshot', { compact: false })).toMatch(/- @e\d+: main\b/);
  });

  it('gives refs that last, the same as in a screenshot', async () => {
    await open('/controls');
    const refIn = (text: string) => /(@e\d+): button "Save"/.exec(text)?.[1];
    const ref = refIn(await ok('snapshot'));
    expect(ref).toBeDefined();
    expect(refIn(await ok('snapshot', { interactiveOnly: true }))).toBe(ref);
    expect(refIn(await ok('screenshot'))).toBe(ref);
  });
});

describe('S3-05 browser.screenshot', () => {
  const pictureOf = ({ content: [first] }: Answer) => {
    expect(first).toMatchObject({ type: 'image', mimeType: 'image/jpeg' });
    return dimensionsOf(Buffer.from(first?.data ?? '', 'base64'));
  };

  it('is a JPEG, then the tree as text', async () => {
    await open('/example');
    const answer = await call('screenshot');
    expect(pictureOf(answer)).toEqual({ width: 1280, height: 720 });
    expect(answer.content).toHaveLength(2);
    expect(answer.content[1]).toEqual({ type: 'text', text: await ok('snapshot') });
  });

  it('is the picture alone without the tree', async () => {
    const answer = await call('screenshot', { includeAccessibilityTree: false });
    expect(pictureOf(answer)).toBeDefined();
    expect(answer.content).toHaveLength(1);
  });

  it('S3-13 shows one element, by CSS or ref; S3-12 all of the page, within 2000 px', async () => {
    await open('/controls');
    expect(pictureOf(await call('screenshot', { selector: '#box' }))).toEqual({ width: 200, height: 100 });
    expect(pictureOf(await call('screenshot', { selector: '#box', fullPage: true }))).toEqual({
      width: 200,
      height: 100,
    });
    const [, ref] = /(@e\d+): button "Save"/.exec(await ok('snapshot')) ?? [];
    expect(pictureOf(await call('screenshot', { selector: ref }))?.width).toBeLessThan(100);
    expect(pictureOf(await call('screenshot', { fullPage: true }))?.height).toBe(2_000);
  });

  it('S3-38 takes less than 3 s', async () => {
    await open('/controls');
    const times: number[] = [];
    for (const args of [{}, { fullPage: true }, { selector: '#box' }, { fullPage: true }, {}]) {
      const begin = performance.now();
      await call('screenshot', args);
      times.push(Math.round(performance.now() - begin));
    }
    console.log(`browser.screenshot: ${times.join(', ')} ms`);
    expect(times.sort((a, b) => a - b)[2]).toBeLessThan(3_000);
  });

  it('S3-30 says which element is not there', async () => {
    expect(await fails('screenshot', { selector: '#none' })).toMatch(/#none/);
  });
});

describe('S3-06 browser.click', () => {
  beforeEach(() => open('/controls'));

  it('by CSS and by ref', async () => {
    expect(await ok('click', { selector: '#save' })).toMatch(/^Clicked /);
    expect(await js('document.title')).toBe('saved');
    const [, ref] = /(@e\d+): link "Next"/.exec(await ok('snapshot')) ?? [];
    expect(await ok('click', { selector: ref })).toMatch(/now at .*\/example "Example Domain"/);
  });

  it('waits for a navigation that comes late, when asked to', async () => {
    expect(await ok('click', { selector: '#late', waitForNavigation: true })).toMatch(/now at .*\/example/);
    expect(await js('location.pathname')).toBe('/example');
  });

  it('fails without a navigation, when asked to wait for one', async () => {
    expect(await fails('click', { selector: '#save', waitForNavigation: true, timeout: 1_000 })).toMatch(
      /no navigation followed in time/,
    );
    expect(await js('document.title')).toBe('saved');
  });

  it('dismisses a dialog by itself, and tells it', async () => {
    expect(await ok('click', { selector: '#ask' })).toMatch(/A confirm dialog was dismissed automatically: "Sure\?"/);
    expect(await js('document.title')).toBe('false');
  });

  it('goes on in the tab that it opened', async () => {
    expect(await ok('click', { selector: '#tab' })).toMatch(/opened tab \d+/);
    expect(await js('location.pathname')).toBe('/example');
  });

  it('S3-30 says what is the matter, by its own tools', async () => {
    expect(await fails('click', { selector: '@e99999' })).toMatch(
      /was never given out.*\nCall browser\.snapshot and use a ref from it\.$/s,
    );
    expect(await fails('click', { selector: '#none', timeout: 2_000 })).toMatch(/#none/);
  });
});

describe('S3-08 browser.fill', () => {
  it('replaces, or adds with clearFirst false', async () => {
    await open('/controls');
    await ok('fill', { selector: '#name', value: 'Grace' });
    expect(await js('document.querySelector("#name").value')).toBe('Grace');
    await ok('fill', { selector: '#name', value: ' Hopper', clearFirst: false });
    expect(await js('document.querySelector("#name").value')).toBe('Grace Hopper');
  });
});

describe('S3-09 browser.scroll', () => {
  it('the page by 300 px down, or as far and wide as asked; an element', async () => {
    await open('/controls');
    await ok('scroll');
    expect(await js('scrollY')).toBe('300');
    await ok('scroll', { direction: 'up', pixels: 100 });
    expect(await js('scrollY')).toBe('200');
    await ok('scroll', { direction: 'right', pixels: 50, selector: '#box' });
    expect(await js('document.querySelector("#box").scrollLeft')).toBe('50');
  });
});

describe('S3-10 browser.evaluate', () => {
  it('gives the value of an expression, a function with args, a promise', async () => {
    await open('/controls');
    expect(await js('1 + 1')).toBe('2');
    expect(await js('(a, b) => a.x + b', { args: [{ x: 1 }, 2] })).toBe('3');
    expect(await js('await Promise.resolve({ a: [1] })')).toBe('{"a":[1]}');
    expect(await fails('evaluate', { script: 'throw new Error("no")' })).toMatch(/The script threw: Error: no/);
  });

  it('14.13 hints name only what the tools of the dialect take', async () => {
    await open('/controls');
    await js('document.body.insertAdjacentHTML("beforeend", "<div style=\\"position:fixed;inset:0\\">over</div>")');
    const covered = await fails('click', { selector: '#save', timeout: 500 });
    expect(covered).toMatch(/is covered by .*\nClose or scroll away what covers it\.$/);
    expect(await fails('navigate', { url: `${site.url}/never`, timeout: 300 })).toMatch(
      /was not there within \d+ ms.*\nTry again, with a larger timeout if the server is slow\.$/,
    );
  });

  it.each(['eval("1")', 'new Function("1")', 'document.cookie', 'localStorage.x', 'window.sessionStorage'])(
    'S3-25 %s is blocked',
    async script => {
      expect(await fails('evaluate', { script })).toMatch(/^Script contains blocked patterns/);
    },
  );
});

describe('S3-11 browser.close, S3-16 sessions', () => {
  it('a session is begun by navigate or screenshot, and closed by its name', async () => {
    for (const name of ['snapshot', 'scroll', 'close'])
      expect(await fails(name, { sessionId: 'shop' })).toMatch(
        /^Session not found: shop\n.*browser\.navigate or browser\.screenshot/,
      );
    await open('/controls', { sessionId: 'shop' });
    await open('/example');
    expect(await js('location.pathname', { sessionId: 'shop' })).toBe('/controls');
    expect(await ok('close', { sessionId: 'shop' })).toMatch(/^Closed shop/);
    expect(await fails('snapshot', { sessionId: 'shop' })).toMatch(/^Session not found: shop/);
    expect(await js('location.pathname')).toBe('/example');
  });

  it('14.13 a screenshot for a new name creates the session', async () => {
    const { content } = await call('screenshot', { sessionId: 'seen' });
    expect(content[0]).toMatchObject({ type: 'image', mimeType: 'image/jpeg' });
    expect(await js('location.href', { sessionId: 'seen' })).toBe('about:blank');
    expect(await ok('close', { sessionId: 'seen' })).toMatch(/^Closed seen/);
  });

  it('14.13 a link to a download is clicked, the page stays, and the file is where the documentation says', async () => {
    await open('/controls');
    await ok('click', { selector: '#report' });
    const saved = join(folder.path, 'output', 'downloads', 'report.csv');
    await expect.poll(() => existsSync(saved) && readFileSync(saved, 'utf8')).toBe('a,b');
    // The end of the download may be told above it.
    expect((await js('location.pathname')).split('\n').at(-1)).toBe('/controls');
  });

  it('without a name all of the caller’s are closed', async () => {
    await open('/controls', { sessionId: 'one' });
    await open('/controls', { sessionId: 'two' });
    expect(await ok('close', { graceful: false })).toMatch(/one.*two|two.*one/);
    for (const sessionId of ['one', 'two'])
      expect(await fails('snapshot', { sessionId })).toMatch(/^Session not found/);
    expect(await ok('close')).toBe('No session to close.');
  });
});

describe('S3-31 the journal', () => {
  it('has every call, with its outcome and the rule that refused it, and no secret', async () => {
    await open('/controls');
    await ok('fill', { selector: '#name', value: 'hunter2' });
    await fails('navigate', { url: 'http://refused.test/' });
    await fails('evaluate', { script: 'localStorage.x' });
    const file = join(folder.path, 'journal', 'journal.jsonl');
    const last = () => readFileSync(file, 'utf8').trimEnd().split('\n').at(-1);
    await expect.poll(last, { timeout: 15_000 }).toMatch(/"tool":"evaluate".*"ok":false/);
    const text = readFileSync(file, 'utf8');
    const records = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(records.filter(({ tool, ok: done }) => tool === 'fill' && done).length).toBeGreaterThan(0);
    expect(records.findLast(({ tool }) => tool === 'navigate')).toMatchObject({
      ok: false,
      code: 'refused',
      rule: expect.stringContaining('vision'),
    });
    expect(records.findLast(({ tool }) => tool === 'evaluate')).toMatchObject({
      ok: false,
      code: 'refused',
      rule: expect.stringContaining('localStorage'),
    });
    expect(text).not.toContain('hunter2');
  });
});

it('S3-37 every tool that is listed is called here', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(SEED_NAMES);
});
