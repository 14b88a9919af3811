// The oracle test: roles, names and states of our snapshot against Chrome's own accessibility tree, over the whole test site.
import { type Browser, type BrowserContext, chromium, type Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageNames, type Site, startSite } from '../../site/serve.ts';
import { pageStates } from '../../site/states.ts';
import { compare, NOTHING } from './compare.ts';
import { type Difference, KNOWN, keyOf } from './differences.ts';
import { views } from './two-views.ts';

const AT_LEAST = 0.995;
const PAGES_AT_LEAST = 40;
/** Five hundred equal rows would flatter the figures. */
const NOT_COUNTED = 'long-list.html';

const figures = { ...NOTHING };
const seen = new Map<string, Difference>();
const visited = new Set<string>();

let site: Site;
let browser: Browser;
let context: BrowserContext;
let tab: Tab;

beforeAll(async () => {
  site = await startSite();
  browser = await chromium.launch({
    executablePath: process.env.TABWRIGHT_TEST_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  tab = await context.newPage();
}, 60_000);

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const known = new Set(KNOWN.map(keyOf));

async function check(name: string, reach: (tab: Tab) => Promise<unknown>): Promise<void> {
  await tab.goto(`${site.url}/${name}`);
  await reach(tab);
  const { differences, figures: these } = compare(name, await views(context, tab));
  visited.add(name);
  if (name !== NOT_COUNTED)
    for (const key of Object.keys(figures) as (keyof typeof figures)[]) figures[key] += these[key];
  for (const difference of differences) seen.set(keyOf(difference), difference);
  expect(differences.map(keyOf).filter(key => !known.has(key))).toEqual([]);
}

const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(2)} %`;

describe('our snapshot says what Chrome says', () => {
  test.for(pageNames)('%s', name => check(name, async () => undefined));
  test.for(pageStates)('$page, $state', ({ page, reach }) => check(page, reach));
});

test('a frame of another site is read in its own process', async () => {
  await tab.goto(`${site.url}/signup-in-cross-origin-iframe.html`);
  const { page, chrome } = await views(context, tab);
  expect(chrome.map(({ process }) => process)).toEqual(['0', '1']);
  expect(page.docs.map(doc => new URL(doc.url).hostname)).toEqual(['127.0.0.1', 'localhost']);
});

describe('over all pages', () => {
  test('role and name agree for at least 99.5 % of the printed elements', () => {
    const { pages, elements, role, name, states, statesSame, texts, textsSame } = figures;
    console.log(
      `oracle: ${pages} pages and states, ${elements} elements, role ${percent(role, elements)}, name ${percent(name, elements)}, states ${percent(statesSame, states)} of ${states}, text ${percent(textsSame, texts)} of ${texts}, ${seen.size} differences`,
    );
    for (const key of seen.keys()) console.log(`  ${key}`);
    expect(visited.size).toBeGreaterThanOrEqual(PAGES_AT_LEAST);
    expect(role / elements).toBeGreaterThanOrEqual(AT_LEAST);
    expect(name / elements).toBeGreaterThanOrEqual(AT_LEAST);
  });

  test('every listed difference still occurs', () => {
    const gone = KNOWN.filter(difference => visited.has(difference.page) && !seen.has(keyOf(difference)));
    expect(gone.map(keyOf)).toEqual([]);
  });
});
