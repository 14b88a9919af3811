// A browser of a person who opens the page at /view, and axe, which judges what is on it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findBrowser } from '../../src/engine/browser/find-browser.ts';
import { TOKEN } from '../surfaces/http/here.ts';
import { newCode } from '../surfaces/view/person.ts';
import type { ServedView } from '../surfaces/view/served-view.ts';
import type { Shot } from './shots.ts';
import { type Jpegs, overviewTold, tellPage } from './told.ts';

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findBrowser({ executablePath: process.env.TABWRIGHT_EXECUTABLE_PATH }),
    args: ['--no-sandbox'],
  });

export type WindowSize = (typeof VIEWS)[number];

export const VIEWS = [
  { name: '1280-light', width: 1280, height: 800, colorScheme: 'light' },
  { name: '1280-dark', width: 1280, height: 800, colorScheme: 'dark' },
  { name: '390-light', width: 390, height: 844, colorScheme: 'light' },
  { name: '390-dark', width: 390, height: 844, colorScheme: 'dark' },
] as const;

/** A window of that size; what goes wrong inside the page, and what its CSP refuses, makes the test fail by `problems`. */
export async function openWindow(
  browser: Browser,
  { width, height, colorScheme }: WindowSize = VIEWS[0],
): Promise<{ page: Page; context: BrowserContext; problems: string[] }> {
  // The CSP stays in force; axe is brought in from outside of it.
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
  // A step that does not come about says which it was, before the test as a whole is late.
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', error => problems.push(String(error)));
  page.on('console', message => {
    if (message.type() === 'error' && !/status of 40[0-9]/.test(message.text())) problems.push(message.text());
  });
  return { page, context, problems };
}

/** The address of the page with a code that logs in the owner of the token. */
export async function addressOf({ here }: ServedView, hash = '', token = TOKEN): Promise<string> {
  const code = hash.includes('code=') ? '' : `code=${await newCode(here.url, token)}&`;
  return new URL(`/view/#${code}${hash}`, here.url).href;
}

/** One of the views, told by the test instead of a server with sessions. */
export async function openShot(
  browser: Browser,
  served: ServedView,
  size: WindowSize,
  { hash, steps }: Shot,
  jpegs: Jpegs,
) {
  const window = await openWindow(browser, size);
  const { page } = window;
  const told = await tellPage(page, overviewTold(), jpegs);
  await page.goto(await addressOf(served, hash));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await steps?.(page, told);
  await page.waitForFunction(() => !document.querySelector('.stage .no-picture'));
  return { ...window, told };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds, one line each: the rule and where. */
export async function axeFinds(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  })`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ''}`));
}
