// A page beside the tabs that nobody sees: it reaches the storage of an origin, or an extension, without touching a tab.
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { browserSession } from '../browser/browser-session.ts';
import { type Limits, under } from '../limits.ts';
import type { CdpCommands, CdpEvents, CdpSession } from '../tab/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';
import type { StorageItems } from './web-storage.ts';

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
}

/** Opens one in a browser state (the browser's own without an id), and closes it after its use. */
export async function withHiddenPage<T>(
  browser: CdpSession,
  contextId: string | undefined,
  limits: Limits,
  use: (page: HiddenPage) => Promise<T>,
): Promise<T> {
  // Made without limits, so that it is known and can be closed however the call ends.
  const target = defined({ url: 'about:blank', hidden: true, browserContextId: contextId });
  const made = browser.send('Target.createTarget', target);
  let page: HiddenPage | undefined;
  try {
    const { targetId } = await under(limits.signal, made);
    // A flat session would need Playwright to route it, and Playwright does not know the page.
    const { sessionId } = await under(
      limits.signal,
      browser.send('Target.attachToTarget', { targetId, flatten: false }),
    );
    page = new HiddenPage(browser, sessionId, limits);
    return await use(page);
  } finally {
    page?.leave();
    made.then(({ targetId }) => browser.send('Target.closeTarget', { targetId })).catch(() => undefined); // the browser has ended, and the page with it
  }
}

export class HiddenPage {
  readonly #waiting = new Map<number, (answer: Message) => void>();
  readonly #unsubscribe: (() => void)[] = [];
  #last = 0;
  #served = false;
  #ended = (_why: string): void => undefined;

  constructor(
    readonly browser: CdpSession,
    readonly id: string,
    readonly limits: Limits,
  ) {
    this.#unsubscribe.push(
      browser.on('Target.receivedMessageFromTarget', ({ sessionId, message }) => {
        if (sessionId === id) this.#receive(JSON.parse(message) as Message);
      }),
      browser.onClose(() => this.#ended('the browser has ended')),
    );
  }

  /** Calls back with the reason when it cannot answer any more. */
  onEnd(listener: (why: string) => void): void {
    this.#ended = listener;
  }

  leave(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  /** Shows an empty document of that origin. Nothing goes to the network. */
  async visit(origin: string): Promise<void> {
    if (!this.#served) {
      this.#served = true;
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

  async send<M extends keyof CdpCommands>(
    method: M,
    ...params: CdpCommands[M]['paramsType']
  ): Promise<CdpCommands[M]['returnType']> {
    const id = ++this.#last;
    const answered = new Promise<Message>(resolve => this.#waiting.set(id, resolve));
    const message = JSON.stringify({ id, method, params: params[0] });
    const sent = this.browser.send('Target.sendMessageToTarget', { sessionId: this.id, message });
    const { error, result } = await under(
      this.limits.signal,
      sent.then(() => answered),
    );
    if (error) throw new Error(error.message);
    return result as CdpCommands[M]['returnType'];
  }

  #receive({ id, method, params, ...answer }: Message): void {
    if (method === 'Fetch.requestPaused') this.#serve(params as CdpEvents['Fetch.requestPaused'][0]);
    if (method === 'Inspector.targetCrashed') this.#ended('its page crashed');
    if (id === undefined) return;
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }

  #serve({ requestId }: CdpEvents['Fetch.requestPaused'][0]): void {
    this.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: 'content-type', value: 'text/html' }],
    }).catch(() => undefined); // the page has ended, and so do the waits for it
  }
}

/** A browser state: of a session, of a window of its own, or of the browser itself when it has no id. */
export interface ContextRef {
  browser: CdpSession;
  contextId: string | undefined;
}

/** The one that the tab lives in. */
export async function contextRefOf(tab: Tab, limits: Limits): Promise<ContextRef> {
  const browser = await under(limits.signal, browserSession(tab.page.context()));
  const { targetInfo } = await tab.send(limits, tab.main, 'Target.getTargetInfo');
  return { browser, contextId: targetInfo.browserContextId };
}

/** The origin of an http or https url, as storage knows it; empty for any other. */
export const siteOrigin = (url: string): string =>
  /^https?:/.test(url) && URL.canParse(url) ? new URL(url).origin : '';

/** Visits the origins one after the other; also those after one that cannot be reached. */
export function visitOrigins<T, R extends { origin: string }>(
  { browser, contextId }: ContextRef,
  rows: R[],
  limits: Limits,
  use: (page: HiddenPage, row: R) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  return withHiddenPage(browser, contextId, limits, async page => {
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
