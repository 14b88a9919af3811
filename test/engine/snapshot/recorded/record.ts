// Records captures of pages of the test site for the tests without a browser: npx tsx test/engine/snapshot/recorded/record.ts
import { writeFileSync } from 'node:fs';
import type { Protocol } from 'devtools-protocol';
import { type CDPSession, chromium } from 'playwright-core';
import type { ProcessSnapshot } from '../../../../src/engine/snapshot/capture/decode.ts';
import { COMPUTED_STYLES } from '../../../../src/engine/snapshot/capture/node.ts';
import { startSite } from '../../../site/serve.ts';
import { PAGES } from './pages.ts';

const ORIGIN = /^http:\/\/(127\.0\.0\.1|localhost):\d+/;

type Snap = Protocol.DOMSnapshot.CaptureSnapshotResponse;

/** Without what the chain does not read, and without the port of the day. */
function lean({ documents, strings }: Snap): Snap {
  const nothing = { layoutIndex: [], bounds: [], start: [], length: [] };
  return {
    strings: strings.map(text => text.replace(ORIGIN, 'http://site.example')),
    documents: documents.map(({ textBoxes: _, layout, ...rest }) => ({
      ...rest,
      textBoxes: nothing,
      layout: { ...layout, stackingContexts: { index: [] } },
    })),
  };
}

const capture = async (session: CDPSession): Promise<Snap> =>
  lean(await session.send('DOMSnapshot.captureSnapshot', { computedStyles: [...COMPUTED_STYLES] }));

const site = await startSite();
const browser = await chromium.launch({
  executablePath: process.env.TABWRIGHT_TEST_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
for (const name of PAGES) {
  const page = await context.newPage();
  await page.goto(`${site.url}/${name}.html`);
  const main = await context.newCDPSession(page);
  const parts: ProcessSnapshot[] = [{ process: 'main', snap: await capture(main) }];
  for (const frame of page.frames().filter(frame => frame.url().startsWith(site.otherSiteUrl))) {
    const snap = await capture(await context.newCDPSession(frame));
    const frameId = snap.strings[snap.documents[0]?.frameId ?? -1] ?? '';
    const { backendNodeId } = await main.send('DOM.getFrameOwner', { frameId });
    parts.push({ process: `other-${parts.length}`, snap, owner: { process: 'main', id: backendNodeId } });
  }
  writeFileSync(new URL(`./${name}.json`, import.meta.url), `${JSON.stringify(parts)}\n`);
  await page.close();
}
await browser.close();
await site.close();
