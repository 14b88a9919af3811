// CdpSession: one CDP session (of a page, or of an out-of-process frame), and the frames and script worlds that its events report.
import type { Protocol } from 'devtools-protocol';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import type { CDPSession, Frame } from 'playwright-core';
import { Failure } from '../../errors.ts';
import { type InPage, SOURCE } from '../inpage/source.ts';

export type CdpCommands = ProtocolMapping.Commands;
export type CdpEvents = ProtocolMapping.Events;
type Params<M extends keyof CdpCommands> = CdpCommands[M]['paramsType'];

/** Our own script world in each frame: the page cannot change what our scripts rely on. */
const WORLD = 'tabwright';

export const AS_NODES: Protocol.Runtime.SerializationOptions = {
  serialization: 'deep',
  maxDepth: 1,
  additionalParameters: { maxNodeDepth: 0, includeShadowTree: 'none' },
};

export interface SerializedNode {
  value?: { backendNodeId?: number };
}

type PageFact = 'viewport' | 'mayBeMixed' | 'nextTask' | 'nextFrame';

export class CdpSession {
  /** Frames served by this session: CDP frame id → loader id of the document in it. */
  readonly loaders = new Map<string, string>();
  /** Default script worlds: CDP frame id → execution context. */
  readonly worlds = new Map<string, number>();
  /** Execution context → the origin that its scripts have. */
  readonly origins = new Map<number, string>();
  /** Script worlds with a name: the name and the CDP frame id → execution context. */
  readonly #named = new Map<string, number>();
  /** Frames that have no document of their own yet. */
  readonly attached = new Set<string>();
  readonly #own = new Map<string, Promise<number>>();
  /** The outermost frame that this session serves. */
  root = '';
  closed = false;

  constructor(
    readonly key: string,
    readonly session: CDPSession,
    /** The frame that it was opened for; none for the page itself. */
    readonly frame?: Frame,
  ) {}

