// Chrome: the browser behind all sessions. Started or attached to when first needed, and again after it ended.
import type { Browser, BrowserContext, BrowserContextOptions, LaunchOptions } from 'playwright-core';
import type { Log } from '../config/log.ts';
import type { Options } from '../config/options.ts';
import { Failure } from '../errors.ts';
import { findBrowser } from './find.ts';
import { removeLeftovers } from './leftovers.ts';
import { type Limits, remaining, under } from './limits.ts';
import { playwright } from './playwright.ts';
import { ChromeProcess } from './process.ts';
import { allSwitches, switches } from './switches.ts';

/** A window of browser state: what a session's tabs live in. */
export interface Window {
  context: BrowserContext;
  /** Of the browser that was attached to, or of a profile: never closed by a session that ends. */
  borrowed: boolean;
}

const isRoot = () => process.getuid?.() === 0;

export class Chrome {
  #shared: Promise<Browser> | undefined;
  #process: ChromeProcess | undefined;
  #profile: Promise<BrowserContext> | undefined;
  #saidNoSandbox = false;

  constructor(
    readonly options: Options,
    readonly log: Log,
  ) {}

  /** A window for a session. The default session gets the attached browser's or the profile's own state. */
  async window(isDefault: boolean, limits: Limits): Promise<Window> {
    if (isDefault && this.options.userDataDir !== undefined)
      return { context: await this.#profileContext(limits), borrowed: true };
    const browser = await this.#browser(limits);
    const own = browser.contexts()[0];
    if (isDefault && this.options.cdpEndpoint !== undefined && own) return { context: own, borrowed: true };
    return { context: await under(limits.signal, browser.newContext(this.#contextOptions())), borrowed: false };
  }

  /** Ends what was launched; an attached browser is only let go. */
  async close(): Promise<void> {
    const open = [this.#shared, this.#profile];
    this.#shared = this.#profile = undefined;
    await Promise.allSettled(open.map(async item => (await item)?.close()));
    await this.#process?.close();
  }

  async #browser(limits: Limits): Promise<Browser> {
    this.#shared ??= this.#connectOrLaunch(limits).catch(error => {
      this.#shared = undefined;
      throw error;
    });
    const browser = await under(limits.signal, this.#shared);
    if (browser.isConnected()) return browser;
    this.#shared = undefined;
    return this.#browser(limits);
  }

  async #connectOrLaunch(limits: Limits): Promise<Browser> {
    const endpoint = this.options.cdpEndpoint;
    if (endpoint === undefined) return this.#launch(limits);
    const timeout = Math.max(1, remaining(limits));
    return playwright()
      .chromium.connectOverCDP(endpoint, { timeout, noDefaults: true })
      .catch(error => {
        throw new Failure(
          'browser_missing',
          `Could not attach to the browser at ${endpoint}: ${firstLine(error)}`,
          'Start it with --remote-debugging-port=9222, or check --cdp-endpoint.',
        );
      });
  }

  /** Chrome starts on one core while Playwright is loaded on another. */
  async #launch(limits: Limits): Promise<Browser> {
    const path = this.#find();
    const { headed, chromeArg } = this.options;
    const args = allSwitches(chromeArg, { headed, sandbox: this.#sandbox() });
    const child = await ChromeProcess.start(path, args, this.log);
    this.#process = child;
    const { chromium } = playwright();
    const connected = chromium.connectOverCDP(child.transport, {
      timeout: Math.max(1, remaining(limits)),
      noDefaults: true,
    });
    removeLeftovers().catch(error => this.log.debug(`old profiles: ${error}`));
    const ended = child.ended.then(() => Promise.reject(new Error('It ended at once.')));
    return Promise.race([connected, ended]).catch(async error => {
      await child.close();
      throw notStarted(path, child.words || firstLine(error));
    });
  }

  async #profileContext(limits: Limits): Promise<BrowserContext> {
    this.#profile ??= this.#launchProfile(this.options.userDataDir ?? '', limits).then(
      context => {
        context.once('close', () => {
          this.#profile = undefined;
        });
        return context;
      },
      error => {
        this.#profile = undefined;
        throw error;
      },
    );
    return under(limits.signal, this.#profile);
  }

  /** Playwright itself starts a browser with a profile: only so the profile's pages get the options of the context. */
  async #launchProfile(folder: string, limits: Limits): Promise<BrowserContext> {
    const executablePath = this.#find();
    const timeout = Math.max(1, remaining(limits));
    return playwright()
      .chromium.launchPersistentContext(folder, {
        ...this.#launchOptions(),
        ...this.#contextOptions(),
        executablePath,
        timeout,
      })
      .catch(error => {
        throw notStarted(executablePath, error instanceof Error ? error.message : String(error));
      });
  }

  #find(): string {
    const path = findBrowser(this.options, () => playwright().chromium.executablePath());
    this.log.info(`starting ${path}`);
    return path;
  }

  #sandbox(): boolean {
    const { noSandbox } = this.options;
    const sandbox = !noSandbox && !isRoot();
    if (!sandbox && !this.#saidNoSandbox) {
      this.#saidNoSandbox = true;
      this.log.warn(`Chrome runs without its sandbox (${noSandbox ? '--no-sandbox' : 'root cannot use it'}).`);
    }
    return sandbox;
  }

  #launchOptions(): LaunchOptions {
    const { headed, chromeArg } = this.options;
    return {
      headless: !headed,
      chromiumSandbox: this.#sandbox(),
      // A profile's history and bookmarks are read through an extension.
      ignoreDefaultArgs: ['--disable-extensions'],
      args: ['--enable-unsafe-extension-debugging', ...switches(chromeArg)],
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    };
  }

  #contextOptions(): BrowserContextOptions {
    const { viewport, userAgent, locale, timezone, headed, proxy } = this.options;
    return {
      viewport: headed ? null : viewport,
      acceptDownloads: true,
      ...(proxy === undefined ? {} : { proxy: { server: proxy } }),
      ...(userAgent === undefined ? {} : { userAgent }),
      ...(locale === undefined ? {} : { locale }),
      ...(timezone === undefined ? {} : { timezoneId: timezone }),
    };
  }
}

/** Opens a window of its own in the same browser state; its page arrives as an event of the context. */
export async function createWindow(
  context: BrowserContext,
  at: { width: number; height: number; browserContextId?: string },
): Promise<void> {
  const browser = context.browser();
  if (!browser) throw new Failure('browser_gone', 'The browser has just ended.', 'Call again.');
  const session = await browser.newBrowserCDPSession();
  await session.send('Target.createTarget', { url: 'about:blank', newWindow: true, ...at });
  await session.detach();
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

/** Why it did not start, in Chrome's own words: the first line that tells of an error, else the last one. */
function notStarted(path: string, words: string): Failure {
  return new Failure(
    'browser_missing',
    `The browser at ${path} did not start: ${launchProblem(words)}`,
    'Check --executable-path, --chrome-arg and --user-data-dir; tabwright doctor finds out more.',
  );
}

function launchProblem(words: string): string {
  if (/ProcessSingleton|SingletonLock|profile.*in use/i.test(words)) return 'another browser uses this profile folder.';
  const lines = words.split('\n').map(line => line.replace(/^.*\[err\] /, '').trim());
  return lines.find(line => /error|missing|cannot|failed/i.test(line)) ?? lines.filter(Boolean).at(-1) ?? '';
}
