// Attaching to a browser that somebody else runs: quick however many tabs it has, and whatever state they are in.
import type { CdpConnection, CdpTransport } from '../../../cdp/connection.ts';
import { Failure } from '../../../errors.ts';
import { bounded, type Limits, under } from '../../limits.ts';
import { ConnectedBrowser } from '../../page/connected-browser.ts';
import { AttachedTabs } from './attached-tabs.ts';
import { openSocket } from './socket.ts';

export interface AttachedBrowser {
  browser: ConnectedBrowser;
  tabs: AttachedTabs;
}

/** The browser itself answers at once; its tabs are not waited for. */
const ATTACH_MS = 10_000;

type Connect = (transport: CdpTransport) => CdpConnection;

export async function attach(endpoint: string, connect: Connect, limits: Limits): Promise<AttachedBrowser> {
  const late = () => new Failure('timeout', `no answer within ${ATTACH_MS / 1_000} s`);
  return bounded(limits, ATTACH_MS, late, bound => open(endpoint, connect, bound)).catch(error => {
    limits.signal.throwIfAborted();
    throw notAttached(endpoint, error);
  });
}

async function open(endpoint: string, connect: Connect, limits: Limits): Promise<AttachedBrowser> {
  const connection = connect(await openSocket(endpoint, limits.signal));
  const tabs: AttachedTabs = new AttachedTabs(connection, endpoint);
  const browser = new ConnectedBrowser(connection, {}, (event, session) => tabs.isWanted(event, session));
  const ended = connection.ended.then(() => Promise.reject(new Error('it closed the connection')));
  const opened = tabs.watch(browser).then(() => browser.open());
  await under(limits.signal, Promise.race([opened, ended])).catch(error => {
    connection.close();
    throw error;
  });
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
