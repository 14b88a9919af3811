// A browser of somebody else, with a home and a debugging port of its own: for tests that attach to one.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '../src/engine/browser/find-browser.ts';

export interface OtherBrowser {
  endpoint: string;
  /** The folder of its profile, which it holds. */
  profile: string;
  process: ChildProcess;
  /** Ends it and removes its home. */
  end(): Promise<void>;
}

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--no-first-run',
  '--remote-debugging-port=0',
  '--disable-background-networking',
  // As a browser that Tabwright starts, it loads no pages for the address bar.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup',
];

/** A switch that is given once more counts the last time. */
export async function otherBrowser(...switches: string[]): Promise<OtherBrowser> {
  const home = mkdtempSync(join(tmpdir(), 'tabwright-other-'));
  const profile = join(home, 'profile');
  const path = findBrowser({ executablePath: process.env.TABWRIGHT_EXECUTABLE_PATH });
  // A page is named, because the start page of some builds looks for a server in the internet first.
  const child = spawn(path, [...FLAGS, `--user-data-dir=${profile}`, ...switches, 'about:blank'], {
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Its children hold the same pipe: when that is closed, nobody writes to the home any more.
  const closed = once(child, 'close');
  const end = async () => {
    child.kill('SIGKILL');
    await closed;
    rmSync(home, { recursive: true, force: true });
  };
  const endpoint = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', piece => {
      said += piece;
      const heard = /DevTools listening on ws:\/\/([^/]+)/.exec(said)?.[1];
      if (heard) resolve(`http://${heard}`);
    });
    child.once('exit', () => reject(new Error(`The browser did not listen: ${said}`)));
  });
  return { endpoint, profile, process: child, end };
}
