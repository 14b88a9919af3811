// The page at /view in a real browser, on a real server with real sessions: login, overview, timeline, keyboard; axe on every view.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sizeOfPage } from '../../scripts/build-web.ts';
import { poolChrome } from '../chrome-pool.ts';
import { TOKEN } from '../surfaces/http/here.ts';
import { type ServedView, serveView } from '../surfaces/view/served-view.ts';
import { SHOTS } from './shots.ts';
import { pictureMaker } from './shown-pages.ts';
import type { Jpegs } from './told.ts';
import { addressOf, axeFinds, openShot, openWindow, startBrowser, VIEWS } from './viewer.ts';

const ann = { id: 'ann', rateLimit: 0 };

poolChrome();

let served: ServedView;
let browser: Browser;
let jpegs: Jpegs;

beforeAll(async () => {
  served = await serveView({ http: TOKEN, ann: 'another-token-of-the-tests' });
  browser = await startBrowser();
  jpegs = await pictureMaker(browser);
});
afterAll(async () => {
  await browser.close();
  await served.close();
});

const html = (body: string) => `data:text/html,${encodeURIComponent(body)}`;

/** The colour in the middle of the canvas of a card or of the stage: red, green and blue. */
const middleOf = (page: Page, selector: string) =>
  page.evaluate(where => {
    const canvas = document.querySelector<HTMLCanvasElement>(`${where} canvas`);
    const data = canvas?.getContext('2d')?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data;
    return data ? [...data.slice(0, 3)].map(value => Math.round(value / 255)) : [];
  }, selector);

describe('login', () => {
  it('says what to do without a code, and with one that was used', async () => {
    const { page, context, problems } = await openWindow(browser);
    await page.goto(new URL('/view/', served.here.url).href);
    await page.getByText('You are not logged in').waitFor();
    expect(await page.locator('pre').textContent()).toBe('tabwright view');
    const address = await addressOf(served);
    await page.goto(address);
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    expect(page.url()).not.toContain('code');
    const { page: second, context: other } = await openWindow(browser);
    await second.goto(address);
    await second.getByText('That code was used').waitFor();
    expect(second.url()).not.toContain('code');
    await other.close();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByText('You are not logged in').waitFor();
    expect(problems.filter(text => !/WebSocket/.test(text))).toEqual([]);
    await context.close();
  });
});

describe('a person', () => {
  it('sees the sessions of two agents move, follows a call that fails, and goes back in time', async () => {
    await served.call('navigate', { url: html('<title>One</title><body style="background:#f00">') });
    await served.call('navigate', { url: html('<title>Two</title><body style="background:#00f">') }, ann);
    const { page, context, problems } = await openWindow(browser);
    await page.goto(await addressOf(served));
    const card = (title: string) => page.getByRole('listitem').filter({ hasText: title });
    await card('One').waitFor();
    await card('Two').waitFor();
    const red = '.card:has-text("One")';
    await expect.poll(() => page.locator(`${red} .no-picture`).count()).toBe(0);
    await served.call('navigate', {
      url: html('<title>Next</title><body style="background:#0f0"><button>Save</button>'),
    });
    await card('Next').waitFor();
    expect(await card('One').count()).toBe(0);

    await card('Next').getByRole('link').click();
    await expect.poll(() => middleOf(page, '.stage'), { timeout: 15_000 }).toEqual([0, 1, 0]);
    await served.call('evaluate', { expression: "document.body.style.background = '#00f'" });
    await expect.poll(() => middleOf(page, '.stage'), { timeout: 15_000 }).toEqual([0, 0, 1]);

    const failed = await served.call('click', { target: 'text:Nowhere' });
    expect(failed.failure).toBeDefined();
    await page.locator('.call-failed').getByRole('button', { name: /click/ }).click();
    expect(await page.locator('.call-failed').textContent()).toContain(failed.failure?.message);
    expect(await page.locator('.call-failed .hint').textContent()).toBe(failed.failure?.hint);
    await page.getByLabel('Failures only').check();
    expect(await page.locator('.call').count()).toBe(1);
    await page.getByLabel('Failures only').uncheck();
    expect(await page.locator('.call').count()).toBeGreaterThan(2);

    await page.getByRole('slider', { name: 'Picture' }).press('Home');
    await expect
      .poll(() => page.locator('img.past').evaluate(img => (img as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(100);
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    expect(await page.locator('img.past').count()).toBe(0);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('sees titles and answers of pages as text', async () => {
    const title = '<img src=x onerror=document.title=1>';
    await served.call('navigate', { url: html(`<title>${title.replaceAll('<', '&lt;')}</title>`) });
    const { page, context, problems } = await openWindow(browser);
    await page.goto(await addressOf(served));
    await page.getByText(title).first().waitFor();
    expect(await page.locator('.card img').count()).toBe(0);
    expect(await page.title()).toBe('Sessions · Tabwright');
    expect(problems).toEqual([]);
    await context.close();
  });

  it('does it all by keyboard: opens a session, goes through the timeline and the panels, closes the session', async () => {
    await served.call('navigate', { url: html('<title>Keys</title><button>Go</button>'), session: 'keys' });
    await served.call('snapshot', { session: 'keys' });
    const { page, context } = await openWindow(browser);
    await page.goto(await addressOf(served));
    const link = page.getByRole('link', { name: 'keys' });
    await link.waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    for (let tabs = 0; (await focused()) !== 'keys'; tabs++) {
      expect(tabs).toBeLessThan(40);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.locator('.call').nth(1).waitFor();
    const timeline = page.getByRole('tab', { name: 'Timeline' });
    for (let tabs = 0; !(await timeline.evaluate(tab => tab === document.activeElement)); tabs++) {
      expect(tabs).toBeLessThan(40);
      await page.keyboard.press('Tab');
    }
    for (const key of ['Tab', 'Tab', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    expect(await page.locator('.call').nth(1).getByRole('button').first().getAttribute('aria-expanded')).toBe('true');
    for (const key of ['Shift+Tab', 'Shift+Tab', 'ArrowRight']) await page.keyboard.press(key);
    expect(await page.getByRole('tab', { name: 'Snapshot' }).getAttribute('aria-selected')).toBe('true');
    await page.goBack();
    await page.getByRole('button', { name: 'Close session keys' }).focus();
    for (const key of ['Enter', 'Enter']) await page.keyboard.press(key);
    await expect.poll(() => link.count()).toBe(0);
    await context.close();
  });

  it('sees that the connection broke, and is connected again', async () => {
    const { page, told, context } = await openShot(browser, served, VIEWS[0], SHOTS[1]!, jpegs);
    await told.breakLink();
    await page.getByText('No connection.').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await page.getByText('No connection.').count()).toBe(0);
    await context.close();
  });
});

describe('axe finds nothing', () => {
  // Each view light and wide, dark and narrow; test/web/pictures.ts has the others.
  for (const size of [VIEWS[0], VIEWS[3]])
    for (const shot of SHOTS)
      it(`${shot.name}, ${size.name}`, async () => {
        const { page, context, problems } = await openShot(browser, served, size, shot, jpegs);
        expect(await axeFinds(page)).toEqual([]);
        expect(problems).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 'too wide').toBe(0);
        await context.close();
      });
});

it('the page is at most 60 KB, compressed', async () => {
  expect(await sizeOfPage()).toBeLessThanOrEqual(60 * 1024);
});
