// CdpConnection and TargetSession alone, with a real Chrome on a pipe.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TargetSession } from '../../src/cdp/session.ts';
import { type Site, startSite } from '../site/serve.ts';
import { type OwnChrome, ownChrome } from './own-chrome.ts';

let chrome: OwnChrome;
let site: Site;
beforeAll(async () => {
  site = await startSite();
  chrome = await ownChrome('--site-per-process');
});
afterAll(async () => {
  await chrome.end();
  await site.close();
});

const value = async (session: TargetSession, expression: string): Promise<unknown> =>
  (await session.send('Runtime.evaluate', { expression, returnByValue: true })).result.value;

/** A command that the page never answers by itself. */
const waiting = (session: TargetSession): Promise<unknown> =>
  session.send('Runtime.evaluate', { expression: 'new Promise(() => {})', awaitPromise: true });

const gone = { isTargetGone: true };

describe('commands', () => {
  it('of the browser and of a tab are answered, events come with their session', async () => {
    expect((await chrome.connection.root.send('Browser.getVersion')).product).toMatch(/^(Headless)?Chrom/);
    const { session } = await chrome.tab();
    await session.send('Page.enable');
    const loaded = session.once('Page.loadEventFired');
    await session.send('Page.navigate', { url: `${site.url}/signup.html` });
    await loaded;
    expect(await value(session, 'document.title')).toBe('Sign up');
  });

  it('that Chrome refuses are rejected with its reason, and with which command it was', async () => {
    const { root } = chrome.connection;
    const { session } = await chrome.tab();
    await expect(session.send('Page.nothing' as 'Page.enable')).rejects.toMatchObject({
      method: 'Page.nothing',
      message: "'Page.nothing' wasn't found",
      isTargetGone: false,
    });
    await expect(session.send('Page.navigate', {} as { url: string })).rejects.toThrow('Invalid parameters');
    await expect(session.send('Page.createIsolatedWorld', { frameId: 'X' })).rejects.toMatchObject({ isGone: true });
    await expect(root.send('Target.closeTarget', { targetId: 'X' })).rejects.toThrow('No target with given id');
  });

  it('to a session that Chrome does not know are rejected', async () => {
    await expect(chrome.connection.session('NOBODY').send('Page.enable')).rejects.toThrow(
      'Session with given id not found',
    );
  });

  it('a hundred in one turn are answered, each with its own result', async () => {
    const { session } = await chrome.tab();
    const all = Array.from({ length: 100 }, (_, at) => value(session, `${at} * 2`));
    expect(await Promise.all(all)).toEqual(Array.from({ length: 100 }, (_, at) => at * 2));
  });

  it('text of all kinds comes back as it went', async () => {
    const { session } = await chrome.tab();
    const text = 'é😀"\\\u0000\u2028'.repeat(20_000);
    expect(await value(session, JSON.stringify(text))).toBe(text);
  });
});

describe('the end', () => {
  it('of a session: what it was asked is rejected, its tab lives on', async () => {
    const { session, targetId } = await chrome.tab();
    await value(session, 'globalThis.mine = 7');
    const rejected = expect(waiting(session)).rejects.toMatchObject(gone);
    await session.detach();
    await rejected;
    await expect(session.send('Page.enable')).rejects.toMatchObject(gone);
    expect(await value(await chrome.connection.attach(targetId), 'mine')).toBe(7);
  });

  it('of a tab: what it was asked is rejected, close is told once', async () => {
    const { session, targetId } = await chrome.tab();
    let closed = 0;
    session.on('close', () => closed++);
    const rejected = expect(waiting(session)).rejects.toMatchObject(gone);
    await chrome.connection.root.send('Target.closeTarget', { targetId });
    await rejected;
    expect([session.closed, closed]).toEqual([true, 1]);
  });

  it('of a renderer: what it was asked is rejected; a navigation revives the same session', async () => {
    const { session } = await chrome.tab();
    await Promise.all([session.send('Inspector.enable'), session.send('Page.enable')]);
    const rejected = expect(waiting(session)).rejects.toMatchObject({ ...gone, message: 'The target crashed.' });
    await expect(session.send('Page.crash')).rejects.toMatchObject(gone);
    await rejected;
    expect(session.closed).toBe(false);
    const loaded = session.once('Page.loadEventFired');
    await session.send('Page.navigate', { url: `${site.url}/signup.html` });
    await loaded;
    expect(await value(session, 'document.title')).toBe('Sign up');
  });

  it('of frames inside frames: their sessions end with that of the frame around them', async () => {
    const { session } = await chrome.tab();
    const found: TargetSession[] = [];
    const follow = async (parent: TargetSession): Promise<void> => {
      parent.on('Target.attachedToTarget', ({ sessionId }) => {
        found.push(parent.child(sessionId));
        follow(parent.child(sessionId)).catch(() => undefined); // it has ended
      });
      const filter = [{ type: 'iframe' }];
      await parent.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: false,
        flatten: true,
        filter,
      });
    };
    await follow(session);
    const html = (url: string, body: string) => `${url}/html?of=${encodeURIComponent(body)}`;
    const inner = html(site.url, 'innermost');
    const middle = html(site.otherSiteUrl, `<iframe src="${inner}"></iframe>`);
    await session.send('Page.navigate', { url: html(site.url, `<iframe src="${middle}"></iframe>`) });
    await expect.poll(() => found.length).toBe(2);
    const rejected = found.map(one => expect(waiting(one)).rejects.toMatchObject(gone));
    // Taken back into the process of the page, the frame loses its session; Chrome says nothing about the one inside.
    await value(session, `document.querySelector('iframe').src = '${site.url}/signup.html'`);
    await Promise.all(rejected);
    expect(found.map(one => one.closed)).toEqual([true, true]);
  });

  it('of Chrome: everything is rejected, and it is told', async () => {
    const own = await ownChrome();
    const { session } = await own.tab();
    const { root } = own.connection;
    const further = await own.connection.openBrowserSession();
    const rejected = [waiting(session), root.send('Browser.crash'), further.send('Browser.crash')].map(one =>
      expect(one).rejects.toMatchObject(gone),
    );
    await own.connection.ended;
    await Promise.all(rejected);
    expect([own.connection.isOpen, session.closed, further.closed]).toEqual([false, true, true]);
    await expect(root.send('Browser.getVersion')).rejects.toMatchObject(gone);
    await own.end();
  });
});
