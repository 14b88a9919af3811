// `npm run widgets -- --oracle`: roles and names against Chrome's accessibility tree on every page we have, and on the states of the widgets.
import { Oracle, SITE_STOPS } from '../engine/snapshot/oracle.ts';
import { startSite } from '../site/serve.ts';
import { type Pages, pageNames } from './serve.ts';

const AT_LEAST = 0.995;
const PAGES_AT_LEAST = 300;
/** What opens or shows something else when it is clicked. */
const OPENERS =
  '[aria-haspopup]:not([aria-haspopup=false]), [aria-expanded=false], [role=combobox], [role=tab][aria-selected=false], button, input';
/** States of one page. */
const MOST_OPENED = 6;
const CLICK_MS = 1_500;

async function checkSite(oracle: Oracle): Promise<void> {
  const site = await startSite();
  try {
    for (const stop of SITE_STOPS) await oracle.visit(site.url, stop);
  } finally {
    await site.close();
  }
}

/** A widget page as it opens, and after a click on each of its first openers. */
async function checkWidget(oracle: Oracle, name: string, url: string): Promise<void> {
  const { tab } = oracle;
  await tab.goto(url);
  await oracle.check(name);
  const openers = tab.locator(OPENERS).filter({ visible: true });
  const count = Math.min(await openers.count(), MOST_OPENED);
  for (let at = 0; at < count; at++) {
    await tab.goto(url);
    // What is covered or moves away is opened by no person either.
    const isClicked = await openers
      .nth(at)
      .click({ timeout: CLICK_MS })
      .then(
        () => true,
        () => false,
      );
    if (isClicked) await oracle.check(`${name}, opened ${at + 1}`);
  }
}

/** Zero when roles and names agree well enough on enough pages. */
export async function runOracle(
  pages: Pages,
  only: readonly string[] | undefined,
  note: (text: string) => void,
): Promise<number> {
  const oracle = await Oracle.start();
  try {
    if (!only) await checkSite(oracle);
    for (const name of pageNames.filter(name => !only || only.includes(name))) {
      note(name);
      await checkWidget(oracle, name, pages.url(name));
    }
  } finally {
    await oracle.close();
  }
  const { agreement, figures, seen } = oracle;
  process.stdout.write(`${[...seen.keys(), '', oracle.report()].join('\n')}\n`);
  const isEnough = only !== undefined || figures.pages >= PAGES_AT_LEAST;
  return isEnough && agreement.role >= AT_LEAST && agreement.name >= AT_LEAST ? 0 : 1;
}
