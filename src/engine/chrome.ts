// Chrome: the browser behind all sessions. Started or attached to when first needed, and again after it ended.
import type { Browser, BrowserContext, BrowserContextOptions, LaunchOptions } from 'playwright-core';
import type { Log } from '../config/log.ts';
import type { Options } from '../config/options.ts';
import { Failure } from '../errors.ts';
import { findBrowser } from './find.ts';
import { type Limits, remaining, under } from './limits.ts';
import { switches } from './switches.ts';

/** A window of browser state: what a session's tabs live in. */
export interface Window {
  context: BrowserContext;
  /** Of the browser that was attached to, or of a profile: never closed by a session that ends. */
  borrowed: boolean;
}

const isRoot = () => process.getuid?.() === 0;

export class Chrome {
  #shared: Promise<Browser> | undefined;
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
    const { chromium } = await import('playwright-core');
    const endpoint = this.options.cdpEndpoint;
    if (endpoint !== undefined)
      return chromium
        .connectOverCDP(endpoint, { timeout: Math.max(1, remaining(limits)), noDefaults: true })
        .catch(error => {
          throw new Failure(
            'browser_missing',
            `Could not attach to the browser at ${endpoint}: ${firstLine(error)}`,
            'Start it with --remote-debugging-port=9222, or check --cdp-endpoint.',
          );
        });
    return this.#launched(limits, options => chromium.launch(options));
  }

  async #profileContext(limits: Limits): Promise<BrowserContext> {
    const folder = this.options.userDataDir ?? '';
    this.#profile ??= import('playwright-core')
      .then(({ chromium }) =>
        this.#launched(limits, options =>
          chromium.launchPersistentContext(folder, { ...options, ...this.#contextOptions() }),
        ),
      )
      .then(context => {
        context.once('close', () => {
          this.#profile = undefined;
        });
        return context;
      })
      .catch(error => {
        this.#profile = undefined;
        throw error;
      });
    return under(limits.signal, this.#profile);
  }

  async #launched<T>(limits: Limits, launch: (options: LaunchOptions) => Promise<T>): Promise<T> {
    const { chromium } = await import('playwright-core');
    const executablePath = findBrowser(this.options.executablePath, chromium.executablePath());
    this.log.info(`starting ${executablePath}`);
    return launch({ ...this.#launchOptions(), executablePath, timeout: Math.max(1, remaining(limits)) }).catch(
      error => {
        if (error instanceof Failure) throw error;
        throw new Failure(
          'browser_missing',
          `The browser at ${executablePath} did not start: ${launchProblem(error)}`,
          'Check --executable-path, --chrome-arg and --user-data-dir.',
        );
      },
    );
  }

  #launchOptions(): LaunchOptions {
    const { headed, proxy, chromeArg, noSandbox } = this.options;
    const sandbox = !noSandbox && !isRoot();
    if (!sandbox && !this.#saidNoSandbox) {
      this.#saidNoSandbox = true;
      this.log.warn(`Chrome runs without its sandbox (${noSandbox ? '--no-sandbox' : 'root cannot use it'}).`);
    }
    return {
      headless: !headed,
      chromiumSandbox: sandbox,
      args: switches(chromeArg),
      ...(proxy === undefined ? {} : { proxy: { server: proxy } }),
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    };
  }

  #contextOptions(): BrowserContextOptions {
    const { viewport, userAgent, locale, timezone, headed } = this.options;
    return {
      viewport: headed ? null : viewport,
      acceptDownloads: true,
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

/** Playwright puts the browser's own words under "Browser logs"; the last of them say why. */
function launchProblem(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (/ProcessSingleton|SingletonLock|profile.*in use/i.test(text)) return 'another browser uses this profile folder.';
  const words = text.match(/\[err\] (.*)/)?.[1];
  return words ?? firstLine(error);
}
