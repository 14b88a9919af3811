// Tabs and windows: every parameter of tab_new, tab_list, tab_switch, tab_close and window_new.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js } from './page.ts';

let kit: Kit;
let first: number;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

interface Row {
  tabId: number;
  url: string;
  title: string;
  active: boolean;
  windowId: number;
}
const list = async (args = {}): Promise<Row[]> => ((await kit.call('tab_list', args)).data as { tabs: Row[] }).tabs;
const made = async (tool: string, args = {}): Promise<number> => {
  const result = await kit.call(tool, args);
  expect(result.ok, result.text).toBe(true);
  return (result.data as { tabId: number }).tabId;
};
const at = (path: string): string => `${kit.site.url}${path}`;

beforeEach(async () => {
  await kit.open('/signup.html');
  first = (await list())[0]?.tabId ?? 0;
});
afterEach(async () => {
  const others = (await list()).map(tab => tab.tabId).filter(id => id !== first);
  if (others.length > 0) await kit.ok('tab_close', { tabId: others });
});

describe('S1-44 tab_new, S1-45 tab_list', () => {
  it('a url, a title, an id; the new tab is active', async () => {
    const said = await kit.ok('tab_new', { url: at('/article.html') });
    expect(said).toMatch(/^Opened tab \d+: http.*\/article\.html ".+"$/);
    expect(await list()).toMatchObject([
      { tabId: first, active: false, title: 'Sign up' },
      { active: true, url: at('/article.html') },
    ]);
    expect(await kit.ok('tab_list')).toMatch(/^- \d+: .*signup\.html "Sign up".*\n\* \d+: .*article\.html/);
  });

  it('without a url: about:blank', async () => {
    const tabId = await made('tab_new');
    expect(await kit.ok('url', { tabId })).toBe('about:blank');
  });

  it('active: false leaves the active tab as it is', async () => {
    const tabId = await made('tab_new', { url: at('/article.html'), active: false });
    expect(await kit.ok('url')).toBe(at('/signup.html'));
    expect(await kit.ok('snapshot', { tabId })).toContain('article.html');
  });

  it('14.10 tab_list of a window that is not there is an error', async () => {
    const { code, text } = await kit.fails('tab_list', { windowId: 424242 });
    expect([code, text]).toEqual(['no_tab', expect.stringMatching(/^There is no window 424242\. Windows: \d+/)]);
  });

  it('windowId: in that window; tab_list by window', async () => {
    const other = await made('window_new');
    const windowId = (await list()).find(tab => tab.tabId === other)?.windowId;
    const tabId = await made('tab_new', { windowId, url: at('/article.html') });
    expect((await list({ windowId })).map(tab => tab.tabId)).toEqual([other, tabId]);
    expect((await kit.fails('tab_new', { windowId: 424242 })).text).toMatch(/no window 424242/);
  });

  it.each(['tab_new', 'window_new', 'navigate'])(
    '%s to a url that does not answer leaves no tab that nobody knows of',
    async tool => {
      const { text } = await kit.fails(tool, {
        url: 'http://127.0.0.1:9/',
        ...(tool === 'navigate' ? { new_tab: true } : {}),
      });
      const others = (await list()).filter(tab => tab.tabId !== first);
      for (const { tabId } of others) expect(text).toContain(`tab ${tabId}`);
    },
  );

  it('an id is never used again', async () => {
    const one = await made('tab_new');
    await kit.ok('tab_close', { tabId: one });
    expect(await made('tab_new')).toBeGreaterThan(one);
  });
});

