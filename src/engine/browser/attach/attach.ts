// Attaching to a browser that somebody else runs: quick however many tabs it has, and whatever state they are in.
import type { Browser } from 'playwright-core';
import { Failure } from '../../../errors.ts';
import { bounded, type Limits, remaining, under } from '../../limits.ts';
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
  const late = () => new Failure('timeout', `no answer within ${ATTACH_MS / 1_000} s`);
  return bounded(limits, ATTACH_MS, late, bound => connect(endpoint, bound)).catch(error => {
    limits.signal.throwIfAborted();
    throw notAttached(endpoint, error);
  });
}

async function connect(endpoint: string, limits: Limits): Promise<AttachedBrowser> {
  const opening = openSocket(endpoint, limits.signal);
  // Loaded while the browser answers.
  const { chromium } = playwright();
  const connection = new CdpConnection(await opening);
  const tabs = new AttachedTabs(connection, endpoint);
  connection.filter = tabs;
  const timeout = Math.max(1, remaining(limits));
  const connected = chromium.connectOverCDP(connection.transport, { timeout, noDefaults: true });
  const ended = connection.ended.then(() => Promise.reject(new Error('it closed the connection')));
  const browser = await under(limits.signal, Promise.race([connected, ended])).catch(error => {
    connection.close();
    throw error;
  });
  for (const context of browser.contexts()) tabs.take(context);
  return { browser, tabs };
}

/** Leaves a password, and what else may be secret in it, out of the address. */
function notAttached(endpoint: string, error: unknown): Failure {
  const shown = new URL(endpoint);
  shown.username = shown.password = '';
  const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return new Failure(
    'browser_missing',
    `Could not attach to the browser at ${shown.origin}: ${why}`,
    'Start it with --remote-debugging-port=9222, or check --cdp-endpoint.',
    { cause: error },
  );
}
