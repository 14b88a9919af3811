// Attaching to a browser that somebody else runs: quick however many tabs it has, and whatever state they are in.
import type { Browser } from 'playwright-core';
import { Failure } from '../../../errors.ts';
import { type Limits, remaining, under, within } from '../../limits.ts';
import { playwright } from '../playwright.ts';
import { AttachedTabs } from './attached-tabs.ts';
import { CdpConnection } from './connection.ts';
import { openSocket } from './socket.ts';

export interface AttachedBrowser {
  browser: Browser;
  tabs: AttachedTabs;
}

/** The browser itself answers at once; its tabs are not waited for. */
const ATTACH_MS = 10_000;

export async function attach(endpoint: string, limits: Limits): Promise<AttachedBrowser> {
  const bound = within(limits, ATTACH_MS, () => new Failure('timeout', `no answer within ${ATTACH_MS / 1_000} s`));
  const opening = openSocket(endpoint, bound.signal);
  try {
    // Loaded while the browser answers.
    const { chromium } = playwright();
    const connection = new CdpConnection(await opening);
    const tabs = new AttachedTabs(connection, endpoint);
    connection.filter = tabs;
    const timeout = Math.max(1, remaining(bound));
    const connected = chromium.connectOverCDP(connection.transport, { timeout, noDefaults: true });
    const ended = connection.ended.then(() => Promise.reject(new Error('it closed the connection')));
    const browser = await under(bound.signal, Promise.race([connected, ended])).catch(error => {
      connection.close();
      throw error;
    });
    for (const context of browser.contexts()) tabs.take(context);
    return { browser, tabs };
  } catch (error) {
    limits.signal.throwIfAborted();
    throw notAttached(endpoint, error);
  } finally {
    bound.done();
  }
}

/** Leaves a password out of the address. */
function notAttached(endpoint: string, error: unknown): Failure {
  const shown = new URL(endpoint);
  shown.username = shown.password = '';
  const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return new Failure(
    'browser_missing',
    `Could not attach to the browser at ${shown.href.replace(/\/$/, '')}: ${why}`,
    'Start it with --remote-debugging-port=9222, or check --cdp-endpoint.',
    { cause: error },
  );
}
