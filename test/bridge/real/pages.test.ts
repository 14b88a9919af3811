// The loop on twenty pages, with the real agent-browser and a real browser (S0-49, S0-56, S0-57, S0-59).
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Site, startSite } from '../../site/serve.ts';
import { type Driver, startDriver } from './driver.ts';
import { PAGES, type Page } from './pages.ts';

let site: Site;
let driver: Driver;
beforeAll(async () => {
  site = await startSite();
  driver = await startDriver();
}, 90_000);
afterAll(async () => {
  const left = await driver.close();
  await site.close();
  expect(left).toEqual([]);
}, 90_000);

/** 95 %. Old versions of agent-browser cannot do as much: docs/agent-browser.md tells how much. */
const LEAST = Number(process.env.AGENT_BROWSER_TEST_PAGES ?? 19);

/** How long a page may take to show what an act caused. */
const TRIES = 20;

/** The ref of the first line that holds the words; a snapshot is taken until there is one. */
async function refOf(words: string, known: { text: string }): Promise<string> {
  for (let tried = 0; ; tried++) {
    const line = known.text.split('\n').find(row => row.includes(words));
    const [, ref] = /\bref=(e\d+)/.exec(line ?? '') ?? [];
    if (ref) return `@${ref}`;
    if (tried === TRIES) throw new Error(`no line with ${words} in:\n${known.text}`);
    known.text = String((await driver.data('snapshot')).snapshot);
  }
}

async function proven({ proof }: Page, known: { text: string }): Promise<void> {
  const ask = async () =>
    'expression' in proof
      ? (await driver.data('eval', { script: proof.expression })).result
      : (await driver.data('get', { what: 'value', target: await refOf(proof.valueOf, known) })).value;
  for (let tried = 0; ; tried++) {
    const got = await ask();
    if (got === proof.is) return;
    if (tried === TRIES)
      throw new Error(`the page shows ${JSON.stringify(got)} instead of ${JSON.stringify(proof.is)}`);
  }
}

async function drive(page: Page): Promise<void> {
  await driver.data('open', { url: `${site.url}/${page.page}` });
  const known = { text: String((await driver.data('snapshot')).snapshot) };
  for (const act of page.acts) {
    if ('click' in act) await driver.data('click', { target: await refOf(act.click, known) });
    else if ('fill' in act) await driver.data('fill', { target: await refOf(act.fill, known), value: act.with });
    else await driver.data('type', { target: await refOf(act.type, known), text: act.with });
    // What a click changed is read anew; fields stay where they are.
    if ('click' in act) known.text = String((await driver.data('snapshot')).snapshot);
  }
  known.text = String((await driver.data('snapshot')).snapshot);
  await proven(page, known);
}

/** Page → why it failed, or nothing. A page that is tried twice counts as it went last. */
const outcomes = new Map<string, string | undefined>();
const failed = () => [...outcomes].filter(([, why]) => why !== undefined);

it.each(PAGES.map(page => [page.kind, page.page, page] as const))(
  'S0-49 S0-59 acts by ref: %s, %s',
  async (_kind, name, page) => {
    outcomes.set(
      name,
      await drive(page).then(
        () => undefined,
        error => String(error).slice(0, 500),
      ),
    );
    // One of twenty may fail.
    expect(failed().slice(PAGES.length - LEAST)).toEqual([]);
  },
  60_000,
);

it('S0-56 S0-57 S0-59 S0-66 counts: at least 95 % of the pages, every call well-formed, nearly all with JSON', () => {
  const { calls, wellFormed, ok, withJson } = driver.tally;
  console.log(
    [
      `pages: ${outcomes.size - failed().length} of ${PAGES.length} by ref`,
      `calls: ${calls}, well-formed: ${wellFormed}, ok: ${ok}, with parsedJson: ${withJson}`,
      `lines on stdout: ${driver.server.lines.length}, all of them protocol`,
      ...failed().map(([name, why]) => `${name}: ${why}`),
    ].join('\n'),
  );
  expect(new Set(PAGES.map(({ page }) => page)).size).toBe(20);
  expect(outcomes.size - failed().length).toBeGreaterThanOrEqual(LEAST);
  expect(wellFormed).toBe(calls);
  expect(withJson / ok).toBeGreaterThanOrEqual(0.95);
  // Every line was read as JSON when it came: one answer for each request, the first one included.
  expect(driver.server.lines.length).toBe(calls + 1);
});
