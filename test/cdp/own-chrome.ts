// A Chrome with nothing but a CdpConnection on its pipe: for tests of the connection alone.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CdpConnection } from '../../src/cdp/connection.ts';
import type { TargetSession } from '../../src/cdp/session.ts';
import { makeLog } from '../../src/config/log.ts';
import { ChromeProcess } from '../../src/engine/browser/chrome-process.ts';
import { findBrowser } from '../../src/engine/browser/find-browser.ts';
import { allSwitches } from '../../src/engine/browser/switches.ts';

export interface OwnChrome {
  connection: CdpConnection;
  /** A session with a new tab. */
  tab(): Promise<{ session: TargetSession; targetId: string }>;
  end(): Promise<void>;
}

export async function ownChrome(...switches: string[]): Promise<OwnChrome> {
  const profile = await mkdtemp(join(tmpdir(), 'tabwright-test-'));
  const path = findBrowser({ executablePath: process.env.TABWRIGHT_EXECUTABLE_PATH });
  const all = allSwitches([...switches, '--no-startup-window'], { headed: false, sandbox: false });
  const log = makeLog('error', () => undefined);
  const chrome = new ChromeProcess(path, all, profile, log, () => rm(profile, { recursive: true, maxRetries: 5 }));
  const connection = new CdpConnection(chrome.transport);
  return {
    connection,
    async tab() {
      const { targetId } = await connection.root.send('Target.createTarget', { url: 'about:blank' });
      return { session: await connection.attach(targetId), targetId };
    },
    end: () => chrome.close(),
  };
}