describe('S1-46 tab_switch', () => {
  it('by tabId and by index', async () => {
    const second = await made('tab_new', { url: at('/article.html') });
    expect(await kit.ok('tab_switch', { tabId: first })).toMatch(
      new RegExp(`^Tab ${first} is active: .*signup\\.html "Sign up"`),
    );
    expect(await kit.ok('url')).toBe(at('/signup.html'));
    await kit.ok('tab_switch', { index: 1 });
    expect(await kit.ok('url')).toBe(at('/article.html'));
    expect((await list()).find(tab => tab.active)?.tabId).toBe(second);
  });

  it.each([{ tabId: 9999 }, { index: 99 }])('%j is not there', async args => {
    const { code, text } = await kit.fails('tab_switch', args);
    expect(code).toBe('no_tab');
    expect(text).toContain(String(Object.values(args)[0]));
  });

  it('needs one of the two', async () => {
    expect((await kit.fails('tab_switch', {})).code).toBe('bad_input');
    expect((await kit.fails('tab_switch', { tabId: first, index: 0 })).code).toBe('bad_input');
  });
});

describe('S1-47 tab_close', () => {
  it('the active one; the one before becomes active', async () => {
    const tabId = await made('tab_new');
    expect(await kit.ok('tab_close')).toBe(`Closed tab ${tabId}; tab ${first} is active.`);
  });

  it('14.2 one, several, by a url pattern', async () => {
    const ids = [
      await made('tab_new', { url: at('/article.html') }),
      await made('tab_new', { url: at('/article.html?2') }),
      await made('tab_new', { url: at('/tables.html') }),
      await made('tab_new'),
    ];
    await kit.ok('tab_close', { tabId: ids[3] });
    expect(await kit.ok('tab_close', { url: '*article*' })).toMatch(new RegExp(`^Closed tab ${ids[0]}, ${ids[1]};`));
    await kit.ok('tab_close', { tabId: [ids[2]] });
    expect((await list()).map(tab => tab.tabId)).toEqual([first]);
  });

  it('one that is not there closes nothing', async () => {
    const tabId = await made('tab_new');
    expect((await kit.fails('tab_close', { tabId: [tabId, 9999] })).text).toMatch(/9999.*Nothing was closed/);
    expect((await kit.fails('tab_close', { url: '**/nowhere' })).code).toBe('no_tab');
    expect(await list()).toHaveLength(2);
  });

  it('the last one: the next call opens a new one', async () => {
    expect(await kit.ok('tab_close')).toMatch(/none is open/);
    expect(await kit.ok('tab_list')).toBe('No tab is open.');
    await kit.open('/signup.html');
    first = (await list())[0]?.tabId ?? 0;
  });

  it('a tab that asks before it is left is closed all the same', async () => {
    const tabId = await made('tab_new', { url: at('/beforeunload') });
    await kit.ok('fill', { selector: '#note', value: 'unsaved' });
    const { ms, ok } = await kit.call('tab_close', { tabId });
    expect(ok).toBe(true);
    expect(ms).toBeLessThan(4_000);
  });
});

describe('S1-48 window_new', () => {
  const cookie = () => js(kit, 'document.cookie');

  it('url, width, height; a window of its own with the same cookies', async () => {
    await js(kit, "document.cookie = 'shared=yes'");
    const tabId = await made('window_new', { url: at('/article.html'), width: 700, height: 500 });
    expect(await js(kit, '[innerWidth, innerHeight].join()')).toBe('700,500');
    expect(await cookie()).toContain('shared=yes');
    const rows = await list();
    expect(rows.find(tab => tab.tabId === tabId)?.windowId).not.toBe(rows[0]?.windowId);
  });

  it('incognito: cookies and storage of its own, both ways', async () => {
    await js(kit, "document.cookie = 'mine=1'; localStorage.setItem('mine', 1)");
    const tabId = await made('window_new', { url: at('/article.html'), incognito: true });
    expect(await js(kit, 'document.cookie + localStorage.length')).toBe('0');
    await js(kit, "document.cookie = 'theirs=1'");
    await kit.ok('tab_switch', { tabId: first });
    expect(await cookie()).not.toContain('theirs');
    expect(await kit.ok('url', { tabId })).toBe(at('/article.html'));
  });

  it('its size by default is 1280x720; without a url it is blank', async () => {
    await made('window_new');
    expect(await js(kit, '[innerWidth, innerHeight].join()')).toBe('1280,720');
    expect(await kit.ok('url')).toBe('about:blank');
  });
});
