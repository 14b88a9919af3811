// A person takes over in the page at /view, in a real browser: signs in with a list, a date field, a file chooser and a dialog, and hands back.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { poolChrome } from '../chrome-pool.ts';
import { TOKEN } from '../surfaces/http/here.ts';
import { type ServedView, serveView } from '../surfaces/view/served-view.ts';
import { addressOf, axeFinds, openWindow, startBrowser, VIEWS } from './viewer.ts';

const at = (top: number) => `style="position:absolute;left:10px;top:${top}px;width:200px;height:30px"`;
const FORM = `<title>Sign in</title><form>
  <input name=user ${at(10)}>
  <input name=pass type=password ${at(50)}>
  <select name=role aria-label=Role ${at(90)}><option>Reader<option>Writer</select>
  <input name=day aria-label=Day type=date ${at(130)}>
  <input name=paper type=file ${at(170)}>
  <button type=button ${at(210)}>Send</button></form><div style="height:3000px"></div>
  <script>state = () => [...document.querySelectorAll('input:not([type=file]),select')].map(e => e.value)
    .concat(document.querySelector('[type=file]').files[0]?.name ?? 'no file', document.title);
  document.querySelector('button').onclick = () => { document.title = confirm('Really send?') ? 'Sent' : 'Kept'; };</script>`;

poolChrome();

let served: ServedView;
let browser: Browser;

beforeAll(async () => {
  served = await serveView({ http: TOKEN });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await served.close();
});

/** Asks the page past the pipeline: a script of an agent would have to wait for the person. */
async function state(expression = 'JSON.stringify(state())'): Promise<string> {
  const tab = served.runtime.server?.list()[0]?.context.active;
  return String((await tab?.main.send('Runtime.evaluate', { expression }))?.result.value);
}

async function open(
  size = VIEWS[0] as (typeof VIEWS)[number],
): Promise<{ page: Page; surface: Locator; problems: string[]; close(): Promise<void> }> {
  await served.call('navigate', { url: `data:text/html,${encodeURIComponent(FORM)}` });
  const { page, context, problems } = await openWindow(browser, size);
  await page.goto(await addressOf(served));
  await page.locator('.card').getByRole('link').first().click();
  await page.waitForFunction(
    () => document.querySelector('.stage canvas') && !document.querySelector('.stage .no-picture'),
  );
  return { page, surface: page.locator('#page-input'), problems, close: () => context.close() };
}

/** Clicks where a point of the shown page is on the picture. */
async function clickAt(surface: Locator, x: number, y: number): Promise<void> {
  const box = (await surface.boundingBox())!;
  const width = Number(await state('innerWidth'));
  await surface.click({ position: { x: (x * box.width) / width, y: (y * box.width) / width } });
}

describe('a person', () => {
  it('takes over, signs in with every kind of control, and hands back; the agent is told', async () => {
    const { page, surface, problems, close } = await open();
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.getByText('You act.').waitFor();
    await clickAt(surface, 100, 25);
    await page.keyboard.type('Zoë');
    await page.keyboard.press('Tab');
    await page.keyboard.type('open sesame');

    await clickAt(surface, 100, 105);
    const list = page.getByRole('dialog', { name: 'Role' });
    await list.getByRole('listbox').selectOption({ label: 'Writer' });
    await list.getByRole('button', { name: 'Choose' }).click();
    await list.waitFor({ state: 'detached' });

    await clickAt(surface, 190, 145);
    const day = page.getByRole('dialog', { name: 'Day' });
    await day.getByLabel('Day').fill('2026-11-18');
    await day.getByRole('button', { name: 'Set' }).click();
    await day.waitFor({ state: 'detached' });

    await clickAt(surface, 40, 185);
    const files = page.locator('.control:has([type=file])');
    await files
      .locator('[type=file]')
      .setInputFiles({ name: 'paper.txt', mimeType: 'text/plain', buffer: Buffer.from('hi') });
    await files.getByRole('button', { name: 'Give to the page' }).click();
    await files.waitFor({ state: 'detached' });

    await clickAt(surface, 100, 225);
    const dialog = page.getByRole('dialog', { name: 'Really send?' });
    await dialog.waitFor();
    expect(await axeFinds(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(state).toBe(JSON.stringify(['Zoë', 'open sesame', 'Writer', '2026-11-18', 'paper.txt', 'Sent']));

    await surface.focus();
    await page.keyboard.press('Control+Alt+Enter');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Hand back');
    await page.keyboard.press('Enter');
    await page.getByText('The agent acts. You watch.').waitFor();
    const { text } = await served.call('snapshot');
    expect(text).toMatch(/person/i);
    expect(text).not.toContain('open sesame');
    expect(problems).toEqual([]);
    await close();
  });

  it('pastes, scrolls and composes', async () => {
    const { page, surface, close } = await open();
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.getByText('You act.').waitFor();
    await clickAt(surface, 100, 25);
    await surface.evaluate(field => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'from the clipboard ');
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
      field.dispatchEvent(new CompositionEvent('compositionupdate', { data: 'に' }));
      field.dispatchEvent(new CompositionEvent('compositionend', { data: '日本' }));
    });
    await expect.poll(() => state('state()[0]')).toBe('from the clipboard 日本');
    const box = (await surface.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.wheel(0, 300);
    await expect.poll(async () => Number(await state('scrollY'))).toBeGreaterThan(100);
    await page.getByRole('button', { name: 'Hand back' }).click();
    await page.getByText('The agent acts. You watch.').waitFor();
    await close();
  });
});
