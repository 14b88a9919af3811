// The CDP session of a whole browser: for commands that concern no page, and for settings that must outlive a tab's session.
import { Failure } from '../../errors.ts';
import { CdpSession } from '../tab/cdp-session.ts';

interface RunningBrowser {
  isConnected(): boolean;
  newBrowserCDPSession(): Promise<CdpSession['session']>;
}

/** A browser context, as far as it tells its browser. */
interface ContextOfBrowser {
  browser(): RunningBrowser | null;
}

const sessions = new WeakMap<object, Promise<CdpSession>>();

/** One for each browser, as long as that runs. */
export async function browserSession(context: ContextOfBrowser): Promise<CdpSession> {
  const browser = context.browser();
  if (!browser) throw new Failure('browser_gone', 'The browser has just ended.', 'Call again.');
  const known = sessions.get(browser);
  if (known) return known;
  const opened = browser.newBrowserCDPSession().then(session => new CdpSession('browser', session));
  sessions.set(browser, opened);
  opened.catch(() => sessions.delete(browser));
  return opened;
}

/** The same object for all contexts of a browser. */
export const browserOf = (context: ContextOfBrowser): object => context.browser() ?? context;

export const hasEnded = (context: ContextOfBrowser): boolean => context.browser()?.isConnected() === false;
