// Rules for urls hold for whatever a page does to get round them: the site that is kept from it sees nobody.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Kit, startKit } from '../../kit.ts';
import { type Listener, startOpen, startTarget } from './sites.ts';
import { IN_PAGE, NAVIGATING } from './ways.ts';

const SOON = { timeout: 15_000, interval: 20 };

let open: Listener;
let plain: Listener;
let secure: Listener;
beforeAll(async () => {
  [open, plain, secure] = await Promise.all([startOpen(), startTarget(), startTarget(true)]);
});
afterAll(() => Promise.all([open, plain, secure].map(site => site?.close())));

interface Case {
  flags(): string[];
  /** The url that must not be reached, for a path of its own in each test. */
  to(path: string): string;
  target(): Listener;
  rule(): string;
}

const CASES: Record<string, Case> = {
  'a blocked host': {
    flags: () => ['--block-urls', `localhost:${plain.port}`],
    to: path => `http://localhost:${plain.port}${path}`,
    target: () => plain,
    rule: () => `--block-urls localhost:${plain.port}`,
  },
  'a path that is not among the allowed ones, behind TLS': {
    flags: () => [
      ...['--allow-urls', `127.0.0.1:${open.port}`, '--allow-urls', `https://localhost:${secure.port}/open/**`],
      '--chrome-arg=--ignore-certificate-errors',
    ],
    to: path => `https://localhost:${secure.port}${path}`,
    target: () => secure,
    rule: () => 'not in --allow-urls',
  },
  'a name with a private address': {
    flags: () => ['--block-private', '--allow-urls', `127.0.0.1:${open.port}`, '--allow-urls', 'inner.test'],
    to: path => `http://inner.test:${plain.port}${path}`,
    target: () => plain,
    rule: () => '--block-private (127.0.0.1 is a loopback address)',
  },
};

/** A path for each test: refusals of the same url are told once in a while. */
let count = 0;
const nextPath = (): string => `/p${++count}.js`;

const page = (way: string, to: string): string =>
  `http://127.0.0.1:${open.port}/${encodeURIComponent(way)}?to=${encodeURIComponent(to)}`;

describe('without rules', () => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit('--chrome-arg=--ignore-certificate-errors');
  });
  afterAll(() => kit?.close());

  it.each([...Object.keys(IN_PAGE), ...Object.keys(NAVIGATING)])('%s gets there', async way => {
    const path = nextPath();
    await kit.call('navigate', { url: page(way, `http://localhost:${plain.port}${path}`) });
    await vi.waitFor(() => expect(plain.visits).toContain(path), SOON);
  });
});

describe.each(Object.entries(CASES))(
  'S3-24, issue: URL rules as a boundary: to %s',
  (_name, { flags, to, target, rule }) => {
    let kit: Kit;
    const refused: { what: string; rule: string; session?: string; caller: string }[] = [];
    beforeAll(async () => {
      kit = await startKit(...flags());
      kit.server.chrome.lookup = async host => {
        if (host === 'inner.test') return ['127.0.0.1'];
        throw Object.assign(new Error(host), { code: 'ENOTFOUND' });
      };
      kit.server.journal.follow(record => {
        if ('door' in record && record.door === 'egress') refused.push(record);
      });
    });
    afterAll(() => kit?.close());
    beforeEach(() => {
      target().visits.length = 0;
    });

    const recorded = (url: string) =>
      vi.waitFor(() => {
        const record = refused.find(({ what }) => what === url);
        expect(record, `no record of ${url}`).toBeDefined();
        return record;
      }, SOON);

    it.each(Object.keys(IN_PAGE))('not by %s', async way => {
      const url = to(nextPath());
      await kit.ok('navigate', { url: page(way, url) });
      expect(await recorded(url)).toMatchObject({ rule: rule() });
      expect(target().visits).toEqual([]);
    });

    it.each(Object.keys(NAVIGATING))('not by %s, and the agent is told', async way => {
      const url = to(nextPath());
      const said = await kit.call('navigate', { url: page(way, url) });
      expect(await recorded(url)).toMatchObject({ rule: rule() });
      const words = `URL not allowed: ${url}: rule "${rule()}".`;
      if (/redirects?$/.test(way))
        expect(said).toMatchObject({ ok: false, failure: { code: 'refused', rule: rule() } });
      let text = said.text;
      await vi.waitFor(async () => {
        text += (await kit.call('tab_list')).text;
        expect(text).toContain(words);
      }, SOON);
      expect(text.split(words), 'told once').toHaveLength(2);
      expect(target().visits).toEqual([]);
      for (const tab of [...(kit.server.list()[0]?.context.tabs.keys() ?? [])].slice(1))
        await kit.ok('tab_close', { tabId: tab });
    });

    it('not by a tool that takes a url', async () => {
      const url = to(nextPath());
      const text = `URL not allowed: ${url}: rule "${rule()}".`;
      for (const [name, args] of [
        ['navigate', { url }],
        ['tab_new', { url }],
        ['request', { url }],
        ['request', { url: page('a redirect', url) }],
        ['request', { url: page('two redirects', url) }],
      ] as const) {
        const { code, text: said } = await kit.fails(name, args);
        expect([name, code, said]).toEqual([name, 'refused', expect.stringContaining(text)]);
        expect(said.startsWith('URL not allowed: ')).toBe(true);
      }
      expect(target().visits).toEqual([]);
    });
  },
);
