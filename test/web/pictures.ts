// Takes a picture of every view, at two widths, light and dark: tsx test/web/pictures.ts FOLDER
import { mkdirSync } from 'node:fs';
import { TOKEN } from '../surfaces/http/here.ts';
import { serveView } from '../surfaces/view/served-view.ts';
import { SHOTS } from './shots.ts';
import { pictureMaker } from './shown-pages.ts';
import { axeFinds, openShot, startBrowser, VIEWS } from './viewer.ts';

const [folder = '', only = ''] = process.argv.slice(2);
if (!folder) throw new Error('Say into which folder: tsx test/web/pictures.ts FOLDER');

mkdirSync(folder, { recursive: true });
const served = await serveView({ http: TOKEN });
const browser = await startBrowser();
const jpegs = await pictureMaker(browser);
for (const view of VIEWS)
  for (const shot of SHOTS.filter(({ name }) => name.includes(only))) {
    const { page, context } = await openShot(browser, served, view, shot, jpegs);
    await page.screenshot({ path: `${folder}/${shot.name}-${view.name}.png`, fullPage: view.width < 600 });
    for (const found of await axeFinds(page)) console.log(`${shot.name}-${view.name}: ${found}`);
    await context.close();
  }
await browser.close();
await served.close();
