// ChromeLauncher: starts the Chrome that the options ask for. It imports little, so that Chrome can start while the rest is being loaded.
import type { Log } from '../../config/log.ts';
import { isLaunched, type Options } from '../../config/options.ts';
import { urlRulesOf } from '../../policy/url-rules.ts';
import type { BrowserProxy } from '../egress/browser-proxy.ts';
import { closingSwitches, hasProxy } from '../egress/closed-to-pages.ts';
import { ChromeProcess } from './chrome-process.ts';
import { findBrowser } from './find-browser.ts';
import { allSwitches } from './switches.ts';

export interface LaunchedChrome {
  child: ChromeProcess;
  path: string;
}

const isRoot = () => process.getuid?.() === 0;

export class ChromeLauncher {
  #saidNoSandbox = false;

  constructor(
    readonly options: Options,
    readonly log: Log,
  ) {}

  /** Whether the first session gets a Chrome that needs nothing but its switches: no profile, no proxy that enforces rules. */
  get isPlain(): boolean {
    const { userDataDir } = this.options;
    return isLaunched(this.options) && userDataDir === undefined && !urlRulesOf(this.options).hasRules;
  }

  /** Chrome goes through a proxy that is not ours, which looks up hosts in its place. */
  get hasOtherProxy(): boolean {
    return hasProxy(this.options.chromeArg, this.options.proxy);
  }

  /** With a profile folder that lives as long as it does. The proxy enforces the url rules. */
  async launch(proxy?: BrowserProxy): Promise<LaunchedChrome> {
    const path = this.find();
    return { path, child: await ChromeProcess.start(path, this.switches(proxy), this.log, proxy?.prepare) };
  }

  find(): string {
    const path = findBrowser(this.options);
    this.log.info(`starting ${path}`);
    return path;
  }

  switches(proxy: BrowserProxy | undefined): string[] {
    return allSwitches(this.#given(proxy), { headed: this.options.headed, sandbox: this.#sandbox() });
  }

  /** The user's switches, and those that keep pages from what is closed to them. */
  #given(proxy: BrowserProxy | undefined): readonly string[] {
    const { chromeArg } = this.options;
    if (proxy) return proxy.switches(chromeArg);
    return this.hasOtherProxy ? chromeArg : closingSwitches(chromeArg, this.options);
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
}
