// A page beside the tabs that nobody sees: it reaches the storage of an origin, or an extension, without touching a tab.
import type { CdpCommands, CdpParams, CdpResult } from '../../cdp/protocol.ts';
import type { TargetSession } from '../../cdp/session.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { type Limits, under } from '../limits.ts';
import type { BrowserContext } from '../page/browser-context.ts';
import type { StorageItems } from './web-storage.ts';

/** Opens one in a browser state, and closes it after its use. */
export async function withHiddenPage<T>(
  context: BrowserContext,
  limits: Limits,
  use: (page: HiddenPage) => Promise<T>,
): Promise<T> {
  const session = await under(limits.signal, context.browser().openBrowserSession());
  // Made without limits, so that it is known and can be closed however the call ends.
  const target = defined({ url: 'about:blank', hidden: true, browserContextId: context.id });
  const made = session.send('Target.createTarget', target);
  try {
    const { targetId } = await under(limits.signal, made);
    const { sessionId } = await under(
      limits.signal,
      session.send('Target.attachToTarget', { targetId, flatten: true }),
    );
    return await use(new HiddenPage(session.child(sessionId), limits));
  } finally {
    made
      .then(({ targetId }) => session.send('Target.closeTarget', { targetId }))
      .then(() => session.detach())
      .catch(() => undefined); // the browser has ended, and the page with it
  }
}

export class HiddenPage {
  #served = false;

  constructor(
    readonly session: TargetSession,
    readonly limits: Limits,
  ) {}

  /** Shows an empty document of that origin. Nothing goes to the network. */
  async visit(origin: string): Promise<void> {
    if (!this.#served) {
      this.#served = true;
      this.session.on('Fetch.requestPaused', ({ requestId }) => this.#serve(requestId));
      await this.send('Network.enable');
      await this.send('Network.setBypassServiceWorker', { bypass: true });
      await this.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    }
    await this.goto(`${origin}/`);
    const shown = await this.evaluate<string>('location.origin');
    if (shown !== origin)
      throw new Failure('navigation_failed', `${origin} cannot be reached: Chrome goes to ${shown} instead.`);
  }

  async goto(url: string): Promise<void> {
    const { errorText } = await this.send('Page.navigate', { url });
    if (errorText) throw new Failure('navigation_failed', `${url} could not be reached: ${errorText}.`);
  }

  /** The value of an expression, which may be a promise. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as T;
  }

  send<M extends keyof CdpCommands>(method: M, ...params: CdpParams<M>): Promise<CdpResult<M>> {
    return under(this.limits.signal, this.session.send(method, ...params));
  }

  #serve(requestId: string): void {
    this.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: 'content-type', value: 'text/html' }],
    }).catch(() => undefined); // the page has ended, and so do the waits for it
  }
}

/** The origin of an http or https url, as storage knows it; empty for any other. */
export const siteOrigin = (url: string): string =>
  /^https?:/.test(url) && URL.canParse(url) ? new URL(url).origin : '';

/** Visits the origins one after the other; also those after one that cannot be reached. */
export function visitOrigins<T, R extends { origin: string }>(
  context: BrowserContext,
  rows: R[],
  limits: Limits,
  use: (page: HiddenPage, row: R) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  return withHiddenPage(context, limits, async page => {
    const results: PromiseSettledResult<T>[] = [];
    for (const row of rows) {
      const visited = page.visit(row.origin).then(() => use(page, row));
      results.push(...(await Promise.allSettled([visited])));
    }
    return results;
  });
}

export const READ_LOCAL =
  'Array.from({ length: localStorage.length }, (_, at) => [localStorage.key(at), localStorage.getItem(localStorage.key(at))])';

export const setItemsScript = (area: 'localStorage' | 'sessionStorage', items: StorageItems): string =>
  `for (const [key, value] of ${JSON.stringify(items)}) ${area}.setItem(key, value);`;