  async open(): Promise<void> {
    this.session.on('close', () => {
      this.closed = true;
    });
    this.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId, isDefault } = (context.auxData ?? {}) as { frameId?: string; isDefault?: boolean };
      if (frameId === undefined) return;
      if (!isDefault) return void this.#named.set(`${context.name} ${frameId}`, context.id);
      this.worlds.set(frameId, context.id);
      this.origins.set(context.id, context.origin);
    });
    this.on('Runtime.executionContextDestroyed', ({ executionContextId }) => this.#forget(executionContextId));
    this.on('Runtime.executionContextsCleared', () => {
      this.worlds.clear();
      this.origins.clear();
      this.#named.clear();
      this.#own.clear();
    });
    this.on('Page.frameNavigated', ({ frame }) => this.#navigated(frame));
    this.on('Page.frameAttached', ({ frameId }) => this.attached.add(frameId));
    this.on('Page.frameDetached', ({ frameId }) => {
      this.attached.delete(frameId);
      this.loaders.delete(frameId);
      this.#own.delete(frameId);
    });
    const [, , tree] = await Promise.all([
      this.send('Page.enable'),
      this.send('Runtime.enable'),
      this.send('Page.getFrameTree'),
    ]);
    this.root = tree.frameTree.frame.id;
    this.#record(tree.frameTree);
  }

  async send<M extends keyof CdpCommands>(method: M, ...params: Params<M>): Promise<CdpCommands[M]['returnType']> {
    try {
      return (await this.session.send(method as never, params[0] as never)) as CdpCommands[M]['returnType'];
    } catch (error) {
      throw new CdpError(method, error);
    }
  }

  /** Gives the function that ends it. */
  on<E extends keyof CdpEvents>(event: E, listener: (payload: CdpEvents[E][0]) => void): () => void {
    this.session.on(event as never, listener as never);
    return () => void this.session.off(event as never, listener as never);
  }

  onClose(listener: () => void): () => void {
    this.session.on('close', listener);
    return () => void this.session.off('close', listener);
  }

  /** Backend node ids of the node or the list of nodes that an expression gives; undefined for anything else. */
  async nodes(expression: string, contextId: number): Promise<number[] | undefined> {
    const { result } = await this.send('Runtime.evaluate', { expression, contextId, serializationOptions: AS_NODES });
    const { objectId, deepSerializedValue: found } = result;
    if (objectId !== undefined) void this.send('Runtime.releaseObject', { objectId }).catch(() => undefined);
    const list = found?.type === 'array' ? (found.value as SerializedNode[]) : [found as SerializedNode];
    const ids = list.map(item => item?.value?.backendNodeId);
    return ids.every(id => id !== undefined) ? ids : undefined;
  }

  /** Calls one of our in-page functions that are about a whole page. */
  async ask<K extends PageFact>(name: K, frame = this.root): Promise<Awaited<ReturnType<InPage[K]>>> {
    const { result } = await this.send('Runtime.evaluate', {
      expression: `tabwright.${name}()`,
      contextId: await this.own(frame),
      returnByValue: true,
      awaitPromise: true,
    });
    return result.value as Awaited<ReturnType<InPage[K]>>;
  }

  /** Calls one of our in-page functions that answers nothing. */
  async tell<K extends 'reveal'>(name: K, arg: Parameters<InPage[K]>[0], frame: string): Promise<void> {
    const expression = `tabwright.${name}(${JSON.stringify(arg)})`;
    await this.send('Runtime.evaluate', { expression, contextId: await this.own(frame) });
  }

  /** The focused element, if there is one. */
  async focused(frame = this.root): Promise<number[] | undefined> {
    return this.nodes('tabwright.focused()', await this.own(frame));
  }

  /** The execution context of the world of that name in that frame. */
  namedWorld(name: string, frame: string): number | undefined {
    return this.#named.get(`${name} ${frame}`);
  }

  /** The execution context of our own world in that frame. */
  own(frame: string): Promise<number> {
    let world = this.#own.get(frame);
    if (!world) {
      world = this.#makeWorld(frame);
      this.#own.set(frame, world);
      world.catch(() => this.#own.delete(frame));
    }
    return world;
  }

  async #makeWorld(frameId: string): Promise<number> {
    const { executionContextId } = await this.send('Page.createIsolatedWorld', { frameId, worldName: WORLD });
    await this.send('Runtime.evaluate', { expression: SOURCE, contextId: executionContextId, returnByValue: true });
    return executionContextId;
  }

  #navigated(frame: Protocol.Page.Frame): void {
    this.attached.delete(frame.id);
    this.loaders.set(frame.id, frame.loaderId);
    this.#own.delete(frame.id);
  }

  #record({ frame, childFrames }: Protocol.Page.FrameTree): void {
    this.loaders.set(frame.id, frame.loaderId);
    for (const child of childFrames ?? []) this.#record(child);
  }

  #forget(context: number): void {
    this.origins.delete(context);
    for (const map of [this.worlds, this.#named]) for (const [key, id] of map) if (id === context) map.delete(key);
    for (const [frame, world] of this.#own)
      void world
        .then(id => id === context && this.#own.get(frame) === world && this.#own.delete(frame))
        .catch(() => undefined);
  }
}

/** A CDP command was refused. Its text is Chrome's, without Playwright's call log. */
export class CdpError extends Error {
  constructor(
    readonly method: string,
    cause: unknown,
  ) {
    const text = cause instanceof Error ? cause.message : String(cause);
    super(text.replace(/^.*?Protocol error \([\w.]+\): /s, '').split('\n')[0] ?? text, { cause });
  }

  /** The node, its document or its script world is no longer there. */
  get isGone(): boolean {
    return /No node with given id|does not belong|Could not find node|Cannot find context|Execution context was destroyed|Inspected target navigated|Could not find object|Node is detached|uniqueContextId not found|Cannot find default execution context|No frame with given id|Frame .* not found/i.test(
      this.message,
    );
  }
}

const GONE =
  /has been closed|Target closed|Session closed|Browser closed|browser has disconnected|Connection closed|Target crashed|page crashed|detached/i;

/** Whether the error says that page or browser is not there any more. */
export const isTargetGone = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof Failure) && GONE.test(error.message);
