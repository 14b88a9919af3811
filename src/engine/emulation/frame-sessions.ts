// Emulation of out-of-process frames: each is a target of its own, which does not follow its page. It is paused when it
// appears, sent the same commands as the page before any of its scripts runs, and resumed.
import type { CdpSession } from '../tab/cdp-session.ts';
import type { EmulationCommand } from './settings.ts';

type Commands = readonly EmulationCommand[];

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
}

/** The events of out-of-process frames. */
const EVENTS = ['Target.attachedToTarget', 'Target.detachedFromTarget', 'Target.receivedMessageFromTarget'] as const;

/** The session of a page or of a frame, with the sessions of the out-of-process frames directly below it. */
abstract class ParentSession {
  readonly #children = new Map<string, FrameSession>();

  /** @param emulation gives the commands that hold now, for frames that appear later */
  constructor(readonly emulation: () => Commands) {}

  abstract send(method: string, params: object): Promise<unknown>;

  async watchFrames(): Promise<void> {
    await this.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      // The messages of flat sessions would go to Playwright, which drops those that it did not open.
      flatten: false,
      filter: [{ type: 'iframe' }],
    });
  }

  handle(method: string | undefined, params: unknown): void {
    const { sessionId = '', message = '' } = params as { sessionId?: string; message?: string };
    const child = this.#children.get(sessionId);
    if (method === 'Target.attachedToTarget') this.#attach(sessionId);
    else if (method === 'Target.receivedMessageFromTarget') child?.receive(JSON.parse(message) as Message);
    else if (method === 'Target.detachedFromTarget') {
      child?.end();
      this.#children.delete(sessionId);
    }
  }

  #attach(sessionId: string): void {
    const post = (message: string) => this.send('Target.sendMessageToTarget', { sessionId, message });
    const child = new FrameSession(post, this.emulation);
    this.#children.set(sessionId, child);
    void child.start();
  }

  /** Settles when every frame has answered or gone. A command that one refuses was already applied by a frame of the same process. */
  async applyToFrames(commands: Commands): Promise<void> {
    await Promise.all([...this.#children.values()].map(child => child.apply(commands)));
  }

  end(): void {
    for (const child of this.#children.values()) child.end();
    this.#children.clear();
  }
}

class FrameSession extends ParentSession {
  /** Resolves each command that is not answered yet. */
  readonly #pending = new Map<number, () => void>();
  #lastId = 0;

  constructor(
    readonly post: (message: string) => Promise<unknown>,
    emulation: () => Commands,
  ) {
    super(emulation);
  }

  async start(): Promise<void> {
    const applied = this.apply(this.emulation());
    await Promise.all([applied, this.watchFrames(), this.send('Runtime.runIfWaitingForDebugger', {})]);
  }

  async apply(commands: Commands): Promise<void> {
    const sent = commands.map(({ method, params }) => this.send(method, params));
    await Promise.all([...sent, this.applyToFrames(commands)]);
  }

  receive({ id, method, params = {} }: Message): void {
    if (id === undefined) this.handle(method, params);
    else this.#settle(id);
  }

  override end(): void {
    for (const id of [...this.#pending.keys()]) this.#settle(id);
    super.end();
  }

  /** Settles with any answer, and when the frame has gone. */
  send(method: string, params: object): Promise<void> {
    const id = ++this.#lastId;
    return new Promise(resolve => {
      this.#pending.set(id, resolve);
      this.post(JSON.stringify({ id, method, params })).catch(() => this.#settle(id));
    });
  }

  #settle(id: number): void {
    this.#pending.get(id)?.();
    this.#pending.delete(id);
  }
}

class PageSession extends ParentSession {
  constructor(
    readonly session: CdpSession,
    emulation: () => Commands,
  ) {
    super(emulation);
    for (const event of EVENTS) session.on(event, params => this.handle(event, params));
    session.onClose(() => this.end());
  }

  send(method: string, params: object): Promise<unknown> {
    return this.session.send(method as never, ...([params] as never));
  }
}

/** Watches the frames of a page from now on; gives the function that applies commands to all of them. */
export async function watchFrames(
  session: CdpSession,
  emulation: () => Commands,
): Promise<(commands: Commands) => Promise<void>> {
  const page = new PageSession(session, emulation);
  await page.watchFrames();
  return commands => page.applyToFrames(commands);
}
