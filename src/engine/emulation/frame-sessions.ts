// Frames of other processes: each is a target of its own, which does not follow its page. They are held when they appear,
// told the same as the page before any script of theirs runs, and let go.
import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '../tab/cdp-session.ts';
import type { EmulationCommand } from './settings.ts';

interface Reply {
  id?: number;
  method?: string;
  params?: unknown;
}

/** The frames of other processes directly below a page or a frame. */
class ChildFrames {
  readonly #frames = new Map<string, FrameSession>();
  readonly #ask: (method: string, params: object) => Promise<unknown>;
  readonly #greeting: () => readonly EmulationCommand[];

  constructor(ask: (method: string, params: object) => Promise<unknown>, greeting: () => readonly EmulationCommand[]) {
    this.#ask = ask;
    this.#greeting = greeting;
  }

  async watch(): Promise<void> {
    await this.#ask('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      // The messages of flat sessions would go to Playwright, which drops those that it did not open.
      flatten: false,
      filter: [{ type: 'iframe' }],
    });
  }

  attached({ sessionId }: Protocol.Target.AttachedToTargetEvent): void {
    const post = (message: string) => this.#ask('Target.sendMessageToTarget', { sessionId, message });
    const frame = new FrameSession(post, this.#greeting);
    this.#frames.set(sessionId, frame);
    void frame.greet();
  }

  detached({ sessionId }: Protocol.Target.DetachedFromTargetEvent): void {
    this.#frames.get(sessionId)?.end();
    this.#frames.delete(sessionId);
  }

  received({ sessionId, message }: Protocol.Target.ReceivedMessageFromTargetEvent): void {
    this.#frames.get(sessionId)?.take(JSON.parse(message) as Reply);
  }

  /** Settles when every frame has answered or gone. What one of them refuses, a frame of the same process has got already. */
  async tell(commands: readonly EmulationCommand[]): Promise<void> {
    await Promise.all([...this.#frames.values()].map(frame => frame.tell(commands)));
  }

  end(): void {
    for (const frame of this.#frames.values()) frame.end();
    this.#frames.clear();
  }
}

/** One frame of another process. */
class FrameSession {
  readonly #asked = new Map<number, () => void>();
  readonly #below: ChildFrames;
  readonly #post: (message: string) => Promise<unknown>;
  readonly #greeting: () => readonly EmulationCommand[];
  #last = 0;

  constructor(post: (message: string) => Promise<unknown>, greeting: () => readonly EmulationCommand[]) {
    this.#post = post;
    this.#greeting = greeting;
    this.#below = new ChildFrames((method, params) => this.#ask(method, params), greeting);
  }

  async greet(): Promise<void> {
    const told = this.#carry(this.#greeting());
    await Promise.all([told, this.#below.watch(), this.#ask('Runtime.runIfWaitingForDebugger', {})]);
  }

  async tell(commands: readonly EmulationCommand[]): Promise<void> {
    await Promise.all([this.#carry(commands), this.#below.tell(commands)]);
  }

  take({ id, method, params }: Reply): void {
    if (id !== undefined) this.#settle(id);
    else if (method === 'Target.attachedToTarget')
      this.#below.attached(params as Protocol.Target.AttachedToTargetEvent);
    else if (method === 'Target.detachedFromTarget')
      this.#below.detached(params as Protocol.Target.DetachedFromTargetEvent);
    else if (method === 'Target.receivedMessageFromTarget')
      this.#below.received(params as Protocol.Target.ReceivedMessageFromTargetEvent);
  }

  end(): void {
    for (const id of [...this.#asked.keys()]) this.#settle(id);
    this.#below.end();
  }

  async #carry(commands: readonly EmulationCommand[]): Promise<void> {
    await Promise.all(commands.map(({ method, params }) => this.#ask(method, params)));
  }

  /** Settles with any answer, and when the frame has gone. */
  #ask(method: string, params: object): Promise<void> {
    const id = ++this.#last;
    return new Promise(resolve => {
      this.#asked.set(id, resolve);
      this.#post(JSON.stringify({ id, method, params })).catch(() => this.#settle(id));
    });
  }

  #settle(id: number): void {
    this.#asked.get(id)?.();
    this.#asked.delete(id);
  }
}

/** Watches the frames of a page from now on; gives what tells them all. */
export async function watchFrames(
  wire: CdpSession,
  greeting: () => readonly EmulationCommand[],
): Promise<(commands: readonly EmulationCommand[]) => Promise<void>> {
  const below = new ChildFrames((method, params) => wire.send(method as never, ...([params] as never)), greeting);
  wire.on('Target.attachedToTarget', event => below.attached(event));
  wire.on('Target.detachedFromTarget', event => below.detached(event));
  wire.on('Target.receivedMessageFromTarget', event => below.received(event));
  wire.session.on('close', () => below.end());
  await below.watch();
  return commands => below.tell(commands);
}
