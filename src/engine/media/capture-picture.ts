// One picture of the page from Chrome, which has none in the moment in which a page is exchanged for another.
import type { Protocol } from 'devtools-protocol';
import type { Limits } from '../limits.ts';
import { CdpError } from '../tab/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';

/** Frames after which a page that is shown has been drawn. */
const TRIES = 5;

/** As base64. */
export async function capturePicture(
  tab: Tab,
  limits: Limits,
  params: Protocol.Page.CaptureScreenshotRequest,
): Promise<string> {
  for (let left = TRIES; ; left--) {
    try {
      return (await tab.send(limits, tab.main, 'Page.captureScreenshot', { ...params, optimizeForSpeed: true })).data;
    } catch (error) {
      if (!(error instanceof CdpError && /Unable to capture/.test(error.message)) || left === 0) throw error;
    }
    await tab.race(limits, tab.main.ask('nextFrame')).catch(inNextDocument);
  }
}

/** The document that was to draw a frame has been exchanged: the next one is pictured. */
function inNextDocument(error: unknown): void {
  if (!(error instanceof CdpError && error.isGone)) throw error;
}
