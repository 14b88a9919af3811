// A person with a browser of their own, for tests that attach to it: opens and closes tabs there, and sees what became of them.
import { CdpConnection } from '../../../src/cdp/connection.ts';
import { openSocket } from '../../../src/engine/browser/attach/socket.ts';
import { type OtherBrowser, otherBrowser } from '../../other-browser.ts';

export interface Person {
  browser: OtherBrowser;
  line: CdpConnection;
  /** Opens a tab and waits until Chrome tells its title; gives the name of its target. */
  open(html: string, title?: string): Promise<string>;
  close(target: string): Promise<void>;
  /** All pages: address, title, and whether somebody has a debugger on it. */
  pages(): Promise<{ id: string; url: string; title: string; attached: boolean }[]>;
  /** Where the windows of all pages stand. */
  windows(): Promise<unknown[]>;
  end(): Promise<void>;
}

export const page = (title: string, body = ''): string =>
  `data:text/html,${encodeURIComponent(`<title>${title}</title>${body}`)}`;

export async function person(...switches: string[]): Promise<Person> {
  const browser = await otherBrowser(...switches);
  const line = new CdpConnection(await openSocket(browser.endpoint, AbortSignal.timeout(30_000)));
  const pages = async () => {
    const { targetInfos } = await line.root.send('Target.getTargets');
    return targetInfos
      .filter(({ type }) => type === 'page')
      .map(({ targetId, url, title, attached }) => ({ id: targetId, url, title, attached }));
  };
  return {
    browser,
    line,
    pages,
    async open(url, title) {
      const { targetId } = await line.root.send('Target.createTarget', { url });
      const isThere = async () => (await pages()).some(row => row.id === targetId && row.title === title);
      while (title !== undefined && !(await isThere())) await new Promise(setImmediate);
      return targetId;
    },
    async close(targetId) {
      await line.root.send('Target.closeTarget', { targetId });
    },
    async windows() {
      const rows = await pages();
      return Promise.all(rows.map(({ id }) => line.root.send('Browser.getWindowForTarget', { targetId: id })));
    },
    async end() {
      line.close();
      await browser.end();
    },
  };
}
