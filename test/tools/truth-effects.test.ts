// Truth about effects: an action says what it caused, and waits for what it started.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, show, textOf } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const click = (selector: string, more = {}) => kit.ok('click', { selector, ...more });
const tabIdIn = (text: string): number => Number(/opened tab (\d+)/.exec(text)?.[1]);

describe('S1-29 a click that navigates', () => {
  it('says where to, and the next call sees the new page', async () => {
    await kit.open('/open-tab.html');
    await js(kit, "document.body.insertAdjacentHTML('beforeend', '<a href=/article.html id=go>Go</a>')");
    expect(await click('#go')).toMatch(
      /^Clicked @e\d+ link "Go"; now at http:\/\/127\.0\.0\.1:\d+\/article\.html ".+"\.$/,
    );
    expect(await kit.ok('url')).toMatch(/article\.html$/);
  });

  it('waits for a slow server', async () => {
    await kit.open('/signup.html');
    await js(kit, "document.body.insertAdjacentHTML('beforeend', '<a href=\"/slow?ms=700\" id=go>Go</a>')");
    expect(await click('#go')).toMatch(/now at .*\/slow\?ms=700 "Slow"/);
  });

  it('a server that does not answer: told, within the timeout, and the tab can be used after it', async () => {
    await kit.open('/signup.html');
    await js(kit, "document.body.insertAdjacentHTML('beforeend', '<a href=/never-answers id=go>Go</a>')");
    const result = await kit.call('click', { selector: '#go', timeout: 800 });
    expect(result.text).toMatch(/loading .*\/never-answers, not there yet/);
    expect(result.ms).toBeLessThan(4_000);
    await kit.open('/signup.html');
  });

  it.each([
    ['a changed hash', "location.hash = 'part'", /now at .*#part/],
    ['pushState', "history.pushState(0, '', '/pushed')", /now at .*\/pushed/],
    ['location.assign in a script', "location.assign('/article.html')", /now at .*article\.html/],
    ['a form sent by a script', 'f.submit()', /now at .*\/api\/echo/],
    ['reload', 'location.reload()', /now at .*signup\.html/],
  ])('by %s', async (_how, script, said) => {
    await kit.open('/signup.html');
    await js(
      kit,
      `document.body.innerHTML = '<form id=f action=/api/echo></form><button>Go</button>'; document.querySelector('button').onclick = () => { ${script} }; 0`,
    );
    expect(await click('text:Go')).toMatch(said);
  });

  it('a click that changes nothing says nothing more', async () => {
    await show(kit, '<button>Quiet</button>');
    expect(await click('text:Quiet')).toMatch(/^Clicked @e\d+ \w+ "Quiet"\.$/);
  });

  it('what a click fetched is on the page when it answers', async () => {
    await kit.open('/signup.html');
    await js(
      kit,
      `document.body.innerHTML = '<button>Load</button><p id="log"></p>'; document.querySelector('button').onclick = async () => { log.textContent = (await fetch('/slow?ms=250')).status }; 0`,
    );
    await click('text:Load');
    expect(await textOf(kit, '#log')).toBe('200');
  });

  it('S1-34 Enter in a form says where it led', async () => {
    await kit.open('/signup.html');
    for (const [selector, value] of Object.entries({
      '#name': 'Ada',
      '#email': 'a@b.c',
      '#password': 'x',
      'role:checkbox': 'true',
    }))
      await kit.ok('fill', { selector, value });
    expect(await kit.ok('press', { selector: '#email', key: 'Enter' })).toMatch(/now at .*\/signup "Welcome"/);
  });
});

describe('S1-29 a click that opens a tab', () => {
  it.each(['#link', '#other', '#open', '#blank'])('%s gives its tabId, and the tab can be used', async selector => {
    await kit.open('/open-tab.html');
    const tabId = tabIdIn(await click(selector));
    expect(await kit.ok('tab_list')).toContain(`${tabId}: `);
    expect(await kit.ok('snapshot', { tabId })).toMatch(/^Page: /);
    await kit.ok('tab_close', { tabId });
  });

  it('the url of the new tab is told, and the old tab stays where it was', async () => {
    await kit.open('/open-tab.html');
    const said = await click('#link');
    expect(said).toMatch(/opened tab \d+ \(http:.*\/article\.html\)/);
    expect(await kit.ok('snapshot', { tabId: tabIdIn(said) })).toMatch(/article\.html/);
    await kit.ok('tab_close', { tabId: tabIdIn(said) });
    expect(await kit.ok('url')).toMatch(/open-tab\.html$/);
  });
});

describe('S1-29 a click that downloads, fails or asks', () => {
  it.each([
    ['#attachment', 'report.csv'],
    ['#named', 'saved-article.html'],
  ])('%s: the download %s is told', async (selector, name) => {
    await kit.open('/downloads.html');
    expect(await click(selector)).toContain(`download started: ${name}`);
    expect(await kit.ok('url')).toMatch(/downloads\.html$/);
  });

  it('a download that a script starts is told with the click or with the next answer', async () => {
    await kit.open('/downloads.html');
    const said = await click('#blob');
    const next = await kit.ok('wait', { for: 'download', filename_contains: 'made' });
    expect(said + next).toMatch(/download started: made\.txt/i);
  });

  it.each([
    ['#throw', 'thrown on click'],
    ['#reject', 'rejected on click'],
  ])('%s: the error of the page is told', async (selector, message) => {
    await kit.open('/console.html');
    // Several, because a rejection is reported by a task of its own, which has to come before the answer each time.
    for (let time = 0; time < 10; time++)
      expect(await click(selector)).toMatch(new RegExp(`page error: ".*${message}"`));
  });

  it('a field that is set by script: the error of the page is told, also a rejection', async () => {
    await show(kit, `<input type="date" oninput="Promise.reject(new Error('no such day'))">`);
    expect(await kit.ok('fill', { selector: 'input', value: '2024-05-06' })).toContain(
      'page error: "Error: no such day"',
    );
  });

  it('S1-67 a dialog: the click answers at once and quotes it', async () => {
    await kit.open('/dialogs.html');
    const result = await kit.call('click', { selector: '#confirm' });
    expect(result.text).toContain('confirm dialog open: "Delete the file?"');
    expect(result.ms).toBeLessThan(4_000);
    expect((await kit.fails('click', { selector: '#alert' })).text).toContain('"Delete the file?"');
    await kit.ok('dialog', { action: 'dismiss' });
    expect(await textOf(kit, '#log')).toBe('confirm: false');
  });

  it('an error of an earlier moment is not put down to this click', async () => {
    await show(kit, '<button>Quiet</button><script>setTimeout(() => { throw new Error("earlier") })</script>');
    expect(await click('text:Quiet')).toMatch(/^Clicked @e\d+ \w+ "Quiet"\.$/);
  });
});
