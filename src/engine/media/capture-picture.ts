// One picture of the page from Chrome, which has none in the moment in which a page is exchanged for another.
import { once } from 'node:events';
import type { Protocol } from 'devtools-protocol';
import { CdpError } from '../../cdp/errors.ts';
import type { Limits } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';

/** How often a page may be exchanged, or not be drawn yet, before that is an error. */
const TRIES = 5;

const NO_PAGE = /Unable to capture|Not attached to an active page/;

/** As base64. */
export async function capturePicture(
  tab: Tab,
  limits: Limits,
  params: Protocol.Page.CaptureScreenshotRequest,
): Promise<string> {
  for (let left = TRIES; left > 0; left--) {
    const picture = await ofThisPage(tab, limits, params);
    if (picture !== undefined) return picture;
    await tab.race(limits, tab.main.ask('nextFrame')).catch(inNextDocument);
  }
  return capture(tab, limits, params);
}

const capture = async (tab: Tab, limits: Limits, params: Protocol.Page.CaptureScreenshotRequest): Promise<string> =>
  (await tab.send(limits, tab.main, 'Page.captureScreenshot', { ...params, optimizeForSpeed: true })).data;

/** Undefined when the page is being exchanged. What Chrome was asked before a page of another process came, it may never answer. */
async function ofThisPage(...args: Parameters<typeof capture>): Promise<string | undefined> {
  const [tab] = args;
  const stop = new AbortController();
  const exchanged = once(tab.events, 'committed', { signal: stop.signal }).then(
    () => undefined,
    () => undefined, // there was no need to wait for it
  );
  try {
    return await Promise.race([capture(...args), exchanged]);
  } catch (error) {
    if (error instanceof CdpError && NO_PAGE.test(error.message)) return undefined;
    throw error;
  } finally {
    stop.abort();
  }
}

/** The document that was to draw a frame has been exchanged: the next one is pictured. */
function inNextDocument(error: unknown): void {
  if (!(error instanceof CdpError && error.isGone)) throw error;
}
