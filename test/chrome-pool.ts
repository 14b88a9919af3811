// Chrome processes that outlive the servers of one test worker: a server that ends gives its Chrome back, empty, and the next one with
// the same switches gets it. At no time do two servers share one.
import type { CdpTransport } from '../src/cdp/connection.ts';
import { MessageReader } from '../src/cdp/message-reader.ts';
import { ChromeProcess } from '../src/engine/browser/chrome-process.ts';

type Start = typeof ChromeProcess.start;
interface Message {
  id?: number;
  method?: string;
  sessionId?: string;
  params?: { sessionId?: string };
  result?: { browserContextIds?: string[]; targetInfos?: { targetId: string; type: string }[] };
  error?: { message: string };
}

/** A Chrome that cannot be emptied within this time is ended. */
const EMPTY_MS = 3_000;

class PooledChrome {
  hasEnded = false;
  readonly #chrome: ChromeProcess;
  /** Sessions that the present owner has opened directly on the connection. */
  readonly #sessions = new Set<string>();
  readonly #waiting = new Map<number, (message: Message) => void>();
  /** Of the present owner. */
  #reader: MessageReader | undefined;
  /** Ends the connection of the present owner. */
  #disconnect: (() => void) | undefined;
  #lastId = 1_000_000_000;

  constructor(chrome: ChromeProcess) {
    this.#chrome = chrome;
    void chrome.transport.read(new MessageReader(message => this.#read(message as Message))).then(() => {
      this.hasEnded = true;
      this.#disconnect?.();
    });
  }

  /** One that was killed a moment ago has not said so yet. */
  isAlive(): Promise<boolean> {
    const version = this.#ask('Browser.getVersion').then(() => true);
    return Promise.race([version, this.#chrome.ended.then(() => false)]);
  }

  /** What a server takes for a Chrome of its own; `free` is called when it has been given back. */
  lend(free: () => void): ChromeProcess {
    const chrome = this.#chrome;
    let isOver: (() => void) | undefined;
    const over = new Promise<void>(resolve => {
      isOver = resolve;
    });
    let given: Promise<void> | undefined;
    const giveBack = (): Promise<void> => {
      given ??= this.#empty().then(() => {
        isOver?.();
        if (!this.hasEnded) free();
      });
      return given;
    };
    const disconnected = new Promise<void>(resolve => {
      this.#disconnect = resolve;
    });
    const transport: CdpTransport = {
      send: text => chrome.transport.send(text),
      close: () => {
        this.#disconnect?.();
        void giveBack();
      },
      read: reader => {
        this.#reader = reader;
        return disconnected;
      },
    };
    const { profile } = chrome;
    const lent = { transport, profile, ended: Promise.race([chrome.ended, over]), close: giveBack };
    return Object.defineProperty(lent, 'words', { get: () => chrome.stderr }) as unknown as ChromeProcess;
  }

  #read(message: Message): void {
    this.#waiting.get(message.id ?? 0)?.(message);
    const opened = message.params?.sessionId;
    if (opened && !message.sessionId && message.method === 'Target.attachedToTarget') this.#sessions.add(opened);
    if (opened && message.method === 'Target.detachedFromTarget') this.#sessions.delete(opened);
    this.#reader?.add(Buffer.from(JSON.stringify(message)));
    this.#reader?.end();
  }

  #ask(method: string, params: object = {}): Promise<NonNullable<Message['result']>> {
    const id = ++this.#lastId;
    const answer = new Promise<Message>(resolve => this.#waiting.set(id, resolve));
    this.#chrome.transport.send(JSON.stringify({ id, method, params }));
    return answer.then(({ result, error }) => {
      this.#waiting.delete(id);
      if (error) throw new Error(`${method}: ${error.message}`);
      return result ?? {};
    });
  }

  /** Leaves no page, no context and no session behind; a Chrome of which that is not sure ends. */
  async #empty(): Promise<void> {
    this.#reader = undefined;
    if (this.hasEnded) return this.#chrome.ended;
    const late = new Promise<boolean>(resolve => setTimeout(resolve, EMPTY_MS, false).unref());
    const isEmpty = await Promise.race([this.#leaveNothing().catch(() => false), late]);
    if (!isEmpty) {
      this.hasEnded = true;
      await this.#chrome.close();
    }
  }

  async #leaveNothing(): Promise<boolean> {
    await this.#ask('Target.setAutoAttach', { autoAttach: false, waitForDebuggerOnStart: false, flatten: true });
    await this.#ask('Target.setDiscoverTargets', { discover: false });
    await Promise.allSettled([...this.#sessions].map(sessionId => this.#ask('Target.detachFromTarget', { sessionId })));
    this.#sessions.clear();
    const { browserContextIds = [] } = await this.#ask('Target.getBrowserContexts');
    await Promise.all(
      browserContextIds.map(browserContextId => this.#ask('Target.disposeBrowserContext', { browserContextId })),
    );
    await this.#ask('Browser.setDownloadBehavior', { behavior: 'default' });
    const { targetInfos = [] } = await this.#ask('Target.getTargets');
    return targetInfos.every(({ type }) => type === 'browser');
  }
}

async function nextOf(idle: PooledChrome[] = []): Promise<PooledChrome | undefined> {
  for (let chrome = idle.pop(); chrome; chrome = idle.pop()) if (await chrome.isAlive()) return chrome;
  return undefined;
}

/** From now on, servers of this worker take their Chrome from the pool, unless it is held to rules. */
export function poolChrome(): void {
  const idle = new Map<string, PooledChrome[]>();
  const start: Start = ChromeProcess.start;
  ChromeProcess.start = async (path, args, log, held) => {
    if (held) return start(path, args, log, held);
    const key = JSON.stringify([path, args]);
    const chrome = (await nextOf(idle.get(key))) ?? new PooledChrome(await start(path, args, log));
    return chrome.lend(() => idle.set(key, [...(idle.get(key) ?? []), chrome]));
  };
}
