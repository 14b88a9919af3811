// The bundled extension: an empty page that may ask Chrome for history and bookmarks. It is in the browser only while it is asked.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isTargetGone } from '../../cdp/errors.ts';
import type { Log } from '../../config/log.ts';
import { writePrivate } from '../../config/private-files.ts';
import { Failure } from '../../errors.ts';
import { type Limits, under } from '../limits.ts';
import type { ConnectedBrowser } from '../page/connected-browser.ts';
import { type HiddenPage, withHiddenPage } from '../storage/hidden-page.ts';
import type { Context } from '../tab/context.ts';

const FILES: Readonly<Record<string, string>> = {
  'manifest.json': JSON.stringify({
    manifest_version: 3,
    name: 'Tabwright',
    version: '1.0',
    description: 'Lets Tabwright read the history and use the bookmarks. It is removed after each use.',
    permissions: ['history', 'bookmarks'],
  }),
  'page.html': '<!doctype html>',
};

/** Evaluates an expression that uses chrome.history or chrome.bookmarks. */
export type AskChrome = <T>(expression: string) => Promise<T>;

/** One use at a time in a browser: the end of a use uninstalls the extension. */
const turns = new WeakMap<ConnectedBrowser, Promise<unknown>>();

/** Gives access to the data of the session's browser: of its profile, or of a browser that was attached to. */
export async function withExtension<T>(
  context: Context,
  limits: Limits,
  use: (ask: AskChrome) => Promise<T>,
): Promise<T> {
  const window = await context.browser.window(true, limits);
  const browser = window.context.browser();
  const { log, options } = context.browser;
  const folder = await writeFiles(join(options.stateDir, 'extension'));
  const turn = (turns.get(browser) ?? Promise.resolve()).then(() => inExtension(browser, folder, limits, use, log));
  turns.set(
    browser,
    turn.catch(() => undefined),
  );
  return under(limits.signal, turn);
}

async function inExtension<T>(
  browser: ConnectedBrowser,
  folder: string,
  limits: Limits,
  use: (ask: AskChrome) => Promise<T>,
  log: Log,
): Promise<T> {
  limits.signal.throwIfAborted();
  const session = await browser.openBrowserSession();
  // Not bounded by the call: an installed extension must be known, to be uninstalled. Chrome answers at once.
  const installed = session.send('Extensions.loadUnpacked', { path: folder });
  try {
    const { id } = await installed.catch(refuse);
    return await withHiddenPage(browser.ownContext, limits, page => inPage(page, id, use));
  } finally {
    await installed
      .then(({ id }) => session.send('Extensions.uninstall', { id }))
      .catch(error => log.debug(`taking the extension away: ${error}`));
    session.detach().catch(() => undefined); // the browser has ended
  }
}

async function inPage<T>(page: HiddenPage, id: string, use: (ask: AskChrome) => Promise<T>): Promise<T> {
  await page.goto(`chrome-extension://${id}/page.html`).catch(refuse);
  return use(
    async <R>(expression: string) =>
      // As text: Chrome counts how deep a value is that it copies itself.
      JSON.parse(await page.evaluate<string>(`(async () => JSON.stringify((await ${expression}) ?? null))()`)) as R,
  );
}

function refuse(cause: Error): never {
  if (isTargetGone(cause) || (cause instanceof Failure && cause.code !== 'navigation_failed')) throw cause;
  const why = cause.message.split('\n')[0];
  throw new Failure(
    'refused',
    `This browser does not take the extension that reads its data: ${why}`,
    'Use a new Chrome or Chromium on this machine: started with --user-data-dir, or attached to with --cdp-endpoint.',
    { cause },
  );
}

/** Files that are the same are not written: another server may be about to load them. */
async function writeFiles(folder: string): Promise<string> {
  for (const [name, text] of Object.entries(FILES)) {
    const found = await readFile(join(folder, name), 'utf8').catch(() => undefined);
    if (found !== text) await writePrivate(folder, name, text);
  }
  return folder;
}

/** Where the data come from: a profile folder, a browser that was attached to, or only the session itself. */
export type DataSource = 'profile' | 'browser' | 'session';

export function sourceOf({ isBorrowed, browser }: Context): DataSource {
  if (!isBorrowed) return 'session';
  return browser.options.cdpEndpoint === undefined ? 'profile' : 'browser';
}
