// The oracle test: roles, names and states of our snapshot against Chrome's own accessibility tree, over the whole test site and the ARIA patterns.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nameOf } from '../../../src/engine/snapshot/accessibility/names.ts';
import { roleOf } from '../../../src/engine/snapshot/accessibility/roles.ts';
import { patterns } from '../../site/patterns.ts';
import { type Site, startSite } from '../../site/serve.ts';
import { KNOWN, keyOf } from './differences.ts';
import { Oracle, SITE_STOPS } from './oracle.ts';
import { views } from './two-views.ts';

const AT_LEAST = 0.995;
const PAGES_AT_LEAST = 40;
const PATTERNS_AT_LEAST = 25;

let site: Site;
let oracle: Oracle;

beforeAll(async () => {
  [site, oracle] = await Promise.all([startSite(), Oracle.start()]);
}, 60_000);

afterAll(async () => {
  await oracle?.close();
  await site?.close();
});

const known = new Set(KNOWN.map(keyOf));

describe('our snapshot says what Chrome says', () => {
  test.for(SITE_STOPS)('$title', async stop => {
    const { differences, view } = await oracle.visit(site.url, stop);
    expect(differences.map(keyOf).filter(key => !known.has(key))).toEqual([]);
    const marked = view.page.main.nodes.filter(n => n.attrs['data-says'] !== undefined);
    expect(marked.map(n => `${roleOf(n)} "${nameOf(n)}"`)).toEqual(marked.map(n => n.attrs['data-says']));
  });
});

test('a frame of another site is read in its own process', async () => {
  await oracle.tab.goto(`${site.url}/signup-in-cross-origin-iframe.html`);
  const { page, chrome } = await views(oracle.context, oracle.tab);
  expect(chrome.map(({ process }) => process)).toEqual(['0', '1']);
  expect(page.docs.map(doc => new URL(doc.url).hostname)).toEqual(['127.0.0.1', 'localhost']);
});

describe('over all pages', () => {
  test('role and name agree for at least 99.5 % of the printed elements', () => {
    console.log(oracle.report());
    for (const key of oracle.seen.keys()) console.log(`  ${key}`);
    expect(oracle.visited.size).toBeGreaterThanOrEqual(PAGES_AT_LEAST);
    expect(oracle.agreement.role).toBeGreaterThanOrEqual(AT_LEAST);
    expect(oracle.agreement.name).toBeGreaterThanOrEqual(AT_LEAST);
  });

  test('16: at least 25 ARIA patterns, each with elements that say what role and name they must have', () => {
    expect(patterns.filter(({ name }) => !name.startsWith('names:')).length).toBeGreaterThanOrEqual(PATTERNS_AT_LEAST);
    expect(patterns.filter(({ html }) => !html.includes('data-says='))).toEqual([]);
  });

  test('every listed difference still occurs', () => {
    const gone = KNOWN.filter(difference => oracle.visited.has(difference.page) && !oracle.seen.has(keyOf(difference)));
    expect(gone.map(keyOf)).toEqual([]);
  });
});
